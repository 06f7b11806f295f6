-- Messages are many, and are written once, so that they have a partition of their own. What is read of them by moments has
-- statistics as migration 0008 makes them.
create table documents_message partition of documents for values in ('message');

create statistics documents_message_created on ((data ->> 'createdAt') collate "C") from documents_message;
create statistics documents_message_modified on ((data ->> 'lastModifiedAt') collate "C") from documents_message;

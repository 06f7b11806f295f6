-- The orders by a moment are for queries, which say the condition of these indexes (src/storage/query-sql.ts). While
-- nothing is known of a table, all indexes that begin with project and kind look alike to Postgres: it read the whole
-- kind from one of these for a resource that it should have found by the primary key, and went on so for as long as the
-- plan was kept. The condition holds for every row. No other condition implies it, and Postgres takes it to hold for all
-- but few. Reads go on while the indexes are built.
create index documents_created_new on documents (project, kind, ((data ->> 'createdAt') collate "C"), id)
  where octet_length(project) <> 0;
create index documents_modified_new on documents (project, kind, ((data ->> 'lastModifiedAt') collate "C"), id)
  where octet_length(project) <> 0;

-- Of an index with a condition Postgres uses no statistics, so there are some without one.
create statistics documents_product_created on ((data ->> 'createdAt') collate "C") from documents_product;
create statistics documents_product_modified on ((data ->> 'lastModifiedAt') collate "C") from documents_product;
create statistics documents_cart_created on ((data ->> 'createdAt') collate "C") from documents_cart;
create statistics documents_cart_modified on ((data ->> 'lastModifiedAt') collate "C") from documents_cart;
create statistics documents_other_created on ((data ->> 'createdAt') collate "C") from documents_other;
create statistics documents_other_modified on ((data ->> 'lastModifiedAt') collate "C") from documents_other;
analyze documents;

drop index documents_created;
drop index documents_modified;
alter index documents_created_new rename to documents_created;
alter index documents_modified_new rename to documents_modified;

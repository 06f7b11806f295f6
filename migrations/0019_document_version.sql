-- The form of the documents of product search that the project has, or is being brought to. Of another one all products are
-- marked anew, and so they are of 0, which whoever wants them made again sets.
alter table search_projects add column document_version int not null default 0;

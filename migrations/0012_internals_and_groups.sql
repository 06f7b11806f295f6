-- What the platform keeps of a resource that is no part of it and that no client sees, such as the highest id that a
-- variant of a product ever had.
alter table documents add column internals jsonb;

-- Resources that others read by a value which they have in common (`groupedBy`). An index takes no text of any length.
create index documents_by_sku on documents (project, kind, md5(data ->> 'sku'))
  where kind in ('inventory-entry', 'standalone-price');

-- What the platform keeps of a resource that is no part of it and that no client sees, such as the highest id that a
-- variant of a product ever had.
alter table documents add column internals jsonb;

-- The pass that has waited longest is looked for with every step, among as many as there are changed sources.
create index passes_waiting on passes (project, touched_at) where begun_at is not null or due_at is not null;

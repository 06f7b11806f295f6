-- Walks through the resources of a kind that follow another one, such as the products of a product type: one row for each
-- source, or (with an empty source_id) for all sources of a kind together.
create table passes (
  project text not null references projects (key),
  kind text not null,
  source_kind text not null,
  source_id text not null,
  -- When the next one is to begin: a source has changed, or the clock changes what follows from it.
  due_at timestamptz,
  -- Under way since; the ids up to the cursor are done.
  begun_at timestamptz,
  cursor uuid,
  done bigint not null default 0,
  total bigint not null default 0,
  -- The state of the source that was followed last.
  mark text,
  touched_at timestamptz not null default clock_timestamp(),
  primary key (project, kind, source_kind, source_id)
);

create index passes_due on passes (project, due_at) where due_at is not null;
create index passes_begun on passes (project) where begun_at is not null;

-- The store: resources, what refers to them, and what a write leaves behind.
-- Every primary key, unique index and foreign key starts with the project, the unit of distribution.

create table projects (
  key text primary key,
  version bigint not null,
  data jsonb not null
);

-- A resource is a row; data is its whole representation, id, version and timestamps included, so that an unexpanded
-- read passes it through as text. Kinds with heavy traffic have partitions of their own; a new kind needs none.
create table documents (
  project text not null references projects (key),
  kind text not null,
  id uuid not null,
  key text,
  version bigint not null,
  data jsonb not null,
  primary key (project, kind, id)
) partition by list (kind);

create table documents_product partition of documents for values in ('product');
create table documents_cart partition of documents for values in ('cart');
create table documents_other partition of documents default;

create unique index documents_key on documents (project, kind, key) where key is not null;
create index documents_data on documents using gin (data jsonb_path_ops);

-- References that forbid the deletion of their target (ReferenceExists), exact under races by the foreign key.
create table document_references (
  project text not null,
  source_kind text not null,
  source_id uuid not null,
  target_kind text not null,
  target_id uuid not null,
  primary key (project, source_kind, source_id, target_kind, target_id),
  constraint document_references_source foreign key (project, source_kind, source_id)
    references documents (project, kind, id) on delete cascade,
  constraint document_references_target foreign key (project, target_kind, target_id)
    references documents (project, kind, id)
);

create index document_references_target on document_references (project, target_kind, target_id);

-- Values that one resource of a kind may hold at a time (DuplicateField): names, slugs, locations, the default flag.
create table unique_values (
  project text not null,
  kind text not null,
  field text not null,
  value text not null,
  id uuid not null,
  primary key (project, kind, field, value),
  constraint unique_values_holder foreign key (project, kind, id)
    references documents (project, kind, id) on delete cascade
);

create index unique_values_holder on unique_values (project, kind, id);

-- How many resources of a limited kind a project has; the row lock makes MaxResourceLimitExceeded exact.
create table resource_counts (
  project text not null references projects (key),
  kind text not null,
  count bigint not null,
  primary key (project, kind)
);

-- What keeps the caches of all processes coherent: rows are read by snapshot and dropped by time after some minutes.
create table change_log (
  xid xid8 not null default pg_current_xact_id(),
  project text not null,
  kind text not null,
  id text not null,
  version bigint not null,
  at timestamptz not null default clock_timestamp()
);

create index change_log_xid on change_log (xid);
create index change_log_at on change_log (at);

-- A queue of what must reach another system. Rows are taken in seq order with skip locked, delivered, then deleted.
create table outbox (
  seq bigint generated always as identity,
  project text not null,
  kind text not null,
  id uuid not null,
  version bigint not null,
  at timestamptz not null default clock_timestamp(),
  primary key (project, seq)
);

create table api_clients (
  project text not null references projects (key),
  id text not null,
  secret_hash bytea not null,
  name text not null,
  scopes text[] not null,
  created_at timestamptz not null,
  primary key (project, id)
);

-- The token endpoint knows no project: a client is found by its id, which is random.
create index api_clients_id on api_clients (id);

create table tokens (
  project text not null references projects (key),
  hash bytea not null,
  client_id text not null,
  scopes text[] not null,
  expires_at timestamptz not null,
  primary key (project, hash)
);

create index tokens_expiry on tokens (expires_at);

-- Sessions of customers and anonymous visitors: what a refresh token stands for, and the access tokens that came of it.

create table refresh_tokens (
  project text not null references projects (key),
  hash bytea not null,
  client_id uuid not null,
  scopes text[] not null,
  customer_id uuid,
  anonymous_id text,
  -- How long it holds after a use.
  ttl_seconds int not null,
  used_at timestamptz not null default now(),
  expires_at timestamptz not null,
  primary key (project, hash)
);

create unique index refresh_tokens_anonymous on refresh_tokens (project, anonymous_id) where anonymous_id is not null;
create index refresh_tokens_customer on refresh_tokens (project, customer_id) where customer_id is not null;
create index refresh_tokens_used on refresh_tokens (project, used_at);
create index refresh_tokens_expiry on refresh_tokens (expires_at);

-- How many a project has, in parts, so that sessions that start at once do not wait for one row.
create table refresh_token_counts (
  project text not null references projects (key),
  part smallint not null,
  count bigint not null,
  primary key (project, part)
);

alter table tokens add column refresh_hash bytea;
alter table tokens add column customer_id uuid;
create index tokens_refresh on tokens (project, refresh_hash) where refresh_hash is not null;
create index tokens_customer on tokens (project, customer_id) where customer_id is not null;

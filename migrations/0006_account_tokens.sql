-- Tokens that let customers set a new password or prove their email address; each is given out once.

create table account_tokens (
  project text not null references projects (key),
  hash bytea not null,
  customer_id uuid not null,
  purpose text not null,
  -- What the token holds for, as a hash: it ends when the customer has another password or address.
  subject bytea not null,
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  primary key (project, hash)
);

create index account_tokens_customer on account_tokens (project, customer_id, purpose, created_at);
create index account_tokens_expiry on account_tokens (expires_at);

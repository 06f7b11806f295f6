-- What those who subscribe to writes are still to be told, in the order in which each resource was written. Numbers are given
-- while the rows of the resources are locked.
create table notices (
  project text not null,
  seq bigint generated always as identity,
  listener uuid not null,
  subject text not null,
  id uuid not null,
  version bigint,
  payload text not null,
  at timestamptz not null default clock_timestamp(),
  primary key (project, listener, seq)
);

-- What is erased is found by what it is about.
create index notices_subject on notices (project, subject);

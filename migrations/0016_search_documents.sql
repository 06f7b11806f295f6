-- Product search: for each product a ready document, which the search processes read in the order of `seq`.

-- In a project it grows in the order of commits, for writes take it under the lease of the project.
create sequence search_sequence;

create table search_projects (
  project text primary key references projects (key),
  -- Counts what was written under the lease: a statement that comes late, after another one, does nothing.
  step bigint not null default 0,
  -- All products were marked, in search_dirty, since when; and all of them have been worked on, since when.
  started_at timestamptz,
  filled_at timestamptz,
  -- The step that search_facts changed in last.
  facts_step bigint not null default 0,
  -- Who has read up to less may have missed what is not there any more.
  pruned_seq bigint not null default 0
);

-- What documents are made of beside products and what is grouped by their SKUs, as of the changes that were consumed.
create table search_facts (
  project text not null references projects (key),
  kind text not null,
  id uuid not null,
  fact jsonb not null,
  primary key (project, kind, id)
);

-- Products whose documents may differ from what they are to be. Those that many wait with leave way to others.
create table search_dirty (
  project text not null references projects (key),
  product_id uuid not null,
  is_bulk boolean not null,
  since timestamptz not null default clock_timestamp(),
  primary key (project, product_id)
);

create index search_dirty_order on search_dirty (project, is_bulk, since);

-- `sources` are the ids of resources, and of groups, that reach the product by their changes.
create table search_documents (
  project text not null references projects (key),
  product_id uuid not null,
  seq bigint not null,
  sources uuid[] not null,
  -- Of the document, so that none has to be read to tell whether it changes; empty without one.
  digest text not null,
  -- {"both": …} where current and staged are the same, or {"current": …, "staged": …}, the former while it is published.
  document json,
  -- Of a product that is not there any more.
  gone_at timestamptz,
  primary key (project, product_id)
);

create unique index search_documents_seq on search_documents (project, seq);
create index search_documents_sources on search_documents using gin (sources);
create index search_documents_gone on search_documents (gone_at) where gone_at is not null;

-- Products that no document can be made of; a later change tries again.
create table search_set_aside (
  project text not null references projects (key),
  product_id uuid not null,
  error text not null,
  at timestamptz not null default clock_timestamp(),
  primary key (project, product_id)
);

-- The keyword index, by its time of creation, that was found to have all that products offer.
alter table suggest_indexes add column ready_created_at text;

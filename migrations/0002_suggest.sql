-- What the search feeder knows: the keywords that products offer, and which of them the search engine has yet to hear of.

-- One row for each keyword text that a product offers in a locale; candidates are folded and encoded.
create table suggest_source (
  project text not null references projects (key),
  product_id uuid not null,
  locale text not null,
  hash text not null,
  text text not null,
  current text[] not null,
  staged text[] not null,
  primary key (project, product_id, locale, hash)
);

create index suggest_source_text on suggest_source (project, locale, hash);

-- Texts whose documents differ from suggest_source. A push clears the flag of the generation that it read, no later one.
create table suggest_dirty (
  project text not null references projects (key),
  locale text not null,
  hash text not null,
  generation bigint not null default 1,
  since timestamptz not null default clock_timestamp(),
  keywords boolean not null default true,
  lexicon boolean not null default true,
  primary key (project, locale, hash)
);

-- Documents that the search engine refuses; a later change of the product tries again.
create table suggest_poison (
  project text not null references projects (key),
  locale text not null,
  hash text not null,
  error text not null,
  at timestamptz not null default clock_timestamp(),
  primary key (project, locale, hash)
);

-- The indexes that were filled, by their time of creation: others under the same name were made by somebody else.
create table suggest_indexes (
  project text primary key references projects (key),
  settings_version int not null,
  keywords_created_at text not null,
  lexicon_created_at text not null
);

-- Work that one process of all machines does at a time. Times are of the database's clock.
create table leases (
  project text not null references projects (key),
  name text not null,
  holder uuid not null,
  expires_at timestamptz not null,
  primary key (project, name)
);

-- Many products offer a text with the same candidates. Equal rows have an equal variant, so that those of a text are found
-- one by one, however many products offer it. Versions before know nothing of it, so the database makes it.
create function suggest_variant(current text[], staged text[]) returns text
  language sql immutable strict parallel safe
  as $$ select md5(array_to_string(current, ' ') || '/' || array_to_string(staged, ' ')) $$;

alter table suggest_source
  add column variant text not null generated always as (suggest_variant(current, staged)) stored;

create index suggest_source_variant on suggest_source (project, locale, hash, variant);
drop index suggest_source_text;

-- What is cleared for one index would else be read again and again on the way to what the other lacks.
create index suggest_dirty_keywords on suggest_dirty (project, locale, hash) where keywords;
create index suggest_dirty_lexicon on suggest_dirty (project, locale, hash) where lexicon;

-- The index that refused the text.
alter table suggest_poison add column index_name text not null default 'keywords';

-- When indexing was enabled: indexes that were filled before lack what has changed while it was off.
alter table suggest_indexes add column enabled_at text not null default '';

-- The filling of second indexes, which take the place of the first when they are complete: one row for each project.
create table suggest_fillings (
  project text primary key references projects (key),
  asked_at timestamptz not null default clock_timestamp(),
  -- Null until the second indexes are there.
  begun_at timestamptz,
  settings_version int,
  enabled_at text,
  keywords_created_at text,
  lexicon_created_at text,
  -- First all products are read, then all texts are sent, and then the indexes are swapped.
  stage text not null default 'products',
  -- Up to here it is done: the id of a product, or the locale and the hash of a text.
  cursor text[],
  done bigint not null default 0,
  total bigint not null default 0
);

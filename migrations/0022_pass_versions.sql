-- Which version of a source its followers are known to follow. The versions of the platform before this one leave these
-- columns as they are, and what they leave out makes a pass more.
alter table passes
  -- When the last change of the source was noted, and the version that it made.
  add column noted_at timestamptz,
  add column noted_version bigint,
  -- The version of the source when the pass that is under way began; null where another may have been read shortly before.
  add column begun_version bigint,
  -- All followers follow this version or a later one. While a pass is under way `mark` is of the one above, else of this.
  add column followed_version bigint;

-- Kinds that follow a kind take turns, and among their passes the one that has waited longest.
create index passes_turns on passes (project, kind, source_kind, touched_at)
  where begun_at is not null or due_at is not null;

-- The mark of a product type names the last of its versions that changed attributes.
update passes set followed_version = substring(mark from ',([0-9]+)\]$')::bigint
  where kind = 'product' and source_kind = 'product-type' and begun_at is null;

-- When a resource is to be deleted that says how many days it stays after it was modified. Timestamps are stored in UTC,
-- so that this depends on no setting, which Postgres cannot know of a text.
create function stays_until(data jsonb) returns timestamptz language sql immutable parallel safe as $$
  select (data ->> 'lastModifiedAt')::timestamptz
    + (data ->> 'deleteDaysAfterLastModification')::int * interval '24 hours'
$$;

-- By these what is due is found without a look at the others. Products have no such member.
create index documents_cart_stays on documents_cart (project, kind, stays_until(data), id)
  where data ? 'deleteDaysAfterLastModification';
create index documents_other_stays on documents_other (project, kind, stays_until(data), id)
  where data ? 'deleteDaysAfterLastModification';

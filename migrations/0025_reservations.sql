-- When a reservation that holds units back has its end. Of one that has ended, and of any other resource, nothing.
create function ends_at(data jsonb) returns text language sql immutable parallel safe as $$
  select case when data ->> 'state' in ('Created', 'Updated') then data ->> 'expiresAt' end
$$;

-- By this those that are over are found without a look at the others.
create index documents_other_ends on documents_other (project, kind, (ends_at(data) collate "C"), id)
  where ends_at(data) is not null;

-- Before there was a state that every project has, a client may have called one of its own so. Of items it is that one from now
-- on; any other gives its key up, for orders need it.
update documents set version = version + 1, data = data || jsonb_build_object(
  'version', version + 1, 'initial', true, 'builtIn', true)
where kind = 'state' and key = 'Initial' and data ->> 'type' = 'LineItemState' and data -> 'builtIn' is distinct from 'true'::jsonb;

update documents set version = version + 1, key = 'Initial-' || left(id::text, 8), data = data || jsonb_build_object(
  'version', version + 1, 'key', 'Initial-' || left(id::text, 8))
where kind = 'state' and key = 'Initial' and data ->> 'type' <> 'LineItemState';

insert into documents (project, kind, id, key, version, data)
select key, 'state', fresh.id, 'Initial', 1, jsonb_build_object(
  'id', fresh.id, 'version', 1, 'createdAt', fresh.now, 'lastModifiedAt', fresh.now, 'key', 'Initial',
  'type', 'LineItemState', 'initial', true, 'builtIn', true, 'roles', '[]'::jsonb)
from projects, lateral (
  select gen_random_uuid() as id, key as of,
    to_char(now() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as now
) as fresh
on conflict do nothing;

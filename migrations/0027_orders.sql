-- Orders, of which there may be millions, apart from what else there is.
create table documents_order partition of documents for values in ('order');
create statistics documents_order_created on ((data ->> 'createdAt') collate "C") from documents_order;
create statistics documents_order_modified on ((data ->> 'lastModifiedAt') collate "C") from documents_order;

-- A payment is in one cart or order. Each kind holds its values for itself as before.
create unique index unique_values_payment on unique_values (project, value)
  where kind in ('cart', 'order') and field = 'payment';

-- The state that every project has: in it is every unit of an item that was ordered. One that a client has called so stays.
insert into documents (project, kind, id, key, version, data)
select key, 'state', fresh.id, 'Initial', 1, jsonb_build_object(
  'id', fresh.id, 'version', 1, 'createdAt', fresh.now, 'lastModifiedAt', fresh.now, 'key', 'Initial',
  'type', 'LineItemState', 'initial', true, 'builtIn', true, 'roles', '[]'::jsonb)
from projects, lateral (
  select gen_random_uuid() as id, key as of,
    to_char(now() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as now
) as fresh
on conflict do nothing;

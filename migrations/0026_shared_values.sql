-- Values that so many resources of a kind may hold at once, such as that a discount is active for a store. Each holder has a
-- row, whose value ends in its id; `shared` is what they share, and `holders_max` how many of them may hold it.
alter table unique_values add column shared text, add column holders_max integer;

create index unique_values_shared on unique_values (project, kind, field, shared) where shared is not null;

-- What is active already holds its values, even where rivals have passed a limit.
insert into unique_values (project, kind, field, value, id, shared, holders_max)
select project, kind, 'isActive', 'true ' || id, id, 'true', 100 from documents
where kind = 'discount-group' and data @> '{"isActive": true}'
union all
select project, kind, 'discountGroup', concat(data #>> '{discountGroup,id}', ' ', id), id, data #>> '{discountGroup,id}', 100
from documents where kind = 'cart-discount' and data #> '{discountGroup,id}' is not null
union all
select project, kind, 'isActive', 'true ' || id, id, 'true', 100 from documents
where kind = 'cart-discount' and data @> '{"isActive": true, "requiresDiscountCode": false}' and data -> 'stores' = '[]'
union all
select distinct project, kind, 'stores', concat(store.key, ' ', id), id, store.key, 100
from documents, jsonb_to_recordset(data -> 'stores') as store (key text)
where kind = 'cart-discount' and data @> '{"isActive": true, "requiresDiscountCode": false}';

-- Those that take values of one kind come one after the other, so that each counts what the former ones have left. They do
-- not wait for each other by two locks, which could be in two orders.
create function require_room() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended(concat('shared ', new.project, ' ', new.kind), 0));
  if new.holders_max <= (select count(*) from unique_values as held where held.project = new.project
    and held.kind = new.kind and held.field = new.field and held.shared = new.shared) then
    raise exception 'shared by as many as may' using errcode = 'TP002', constraint = new.field, detail = new.shared;
  end if;
  return new;
end
$$;

create trigger require_room before insert on unique_values for each row
  when (new.shared is not null) execute function require_room();

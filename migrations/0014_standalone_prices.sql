-- Prices that stand alone, with a partition of their own as there may be millions of them.
create table documents_standalone_price partition of documents for values in ('standalone-price');
create statistics documents_standalone_price_created on ((data ->> 'createdAt') collate "C")
  from documents_standalone_price;
create statistics documents_standalone_price_modified on ((data ->> 'lastModifiedAt') collate "C")
  from documents_standalone_price;

-- Moments are stored in one form, whose texts compare as they do, and a cast of them would depend on settings.
create type text_range as range (subtype = text, collation = "C");

-- Two prices of one scope and SKU that have a validity do not hold at the same time, whoever writes them. Scopes are
-- compared by ranges of one value each, for which no extension is needed.
create function standalone_price_scope(project text, price jsonb) returns text language sql immutable parallel safe
  return md5(concat(project, e'\n', price #>> '{value,currencyCode}', e'\n', price ->> 'country', e'\n',
    price #>> '{customerGroup,id}', e'\n', price #>> '{channel,id}', e'\n', price ->> 'sku'));

alter table documents_standalone_price add constraint validity exclude using gist (
  text_range(standalone_price_scope(project, data), standalone_price_scope(project, data), '[]') with &&,
  text_range(data ->> 'validFrom', data ->> 'validUntil', '[)') with &&
) where (data ? 'validFrom' or data ? 'validUntil');

-- Of two that check the constraint at once each would wait for the other, until Postgres ends one after a second. So those
-- of one scope come one after the other, and the second finds what the first has left.
create function lock_standalone_price_scope() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended(standalone_price_scope(new.project, new.data), 0));
  return new;
end
$$;

create trigger lock_scope before insert or update on documents_standalone_price for each row
  when (new.data ? 'validFrom' or new.data ? 'validUntil') execute function lock_standalone_price_scope();

-- The end of a statement that commits several writes: all that were to be written have been, or none is.
create function require_written(expected uuid[], written uuid[]) returns void language plpgsql as $$
declare
  missing constant uuid[] := array(select unnest(expected) except select unnest(written));
begin
  if cardinality(missing) > 0 then
    raise exception 'not written' using errcode = 'TP001', detail = array_to_string(missing, ' ');
  end if;
end
$$;

/** Reads of resources that others name: by a stored document, and by values that only one of a kind may hold. */
import { isUuid } from '../engine/load.ts';
import type { NamedLookup, Stored, UniqueLookup } from '../engine/store.ts';
import type { Database } from './database.ts';
import { documentBytesMax, storedRows } from './query-sql.ts';
import { tooLarge } from './batched-reads.ts';
import { readStored } from './rows.ts';

const uuidPattern = '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$';

/** Kinds and paths are those of declarations, and stand in the statement: it is one for each declaration. */
export function namedStatement({ source, target, paths }: NamedLookup): string {
  const column = source.id === undefined ? 'key' : 'id';
  const names = paths.map((path) => `select jsonb_path_query(source.data, '$.${path}') #>> '{}' as name`);
  const ids = `select name::uuid from documents as source, lateral (${names.join(' union all ')}) as named
    where source.project = $1 and source.kind = '${source.kind}' and source.${column} = $2 and name ~* '${uuidPattern}'`;
  return storedRows(`documents where project = $1 and kind = '${target}' and id = any(array(${ids}))`);
}

export async function findNamed(database: Database, project: string, lookup: NamedLookup): Promise<readonly Stored[]> {
  const { id, key } = lookup.source;
  const value = id ?? key;
  if (value === undefined || value.includes('\0') || (id !== undefined && !isUuid(id))) return [];
  const statement = { text: namedStatement(lookup), parameters: [project, value], prepare: true };
  const rows = await database.read((sql) => readStored(sql, statement));
  return rows.flatMap(({ json, ...row }) => (json === undefined ? [] : [{ ...row, json }]));
}

export async function findHolders(
  database: Database,
  project: string,
  lookups: readonly UniqueLookup[],
): Promise<readonly (Stored | undefined)[]> {
  const found: (Stored | undefined)[] = lookups.map(() => undefined);
  const kinds = [...new Set(lookups.map(({ kind }) => kind))];
  await Promise.all(
    kinds.map(async (kind) => {
      const asked = [...lookups.entries()].filter(([, lookup]) => lookup.kind === kind);
      const [fields, values] = [
        asked.map(([, { unique }]) => unique.field),
        asked.map(([, { unique }]) => unique.value),
      ];
      const rows = await database.read((sql) =>
        // The driver's types know no mixed lists.
        sql.unsafe<HolderRow[]>(holdersStatement(kind), [project, fields, values] as unknown as string[], {
          prepare: true,
        }),
      );
      for (const { place, key, version, json, ...row } of rows) {
        if (json === null) throw tooLarge();
        found[asked[place - 1]![0]] = { ...row, key: key ?? undefined, version: Number(version), json };
      }
    }),
  );
  return found;
}

export async function findHolderIds(
  database: Database,
  project: string,
  lookups: readonly UniqueLookup[],
): Promise<readonly (string | undefined)[]> {
  if (lookups.length === 0) return [];
  const parameters = [
    project,
    lookups.map(({ kind }) => kind),
    lookups.map(({ unique }) => unique.field),
    lookups.map(({ unique }) => unique.value),
  ];
  const rows = await database.read((sql) =>
    // The driver's types know no mixed lists.
    sql.unsafe<{ place: number; id: string }[]>(holderIdsStatement, parameters as unknown as string[], {
      prepare: true,
    }),
  );
  const ids = new Map(rows.map(({ place, id }) => [place, id]));
  return lookups.map((_, index) => ids.get(index + 1));
}

/** `place` is that among the values that were asked for, from 1. */
export const holderIdsStatement = `select place::int, holding.id
  from unnest($2::text[], $3::text[], $4::text[]) with ordinality as asked (kind, field, value, place)
  join unique_values as holding
    on holding.project = $1 and holding.kind = asked.kind and holding.field = asked.field and holding.value = asked.value`;

interface HolderRow {
  /** Among the values that were asked for, from 1. */
  readonly place: number;
  readonly id: string;
  readonly key: string | null;
  readonly version: string;
  /** Null where the documents are too many. */
  readonly json: string | null;
}

export function holdersStatement(kind: string): string {
  return `select place, id, key, version, case when sum(octet_length(json)) over () <= ${documentBytesMax} then json end as json
    from (
      select place::int, holding.id, document.key, document.version, document.data::text as json
      from unnest($2::text[], $3::text[]) with ordinality as asked (field, value, place)
      join unique_values as holding
        on holding.project = $1 and holding.kind = '${kind}' and holding.field = asked.field and holding.value = asked.value
      join documents as document
        on document.project = $1 and document.kind = '${kind}' and document.id = holding.id
      offset 0
    ) as holders`;
}

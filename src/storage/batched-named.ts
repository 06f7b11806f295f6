/** Reads of what stored documents name. */
import { isUuid } from '../engine/load.ts';
import type { NamedLookup, NamedStored } from '../engine/store.ts';
import { BatchedCalls } from './batched-calls.ts';
import type { Database } from './database.ts';
import { indexedData } from './predicate-sql.ts';
import { foundRows } from './query-sql.ts';
import { type NamedRow, readNamed } from './rows.ts';

/** Documents that calls share a statement for. */
const sharedSourcesMax = 200;

interface Call extends NamedLookup {
  readonly project: string;
  /** The id or the key of the source, which finds it. */
  readonly value: string;
  /** Its statement. */
  readonly text: string;
}

/** Reads what documents name, without knowing what that is, for all who ask of documents of one kind. */
export class BatchedNamed {
  readonly #calls: BatchedCalls<Call, readonly NamedStored[]>;

  constructor(database: Pick<Database, 'read'>) {
    this.#calls = new BatchedCalls({
      sizeMax: sharedSourcesMax,
      sizeOf: () => 1,
      nameOf: ({ project, text }) => `${project}/${text}`,
      answer: (calls) => read(database, calls),
    });
  }

  find(project: string, lookup: NamedLookup): Promise<readonly NamedStored[]> {
    const { id, key } = lookup.source;
    const value = id?.toLowerCase() ?? key;
    if (value === undefined || value.includes('\0') || (id !== undefined && !isUuid(id))) return Promise.resolve([]);
    return this.#calls.run({ ...lookup, project, value, text: namedStatement(lookup) });
  }
}

/**
 * Where documents are too many for a statement, each call has one of its own, and what is too much for that is left out: a
 * computation reads by id what it misses.
 */
async function read(
  database: Pick<Database, 'read'>,
  calls: readonly Call[],
): Promise<readonly (readonly NamedStored[])[] | undefined> {
  const [{ project, text }] = calls as [Call];
  const values = [...new Set(calls.map(({ value }) => value))];
  // The driver's types know no mixed lists.
  const statement = { text, parameters: [project, values] as unknown as string[], prepare: true };
  const rows = await database.read((sql) => readNamed(sql, statement));
  const fitting = rows.filter((row): row is NamedRow & NamedStored => row.stored.json !== undefined);
  if (fitting.length < rows.length && calls.length > 1) return undefined;
  const bySource = new Map<string, NamedStored[]>(values.map((value) => [value, []]));
  for (const { source, kind, stored } of fitting) bySource.get(source)!.push({ kind, stored });
  return calls.map(({ value }) => bySource.get(value)!);
}

const uuidPattern = '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$';

/**
 * Kinds and paths are those of declarations, and stand in the statement: it is one for each declaration. A large document is
 * unpacked anew for each path, so what its index has of it is read where that has all of them.
 */
export function namedStatement({
  source,
  targets,
  isIndexed,
}: Pick<NamedLookup, 'source' | 'targets' | 'isIndexed'>): string {
  const [column, type] = source.id === undefined ? ['key', 'text'] : ['id', 'uuid'];
  const named = targets.flatMap(({ kind, paths }) =>
    paths.map((path) => `select '${kind}' as kind, jsonb_path_query(source.data, '$.${path}') #>> '{}' as name`),
  );
  const data = isIndexed ? indexedData : 'data';
  return foundRows(
    `(select distinct source.name as source, named.kind, named.name::uuid as id
      from (select ${column}::text as name, ${data} as data from documents
        where project = $1 and kind = '${source.kind}' and ${column} = any($2::${type}[]) offset 0) as source,
        lateral (${named.join(' union all ')}) as named
      where named.name ~* '${uuidPattern}') as named,
    lateral (select id, key, version, data, internals from documents
      where project = $1 and kind = named.kind and id = named.id offset 0) as found`,
    ['internals', 'named.kind', 'source'],
  );
}

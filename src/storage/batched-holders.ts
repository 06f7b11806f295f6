/** Reads of who holds values that only one of a kind may hold. */
import type { Stored, UniqueLookup } from '../engine/store.ts';
import { BatchedCalls } from './batched-calls.ts';
import type { Database } from './database.ts';
import { foundRows } from './query-sql.ts';
import { readHolderRows } from './rows.ts';

/** Values that calls share a statement up to. */
const sharedValuesMax = 500;

interface Call {
  readonly project: string;
  readonly lookups: readonly UniqueLookup[];
}

/** Reads holders for all who ask in one project. */
export class BatchedHolders {
  readonly #calls: BatchedCalls<Call, readonly (Stored | undefined)[]>;

  constructor(database: Pick<Database, 'read'>) {
    this.#calls = new BatchedCalls({
      sizeMax: sharedValuesMax,
      sizeOf: ({ lookups }) => lookups.length,
      nameOf: ({ project }) => project,
      answer: (calls) => read(database, calls),
    });
  }

  /** The answers stand in the order of the lookups. */
  find(project: string, lookups: readonly UniqueLookup[]): Promise<readonly (Stored | undefined)[]> {
    return lookups.length === 0 ? Promise.resolve([]) : this.#calls.run({ project, lookups });
  }
}

/** Values that several ask for are read once, and who holds several of them is, too. */
async function read(
  database: Pick<Database, 'read'>,
  calls: readonly Call[],
): Promise<readonly (readonly (Stored | undefined)[])[] | undefined> {
  const wanted = new Map(calls.flatMap(({ lookups }) => lookups.map((lookup) => [nameOf(lookup), lookup])));
  const statement = { text: holdersStatement, parameters: parametersOf(calls[0]!.project, [...wanted.values()]) };
  const rows = await database.read((sql) => readHolderRows(sql, { ...statement, prepare: true }));
  const names = [...wanted.keys()];
  const found = new Map<string, Stored>();
  for (const { places, stored } of rows) {
    const { json, ...rest } = stored;
    if (json === undefined) return undefined;
    const holder = { ...rest, json };
    for (const place of places) found.set(names[place - 1]!, holder);
  }
  return calls.map(({ lookups }) => lookups.map((lookup) => found.get(nameOf(lookup))));
}

function nameOf({ kind, unique }: UniqueLookup): string {
  return JSON.stringify([kind, unique.field, unique.value]);
}

/** The driver's types know no mixed lists. */
function parametersOf(project: string, lookups: readonly UniqueLookup[]): string[] {
  const columns: unknown[] = [
    project,
    lookups.map(({ kind }) => kind),
    lookups.map(({ unique }) => unique.field),
    lookups.map(({ unique }) => unique.value),
  ];
  return columns as string[];
}

/** `place` is that among the values that were asked for, from 1. */
const held = `select place::int, holding.kind, holding.id
  from unnest($2::text[], $3::text[], $4::text[]) with ordinality as asked (kind, field, value, place)
  join unique_values as holding
    on holding.project = $1 and holding.kind = asked.kind and holding.field = asked.field and holding.value = asked.value`;

export const holderIdsStatement = `select place, id from (${held}) as held`;

export const holdersStatement = foundRows(
  `(select kind, id, json_agg(place) as places from (${held}) as each group by kind, id offset 0) as held,
    lateral (select id, key, version, data, internals from documents
      where project = $1 and kind = held.kind and id = held.id offset 0) as found`,
  ['null as internals', 'places'],
);

export async function findHolderIds(
  database: Database,
  project: string,
  lookups: readonly UniqueLookup[],
): Promise<readonly (string | undefined)[]> {
  if (lookups.length === 0) return [];
  const rows = await database.read((sql) =>
    sql.unsafe<{ place: number; id: string }[]>(holderIdsStatement, parametersOf(project, lookups), {
      prepare: true,
    }),
  );
  const ids = new Map(rows.map(({ place, id }) => [place, id]));
  return lookups.map((_, index) => ids.get(index + 1));
}

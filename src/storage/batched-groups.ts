import { groupId } from '../engine/groups.ts';
import type { GroupLookup, Stored } from '../engine/store.ts';
import { BatchedCalls } from './batched-calls.ts';
import type { Database } from './database.ts';
import { groupedRows } from './query-sql.ts';
import { readGrouped } from './rows.ts';
import { memberSql } from './write-statements.ts';

/** Values that calls share a statement up to. */
const sharedValuesMax = 1000;

interface Call extends Pick<GroupLookup, 'kind' | 'member'> {
  readonly project: string;
  /** As rows name groups, each once. */
  readonly groups: readonly string[];
}

/** Reads resources by their groups, as a page of products does for the stocks of each. */
export class BatchedGroups {
  readonly #calls: BatchedCalls<Call, readonly Stored[]>;

  constructor(database: Pick<Database, 'read'>) {
    this.#calls = new BatchedCalls({
      sizeMax: sharedValuesMax,
      sizeOf: ({ groups }) => groups.length,
      nameOf: ({ project, kind, member }) => `${project}/${kind}/${member}`,
      answer: (calls) => read(database, calls),
    });
  }

  /** All that are in one of the groups, and maybe others whose values have the same hash. */
  find(project: string, { kind, member, values }: GroupLookup): Promise<readonly Stored[]> {
    if (values.length === 0) return Promise.resolve([]);
    return this.#calls.run({ project, kind, member, groups: [...new Set(values.map(groupId))] });
  }
}

async function read(
  database: Pick<Database, 'read'>,
  calls: readonly Call[],
): Promise<readonly (readonly Stored[])[] | undefined> {
  const [{ project, kind, member }] = calls as [Call];
  const groups = [...new Set(calls.flatMap((call) => call.groups))];
  // The driver's types know no mixed lists.
  const parameters = [project, groups] as unknown as string[];
  const statement = { text: groupedStatement({ kind, member }), parameters, prepare: true };
  const found = new Map<string, Stored[]>(groups.map((group) => [group, []]));
  for (const { group, stored } of await database.read((sql) => readGrouped(sql, statement))) {
    const { json, ...rest } = stored;
    if (json === undefined) return undefined;
    found.get(group)!.push({ ...rest, json });
  }
  return calls.map((call) => call.groups.flatMap((group) => found.get(group)!));
}

/** Declared members and kinds stand in the statement; migration 0012 has indexes of them. Texts are found by their hash, which others may share. */
export function groupedStatement({ kind, member }: Pick<GroupLookup, 'kind' | 'member'>): string {
  const group = `md5(${memberSql(member)})`;
  return groupedRows(`(select *, ${group} as in_group from documents
    where project = $1 and kind = '${kind}' and ${group} = any($2::text[])) as found`);
}

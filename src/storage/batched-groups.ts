import { groupId } from '../engine/groups.ts';
import type { GroupLookup, Stored } from '../engine/store.ts';
import { tooLarge } from './batched-reads.ts';
import type { Database } from './database.ts';
import { groupedRows } from './query-sql.ts';
import { readGrouped } from './rows.ts';
import { memberSql } from './write-statements.ts';

/** Values that calls share a statement up to; a single call may have more. */
const sharedValuesMax = 1000;

interface Waiting {
  readonly project: string;
  readonly kind: string;
  readonly member: string;
  /** As rows name groups, each once. */
  readonly groups: readonly string[];
  resolve(found: readonly Stored[]): void;
  reject(error: unknown): void;
}

/** Calls that share a statement. */
interface Together {
  readonly calls: Waiting[];
  values: number;
}

/**
 * Reads resources by their groups in one round trip for all that ask in the same tick, as a page of products does for the
 * stocks of each: one statement for each project, kind and member.
 */
export class BatchedGroups {
  readonly #database: Pick<Database, 'read'>;
  #waiting: Waiting[] = [];

  constructor(database: Pick<Database, 'read'>) {
    this.#database = database;
  }

  /** All that are in one of the groups, and maybe others whose values have the same hash. */
  find(project: string, { kind, member, values }: GroupLookup): Promise<readonly Stored[]> {
    if (values.length === 0) return Promise.resolve([]);
    return new Promise((resolve, reject) => {
      const groups = [...new Set(values.map(groupId))];
      this.#waiting.push({ project, kind, member, groups, resolve, reject });
      if (this.#waiting.length === 1) setImmediate(() => this.#flush());
    });
  }

  #flush(): void {
    const all = this.#waiting;
    this.#waiting = [];
    const open = new Map<string, Together>();
    for (const waiting of all) {
      const name = `${waiting.project}/${waiting.kind}/${waiting.member}`;
      let together = open.get(name);
      if (together !== undefined && together.values + waiting.groups.length > sharedValuesMax) {
        void this.#run(together.calls);
        together = undefined;
      }
      if (together === undefined) open.set(name, (together = { calls: [], values: 0 }));
      together.calls.push(waiting);
      together.values += waiting.groups.length;
    }
    for (const { calls } of open.values()) void this.#run(calls);
  }

  /** Where the documents are too many for one statement, those who share it are told one by one whose they are. */
  async #run(calls: readonly Waiting[]): Promise<void> {
    try {
      const found = await this.#read(calls);
      if (found !== undefined) {
        for (const { groups, resolve } of calls) resolve(groups.flatMap((group) => found.get(group) ?? []));
      } else if (calls.length > 1) {
        for (const call of calls) void this.#run([call]);
      } else {
        calls[0]!.reject(tooLarge());
      }
    } catch (error) {
      for (const { reject } of calls) reject(error);
    }
  }

  /** By their groups; undefined where they are too many. */
  async #read(calls: readonly Waiting[]): Promise<ReadonlyMap<string, readonly Stored[]> | undefined> {
    const [{ project, kind, member }] = calls as [Waiting];
    const groups = [...new Set(calls.flatMap((call) => call.groups))];
    // The driver's types know no mixed lists.
    const parameters = [project, groups] as unknown as string[];
    const statement = { text: groupedStatement({ kind, member }), parameters, prepare: true };
    const found = new Map<string, Stored[]>(groups.map((group) => [group, []]));
    for (const { group, stored } of await this.#database.read((sql) => readGrouped(sql, statement))) {
      const { json, ...rest } = stored;
      if (json === undefined) return undefined;
      found.get(group)!.push({ ...rest, json });
    }
    return found;
  }
}

/** Declared members and kinds stand in the statement; migration 0012 has indexes of them. Texts are found by their hash, which others may share. */
export function groupedStatement({ kind, member }: Pick<GroupLookup, 'kind' | 'member'>): string {
  const group = `md5(${memberSql(member)})`;
  return groupedRows(`(select *, ${group} as in_group from documents
    where project = $1 and kind = '${kind}' and ${group} = any($2::text[])) as found`);
}

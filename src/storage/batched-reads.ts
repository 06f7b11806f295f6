import { isUuid } from '../engine/load.ts';
import type { Lookup, Stored } from '../engine/store.ts';
import type { Sql } from './connection.ts';
import { storedColumns } from './query-sql.ts';
import { readStored } from './rows.ts';

/** Resources that one statement reads. */
const statementMax = 500;

/** A call that waits for what its lookups lead to. */
interface Waiting {
  readonly project: string;
  readonly lookups: readonly Lookup[];
  readonly found: (Stored | undefined)[];
  /** Lookups that have not been answered. */
  open: number;
  resolve(found: readonly (Stored | undefined)[]): void;
  reject(error: unknown): void;
}

interface Place {
  readonly waiting: Waiting;
  readonly index: number;
}

/** One statement: resources of a kind by their ids, or by their keys. */
interface Read {
  readonly project: string;
  readonly kind: string;
  readonly column: 'id' | 'key';
  readonly wanted: Map<string, Place[]>;
}

/**
 * Reads resources by id or key in one round trip for all requests that ask in the same tick: one statement for each kind,
 * project and sort of name. 64 rows in one statement cost Postgres and the driver a third of what 64 statements do.
 */
export class BatchedReads {
  readonly #sql: Sql;
  #waiting: Waiting[] = [];

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /** What the lookups lead to, in their order. */
  find(project: string, lookups: readonly Lookup[]): Promise<readonly (Stored | undefined)[]> {
    return new Promise((resolve, reject) => {
      const found = lookups.map(() => undefined);
      this.#waiting.push({ project, lookups, found, open: lookups.length, resolve, reject });
      if (this.#waiting.length === 1) setImmediate(() => this.#flush());
    });
  }

  #flush(): void {
    const all = this.#waiting;
    this.#waiting = [];
    const reads = new Map<string, Read>();
    for (const waiting of all) {
      if (waiting.open === 0) waiting.resolve(waiting.found);
      for (const [index, lookup] of waiting.lookups.entries()) enter(reads, lookup, { waiting, index });
    }
    for (const read of reads.values()) void this.#run(read);
  }

  async #run({ project, kind, column, wanted }: Read): Promise<void> {
    const type = column === 'id' ? 'uuid' : 'text';
    const text = `select ${storedColumns} from documents
      where project = $1 and kind = '${kind}' and ${column} = any($2::${type}[])`;
    const values = [...wanted.keys()];
    const parts = Array.from({ length: Math.ceil(values.length / statementMax) }, (_, index) => {
      // The driver's types know no mixed lists.
      const parameters: unknown[] = [project, values.slice(index * statementMax, (index + 1) * statementMax)];
      return readStored(this.#sql, { text, parameters: parameters as string[], prepare: true });
    });
    try {
      // A row has the value that it was found by.
      const found = new Map((await Promise.all(parts)).flat().map((stored) => [stored[column]!, stored]));
      for (const [value, places] of wanted) for (const place of places) answer(place, found.get(value));
    } catch (error) {
      for (const places of wanted.values()) for (const { waiting } of places) waiting.reject(error);
    }
  }
}

function enter(reads: Map<string, Read>, lookup: Lookup, place: Place): void {
  const value = valueOf(lookup);
  if (value === undefined) return answer(place, undefined);
  const { project } = place.waiting;
  const { kind } = lookup;
  const column = lookup.id === undefined ? 'key' : 'id';
  const name = `${project}/${kind}/${column}`;
  let read = reads.get(name);
  if (read === undefined) reads.set(name, (read = { project, kind, column, wanted: new Map<string, Place[]>() }));
  const places = read.wanted.get(value);
  if (places === undefined) read.wanted.set(value, [place]);
  else places.push(place);
}

/** Undefined for what no resource can have, which would fail the statement for all who share it. */
function valueOf({ id, key }: Lookup): string | undefined {
  if (id === undefined) return key?.includes('\0') === true ? undefined : key;
  return isUuid(id) ? id.toLowerCase() : undefined;
}

function answer({ waiting, index }: Place, stored: Stored | undefined): void {
  waiting.found[index] = stored;
  waiting.open -= 1;
  if (waiting.open === 0) waiting.resolve(waiting.found);
}

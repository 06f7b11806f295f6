import { isUuid } from '../engine/load.ts';
import type { Lookup, Stored } from '../engine/store.ts';
import { apiError } from '../errors/api-error.ts';
import type { Database } from './database.ts';
import { documentBytesMax, storedRows } from './query-sql.ts';
import { type Found, readStored } from './rows.ts';

/** Resources that one statement reads. */
const statementMax = 500;

/** A call that waits for what its lookups lead to. */
interface Waiting {
  readonly project: string;
  readonly lookups: readonly Lookup[];
  readonly found: (Stored | undefined)[];
  /** Lookups that have not been answered. */
  open: number;
  /** Of the documents that were found. */
  bytes: number;
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
  readonly #database: Pick<Database, 'read'>;
  #waiting: Waiting[] = [];

  constructor(database: Pick<Database, 'read'>) {
    this.#database = database;
  }

  /** What the lookups lead to, in their order. */
  find(project: string, lookups: readonly Lookup[]): Promise<readonly (Stored | undefined)[]> {
    return new Promise((resolve, reject) => {
      const found = lookups.map(() => undefined);
      this.#waiting.push({ project, lookups, found, open: lookups.length, bytes: 0, resolve, reject });
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

  async #run(read: Read): Promise<void> {
    const all = [...read.wanted];
    try {
      // One statement after the other, so that whoever asks for too much is told before all of it is here.
      for (let start = 0; start < all.length; start += statementMax) {
        let wanted = withRoom(all.slice(start, start + statementMax));
        // Large documents come in several goes, of which each gives at least the first.
        while (wanted.size > 0) wanted = answered(wanted, await this.#found({ ...read, wanted }));
      }
    } catch (error) {
      for (const places of read.wanted.values()) for (const { waiting } of places) waiting.reject(error);
    }
  }

  /** What was found, by the value that it was found by. */
  async #found({ project, kind, column, wanted }: Read): Promise<ReadonlyMap<string, Found>> {
    const type = column === 'id' ? 'uuid' : 'text';
    const text = storedRows(`documents where project = $1 and kind = '${kind}' and ${column} = any($2::${type}[])`);
    // The driver's types know no mixed lists.
    const parameters: unknown[] = [project, [...wanted.keys()]];
    const statement = { text, parameters: parameters as string[], prepare: true };
    const rows = await this.#database.read((sql) => readStored(sql, statement));
    // A row has the value that it was found by.
    return new Map(rows.map((stored) => [stored[column]!, stored]));
  }
}

/** Answers what was found, and gives what has to be read again, since it did not fit beside the others. */
function answered(wanted: Read['wanted'], found: ReadonlyMap<string, Found>): Read['wanted'] {
  for (const [value, places] of wanted) {
    const stored = found.get(value);
    if (stored === undefined) for (const place of places) answer(place, undefined);
    else if (stored.json !== undefined) answerAll(places, { ...stored, json: stored.json });
  }
  // After all answers, which tell whose documents are too many.
  const unread = [...wanted].filter(([value]) => found.has(value) && found.get(value)!.json === undefined);
  return withRoom(unread);
}

/** What is wanted by those whose documents are not too many already, of which they have been told. */
function withRoom(wanted: Iterable<readonly [value: string, places: Place[]]>): Read['wanted'] {
  const open: Read['wanted'] = new Map();
  for (const [value, places] of wanted) {
    const waiting = places.filter((place) => place.waiting.bytes <= documentBytesMax);
    if (waiting.length > 0) open.set(value, waiting);
  }
  return open;
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

/** All have the same one, which a call that names it several times holds once. */
function answerAll(places: readonly Place[], stored: Stored): void {
  const holders = new Set<Waiting>();
  for (const place of places) {
    answer(place, stored, holders.has(place.waiting) ? 0 : stored.json.length);
    holders.add(place.waiting);
  }
}

function answer({ waiting, index }: Place, stored: Stored | undefined, bytes = 0): void {
  waiting.found[index] = stored;
  waiting.open -= 1;
  waiting.bytes += bytes;
  if (waiting.bytes > documentBytesMax) waiting.reject(tooLarge());
  else if (waiting.open === 0) waiting.resolve(waiting.found);
}

/** Of a request whose resources are too much for one statement. */
export function tooLarge(): Error {
  return apiError(
    'InvalidInput',
    `The request reads more than ${documentBytesMax / 1024 / 1024} MB of resources. Ask for fewer at a time.`,
  );
}

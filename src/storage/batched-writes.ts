import type { Write } from '../engine/store.ts';
import { apiError } from '../errors/api-error.ts';
import { hasFailedOnData, hasWaitedInVain, isEndedByRivals } from './connection.ts';
import type { Database } from './database.ts';
import type { WriteStatement } from './write-statements.ts';
import { areLong, type Group } from './write-values.ts';

/** Statements that are started at a time. What comes meanwhile waits, and makes up the next ones. */
const statementsMax = 4;
/** After that a statement, which waits for a lock or for a connection that is gone, keeps no others from being started. */
const lateMs = 1000;
/** Of one statement. */
const writesMax = 32;
/** UTF-16 units, or bytes, of the documents of one statement, unless the first alone has more. */
const charsMax = 1_000_000;
/** Writes that wait for a statement to be started. */
const waitingMax = 4096;

/** A write that waits for its statement. */
interface Waiting {
  readonly write: Write;
  resolve(isWritten: boolean): void;
  reject(error: unknown): void;
}

/** Writes of one project that have the same statement, in the order in which they came. */
interface Queue {
  readonly project: string;
  readonly statement: WriteStatement;
  readonly waiting: Waiting[];
}

/**
 * Runs the writes of all requests that write at the same time together: 32 in one statement cost Postgres and the driver
 * a third of what 32 statements do, and one commit. A statement takes effect as a whole; where one write made it fail, its
 * halves are run, and theirs, until that write fails alone.
 */
export class BatchedWrites {
  readonly #database: Database;
  readonly #queues = new Map<string, Queue>();
  #waiting = 0;
  #started = 0;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Whether there was something to write: room below the limit, or a row of the expected version. */
  async run(project: string, statement: WriteStatement, write: Write): Promise<boolean> {
    if (!statement.isForMany)
      return (await written(this.#database, statement, { project, groups: [[write]] })).size > 0;
    if (this.#waiting === waitingMax)
      throw apiError('OverCapacity', 'Too many writes wait for the database. Try again later.');
    return new Promise((resolve, reject) => {
      const name = `${project}/${statement.name}`;
      const queue = this.#queues.get(name);
      if (queue === undefined) this.#queues.set(name, { project, statement, waiting: [{ write, resolve, reject }] });
      else queue.waiting.push({ write, resolve, reject });
      this.#waiting += 1;
      if (this.#waiting === 1) setImmediate(() => this.#start());
    });
  }

  #start(): void {
    for (const [name, queue] of this.#queues) {
      if (this.#started === statementsMax) return;
      const [batch, later] = divided(queue.waiting);
      this.#waiting -= batch.length;
      this.#queues.delete(name);
      // Behind the others, and thus again in this loop.
      if (later.length > 0) this.#queues.set(name, { ...queue, waiting: later });
      void this.#run({ ...queue, waiting: batch });
    }
  }

  async #run(batch: Batch): Promise<void> {
    let isCounted = true;
    const end = (): void => {
      if (isCounted) this.#started -= 1;
      isCounted = false;
      this.#start();
    };
    this.#started += 1;
    const late = setTimeout(end, lateMs);
    await runBatch(this.#database, batch);
    clearTimeout(late);
    end();
  }
}

/** Writes that one statement is for. */
type Batch = Omit<Queue, 'waiting'> & { readonly waiting: readonly Waiting[] };

/** Runs writes until each has heard of its outcome. */
async function runBatch(database: Database, batch: Batch): Promise<void> {
  const { project, statement, waiting } = batch;
  try {
    const ids = await written(database, statement, { project, groups: [waiting.map(({ write }) => write)] });
    for (const { write, resolve } of waiting) resolve(ids.has(write.id));
  } catch (error) {
    const parts = waiting.length > 1 ? partsAfter(error, waiting) : undefined;
    if (parts !== undefined) await Promise.all(parts.map((part) => runBatch(database, { ...batch, waiting: part })));
    else for (const { reject } of waiting) reject(error);
  }
}

/** What to run apart when one of the writes may have made them all fail. Those that have waited once wait alone. */
function partsAfter(error: unknown, batch: readonly Waiting[]): readonly (readonly Waiting[])[] | undefined {
  if (hasWaitedInVain(error)) return batch.map((one) => [one]);
  const half = batch.length >> 1;
  return hasFailedOnData(error) ? [batch.slice(0, half), batch.slice(half)] : undefined;
}

/** What the next statement is for, and the others: a resource changes once in a statement. */
function divided(waiting: readonly Waiting[]): readonly [batch: readonly Waiting[], later: Waiting[]] {
  const batch = new Map<string, Waiting>();
  const later: Waiting[] = [];
  let chars = 0;
  for (const one of waiting) {
    const { id } = one.write;
    const more = 'json' in one.write ? one.write.json.length : 0;
    const hasRoom = batch.size === 0 || (batch.size < writesMax && chars + more <= charsMax);
    if (hasRoom && !batch.has(id)) {
      batch.set(id, one);
      chars += more;
    } else later.push(one);
  }
  // Rows are locked in one order by all.
  return [[...batch.values()].toSorted((one, other) => (one.write.id < other.write.id ? -1 : 1)), later];
}

/** Times a statement is run that rivals end. */
const attemptsMax = 4;

/** Runs writes, and gives the ids of those that took place. */
export async function written(
  database: Database,
  statement: WriteStatement,
  { project, groups }: { readonly project: string; readonly groups: readonly Group[] },
): Promise<ReadonlySet<string>> {
  const { text, valuesOf } = areLong(groups) ? statement.inParts() : statement;
  // The driver's types know no mixed lists.
  const given = valuesOf(project, groups) as string[];
  for (let attempt = 1; ; attempt += 1) {
    try {
      const rows = await database.write((sql) => sql.unsafe<{ id: string }[]>(text, given, { prepare: true }));
      return new Set(rows.map(({ id }) => id));
    } catch (error) {
      if (!isEndedByRivals(error) || attempt === attemptsMax) throw error;
    }
  }
}

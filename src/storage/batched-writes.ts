import { isEndedByRivals, isRolledBack, type Sql } from './connection.ts';
import type { Change, WriteStatement } from './write-statements.ts';

/** Statements for several writes that are under way at a time. What comes meanwhile waits, and makes up the next ones. */
const statementsMax = 4;
/** Of one statement. */
const writesMax = 32;
/** UTF-16 units of the documents of one statement, unless the first alone has more. */
const charsMax = 1_000_000;

/** A write that waits for its statement. */
interface Waiting {
  readonly change: Change;
  resolve(isWritten: boolean): void;
  reject(error: unknown): void;
}

/** Writes of one project that have the same statement, in the order in which they came. */
interface Group {
  readonly statement: WriteStatement<Change>;
  readonly waiting: Waiting[];
}

/**
 * Runs the writes of all requests that write at the same time together: 32 in one statement cost Postgres and the driver
 * a third of what 32 statements do, and one commit. As a statement takes effect as a whole, one that fails is run again for
 * each write alone.
 */
export class BatchedWrites {
  readonly #sql: Sql;
  readonly #groups = new Map<string, Group>();
  #running = 0;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /** Whether there was something to write: room below the limit, or a row of the expected version. */
  async run(statement: WriteStatement<Change>, change: Change): Promise<boolean> {
    if (!statement.isForMany) return (await written(this.#sql, statement, [change])).size > 0;
    return new Promise((resolve, reject) => {
      const name = `${change.project}/${statement.name}`;
      const group = this.#groups.get(name) ?? { statement, waiting: [] };
      group.waiting.push({ change, resolve, reject });
      this.#groups.set(name, group);
      if (this.#groups.size === 1 && group.waiting.length === 1) setImmediate(() => this.#start());
    });
  }

  #start(): void {
    for (const [name, group] of this.#groups) {
      if (this.#running === statementsMax) return;
      this.#groups.delete(name);
      const [batch, later] = divided(group.waiting);
      // Behind the others, and thus again in this loop.
      if (later.length > 0) this.#groups.set(name, { ...group, waiting: later });
      this.#running += 1;
      void this.#runBatch(group.statement, batch).finally(() => {
        this.#running -= 1;
        this.#start();
      });
    }
  }

  async #runBatch(statement: WriteStatement<Change>, batch: readonly Waiting[]): Promise<void> {
    try {
      const ids = await written(
        this.#sql,
        statement,
        batch.map(({ change }) => change),
      );
      for (const { change, resolve } of batch) resolve(ids.has(change.id));
    } catch (error) {
      if (batch.length > 1 && isRolledBack(error))
        await Promise.all(batch.map((one) => this.#runBatch(statement, [one])));
      else for (const { reject } of batch) reject(error);
    }
  }
}

/** What the next statement is for, and the others: a resource changes once in a statement. */
function divided(waiting: readonly Waiting[]): readonly [batch: readonly Waiting[], later: Waiting[]] {
  const batch = new Map<string, Waiting>();
  const later: Waiting[] = [];
  let chars = 0;
  for (const one of waiting) {
    const { id, json } = one.change;
    const hasRoom = batch.size === 0 || (batch.size < writesMax && chars + json.length <= charsMax);
    if (hasRoom && !batch.has(id)) {
      batch.set(id, one);
      chars += json.length;
    } else later.push(one);
  }
  // Rows are locked in one order by all.
  return [[...batch.values()].toSorted((one, other) => (one.change.id < other.change.id ? -1 : 1)), later];
}

/** Times a statement is run that rivals end. */
const attemptsMax = 4;

/** Runs writes, and gives the ids of those that took place. */
export async function written<W>(
  sql: Sql,
  statement: WriteStatement<W>,
  writes: readonly W[],
): Promise<ReadonlySet<string>> {
  // The driver's types know no mixed lists.
  const given = statement.valuesOf(writes) as string[];
  for (let attempt = 1; ; attempt += 1) {
    try {
      const rows = await sql.unsafe<{ id: string }[]>(statement.text, given, { prepare: true });
      return new Set(rows.map(({ id }) => id));
    } catch (error) {
      if (!isEndedByRivals(error) || attempt === attemptsMax) throw error;
    }
  }
}

/**
 * What travels between the event loop and the worker threads: batches of plain values, packed with msgpackr. A worker
 * thread leaves the cores to the event loop, which has others to serve, where the system knows the priority of a thread.
 *
 *   event loop ──{ requests }──▶ worker: one call of the task for each ──{ results }──▶ event loop
 */
import { getPriority, setPriority } from 'node:os';
import { deserialize, serialize } from 'node:v8';
import { isMainThread } from 'node:worker_threads';
import { Packr } from 'msgpackr';
import { LRUCache } from 'lru-cache';
import { ApiError, type ErrorElement } from '../errors/api-error.ts';
import type { Task } from '../tasks/task.ts';

export type Result =
  | { readonly value: unknown }
  | { readonly errors: readonly [ErrorElement, ...ErrorElement[]] }
  | { readonly missing: readonly string[] }
  | { readonly fault: string };

/** A request, with the names of what it is computed from, and those parts that a thread lacked. */
export interface Message {
  readonly request: unknown;
  readonly names?: readonly string[];
  readonly parts?: Readonly<Record<string, unknown>>;
}

const packr = new Packr({ useRecords: false });

/** A name that clients may give, and that the packer makes another one of. */
const renamed = Buffer.from('__proto__');
/** The first byte of what V8 writes, with which no list begins that the packer writes. */
const v8Byte = 0xff;

/**
 * The bytes of a list, in a buffer of their own size. What the packer gives is a view of its working buffer, which
 * keeps the size of the largest value packed, and posting a view clones all of its buffer: after a catalog of 540 KB
 * each message of 3 bytes cost 0.6 to 1.3 ms instead of 15 µs. V8 takes up to twice as
 * long, and all names as they are.
 */
export function pack(value: readonly unknown[]): Uint8Array {
  const packed = packr.pack(value);
  return new Uint8Array(packed.includes(renamed) ? serialize(value) : packed);
}

/** What `pack` made of a list. */
export function unpack(bytes: Uint8Array): readonly unknown[] {
  return (bytes[0] === v8Byte ? deserialize(bytes) : packr.unpack(bytes)) as readonly unknown[];
}

/** The event loop gets nine times as much of a core that both want. */
const niceness = 10;
if (!isMainThread && process.platform === 'linux') leaveCores();

function leaveCores(): void {
  try {
    setPriority(Math.min(getPriority() + niceness, 19));
  } catch {
    // A system that forbids it.
  }
}

/** The entry of a worker module, which the pool calls with each batch. */
type Entry = (batch: Uint8Array) => Uint8Array;

/** The entry for a task: does the work for each request of a batch; one that fails leaves the others alone. */
export function serving<Request, Response>(
  _task: Task<Request, Response>,
  work: (request: Request) => Response,
): Entry {
  return entryOf((message) => ({ value: work(message.request as Request) }));
}

interface Kept<State, Made> {
  /** Parts that are kept, each in the form that `make` gives it. */
  readonly keptMax: number;
  make(state: State): Made;
}

/** The same for a task that is done on one thing that has versions. */
export function servingOn<Request, Response, State, Made extends NonNullable<unknown>>(
  task: Task<Request, Response, State>,
  kept: Kept<State, Made>,
  work: (made: Made, request: Request) => Response,
): Entry {
  return servingOnParts(task, kept, (made, request) => work(made.values().next().value!, request));
}

/** The same for a task that is done on several parts, which it gets by their names. */
export function servingOnParts<Request, Response, State, Made extends NonNullable<unknown>>(
  _task: Task<Request, Response, State>,
  { keptMax, make }: Kept<State, Made>,
  work: (made: ReadonlyMap<string, Made>, request: Request) => Response,
): Entry {
  const kept = new LRUCache<string, Made>({ max: keptMax });
  return entryOf(({ request, names = [], parts = {} }) => {
    const made = new Map<string, Made>();
    const missing: string[] = [];
    for (const name of names) {
      let one = kept.get(name);
      if (one === undefined && Object.hasOwn(parts, name)) kept.set(name, (one = make(parts[name] as State)));
      if (one === undefined) missing.push(name);
      else made.set(name, one);
    }
    return missing.length > 0 ? { missing } : { value: work(made, request as Request) };
  });
}

function entryOf(answer: (message: Message) => Result): Entry {
  return (batch) => pack(unpack(batch).map((message) => resultOf(() => answer(message as Message))));
}

function resultOf(run: () => Result): Result {
  try {
    return run();
  } catch (error) {
    if (error instanceof ApiError) return { errors: error.errors };
    return { fault: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

import { Piscina } from 'piscina';
import { ApiError, apiError } from '../errors/api-error.ts';
import { type Message, pack, type Result, unpack } from './protocol.ts';

export interface Pool {
  /**
   * Runs the task of the worker module `name`; gives `Missing` where the thread lacks what the task is done on. What
   * comes in one tick travels together.
   */
  run(name: string, message: Message): Promise<unknown>;
  close(): Promise<void>;
}

/** Names of what a thread lacks. */
export class Missing {
  readonly names: readonly string[];

  constructor(names: readonly string[]) {
    this.names = names;
  }
}

interface Waiting {
  readonly message: Message;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

export interface PoolOptions {
  readonly threads: number;
  /** Batches that may wait; past that a request fails with OverCapacity at once instead of waiting without end. */
  readonly queueMax: number;
  /** Requests of one message; a larger batch would keep one thread while others idle. */
  readonly batchMax?: number;
  /** After how long a thread without work ends. By default all are there from the start and stay. */
  readonly idleMs?: number;
}

const batchMaxDefault = 64;

/** Worker threads with a bounded queue. */
export function createPool({ threads, queueMax, batchMax = batchMaxDefault, idleMs }: PoolOptions): Pool {
  const piscina = new Piscina({
    minThreads: idleMs === undefined ? threads : 0,
    maxThreads: threads,
    ...(idleMs !== undefined && { idleTimeout: idleMs }),
    maxQueue: queueMax,
    atomics: 'disabled',
    concurrentTasksPerWorker: 1,
  });
  const waiting = new Map<string, Waiting[]>();
  let isFlushing = false;

  function flush(): void {
    isFlushing = false;
    for (const [name, requests] of waiting) {
      for (let start = 0; start < requests.length; start += batchMax)
        void send(name, requests.slice(start, start + batchMax));
    }
    waiting.clear();
  }

  async function send(name: string, batch: readonly Waiting[]): Promise<void> {
    try {
      const bytes: Uint8Array = await piscina.run(pack(batch.map(({ message }) => message)), {
        filename: workerFile(name),
        name: 'run',
      });
      const results = unpack(bytes);
      for (const [index, { resolve, reject }] of batch.entries()) settle(results[index] as Result, resolve, reject);
    } catch (error) {
      const failure = isQueueFull(error)
        ? apiError('OverCapacity', 'The server has too much to compute. Try again later.')
        : error;
      for (const { reject } of batch) reject(failure);
    }
  }

  return {
    run: (name, message) =>
      new Promise((resolve, reject) => {
        const entry = { message, resolve, reject };
        const others = waiting.get(name);
        if (others === undefined) waiting.set(name, [entry]);
        else others.push(entry);
        if (isFlushing) return;
        isFlushing = true;
        setImmediate(flush);
      }),
    close: () => piscina.destroy(),
  };
}

function workerFile(name: string): string {
  return new URL(`../../workers/${name}.js`, import.meta.url).href;
}

function isQueueFull(error: unknown): boolean {
  return error instanceof Error && error.message.includes('queue');
}

function settle(result: Result, resolve: (value: unknown) => void, reject: (error: unknown) => void): void {
  if ('value' in result) resolve(result.value);
  else if ('missing' in result) resolve(new Missing(result.missing));
  else if ('errors' in result) reject(new ApiError(result.errors));
  else reject(new Error(`A worker failed: ${result.fault}`));
}

import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { keepingMemory } from './embedded/allocator.ts';
import type { Connected } from './config.ts';
import type { Stop } from './signals.ts';

export type Role = 'http' | 'feeder' | 'search';

/**
 * What a child tells: it could serve at once; it serves; its event loop turns; it was told to end by somebody else; it has
 * put something on the queue.
 */
export type ChildMessage = 'prepared' | 'serving' | 'alive' | 'leaving' | 'queued';
/** What it is told: to serve; that there is something on the queue. */
export type ParentMessage = 'serve' | 'queued';

/** Of what is allocated outside of V8, such as messages to and from the database. */
const keptMegabytes = 64;

/** What a child's environment has where this process has nothing else. */
export function childEnvironment(role: Role): NodeJS.ProcessEnv {
  return {
    // Libraries leave out checks that are for those who develop with them; threads inherit it.
    NODE_ENV: 'production',
    ...(role === 'http' && keepingMemory(keptMegabytes)),
  };
}

/** How often a child's event loop says that it turns, and how often it is looked whether it did. */
export const heartbeatMs = 2000;
/** A child that is not heard at so many looks in a row hangs. Looks that a sleeping machine missed are not made up for. */
const silentLooksMax = 4;
const startMsMax = 60_000;
const stopMsMax = 20_000;

/** Processes that run. An end of this process that stops nothing in order must not leave them draining. */
const running = new Set<ChildProcess>();

process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** One process of the platform from its fork to its end, which it meets when it hangs. What follows is others' matter. */
export class Child {
  readonly #role: Role;
  readonly #process: ChildProcess;
  /** Why it is of no more use: it ended, is about to, or was never started. */
  readonly over: Promise<string>;
  readonly #exited: Promise<string>;
  readonly #prepared: Promise<void>;
  readonly #serving: Promise<void>;
  #isStopping = false;

  constructor(role: Role, config: Connected) {
    this.#role = role;
    const child = fork(join(import.meta.dirname, 'main.js'), [role, 'waiting'], {
      env: environmentOf(role, config),
    });
    this.#process = child;
    running.add(child);
    this.#exited = new Promise((resolve) => {
      child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`));
      // Also that of a message to a process that is gone; without a listener it would end this one.
      child.on('error', (error) => {
        if (child.pid === undefined) resolve(error.message);
      });
    });
    void this.#exited.then(() => running.delete(child));
    this.#prepared = this.#says('prepared');
    this.#serving = this.#says('serving');
    this.over = Promise.race([this.#exited, this.#says('leaving').then(() => 'it is leaving')]);
    this.#watch();
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  /** Resolves when the process could serve at once. */
  prepared(): Promise<void> {
    return this.#reaches(this.#prepared);
  }

  /** Hears of every time that the process has put something on the queue. */
  onQueued(listen: () => void): void {
    this.#process.on('message', (message) => {
      if (message === ('queued' satisfies ChildMessage)) listen();
    });
  }

  tell(message: ParentMessage): void {
    // One that is gone has no use for it.
    if (this.#process.connected) this.#process.send(message, () => {});
  }

  /** Has the process serve, and resolves when it does. */
  async serve(): Promise<void> {
    this.tell('serve');
    await this.#reaches(this.#serving);
  }

  /**
   * Ends the process in order. `gently` it goes on for clients that have connections to it, while others serve new ones;
   * otherwise it answers what is pending.
   */
  async stop(how: Stop): Promise<void> {
    // Whoever is told to end in this way is not heard any more, and has its own time.
    this.#isStopping = true;
    if (how === 'gently') this.#process.kill('SIGTERM');
    else if (this.#process.connected) this.#process.disconnect();
    const killer = setTimeout(() => this.#process.kill('SIGKILL'), stopMsMax);
    await this.#exited;
    clearTimeout(killer);
  }

  #says(expected: ChildMessage): Promise<void> {
    return new Promise((resolve) => {
      const listen = (message: unknown): void => {
        if (message !== expected) return;
        this.#process.off('message', listen);
        resolve();
      };
      this.#process.on('message', listen);
    });
  }

  async #reaches(state: Promise<void>): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<string>((resolve) => {
      timer = setTimeout(() => resolve(`it took more than ${startMsMax / 1000} s`), startMsMax);
    });
    const reason = await Promise.race([state, this.#exited, late]);
    clearTimeout(timer);
    if (reason === undefined) return;
    this.#process.kill('SIGKILL');
    throw new Error(`The ${this.#role} process ended while it started (${reason}).`);
  }

  /** Modules and schemas are loaded before the first sign of life, so that may take longer. */
  #watch(): void {
    let silentLooks = -startMsMax / heartbeatMs;
    this.#process.on('message', () => (silentLooks = 0));
    const timer = setInterval(() => {
      silentLooks += 1;
      if (silentLooks > silentLooksMax && !this.#isStopping) this.#process.kill('SIGKILL');
    }, heartbeatMs);
    void this.#exited.then(() => clearInterval(timer));
  }
}

function environmentOf(role: Role, config: Connected): NodeJS.ProcessEnv {
  return {
    ...childEnvironment(role),
    ...process.env,
    HOST: config.host,
    PORT: String(config.port),
    DATABASE_URL: config.databaseUrl,
    ...(config.databaseDirectory !== undefined && { DATABASE_DIRECTORY: config.databaseDirectory }),
    ...(config.meiliUrl !== undefined && { MEILI_URL: config.meiliUrl }),
    ...(config.meiliKey !== undefined && { MEILI_KEY: config.meiliKey }),
  };
}

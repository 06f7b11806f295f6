/**
 * Embedded services: the real Postgres and Meilisearch binaries as child processes. Nothing here knows what they are
 * used for, and nothing else starts them.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { createWriteStream, existsSync, readFileSync, statSync, truncateSync } from 'node:fs';
import { createServer } from 'node:net';

export interface Command {
  readonly file: string;
  readonly args: readonly string[];
  readonly environment?: NodeJS.ProcessEnv;
  /** The user to run as, where it is not the user of this process. */
  readonly user?: { readonly uid: number; readonly gid: number } | undefined;
}

export interface ServiceOptions {
  readonly name: string;
  readonly command: Command;
  readonly logFile: string;
  readonly stopSignal: NodeJS.Signals;
  /** Resolves when the service answers; gets what it printed so far on each call. Polled until the deadline. */
  readonly isReady: (output: string) => boolean | Promise<boolean>;
}

const readyMsMax = 60_000;
const pollMs = 20;
const stopMsMax = 20_000;
const logBytesMax = 10_000_000;
/** Output kept for error messages. */
const outputLengthMax = 20_000;
const restartDelayMs = 200;
/** Restarts within a minute, after which a service that keeps dying is given up. */
const restartsMax = 10;

/** A child process that is started again when it dies, until it is stopped. */
export class Service {
  readonly #options: ServiceOptions;
  readonly #onFailure: (error: Error) => void;
  #child: ChildProcess | undefined;
  #isStopping = false;
  #restartTimes: number[] = [];

  private constructor(options: ServiceOptions, onFailure: (error: Error) => void) {
    this.#options = options;
    this.#onFailure = onFailure;
  }

  /** Starts the service and waits until it is ready. `onFailure` hears when it cannot be kept running later. */
  static async start(options: ServiceOptions, onFailure: (error: Error) => void): Promise<Service> {
    const service = new Service(options, onFailure);
    await service.#launch();
    return service;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    child.kill(this.#options.stopSignal);
    const killer = setTimeout(() => child.kill('SIGKILL'), stopMsMax);
    await exited;
    clearTimeout(killer);
  }

  async #launch(): Promise<void> {
    const { name, command, logFile, isReady } = this.#options;
    const child = spawn(command.file, command.args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      // A group of its own: Ctrl-C reaches the supervisor, which stops its services in order.
      detached: true,
      env: command.environment ?? process.env,
      ...(command.user !== undefined && command.user),
    });
    this.#child = child;
    let output = '';
    let spawnError: Error | undefined;
    if (existsSync(logFile) && statSync(logFile).size > logBytesMax) truncateSync(logFile);
    const log = createWriteStream(logFile, { flags: 'a' });
    // A full disk must not take the supervisor with it.
    log.on('error', () => {});
    const collect = (chunk: Buffer): void => {
      output = (output + chunk.toString('utf8')).slice(-outputLengthMax);
      log.write(chunk);
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    child.on('error', (error) => (spawnError = error));
    child.on('exit', () => log.end());
    const giveUpAtMs = performance.now() + readyMsMax;
    while (!(await isReady(output))) {
      if (spawnError !== undefined) throw new Error(`${name} could not be started: ${spawnError.message}.`);
      if (child.exitCode !== null || child.signalCode !== null)
        throw new Error(`${name} ended while it started: ${reasonIn(output)}`);
      if (performance.now() > giveUpAtMs)
        throw new Error(`${name} was not ready within ${readyMsMax / 1000} s; see ${logFile}.`);
      await delay(pollMs);
    }
    child.once('exit', () => this.#restart());
  }

  #restart(): void {
    if (this.#isStopping) return;
    const now = performance.now();
    this.#restartTimes = [...this.#restartTimes.filter((time) => now - time < 60_000), now];
    if (this.#restartTimes.length > restartsMax) {
      this.#onFailure(
        new Error(`${this.#options.name} ended ${restartsMax} times within a minute; see ${this.#options.logFile}.`),
      );
      return;
    }
    setTimeout(() => {
      if (!this.#isStopping) this.#launch().catch(() => this.#restart());
    }, restartDelayMs);
  }
}

/** The line of a service's output that says what went wrong. */
function reasonIn(output: string): string {
  const lines = output.split('\n').filter((line) => line.trim() !== '');
  if (/no space left/i.test(output)) return 'the disk is full.';
  return (lines.find((line) => /FATAL|PANIC|error/i.test(line)) ?? lines.at(-1) ?? 'it printed nothing').trim();
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** A port of the loopback interface that nobody listens on. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() =>
        typeof address === 'object' && address !== null
          ? resolve(address.port)
          : reject(new Error('No port was assigned.')),
      );
    });
  });
}

/** The command line of a running process; undefined when there is none with this id. */
export function commandLineOf(pid: number): string | undefined {
  try {
    if (process.platform === 'linux') return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
  } catch {
    return undefined;
  }
}

/** Ends a process that an earlier run left behind, if it is the one that works on `directory`. */
export async function stopLeftover(pid: number, directory: string, signal: NodeJS.Signals): Promise<void> {
  const isLeftover = (): boolean => commandLineOf(pid)?.includes(directory) === true;
  if (!isLeftover()) return;
  process.kill(pid, signal);
  const giveUpAtMs = performance.now() + stopMsMax;
  while (isLeftover()) {
    if (performance.now() > giveUpAtMs) process.kill(pid, 'SIGKILL');
    await delay(pollMs);
  }
}

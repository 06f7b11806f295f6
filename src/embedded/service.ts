/**
 * Embedded services: the real Postgres and Meilisearch binaries as child processes. Nothing here knows what they are
 * used for, and nothing else starts them.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, fstatSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { connect, createServer } from 'node:net';

export interface Command {
  readonly file: string;
  readonly args: readonly string[];
  readonly workingDirectory: string;
  readonly environment: NodeJS.ProcessEnv;
  /** The user to run as, where it is not the user of this process. */
  readonly user?: { readonly uid: number; readonly gid: number } | undefined;
}

export interface ServiceOptions {
  readonly name: string;
  readonly command: Command;
  readonly logFile: string;
  /** Asks the service to end in order. */
  readonly stopSignal: NodeJS.Signals;
  /** Ends the service at once, with all of its processes. */
  readonly killSignal: NodeJS.Signals;
  /** Resolves when the service answers; gets what it printed so far on each call. Polled until the deadline. */
  readonly isReady: (output: string) => boolean | Promise<boolean>;
  /** What a service that runs answers in any state, even when it recovers or is busy; whatever it says. */
  readonly probe?: Probe;
  /** Ends all processes of a service that hangs, where they do not end with the first. */
  readonly killAll?: (pid: number) => void;
  /** Hears of the id of each process that is started. */
  readonly onSpawn?: (pid: number) => void;
  /** Hears why a running service had to be started again, or could not be. */
  readonly onFailure: (error: Error) => void;
}

export interface Probe {
  readonly port: number;
  /** Bytes to which the service says something, or closes the connection. */
  readonly question: Uint8Array | string;
}

/** A service that ended before it was ready. */
export class StartError extends Error {
  /** What it printed, as far as it was kept. */
  readonly output: string;

  constructor(message: string, output: string) {
    super(message);
    this.output = output;
  }
}

const readyMsMax = 60_000;
/** A service is asked so often, has so long to say something, and hangs when it did not so many times in a row. */
const probeMs = 3000;
const probeMsMax = 3000;
const silentProbesMax = 3;
const pollMs = 20;
const stopMsMax = 20_000;
const logBytesMax = 10_000_000;
/** Output kept for error messages. */
const outputLengthMax = 20_000;
const restartMsMin = 200;
const restartMsMax = 5000;
/** A service that ran this long before it died is started again without a growing delay. */
const soundMs = 60_000;

/** Services that run. An end of this process that stops nothing in order must leave nothing behind either. */
const running = new Set<Service>();

process.on('exit', () => {
  for (const service of running) service.kill();
});

/** A child process that is started again when it dies, until it is stopped. */
export class Service {
  readonly #options: ServiceOptions;
  #child: ChildProcess | undefined;
  #isStopping = false;
  #restartMs = restartMsMin;
  #restartTimer: NodeJS.Timeout | undefined;

  private constructor(options: ServiceOptions) {
    this.#options = options;
  }

  /** Starts the service and waits until it is ready. */
  static async start(options: ServiceOptions): Promise<Service> {
    const service = new Service(options);
    running.add(service);
    try {
      await service.#launch();
    } catch (error) {
      await service.stop();
      throw error;
    }
    return service;
  }

  /** Asks the service to end, and ends it when it does not in time. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    clearTimeout(this.#restartTimer);
    const child = this.#child;
    if (child !== undefined && isAlive(child)) {
      const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
      child.kill(this.#options.stopSignal);
      const killer = setTimeout(() => child.kill('SIGKILL'), stopMsMax);
      await exited;
      clearTimeout(killer);
    }
    running.delete(this);
  }

  /** Ends the service without waiting for it. */
  kill(): void {
    this.#isStopping = true;
    if (this.#child !== undefined && isAlive(this.#child)) this.#child.kill(this.#options.killSignal);
  }

  async #launch(): Promise<void> {
    const { name, command, logFile, isReady, onSpawn } = this.#options;
    const startedAtMs = performance.now();
    const child = spawn(command.file, command.args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      // A group of its own: Ctrl-C reaches the supervisor, which stops its services in order.
      detached: true,
      cwd: command.workingDirectory,
      env: command.environment,
      ...command.user,
    });
    this.#child = child;
    let output = '';
    let spawnError: Error | undefined;
    child.on('error', (error) => (spawnError = error));
    const log = new ServiceLog(logFile);
    const collect = (chunk: Buffer): void => {
      output = (output + chunk.toString('utf8')).slice(-outputLengthMax);
      log.write(chunk);
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    child.once('close', () => log.close());
    if (child.pid !== undefined) onSpawn?.(child.pid);
    const giveUpAtMs = performance.now() + readyMsMax;
    while (!(await isReady(output))) {
      if (spawnError !== undefined)
        throw new StartError(`${name} could not be started: ${spawnError.message}.`, output);
      if (child.pid !== undefined && !isAlive(child))
        throw new StartError(`${name} ended while it started: ${reasonIn(output)}`, output);
      if (performance.now() > giveUpAtMs) {
        child.kill('SIGKILL');
        throw new StartError(`${name} was not ready within ${readyMsMax / 1000} s; see ${logFile}.`, output);
      }
      await delay(pollMs);
    }
    const restart = (): void => {
      if (performance.now() - startedAtMs > soundMs) this.#restartMs = restartMsMin;
      this.#restartAfter(new Error(`${name} ended and is started again: ${reasonIn(output)}`));
    };
    if (isAlive(child)) {
      child.once('exit', restart);
      this.#watch(child);
    } else restart();
  }

  /** Ends a process that hangs; what follows an end follows. */
  #watch(child: ChildProcess): void {
    const { name, probe, killAll, onFailure } = this.#options;
    if (probe === undefined) return;
    let silentProbes = 0;
    const look = async (): Promise<void> => {
      silentProbes = (await isAnswered(probe)) ? 0 : silentProbes + 1;
      if (!isAlive(child)) return;
      if (silentProbes < silentProbesMax) {
        timer = setTimeout(() => void look(), probeMs);
        return;
      }
      onFailure(new Error(`${name} hangs and is ended.`));
      killAll?.(child.pid!);
      child.kill('SIGKILL');
    };
    let timer = setTimeout(() => void look(), probeMs);
    child.once('exit', () => clearTimeout(timer));
  }

  /** Never gives up: what keeps a service from running, such as a full disk, can pass. */
  #restartAfter(failure: Error): void {
    if (this.#isStopping) return;
    this.#options.onFailure(failure);
    this.#restartTimer = setTimeout(() => {
      this.#launch().catch((error: unknown) => this.#restartAfter(error as Error));
    }, this.#restartMs);
    this.#restartMs = Math.min(restartMsMax, this.#restartMs * 2);
  }
}

/** A file that starts over when it is full. It is written at once, and a full disk must not harm the supervisor. */
class ServiceLog {
  #descriptor: number | undefined;
  #bytes = 0;

  constructor(file: string) {
    try {
      this.#descriptor = openSync(file, 'a', 0o600);
      this.#bytes = fstatSync(this.#descriptor).size;
    } catch {
      this.#descriptor = undefined;
    }
  }

  write(chunk: Buffer): void {
    if (this.#descriptor === undefined) return;
    try {
      if (this.#bytes + chunk.byteLength > logBytesMax) {
        ftruncateSync(this.#descriptor);
        this.#bytes = 0;
      }
      this.#bytes += writeSync(this.#descriptor, chunk);
    } catch {
      // The service goes on without this part of its log.
    }
  }

  close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }
}

/** Runs a command to its end, in a group of its own, with this input. */
export function runToEnd(
  command: Command,
  input = '',
): Promise<{ readonly isSuccess: boolean; readonly output: string }> {
  return new Promise((resolve) => {
    let output = '';
    const child = spawn(command.file, command.args, {
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: true,
      cwd: command.workingDirectory,
      env: command.environment,
      ...command.user,
    });
    const end = (): boolean => child.kill('SIGTERM');
    process.once('exit', end);
    const collect = (chunk: Buffer): void => {
      output = (output + chunk.toString('utf8')).slice(-outputLengthMax);
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    // A command that ends early does not read it; how it ended says enough.
    child.stdin.on('error', () => {});
    child.stdin.end(input);
    child.once('error', (error) => resolve({ isSuccess: false, output: error.message }));
    child.once('close', (code) => {
      process.off('exit', end);
      resolve({ isSuccess: code === 0, output });
    });
  });
}

/** Whether anything comes back in time. A connection that is refused or closed is an answer of a system that is not stuck. */
function isAnswered({ port, question }: Probe): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port }, () => socket.write(question));
    const settle = (isAnswered: boolean): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(isAnswered);
    };
    const timer = setTimeout(() => settle(false), probeMsMax);
    socket.once('data', () => settle(true));
    socket.once('error', () => settle(true));
    socket.once('close', () => settle(true));
  });
}

function isAlive(child: ChildProcess): boolean {
  return child.pid !== undefined && child.exitCode === null && child.signalCode === null;
}

/** The line of a service's output that says what went wrong, as the end of a sentence. */
export function reasonIn(output: string): string {
  const lines = output.split('\n').filter((line) => line.trim() !== '');
  if (/no space left/i.test(output)) return 'the disk is full.';
  const reason = lines.find((line) => /FATAL|PANIC|error/i.test(line)) ?? lines.at(-1) ?? 'it printed nothing.';
  return reason.trim();
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

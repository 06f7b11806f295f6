import { type ChildProcess, fork } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Connected, type FirstClient, prepareDatabase } from '../../src/app.ts';
import { loadConfig } from '../../src/config.ts';
import { pidIn } from '../../src/embedded/leftover.ts';
import { freePort } from '../../src/embedded/service.ts';
import { startServices } from '../../src/services.ts';
import { connect } from '../../src/storage/connection.ts';

const dist = join(import.meta.dirname, '..', '..');

/** Processes of the platform on one database of their own, each on its own port and started again when it dies. */
export interface Cluster {
  readonly baseUrls: readonly string[];
  readonly projectKey: string;
  readonly client: FirstClient;
  /** Ends a process of the platform with SIGKILL; resolves when its successor serves. */
  killServer(index: number): Promise<void>;
  /** Ends Postgres with SIGKILL, or one of its helpers, upon which it recovers by itself; resolves when it answers. */
  killDatabase(victim: 'server' | 'helper'): Promise<void>;
  stop(): Promise<void>;
}

export interface ClusterOptions {
  readonly servers: number;
  /** The built program of a process, and its arguments. */
  readonly program: readonly [string, ...string[]];
}

/** The program of the platform's HTTP processes. */
export const platformProgram = ['src/main.js', 'http'] as const;

export async function startCluster({ servers: count, program }: ClusterOptions): Promise<Cluster> {
  const dataDir = mkdtempSync(join(tmpdir(), 'tradepost-history-'));
  // The user that Postgres runs as has to pass through.
  chmodSync(dataDir, 0o711);
  const services = await startServices({ ...loadConfig({ PROJECT_KEY: 'history' }), dataDir }, { search: false });
  const children: Server[] = [];
  const stop = async (): Promise<void> => {
    await Promise.all(children.map((child) => child.stop()));
    await services.stop();
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 3 });
  };
  try {
    const { config } = services;
    const client = await prepareDatabase(config);
    if (client === undefined) throw new Error('The history needs a new database.');
    const ports = await Promise.all(Array.from({ length: count }, freePort));
    children.push(...ports.map((port) => new Server(program, environmentOf(config, port))));
    await Promise.all(children.map((child) => child.start()));
    // The feeder prunes the change log.
    const feeder = new Server(['src/main.js', 'feeder'], environmentOf(config, ports[0]!));
    children.push(feeder);
    await feeder.start();
    return {
      baseUrls: ports.map((port) => `http://127.0.0.1:${port}`),
      projectKey: config.projectKey,
      client,
      killServer: (index) => children[index]!.restart(),
      killDatabase: (victim) => killDatabase(join(dataDir, 'postgres', 'postmaster.pid'), config.databaseUrl, victim),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function environmentOf(config: Connected, port: number): NodeJS.ProcessEnv {
  return {
    ...process.env,
    PORT: String(port),
    PROJECT_KEY: config.projectKey,
    DATABASE_URL: config.databaseUrl,
    WORKER_THREADS: '1',
    // Whatever meets a killed server is an error, and expected.
    LOG_LEVEL: 'silent',
  };
}

class Server {
  readonly #program: ClusterOptions['program'];
  readonly #environment: NodeJS.ProcessEnv;
  #process: ChildProcess | undefined;

  constructor(program: ClusterOptions['program'], environment: NodeJS.ProcessEnv) {
    this.#program = program;
    this.#environment = environment;
  }

  start(): Promise<void> {
    const [file, ...args] = this.#program;
    const child = fork(join(dist, file), args, { env: this.#environment });
    this.#process = child;
    return new Promise((resolve, reject) => {
      child.once('message', () => resolve());
      child.once('exit', (code, signal) => reject(new Error(`A process ended while it started (${code ?? signal}).`)));
    });
  }

  async stop(): Promise<void> {
    const child = this.#process;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    child.kill('SIGKILL');
    await exited;
  }

  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }
}

const pollMs = 50;
const readyMsMax = 60_000;

async function killDatabase(pidFile: string, databaseUrl: string, victim: 'server' | 'helper'): Promise<void> {
  const sql = connect({ databaseUrl, connectionsMax: 1, prepare: false });
  try {
    const [before] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
    const pid = victim === 'server' ? pidIn(pidFile) : before?.pid;
    if (pid === undefined) throw new Error('Postgres is not running.');
    process.kill(pid, 'SIGKILL');
    const giveUpAtMs = performance.now() + readyMsMax;
    for (;;) {
      try {
        // The new server has new helpers; the old ones of a killed server may answer for a moment.
        const [after] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
        if (after?.pid !== before?.pid) return;
      } catch (error) {
        if (performance.now() > giveUpAtMs) throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, pollMs));
    }
  } finally {
    await sql.end({ timeout: 1 });
  }
}

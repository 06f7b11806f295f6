import { type ChildProcess, fork } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type FirstClient, prepareDatabase } from '../../src/administration.ts';
import type { Connected } from '../../src/config.ts';
import { loadConfig } from '../../src/config.ts';
import { pidIn } from '../../src/embedded/leftover.ts';
import { freePort } from '../../src/embedded/service.ts';
import { startServices } from '../../src/services.ts';
import { connect } from '../../src/storage/connection.ts';
import { patchedEnvironment } from '../patching/patch.ts';
import { type PatchName, patches as allPatches } from './patches.ts';

const dist = join(import.meta.dirname, '..', '..');

/** Processes of the platform on one database of their own, each on its own port and started again when it dies. */
export interface Cluster {
  readonly baseUrls: readonly string[];
  readonly projectKey: string;
  readonly client: FirstClient;
  /** Whether what follows in the background does so. */
  readonly hasFeeder: boolean;
  /** Tells every process of more changes than it looks at one by one. */
  flood(): Promise<void>;
  /** Ends a process of the platform with SIGKILL; resolves when its successor serves. */
  killServer(index: number): Promise<void>;
  /** Ends Postgres with SIGKILL, or one of its helpers, upon which it recovers by itself; resolves when it answers. */
  killDatabase(victim: 'server' | 'helper'): Promise<void>;
  /** Stops a process of the platform, or Postgres, for a moment. */
  pauseServer(index: number): Promise<void>;
  pauseDatabase(): Promise<void>;
  stop(): Promise<void>;
}

export interface ClusterOptions {
  readonly servers: number;
  /** What the servers are changed by. */
  readonly patches?: readonly PatchName[];
  /** A database with all migrations and without projects; by default one on a Postgres of the cluster's own. */
  readonly databaseUrl?: string | undefined;
}

export async function startCluster({ servers: count, patches = [], databaseUrl }: ClusterOptions): Promise<Cluster> {
  const dataDir = mkdtempSync(join(tmpdir(), 'tradepost-history-'));
  // The user that Postgres runs as has to pass through.
  chmodSync(dataDir, 0o711);
  const services = await startServices(
    { ...loadConfig({ PROJECT_KEY: 'history', DATABASE_URL: databaseUrl }), dataDir },
    { search: false },
  );
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
    children.push(...ports.map((port) => new Server('http', environmentOf(config, port, patches))));
    await Promise.all(children.map((child) => child.start()));
    if (databaseUrl === undefined) {
      // The feeder prunes the change log, and has products follow discounts.
      const feeder = new Server('feeder', environmentOf(config, ports[0]!, []));
      children.push(feeder);
      await feeder.start();
    }
    return {
      baseUrls: ports.map((port) => `http://127.0.0.1:${port}`),
      projectKey: config.projectKey,
      client,
      hasFeeder: databaseUrl === undefined,
      flood: () => flood(config.databaseUrl),
      killServer: (index) => children[index]!.restart(),
      pauseServer: (index) => children[index]!.pause(),
      pauseDatabase: () => {
        const server = pidIn(join(dataDir, 'postgres', 'postmaster.pid'))!;
        return paused([server, ...helpersOf(server)]);
      },
      killDatabase: (victim) => killDatabase(join(dataDir, 'postgres', 'postmaster.pid'), config.databaseUrl, victim),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function environmentOf(config: Connected, port: number, patches: readonly PatchName[]): NodeJS.ProcessEnv {
  return {
    ...process.env,
    PORT: String(port),
    PROJECT_KEY: config.projectKey,
    DATABASE_URL: config.databaseUrl,
    WORKER_THREADS: '1',
    ...patchedEnvironment(patches.map((name) => ({ name, ...allPatches[name] }))),
    // Whatever meets a killed server is an error, and expected.
    LOG_LEVEL: 'silent',
  };
}

class Server {
  readonly #role: 'http' | 'feeder';
  readonly #environment: NodeJS.ProcessEnv;
  #process: ChildProcess | undefined;

  constructor(role: 'http' | 'feeder', environment: NodeJS.ProcessEnv) {
    this.#role = role;
    this.#environment = environment;
  }

  start(): Promise<void> {
    const execArgv = ['--import', pathToFileURL(join(import.meta.dirname, '..', 'patching', 'register.js')).href];
    const child = fork(join(dist, 'src/main.js'), [this.#role], { env: this.#environment, execArgv });
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

  async pause(): Promise<void> {
    await paused([this.#process!.pid!]);
  }

  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }
}

/** Longer than a check of the fence may take. */
const pauseMs = 1500;

async function paused(pids: readonly number[]): Promise<void> {
  for (const pid of pids) process.kill(pid, 'SIGSTOP');
  await new Promise((resolve) => setTimeout(resolve, pauseMs));
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGCONT');
    } catch {
      // A helper whose client has gone has ended.
    }
  }
}

function helpersOf(pid: number): readonly number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return children.trim().split(' ').filter(Boolean).map(Number);
}

/** More than a process looks at one by one. */
const floodCount = 20_001;

async function flood(databaseUrl: string): Promise<void> {
  const sql = connect({ databaseUrl, connectionsMax: 1, prepare: false });
  try {
    await sql`insert into change_log (project, kind, id, version)
      select 'flood', 'flood', number::text, 1 from generate_series(1, ${floodCount}::int) as number`;
  } finally {
    await sql.end({ timeout: 1 });
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

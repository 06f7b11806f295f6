import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Connected } from './config.ts';
import type { Config } from './config.ts';
import { identityOf, pidIn } from './embedded/leftover.ts';
import { startMeilisearch } from './embedded/meilisearch.ts';
import { startPostgres } from './embedded/postgres.ts';

const lockAttemptsMax = 3;

export interface Services {
  /** The configuration with the addresses of the servers that were started. */
  readonly config: Connected;
  /** What the operator should know about them, a sentence each. */
  readonly remarks: readonly string[];
  stop(): Promise<void>;
}

/**
 * Starts the embedded servers for which the configuration names no outside one. One process at a time works on a data
 * directory; the lock of one that was killed is taken over.
 */
export async function startServices(
  config: Config,
  options: { search: boolean; onFailure?: (error: Error) => void },
): Promise<Services> {
  const onFailure = options.onFailure ?? (() => {});
  prepareDataDirectory(config.dataDir);
  const unlock = lock(config.dataDir);
  // A run that was killed has left those of servers that are gone.
  rmSync(join(config.dataDir, baseAddressName), { force: true });
  const [postgresStart, meilisearchStart] = await Promise.allSettled([
    config.databaseUrl === undefined ? startPostgres(config.dataDir, onFailure) : Promise.resolve(undefined),
    options.search && config.meiliUrl === undefined
      ? startMeilisearch(config.dataDir, onFailure)
      : Promise.resolve(undefined),
  ]);
  const postgres = postgresStart.status === 'fulfilled' ? postgresStart.value : undefined;
  const meilisearch = meilisearchStart.status === 'fulfilled' ? meilisearchStart.value : undefined;
  const addressFile = join(config.dataDir, databaseAddressName);
  const stop = async (): Promise<void> => {
    for (const name of [databaseAddressName, baseAddressName]) rmSync(join(config.dataDir, name), { force: true });
    await Promise.all([postgres?.stop(), meilisearch?.stop()]);
    unlock();
  };
  for (const start of [postgresStart, meilisearchStart]) {
    if (start.status === 'fulfilled') continue;
    await stop();
    throw start.reason;
  }
  if (postgres !== undefined) writeFileSync(addressFile, postgres.url, { mode: 0o600 });
  const remarks: string[] = [];
  if (postgres?.movedTo !== undefined) {
    remarks.push(
      `The unprivileged user that Postgres runs as cannot enter ${config.dataDir}, so the database is in ${postgres.movedTo}.`,
    );
  }
  if (options.search && config.meiliUrl === undefined && meilisearch === undefined) {
    remarks.push(
      'There is no Meilisearch binary for this machine: product suggestions are off. Set MEILI_URL to use an outside server.',
    );
  }
  return {
    config: {
      ...config,
      databaseUrl: config.databaseUrl ?? postgres!.url,
      databaseDirectory: config.databaseDirectory ?? postgres?.directory,
      meiliUrl: config.meiliUrl ?? meilisearch?.url,
      meiliKey: config.meiliUrl === undefined ? meilisearch?.key : config.meiliKey,
    },
    remarks,
    stop,
  };
}

/** Where commands find the embedded database of a platform that is running, and the address that clients know it by. */
const databaseAddressName = 'postgres.url';
const baseAddressName = 'base.url';

/** Tells commands the address of the platform that serves from this data directory. */
export function announceBaseUrl({ dataDir, baseUrl }: Config): void {
  writeFileSync(join(dataDir, baseAddressName), baseUrl, { mode: 0o600 });
}

/**
 * A database for the time of a command: the outside one, that of the platform running on this data directory, or an
 * embedded one that is started and stopped again. With the address of that platform, if one runs.
 */
export async function borrowDatabase(given: Config): Promise<Services> {
  const addressOf =
    holderOf(given.dataDir) !== undefined ? (name: string) => contentOf(join(given.dataDir, name)) : () => undefined;
  const config = { ...given, baseUrl: addressOf(baseAddressName) ?? given.baseUrl };
  const databaseUrl = config.databaseUrl ?? addressOf(databaseAddressName);
  if (databaseUrl === undefined) return startServices(config, { search: false });
  return { config: { ...config, databaseUrl }, remarks: [], stop: async () => {} };
}

function contentOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

/** The process of the platform that serves from this data directory. */
export function servingPid(dataDir: string): number | undefined {
  return contentOf(join(dataDir, baseAddressName)) === undefined ? undefined : holderOf(dataDir);
}

/** The process of the platform, or of a command, that works on this data directory. */
function holderOf(dataDir: string): number | undefined {
  const file = join(dataDir, lockName);
  const holder = pidIn(file);
  // The id alone may have come to another process since.
  return holder !== undefined && identityOf(holder) === contentOf(file)?.split('\n')[1] ? holder : undefined;
}

function prepareDataDirectory(dataDir: string): void {
  try {
    // Others may pass through to the database's own directory; every secret in this one has a mode of its own.
    mkdirSync(dataDir, { recursive: true, mode: 0o711 });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`The data directory ${dataDir} cannot be made: ${reason}.`);
  }
}

const lockName = 'tradepost.pid';

/** Takes the directory's lock file, or says who has it. Gives the function that gives it back. */
function lock(dataDir: string): () => void {
  const file = join(dataDir, lockName);
  for (let attempt = 1; ; attempt += 1) {
    try {
      writeFileSync(file, `${process.pid}\n${identityOf(process.pid)}`, { mode: 0o600, flag: 'wx' });
      return () => rmSync(file, { force: true });
    } catch (error) {
      if (codeOf(error) !== 'EEXIST' || attempt === lockAttemptsMax) throw error;
      const holder = holderOf(dataDir);
      if (holder !== undefined) throw new Error(`Tradepost is running already on ${dataDir}, as process ${holder}.`);
      rmSync(file, { force: true });
    }
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

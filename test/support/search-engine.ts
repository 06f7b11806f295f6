import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Test } from 'tap';
import { startMeilisearch } from '../../src/embedded/meilisearch.ts';
import { dataDirectory } from './process.ts';
import { eventually } from './services.ts';

export interface OwnSearchEngine {
  readonly url: string;
  readonly key: string;
  /** Ends it at once, or as soon as it runs; it is started again by itself. */
  kill(): Promise<void>;
  /** As `kill`, with all that it has stored. */
  loseDisk(): Promise<void>;
}

/** A search engine of the test's own, which it may harm. */
export async function ownSearchEngine(t: Test, dataDir = dataDirectory(t)): Promise<OwnSearchEngine> {
  const engine = await startMeilisearch(dataDir, () => {});
  if (engine === undefined) throw new Error('There is no search engine for this machine.');
  t.teardown(() => engine.stop());
  const kill = async (): Promise<void> => {
    await eventually(async () => {
      try {
        return process.kill(Number(readFileSync(join(dataDir, 'meilisearch.pid'), 'utf8')), 'SIGKILL');
      } catch {
        return undefined;
      }
    });
  };
  return {
    url: engine.url,
    key: engine.key,
    kill,
    loseDisk: async () => {
      rmSync(join(dataDir, 'meilisearch', 'data.ms'), { recursive: true, force: true });
      await kill();
    },
  };
}

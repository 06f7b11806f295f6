import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { startMeilisearch, type EmbeddedMeilisearch } from '../../src/embedded/meilisearch.ts';
import { startModule } from '../support/module-process.ts';
import { dataDirectory, processesWith } from '../support/process.ts';
import { eventually } from '../support/services.ts';

async function start(t: Test, dataDir: string, failures: Error[] = []): Promise<EmbeddedMeilisearch> {
  const meilisearch = await startMeilisearch(dataDir, (error) => failures.push(error));
  t.teardown(() => meilisearch?.stop());
  return meilisearch!;
}

async function version({ url, key }: EmbeddedMeilisearch): Promise<unknown> {
  const response = await fetch(`${url}/version`, { headers: { authorization: `Bearer ${key}` } });
  return ((await response.json()) as { pkgVersion?: string }).pkgVersion;
}

t.test('it answers with its key only, and settings of another one in the environment do not reach it', async (t) => {
  const dataDir = dataDirectory(t);
  process.env['MEILI_DB_PATH'] = '/nowhere';
  process.env['MEILI_SSL_CERT_PATH'] = '/nowhere';
  t.teardown(() => {
    delete process.env['MEILI_DB_PATH'];
    delete process.env['MEILI_SSL_CERT_PATH'];
  });
  const meilisearch = await start(t, dataDir);
  t.equal(await version(meilisearch), '1.21.0');
  t.equal((await fetch(`${meilisearch.url}/version`)).status, 401);
  await meilisearch.stop();
  t.strictSame(processesWith(dataDir), []);
  t.equal((await start(t, dataDir)).key, meilisearch.key, 'the key is kept');
});

t.test('a server that hangs is ended and started again', async (t) => {
  const dataDir = dataDirectory(t);
  const failures: Error[] = [];
  const meilisearch = await start(t, dataDir, failures);
  process.kill(Number(readFileSync(join(dataDir, 'meilisearch.pid'), 'utf8')), 'SIGSTOP');
  await eventually(async () => (failures.length > 0 ? true : undefined));
  t.match(failures[0]?.message, 'The embedded Meilisearch hangs and is ended.');
  t.equal(await eventually(() => version(meilisearch).catch(() => undefined)), '1.21.0');
});

t.test('the server of a killed run is stopped, even when it was one that had been started again', async (t) => {
  const dataDir = dataDirectory(t);
  const killed = startModule(t, 'embedded/meilisearch.js', `await module.startMeilisearch('${dataDir}', () => {})`);
  await killed.printed('done');
  const pidFile = join(dataDir, 'meilisearch.pid');
  const first = readFileSync(pidFile, 'utf8');
  process.kill(Number(first), 'SIGKILL');
  const second = await eventually(async () => {
    const now = readFileSync(pidFile, 'utf8');
    return now !== '' && now !== first ? now : undefined;
  });
  killed.child.kill('SIGKILL');
  await killed.exited;
  const meilisearch = await start(t, dataDir);
  t.not(readFileSync(pidFile, 'utf8'), second);
  t.equal(processesWith(`${dataDir}/meilisearch`).length, 1);
  t.equal(await version(meilisearch), '1.21.0');
});

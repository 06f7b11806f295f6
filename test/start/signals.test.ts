import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { childrenOf, dataDirectory, processesWith, startProcess } from '../support/process.ts';
import { freePort } from '../../src/embedded/service.ts';
import { eventually } from '../support/services.ts';

t.test('a signal while the servers start leaves nothing behind', async (t) => {
  const dataDir = dataDirectory(t);
  const started = startProcess(t, { DATA_DIR: dataDir, PORT: String(await freePort()) });
  const log = join(dataDir, 'postgres.log');
  await eventually(async () =>
    existsSync(log) && readFileSync(log, 'utf8').includes('starting PostgreSQL') ? true : undefined,
  );
  started.child.kill('SIGTERM');
  t.equal(await started.exited, 0);
  t.strictSame(processesWith(dataDir), []);
});

t.test('Ctrl-C, which npm sends on to a process that the terminal has sent it to, is one signal', async (t) => {
  const dataDir = dataDirectory(t);
  const started = startProcess(t, { DATA_DIR: dataDir, PORT: String(await freePort()) });
  await started.ready;
  started.child.kill('SIGINT');
  started.child.kill('SIGINT');
  t.equal(await started.exited, 0);
  t.strictSame(processesWith(dataDir), []);
  t.match(readFileSync(join(dataDir, 'postgres.log'), 'utf8'), /database system is shut down\s*$/);
});

t.test('a later signal does not wait, and leaves nothing behind either', async (t) => {
  const dataDir = dataDirectory(t);
  const started = startProcess(t, { DATA_DIR: dataDir, PORT: String(await freePort()) });
  await started.ready;
  const children = childrenOf(started.child.pid!);
  const http = children.find((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('\0http'));
  // A process that cannot drain keeps the orderly way from ending.
  process.kill(http!, 'SIGSTOP');
  const impatience = setInterval(() => started.child.kill('SIGINT'), 50);
  t.equal(await started.exited, 130);
  clearInterval(impatience);
  await eventually(async () => (children.some((pid) => existsSync(`/proc/${pid}`)) ? undefined : true));
  t.strictSame(processesWith(dataDir), []);
});

import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { childrenOf, dataDirectory, main, processesWith, startProcess } from '../support/process.ts';
import { freePort } from '../../src/embedded/service.ts';
import { eventually } from '../support/services.ts';

function commandOf(pid: number): string {
  return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
}

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

t.test('an end that every process is told of is none that another process has to follow', async (t) => {
  const dataDir = dataDirectory(t);
  const started = startProcess(t, { DATA_DIR: dataDir, PORT: String(await freePort()) });
  await started.ready;
  const children = childrenOf(started.child.pid!).filter((pid) => commandOf(pid).includes('\0waiting'));
  for (const pid of [...children, started.child.pid!]) process.kill(pid, 'SIGTERM');
  t.equal(await started.exited, 0);
  t.ok(children.length >= 4);
  t.notMatch(started.output(), /a process/);
});

t.test('a later signal does not wait, and leaves nothing behind either', async (t) => {
  const dataDir = dataDirectory(t);
  const started = startProcess(t, { DATA_DIR: dataDir, PORT: String(await freePort()) });
  await started.ready;
  const children = childrenOf(started.child.pid!);
  const http = children.find((pid) => commandOf(pid).includes('\0http'));
  // A process that cannot drain keeps the orderly way from ending.
  process.kill(http!, 'SIGSTOP');
  const impatience = setInterval(() => started.child.kill('SIGINT'), 50);
  t.equal(await started.exited, 130);
  clearInterval(impatience);
  await eventually(async () => (children.some((pid) => existsSync(`/proc/${pid}`)) ? undefined : true));
  t.strictSame(processesWith(dataDir), []);
});

t.test(
  'the end of the terminal stops the platform, which takes the same signal from elsewhere as a restart',
  async (t) => {
    const dataDir = dataDirectory(t);
    // `script` runs its command in a terminal of its own, which is gone when `script` is.
    const terminal = spawn('script', ['--quiet', '--command', `${process.execPath} ${main} start`, '/dev/null'], {
      env: { ...process.env, DATA_DIR: dataDir, PORT: String(await freePort()), DEMO_PRODUCTS: '0', PROCESSES: '1' },
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    let output = '';
    terminal.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    t.teardown(() => terminal.kill('SIGKILL'));
    await eventually(async () => (output.includes('product-projections/suggest') ? true : undefined));
    const supervisor = Number(readFileSync(join(dataDir, 'tradepost.pid'), 'utf8').split('\n')[0]);
    process.kill(supervisor, 'SIGHUP');
    await eventually(async () => (output.includes('every process was restarted') ? true : undefined));
    terminal.kill('SIGKILL');
    await eventually(async () =>
      processesWith(dataDir).length === 0 && !existsSync(`/proc/${supervisor}`) ? true : undefined,
    );
    t.match(readFileSync(join(dataDir, 'postgres.log'), 'utf8'), /database system is shut down\s*$/);
  },
);

import { readFileSync } from 'node:fs';
import { Agent } from 'node:http';
import t, { type Test } from 'tap';
import { freePort } from '../../src/embedded/service.ts';
import { outcomeOn } from '../support/outcome.ts';
import { childrenOf, dataDirectory, runCommand, type Started, startProcess } from '../support/process.ts';
import { createDatabase, eventually, meilisearch } from '../support/services.ts';

type Role = 'http' | 'feeder' | 'search';

/** The platform on servers that run already. */
async function start(t: Test, changes: NodeJS.ProcessEnv = {}): Promise<Started> {
  const { url } = await createDatabase(t);
  const { url: meiliUrl, key } = meilisearch();
  return startProcess(t, {
    DATA_DIR: dataDirectory(t),
    DATABASE_URL: url,
    MEILI_URL: meiliUrl,
    MEILI_KEY: key,
    PROJECT_KEY: `faults-${Date.now()}`,
    PORT: String(await freePort()),
    ...changes,
  });
}

function processesOf({ child }: Started, role: Role): readonly number[] {
  return childrenOf(child.pid!).filter((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(`\0${role}\0`));
}

t.test('a process that hangs is replaced, whatever it does', async (t) => {
  const started = await start(t, { PROCESSES: '1' });
  await started.ready;
  for (const role of ['http', 'feeder', 'search'] as const) {
    // The first one serves; another one may be about to wait.
    const [hanging] = processesOf(started, role);
    process.kill(hanging!, 'SIGSTOP');
    await eventually(async () => {
      const left = processesOf(started, role);
      return left.length > 0 && !left.includes(hanging!) ? true : undefined;
    });
  }
  t.equal(await eventually(async () => ((await outcomeOn(started.port)) === 200 ? 200 : undefined)), 200);
});

t.test('processes that die while the platform starts do not end it', async (t) => {
  const started = await start(t, { PROCESSES: '2', DEMO_PRODUCTS: '100' });
  const killed = new Set<number>();
  // Two at each stage: when the first are there, and while the demo shop is loaded through them.
  await eventually(async () => {
    for (const pid of killed.size < 2 || started.output().includes('Loading') ? processesOf(started, 'http') : []) {
      if (killed.size < 4 && !killed.has(pid)) process.kill(pid, 'SIGKILL');
      killed.add(pid);
    }
    return killed.size >= 4 ? true : undefined;
  });
  await started.ready;
  t.match(started.output(), /matching-cart\?cartId=[0-9a-f-]{36}/);
});

t.test('a restart of all processes under load fails no request', async (t) => {
  const dataDir = dataDirectory(t);
  const started = await start(t, { DATA_DIR: dataDir });
  await started.ready;
  const before = [...processesOf(started, 'http'), ...processesOf(started, 'feeder')];
  const kept = new Agent({ keepAlive: true, maxSockets: 16 });
  t.teardown(() => kept.destroy());
  const outcomes = new Map<unknown, number>();
  let isOver = false;
  const work = async (agent?: Agent): Promise<void> => {
    while (!isOver) {
      const outcome = await outcomeOn(started.port, agent);
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    }
  };
  const clients = [...Array.from({ length: 16 }, () => work(kept)), ...Array.from({ length: 16 }, () => work())];
  t.match(await runCommand(t, ['restart'], { DATA_DIR: dataDir }), { code: 0, output: /^Process \d+ replaces / });
  await eventually(async () => (started.output().includes('every process was restarted') ? true : undefined));
  const after = [...processesOf(started, 'http'), ...processesOf(started, 'feeder')];
  t.notOk(
    after.some((pid) => before.includes(pid)),
    'none of the old ones is left',
  );
  // One that is told to stop by somebody else is followed, too.
  const [told] = processesOf(started, 'http');
  process.kill(told!, 'SIGTERM');
  await eventually(async () => (processesOf(started, 'http').includes(told!) ? undefined : true));
  isOver = true;
  await Promise.all(clients);
  t.strictSame([...outcomes.keys()], [200], JSON.stringify([...outcomes]));
});

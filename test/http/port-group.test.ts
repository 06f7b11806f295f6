import { setImmediate as nextPass } from 'node:timers/promises';
import { pino } from 'pino';
import t from 'tap';
import { freePort } from '../../src/embedded/service.ts';
import { yieldToNewest } from '../../src/http/port-group.ts';
import { serve } from '../../src/http/server.ts';
import { outcomeOn } from '../support/outcome.ts';

const openMax = 64;
/** Other systems have no way to do so. */
const onLinux = { skip: process.platform !== 'linux' };

/** `work` while connections come at each pass of the event loop: also at that in which a listener is closed. */
async function underConnections(port: number, work: () => Promise<void>): Promise<ReadonlyMap<unknown, number>> {
  const outcomes = new Map<unknown, number>();
  let isOver = false;
  let open = 0;
  const working = work().finally(() => (isOver = true));
  while (!isOver || open > 0) {
    while (!isOver && open < openMax) {
      open += 1;
      void outcomeOn(port).then((outcome) => {
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
        open -= 1;
      });
    }
    await nextPass();
  }
  await working;
  return outcomes;
}

t.test('a listener that closes after another one has joined its port resets no connection', onLinux, async (t) => {
  const port = await freePort();
  const options = {
    host: '127.0.0.1',
    port,
    log: pino({ level: 'silent' }),
    handler: () => ({ status: 200, body: '{}' }),
  };
  const serving = [await serve(options), await serve(options)];
  t.teardown(() => Promise.all(serving.map((server) => server.close())));
  for (const which of ['first', 'second']) {
    const leaving = serving.shift()!;
    // As in a restart: its successor is there before it leaves.
    serving.push(await serve(options));
    t.notOk(await yieldToNewest(port, 4), 'nothing changes where not all are there that are expected');
    t.notOk(await yieldToNewest(port, 2), 'nor where there are more');
    const outcomes = await underConnections(port, () => leaving.close({ lingerMs: 100, groupSize: 3 }));
    t.strictSame([...outcomes.keys()], [200], `the ${which} leaves: ${JSON.stringify([...outcomes])}`);
  }
});

import { request } from 'node:http';
import { setImmediate as nextPass } from 'node:timers/promises';
import { pino } from 'pino';
import t from 'tap';
import { freePort } from '../../src/embedded/service.ts';
import { serve } from '../../src/http/server.ts';

const openMax = 64;
/** Other systems have no way to do so. */
const onLinux = { skip: process.platform !== 'linux' };

/** The status of an answer on a connection of its own; an error's code when there is none. */
function ask(port: number): Promise<number | string | undefined> {
  return new Promise((resolve) => {
    const asking = request({ port, host: '127.0.0.1', path: '/', agent: false }, (answer) => {
      answer.resume();
      answer.once('end', () => resolve(answer.statusCode));
    });
    asking.once('error', (error: NodeJS.ErrnoException) => resolve(error.code));
    asking.end();
  });
}

/** `work` while connections come at each pass of the event loop: also at that in which a listener is closed. */
async function underConnections(port: number, work: () => Promise<void>): Promise<ReadonlyMap<unknown, number>> {
  const outcomes = new Map<unknown, number>();
  let isOver = false;
  let open = 0;
  const working = work().finally(() => (isOver = true));
  while (!isOver || open > 0) {
    while (!isOver && open < openMax) {
      open += 1;
      void ask(port).then((outcome) => {
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
    const outcomes = await underConnections(port, () => leaving.close({ lingerMs: 100, groupSize: 3 }));
    t.strictSame([...outcomes.keys()], [200], `the ${which} leaves: ${JSON.stringify([...outcomes])}`);
  }
});

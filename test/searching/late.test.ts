/** What becomes of those who ask the search process when it says nothing. */
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { mock } from 'node:test';
import t from 'tap';
import type { Requester } from '../../src/engine/context.ts';
import { onFrames, sendFrame } from '../../src/searching/frames.ts';
import type { Question, Withdrawal } from '../../src/searching/messages.ts';
import { createSearcher } from '../../src/searching/searcher.ts';
import { queryOf } from '../product-search/parse.ts';
import { dataDirectory } from '../support/process.ts';

const requester: Requester = { project: { key: 'shop' }, principal: { clientId: 'client' } };

t.test('one search that is late ends alone, and those beside it are answered', async (t) => {
  const path = join(dataDirectory(t), 'search.sock');
  const sockets = new Set<Socket>();
  let connections = 0;
  let heard = (): void => {};
  const asked: number[] = [];
  const server = createServer((socket) => {
    connections += 1;
    sockets.add(socket);
    onFrames(socket, (message) => {
      const { id, withdrawn } = message as Partial<Question & Withdrawal>;
      if (id !== undefined) asked.push(id);
      heard();
      // The first is never answered; the second as soon as the first has been given up.
      if (withdrawn === asked[0]) sendFrame(socket, { id: asked[1], answer: { total: 2, results: [], facets: [] } });
    });
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  t.teardown(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const searcher = createSearcher({ path, timeoutMs: 5000 });
  t.teardown(() => searcher.close());
  const isHeard = (): Promise<void> => new Promise((resolve) => (heard = resolve));

  mock.timers.enable({ apis: ['setTimeout'] });
  t.teardown(() => mock.timers.reset());
  let hearing = isHeard();
  const first = searcher.search(requester, queryOf({}));
  const failed = t.rejects(first, { code: 'SearchExecutionFailure' });
  await hearing;
  mock.timers.tick(3000);
  hearing = isHeard();
  const second = searcher.search(requester, queryOf({}));
  await hearing;
  mock.timers.tick(2500);
  await failed;
  t.match(await second, { total: 2 });
  t.equal(connections, 1);
});

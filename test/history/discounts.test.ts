import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import t from 'tap';
import { HistoryChecker } from '../../bench/history/checker.ts';
import { Discounts } from '../../bench/history/discounts.ts';
import { Requests } from '../../bench/history/requests.ts';
import { Random } from '../../src/demo/random.ts';

t.test('a discount that cannot be changed any more is a violation, and not waited for without end', async (t) => {
  const listener = createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo;
  listener.close();
  await once(listener, 'close');
  const checker = new HistoryChecker();
  const messages: string[] = [];
  const requests = new Requests({
    cluster: {
      baseUrls: [`http://127.0.0.1:${port}`],
      projectKey: 'any',
      client: { clientId: 'client', clientSecret: 'secret', scopes: '' },
    },
    seed: 1,
    clients: 1,
    record: (event) => void messages.push(...checker.add(event).map(({ message }) => message)),
    progressed: () => {},
  });
  t.teardown(() => requests.close());
  const discounts = new Discounts(requests, new Random(1), { writeMsMax: 1, followMsMax: 1 });
  await discounts.end(requests.servers[0]!);
  t.strictSame(messages, ['the product discount could not be changed in 1 ms']);
  t.ok(requests.counts.unanswered > 0, 'it was tried');
});

import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import t, { type Test } from 'tap';
import {
  createShop,
  expectedDocuments,
  idle,
  indexedDocuments,
  startFeeder,
  writeRandomly,
} from '../support/keyword-shop.ts';
import { choicesOf } from '../support/random.ts';
import { eventually, meilisearch } from '../support/services.ts';

/** A way to the search engine on which the first look at a task is never answered, nor its connection closed. */
async function deafWay(t: Test, url: string): Promise<{ readonly url: string; readonly swallowed: () => number }> {
  const { hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  let swallowed = 0;
  const server = createServer((client) => {
    const engine = connect(Number(port), hostname);
    let isDeaf = false;
    for (const socket of [client, engine]) {
      sockets.add(socket);
      socket.on('error', () => {}).on('close', () => (client.destroy(), engine.destroy()));
    }
    engine.pipe(client);
    client.on('data', (data) => {
      if (swallowed === 0 && data.toString('latin1').startsWith('GET /tasks/')) {
        swallowed += 1;
        isDeaf = true;
      }
      if (!isDeaf) engine.write(data);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, swallowed: () => swallowed };
}

t.test('a request that the search engine leaves without an answer is given up, and all catches up', async (t) => {
  const shop = await createShop(t);
  await writeRandomly(shop, choicesOf(41).below, 20);
  const engine = meilisearch();
  const way = await deafWay(t, engine.url);
  startFeeder(t, shop, [], { ...engine, url: way.url });
  await eventually(() => idle(shop));
  t.equal(way.swallowed(), 1);
  t.strictSame(await indexedDocuments(shop), expectedDocuments(shop));
});

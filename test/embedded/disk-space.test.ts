import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import t from 'tap';
import { startHttp } from '../../src/app.ts';
import { requestToken, send, startPlatform } from '../support/platform.ts';
import { smallDisk } from '../support/process.ts';
import { eventually } from '../support/services.ts';

const megabyte = 1024 * 1024;

t.test('with too little space writes are refused, reads go on, and space ends it', async (t) => {
  const databaseDirectory = smallDisk(t, 'size=8m');
  if (databaseDirectory === undefined) return;
  const { config, client, projectKey } = await startPlatform(t);
  const http = await startHttp(
    { ...config, databaseDirectory, diskFreeBytesMin: 4 * megabyte },
    pino({ level: 'silent' }),
  );
  t.teardown(() => http.close());
  const baseUrl = `http://127.0.0.1:${http.port}`;
  const headers = { authorization: `Bearer ${await requestToken(baseUrl, client)}` };
  const ask = (method: string, path: string, body?: unknown) =>
    send({ baseUrl, method, path: `/${projectKey}${path}`, headers, body });
  const ready = () => send({ baseUrl, method: 'GET', path: '/readyz' });
  t.match(await ready(), { status: 200, body: { checks: { disk: 'ok' } } });
  t.equal((await ask('POST', '/zones', { key: 'kept', name: 'Kept' })).status, 201);

  const filler = join(databaseDirectory, 'filler');
  writeFileSync(filler, Buffer.alloc(6 * megabyte));
  const refused = { status: 503, body: { errors: [{ code: 'OverCapacity' }] } };
  await eventually(async () => ((await ready()).status === 503 ? true : undefined));
  t.match(await ready(), { status: 503, body: { checks: { database: 'ok', disk: 'failed' } } });
  t.match(await ask('POST', '/zones', { name: 'More' }), refused);
  t.match(
    await ask('POST', '/zones/key=kept', { version: 1, actions: [{ action: 'changeName', name: 'New' }] }),
    refused,
  );
  t.match(await ask('DELETE', '/zones/key=kept?version=1'), refused);
  t.match(await ask('POST', '', { version: 1, actions: [{ action: 'changeName', name: 'New' }] }), refused);
  t.match(await ask('GET', '/zones/key=kept'), { status: 200, body: { name: 'Kept' } });
  t.match(await ask('POST', '/graphql', { query: '{ zones { total } }' }), { body: { data: { zones: { total: 1 } } } });

  rmSync(filler);
  await eventually(async () => ((await ready()).status === 200 ? true : undefined));
  t.equal((await ask('POST', '/zones', { name: 'More' })).status, 201);
});

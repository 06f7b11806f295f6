import t from 'tap';
import { hashOf } from '../../src/engine/secrets.ts';
import { createCredentialStore } from '../../src/storage/credentials.ts';
import { startPlatform } from '../support/platform.ts';
import { anonymous, tokenServiceOn } from '../support/token-service.ts';

t.test('an anonymous session has an id of its own, chosen or made', async (t) => {
  const { post, projectKey, statusWith } = tokenServiceOn(await startPlatform(t));
  const path = `${projectKey}/anonymous/token`;
  const made = await post(path, anonymous);
  t.match(made.body, { scope: /manage_project:\S+ anonymous_id:([0-9a-f-]{36}) anonymous_id=\1$/ });
  t.equal(await statusWith(made.body['access_token']), 200);
  const chosen = await post(path, { ...anonymous, anonymous_id: 'visitor-1', scope: `view_zones:${projectKey}` });
  t.match(chosen.body, { scope: `view_zones:${projectKey} anonymous_id:visitor-1 anonymous_id=visitor-1` });
  t.match(await post('other/anonymous/token', anonymous), { status: 401, body: { error: 'invalid_client' } });
  t.match(await post('%ZZ/anonymous/token', anonymous), { status: 400 });
  t.equal((await post('a/b/c/token', anonymous)).status, 404);
});

t.test('what an anonymous session makes is its own', async (t) => {
  const { post, projectKey, request } = tokenServiceOn(await startPlatform(t));
  const { body } = await post(`${projectKey}/anonymous/token`, { ...anonymous, anonymous_id: 'visitor' });
  const headers = { authorization: `Bearer ${String(body['access_token'])}` };
  const zone = await request('POST', '/zones', { name: 'Alps' }, headers);
  t.match(zone.body, { createdBy: { anonymousId: 'visitor' }, lastModifiedBy: { anonymousId: 'visitor' } });
});

t.test(
  'refresh tokens end after their time without use, and beyond the limit those that were used least recently',
  async (t) => {
    const { post, projectKey, clientWith, sql, database } = tokenServiceOn(await startPlatform(t));
    const client = await clientWith('create_anonymous_token', 'view_zones');
    const credentials = createCredentialStore(database);
    const session = async (): Promise<string> => {
      const { body } = await post(`${projectKey}/anonymous/token`, anonymous, client);
      return String(body['refresh_token']);
    };
    const use = async (token: string): Promise<number> =>
      (await post('token', { grant_type: 'refresh_token', refresh_token: token }, client)).status;
    const counted = async (): Promise<number> => {
      const [row] = await sql<{ counted: string; there: string }[]>`
      select (select sum(count) from refresh_token_counts) as counted, (select count(*) from refresh_tokens) as there`;
      t.equal(row!.counted, row!.there, 'the count is exact');
      return Number(row!.there);
    };
    const [first, second, third] = [await session(), await session(), await session()];
    t.equal(await counted(), 3);
    t.equal(await use(first), 200);
    await credentials.deleteExpired({ refreshTokensMax: 2 });
    t.equal(await counted(), 2);
    t.strictSame([await use(second), await use(first), await use(third)], [400, 200, 200]);
    const aged = hashOf(first).toString('hex');
    await sql`update refresh_tokens set expires_at = now() - interval '1 second' where hash = decode(${aged}, 'hex')`;
    t.equal(await use(first), 400, 'expired');
    await credentials.deleteExpired({ refreshTokensMax: 2 });
    t.equal(await counted(), 1);
    await post('token/revoke', { token: third }, client);
    t.equal(await counted(), 0);
    const plan = await sql<{ 'QUERY PLAN': string }[]>`explain select project, hash from refresh_tokens
    where project = ${projectKey} order by used_at limit 10`;
    t.match(plan.map((line) => line['QUERY PLAN']).join('\n'), /refresh_tokens_used/, 'found by the index');
  },
);

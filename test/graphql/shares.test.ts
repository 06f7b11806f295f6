import t from 'tap';
import { send, startPlatform } from '../support/platform.ts';

t.test('who has the schema described, or sends new texts, leaves room to others', async (t) => {
  const platform = await startPlatform(t);
  const other = await platform.anotherProject();
  const { baseUrl, projectKey } = platform;
  const ask = (project: string, token: string, query: string) =>
    send({
      baseUrl,
      method: 'POST',
      path: `/${project}/graphql`,
      headers: { authorization: `Bearer ${token}` },
      body: { query },
    });
  const token = await platform.tokenWith([`view_zones:${projectKey}`]);
  const otherToken = await other.tokenWith([`view_zones:${other.projectKey}`]);
  const described = (name: string): string => `{ ${name}: __schema { types { name fields { name args { name } } } } }`;
  const flood = Array.from({ length: 40 }, (_, index) => ask(projectKey, token, described(`own${index}`)));
  const beside = await ask(other.projectKey, otherToken, described('other'));
  t.equal(beside.status, 200, 'another project is served meanwhile');
  const statuses = (await Promise.all(flood)).map(({ status }) => status);
  t.ok(statuses.filter((status) => status === 200).length >= 8);
  t.ok(statuses.includes(503), 'what is more than the share of the client is refused');
  t.strictSame(
    statuses.filter((status) => status !== 200 && status !== 503),
    [],
  );
  const texts = Array.from({ length: 700 }, (_, index) => ask(projectKey, token, `{ own${index}: zones { total } }`));
  t.equal((await ask(other.projectKey, otherToken, '{ other: zones { total } }')).status, 200);
  const given = new Set((await Promise.all(texts)).map(({ status }) => status));
  t.ok(given.has(200));
  t.strictSame(
    [...given].filter((status) => status !== 200 && status !== 503),
    [],
  );
});

t.test('a new text whose request has ended is not analyzed, unless others sent it too', async (t) => {
  const platform = await startPlatform(t);
  const { baseUrl, projectKey } = platform;
  const authorization = `Bearer ${await platform.tokenWith([`view_zones:${projectKey}`])}`;
  const ask = (query: string, signal?: AbortSignal): Promise<number> =>
    fetch(`${baseUrl}/${projectKey}/graphql`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
      ...(signal !== undefined && { signal }),
    }).then(({ status }) => status);
  const abort = new AbortController();
  const shared = Array.from({ length: 20 }, (_, index) => `{ shared${index}: zones { total } }`);
  const ended = shared.map((query) => ask(query, abort.signal).catch(() => 0));
  const others = shared.map((query) => ask(query));
  abort.abort();
  t.strictSame(new Set(await Promise.all(ended)), new Set([0]));
  t.strictSame(new Set(await Promise.all(others)), new Set([200]));
});

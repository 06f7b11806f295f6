import t from 'tap';
import { type Platform, startPlatform } from '../support/platform.ts';

const resources = 100_000;
const pageSize = 500;

/** Carts that no client made: as many as these tests need would take minutes to create one by one. */
async function insertCarts({ sql, projectKey }: Platform, count: number): Promise<readonly string[]> {
  const rows = await sql<{ id: string }[]>`
    insert into documents (project, kind, id, version, data)
    select ${projectKey}, 'cart', id, 1, jsonb_build_object(
      'id', id, 'version', 1, 'createdAt', '2030-01-01T00:00:00.000Z', 'lastModifiedAt', '2030-01-01T00:00:00.000Z',
      'country', case when number % 5 = 0 then 'US' else 'DE' end, 'cartState', 'Active', 'lineItems', '[]'::jsonb)
    from (select number, gen_random_uuid() as id from generate_series(1, ${count}::int) as number) as numbered
    returning id`;
  return rows.map(({ id }) => id);
}

interface Page {
  readonly count: number;
  readonly total?: number;
  readonly results: readonly { readonly id: string }[];
}

async function page({ request }: Platform, parameters: Readonly<Record<string, string | number>>): Promise<Page> {
  const query = new URLSearchParams(
    Object.entries(parameters).map(([name, value]): [string, string] => [name, `${value}`]),
  );
  const { status, text, body } = await request('GET', `/carts?${query.toString()}`);
  if (status !== 200) throw new Error(text);
  return body as unknown as Page;
}

t.test('pages over 100,000 resources', async (t) => {
  const platform = await startPlatform(t);
  const { request, sql } = platform;
  const staying = await insertCarts(platform, resources);
  const going = [...(await insertCarts(platform, 300))];
  await sql.unsafe('analyze documents');

  await t.test('a walk by id meets all once and in order, while others come and go', async (t) => {
    const seen: string[] = [];
    let created = 0;
    for (let last: string | undefined, isEnd = false; !isEnd;) {
      const { results, total } = await page(platform, {
        withTotal: 'false',
        limit: pageSize,
        sort: 'id asc',
        ...(last !== undefined && { where: `id > "${last}"` }),
      });
      if (total !== undefined) t.fail('withTotal=false leaves the total out');
      seen.push(...results.map(({ id }) => id));
      last = results.at(-1)?.id;
      isEnd = results.length < pageSize;
      const leaving = going.pop();
      const answers = await Promise.all([
        request('POST', '/carts', { currency: 'EUR' }),
        ...(leaving === undefined ? [] : [request('DELETE', `/carts/${leaving}?version=1`)]),
      ]);
      if (!answers.every(({ status }) => status < 300)) t.fail(answers.map(({ text }) => text).join());
      created += 1;
    }
    t.ok(created > resources / pageSize, `${created} resources came meanwhile, as many went`);
    t.equal(new Set(seen).size, seen.length, 'none is met twice');
    t.ok(
      seen.every((id, index) => index === 0 || id > seen[index - 1]!),
      'the ids ascend',
    );
    const met = new Set(seen);
    t.strictSame(
      staying.filter((id) => !met.has(id)),
      [],
      'all that were there from first to last are met',
    );
  });

  await t.test('totals are exact without a predicate and end at 10,000 with one', async (t) => {
    const [{ count }] =
      (await sql`select count(*)::int as count from documents where kind not in ('api-client', 'state')`) as unknown as [
        { count: number },
      ];
    t.equal((await page(platform, { limit: 1 })).total, count);
    for (const [where, total] of [
      ['country = "DE"', 10_000],
      ['country != "DE"', 10_000],
      ['country in ("DE", "US")', 10_000],
      ['version >= 1', 10_000],
      ['country = "CH"', 0],
      [`id = "${staying[0]!}"`, 1],
    ] as const)
      t.equal((await page(platform, { limit: 1, where })).total, total, where);
  });

  await t.test('pages by offset are stable where all sort alike, and end at 10,000', async (t) => {
    for (const sort of ['version asc', 'version desc', 'createdAt asc', 'createdAt desc', 'cartState asc']) {
      const seen: string[] = [];
      for (const offset of [0, 500, 1000, 9500, 10_000]) {
        const { results } = await page(platform, {
          withTotal: 'false',
          limit: pageSize,
          offset,
          sort,
          where: 'country = "US"',
        });
        seen.push(...results.map(({ id }) => id));
      }
      t.equal(seen.length, 5 * pageSize, sort);
      t.equal(new Set(seen).size, seen.length, `${sort} gives none twice`);
    }
    t.equal((await request('GET', '/carts?offset=10001')).status, 400);
  });
});

import t from 'tap';
import { BatchedGroups } from '../../src/storage/batched-groups.ts';
import { startPlatform } from '../support/platform.ts';

const megabytes = 1024 * 1024;

t.test('groups that are asked for in one tick are read together, and each gets its own', async (t) => {
  const { sql, database, projectKey } = await startPlatform(t);
  const store = (sku: string, count: number, bytes: number): Promise<unknown> =>
    sql`insert into documents (project, kind, id, version, data)
      select ${projectKey}, 'inventory-entry', gen_random_uuid(), number, jsonb_build_object('sku', ${sku}::text, 'filling', repeat('x', ${bytes}::int))
      from generate_series(1, ${count}::int) as number`;
  await store('a', 2, 1);
  await store('b', 1, 1);
  await store('large', 3, 11 * megabytes);
  let statements = 0;
  const groups = new BatchedGroups({
    read: (statement) => {
      statements += 1;
      return database.read(statement);
    },
  });
  const find = (...values: readonly string[]) =>
    groups.find(projectKey, { kind: 'inventory-entry', member: 'sku', values });
  const skusOf = (found: Awaited<ReturnType<typeof find>>): readonly string[] =>
    found.map(({ json }) => (JSON.parse(String(json)) as { sku: string }).sku);

  const small = await Promise.all([find('a'), find('b', 'a', 'b'), find('nobody'), find()]);
  t.strictSame(small.map(skusOf), [['a', 'a'], ['b', 'a', 'a'], [], []]);
  t.equal(statements, 1);

  const many = Array.from({ length: 900 }, (_, index) => `sku ${index}`);
  const split = await Promise.all([find('a', ...many), find('b', ...many)]);
  t.strictSame(split.map(skusOf), [['a', 'a'], ['b']]);
  t.equal(statements, 3, 'what is too much for one statement comes in two');

  const [tooMany, beside] = await Promise.allSettled([find('large'), find('b')]);
  t.match(tooMany, { status: 'rejected', reason: { errors: [{ code: 'InvalidInput', message: /32 MB/ }] } });
  t.match(beside, { status: 'fulfilled', value: [{ version: 1 }] }, 'who asks beside it hears nothing of that');
});

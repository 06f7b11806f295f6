import t, { type Test } from 'tap';
import { orders } from '../../bench/order-plan-cases.ts';
import {
  documents,
  executed,
  loadDocuments,
  type PlanCase,
  rowsMax,
  statementsOf,
  type Subject,
} from '../../bench/plan-cases.ts';
import { connect, queryConnectionSettings, type Sql } from '../../src/storage/connection.ts';
import { createDatabase } from '../support/services.ts';

/** So many that one value has more matches than are sorted. */
const rows = 20_000;

/** A database, on a connection such as queries have. */
async function database(t: Test): Promise<Sql> {
  const { url } = await createDatabase(t);
  const sql = connect({
    databaseUrl: url,
    connectionsMax: 1,
    prepare: true,
    settings: queryConnectionSettings(60_000),
  });
  t.teardown(() => sql.end());
  return sql;
}

/** Loads what is asked for, and asks. */
async function requirePlans(t: Test, sql: Sql, subject: Subject): Promise<void> {
  await subject.load(sql, rows);
  for (const planCase of subject.cases) {
    if (planCase.indexes === undefined) continue;
    const { page, count } = statementsOf(planCase, subject);
    const answer = await executed(sql, page);
    for (const index of planCase.indexes) t.ok(answer.indexes.includes(index), `${planCase.name}: ${index}`);
    t.notOk(answer.isWhole, `${planCase.name} does not read the table whole`);
    t.ok(answer.rows <= rowsMax, `${planCase.name} looks at ${answer.rows} rows`);
    const total = await executed(sql, count);
    if (planCase.where.length > 0)
      t.notOk(total.isWhole, `the total of ${planCase.name} does not read the table whole`);
  }
}

t.test('orders are found by what shops ask of them', async (t) => {
  await requirePlans(t, await database(t), orders);
});

t.test('queries are answered from the indexes that are meant for them', async (t) => {
  const sql = await database(t);
  await requirePlans(t, sql, documents);

  const find = async (planCase: Omit<PlanCase, 'name' | 'indexes'>): Promise<{ numbers: number[]; total: number }> => {
    const { page, count } = statementsOf({ name: 'query', ...planCase });
    const [rows, [counted]] = await Promise.all([
      sql.unsafe<{ key: string }[]>(page.text, page.parameters),
      sql.unsafe<{ total: string }[]>(count.text, count.parameters),
    ]);
    const numbers = rows.map(({ key }) => Number(key.replace('key-', '')));
    return { numbers, total: Number(counted!.total) };
  };
  // Documents are numbered in the order of their creation; every tenth is not active.
  const all = Array.from({ length: rows }, (_, index) => index + 1);
  const active = all.filter((number) => number % 10 !== 0);
  t.strictSame(
    await find({ where: ['isActive = true'], sort: ['createdAt desc'] }),
    { numbers: active.toReversed().slice(0, 20), total: 10_000 },
    'more matches than are sorted come in order all the same, and their total is capped',
  );
  t.strictSame(
    await find({ where: ['address.country in ("DE", "AT", "CH")'], sort: ['createdAt'], offset: 9000 }),
    {
      numbers: all.filter((number) => number % 4 !== 3).slice(9000, 9020),
      total: 10_000,
    },
    'the same where several documents are looked for',
  );
  const tagged = all.filter(
    (number) => number % 5000 < 1500 && (number % 997 === 7 || [7, 1004].includes(number % 10_007)),
  );
  t.ok(tagged.includes(1004), 'a document has both tags');
  t.strictSame(
    await find({ where: ['tags contains any ("tag-7", "tag-1004")', 'quantity < 1500'], sort: ['createdAt'] }),
    { numbers: tagged, total: tagged.length },
    'a document that contains several of those looked for comes once',
  );
});

t.test('what nearly all rows meet is not what a query begins with, however few rows there are', async (t) => {
  const sql = await database(t);
  await loadDocuments(sql, 2000);
  const names = Array.from({ length: 40 }, (_, index) => `name(en = "Name ${index * 7}")`);
  for (const where of [names.slice(0, 1), names]) {
    const alternatives = `(${where.join(' or ')})`;
    for (const given of [[alternatives, 'isActive = true'], [`isActive = true and ${alternatives}`]]) {
      const { page, count } = statementsOf({ name: 'beside a common one', where: given, sort: [] });
      // Before the matches are looked for, some rows at the beginning of the order are.
      for (const statement of [page, count]) {
        const { rows, isWhole } = await executed(sql, statement);
        t.ok(!isWhole && rows < 500, `${rows} rows for ${where.length} alternatives`);
        t.ok(statement.isIndexed);
      }
    }
  }
  const isIndexed = (where: readonly string[]): boolean =>
    statementsOf({ name: 'common', where, sort: [] }).count.isIndexed;
  t.ok(isIndexed(['isActive = true']));
  t.notOk(isIndexed(['isActive = true', 'name.en != "x"']), 'nor does it make a slow query a quick one');
});

t.test('a query of a kind with few resources leaves the large documents of another alone', async (t) => {
  const sql = await database(t);
  await loadDocuments(sql, 60);
  // Texts of another kind in the same table, which are stored beside it: to Postgres the table is small.
  await sql`
    insert into documents (project, kind, id, version, data)
    select key, 'key-value-document', gen_random_uuid(), 1,
      jsonb_build_object('value', (select string_agg(md5(n::text || m::text), '') from generate_series(1, 10000) as m))
    from projects, generate_series(1, 40) as n`;
  await sql.unsafe('vacuum analyze documents');
  const names = Array.from({ length: 40 }, (_, index) => `"Name ${index}"`).join(', ');
  for (const where of ['name(de = "Name 7")', `name(de in (${names}))`, 'quantity > 5', 'address(country = "DE")']) {
    const { page, count } = statementsOf({ name: 'query', where: [where], sort: [] });
    for (const statement of [page, count]) {
      const { isWhole, steps } = await executed(sql, statement);
      t.notOk(isWhole, `${where}: ${steps.join(', ')}`);
    }
  }
});

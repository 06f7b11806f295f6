/** Reads of holders and of what documents name, which requests of any project share. */
import { randomUUID } from 'node:crypto';
import t from 'tap';
import { BatchedHolders } from '../../src/storage/batched-holders.ts';
import { BatchedNamed } from '../../src/storage/batched-named.ts';
import { createDatabase, insertEmptyProject } from '../support/services.ts';

const megabytes = 1024 * 1024;

const { sql, database } = await createDatabase(t);
for (const project of ['one', 'two']) await insertEmptyProject(database, project);

async function insert(project: string, kind: string, data: object, bytes = 0): Promise<string> {
  const id = randomUUID();
  await sql`insert into documents (project, kind, id, key, version, data)
    values (${project}, ${kind}, ${id}, ${(data as { key?: string }).key ?? null}, 1,
      ${JSON.stringify(data)}::text::jsonb || jsonb_build_object('filling', repeat('x', ${bytes}::int)))`;
  return id;
}

let statements = 0;
const counting: Pick<typeof database, 'read'> = {
  read: (statement) => {
    statements += 1;
    return database.read(statement);
  },
};

t.test('holders are found for each who asks, in its own project', async (t) => {
  const holders = new BatchedHolders(counting);
  const hold = async (project: string, value: string, bytes = 0): Promise<string> => {
    const id = await insert(project, 'product', {}, bytes);
    await sql`insert into unique_values (project, kind, field, value, id) values (${project}, 'product', 'sku', ${value}, ${id})`;
    return id;
  };
  const [own, other] = [await hold('one', 'pen'), await hold('two', 'pen')];
  const ink = await hold('two', 'ink');
  const lookup = (value: string, kind = 'product') => ({ kind, unique: { field: 'sku', value } });
  const idsOf = async (project: string, ...values: readonly string[]) =>
    (
      await holders.find(
        project,
        values.map((value) => lookup(value)),
      )
    ).map((stored) => stored?.id);
  statements = 0;
  t.strictSame(
    await Promise.all([
      idsOf('one', 'pen', 'ink'),
      idsOf('two', 'ink', 'pen', 'pen'),
      idsOf('one', 'pen'),
      idsOf('two'),
    ]),
    [[own, undefined], [ink, other, other], [own], []],
  );
  t.equal(statements, 2, 'one for each project');
  t.strictSame(await holders.find('one', [lookup('pen', 'inventory-entry')]), [undefined], 'of another kind');

  const many = ['a', 'b', 'c', 'd', 'e', 'f'].map((value) => `large-${value}`);
  const large = await hold('one', 'large', 11 * megabytes);
  for (const value of many)
    await sql`insert into unique_values (project, kind, field, value, id) values ('one', 'product', 'sku', ${value}, ${large})`;
  const found = await holders.find(
    'one',
    ['pen', ...many, 'pencil'].map((value) => lookup(value)),
  );
  t.strictSame(
    found.map((stored) => stored?.id),
    [own, ...many.map(() => large), undefined],
    'who holds several values is read, and weighs, once',
  );
  t.equal(new Set(found).size, 3);

  for (const value of ['a', 'b', 'c']) await hold('one', value, 11 * megabytes);
  const [tooMany, beside] = await Promise.allSettled([idsOf('one', 'a', 'b', 'c'), idsOf('one', 'pen')]);
  t.match(tooMany, { status: 'rejected', reason: { errors: [{ code: 'InvalidInput', message: /32 MB/ }] } });
  t.match(beside, { status: 'fulfilled', value: [own] }, 'who asks beside it hears nothing of that');
});

t.test('what documents name is found for each who asks, in its own project', async (t) => {
  const named = new BatchedNamed(counting);
  const targets = [
    { kind: 'customer', paths: ['customerId'] },
    { kind: 'discount-code', paths: ['codes[*].id'] },
  ];
  const ada = await insert('one', 'customer', {});
  const code = await insert('one', 'discount-code', {});
  const ofAda = await insert('one', 'cart', { key: 'ada', customerId: ada, codes: [{ id: code }, { id: 'no id' }] });
  const ofCode = await insert('one', 'cart', { key: 'code', codes: [{ id: code }, { id: code }] });
  const strange = await insert('two', 'cart', { key: 'ada', customerId: ada });
  const find = async (project: string, source: { readonly id?: string; readonly key?: string }, isIndexed = false) => {
    const found = await named.find(project, { source: { kind: 'cart', ...source }, targets, isIndexed });
    return found.map(({ kind, stored }) => `${kind} ${stored.id}`).toSorted((one, other) => (one < other ? -1 : 1));
  };
  const both = [`customer ${ada}`, `discount-code ${code}`];
  statements = 0;
  t.strictSame(
    await Promise.all([
      find('one', { id: ofAda }),
      find('one', { id: ofCode.toUpperCase() }),
      find('two', { id: strange }),
      find('one', { id: randomUUID() }),
      find('one', { id: 'no id' }),
    ]),
    [both, [both[1]], [], [], []],
    'those of the project alone',
  );
  t.equal(statements, 2);
  t.strictSame(await Promise.all([find('one', { key: 'ada' }), find('two', { key: 'ada' })]), [both, []]);
  await sql`update documents set indexed = jsonb_build_object('customerId', ${ada}::text), indexed_version = version where id = ${ofAda}`;
  t.strictSame(await find('one', { id: ofAda }, true), [both[0]], 'by what the index has');
  await sql`update documents set version = version + 1 where id = ${ofAda}`;
  t.strictSame(await find('one', { id: ofAda }, true), both, 'which is of another version');

  const codes = await Promise.all([1, 2, 3].map(() => insert('one', 'discount-code', {}, 11 * megabytes)));
  const full = await insert('one', 'cart', { codes: codes.map((id) => ({ id })) });
  const [some, all] = await Promise.all([find('one', { id: full }), find('one', { id: ofCode })]);
  t.ok(some.length > 0 && some.length < 3, 'what is too much is left out');
  t.strictSame(all, [both[1]], 'and nothing of who asks beside it');
});

import { randomUUID } from 'node:crypto';
import t, { type Test } from 'tap';
import { BatchedReads } from '../../src/storage/batched-reads.ts';
import { connect, plannedOnceSettings, type Sql } from '../../src/storage/connection.ts';
import { groupedStatement } from '../../src/storage/batched-groups.ts';
import { holderIdsStatement, holdersStatement } from '../../src/storage/batched-holders.ts';
import { namedStatement } from '../../src/storage/batched-named.ts';
import {
  type WriteForm,
  type WriteStatement,
  commitStatement,
  writeStatement,
} from '../../src/storage/write-statements.ts';
import { createDatabase, insertEmptyProject } from '../support/services.ts';

const kinds = ['cart', 'zone'];
const isEither = [false, true];

const groupedBy = ['sku', 'product.id'];
const groupTopics = [['search'], []];
const groups = [
  { kind: 'inventory-entry', member: 'sku' },
  { kind: 'standalone-price', member: 'sku' },
  { kind: 'product-selection-assignment', member: 'product.id' },
  { kind: 'product-selection-assignment', member: 'productSelection.id' },
];

/** Without a limit, which counts all of a kind once. */
const forms: readonly WriteForm[] = kinds.flatMap((kind) =>
  [[], ['suggest', 'messages']].flatMap((topics) => [
    ...isEither.flatMap((hasReferences) =>
      isEither.flatMap((hasUniqueValues): readonly WriteForm[] => {
        const hasIndexed = hasReferences;
        const changing = { kind, topics, groupedBy, groupTopics, hasIndexed, hasReferences, hasUniqueValues };
        return [
          { ...changing, type: 'insertion', isLimited: false },
          { ...changing, type: 'replacement' },
        ];
      }),
    ),
    ...isEither.map((isCounted): WriteForm => {
      return { type: 'removal', kind, topics, groupedBy, groupTopics, isCounted, erasesNotices: isCounted };
    }),
    { type: 'increment', kind, topics, groupedBy, groupTopics, member: 'stock', alsoMember: 'reserved' },
    { type: 'assertion', kind, topics: [], groupedBy: [], groupTopics: [] },
  ]),
);

/** Each form alone, and all with another one. */
const writes: readonly WriteStatement[] = [
  ...forms.map((form) => writeStatement(form)),
  ...forms.map((form, index) => commitStatement([form, forms.at(index - 3)!])),
];

async function reads(): Promise<readonly string[]> {
  const texts: string[] = [];
  const noting = {
    unsafe: (text: string) => {
      texts.push(text);
      return { raw: async () => [] };
    },
  } as unknown as Sql;
  const lookups = kinds.flatMap((kind) => [
    { kind, id: randomUUID() },
    { kind, key: 'a' },
  ]);
  await new BatchedReads({ read: async (statement) => statement(noting) }).find('p', lookups);
  const targets = kinds.map((kind) => ({ kind, paths: ['lineItems[*].id', 'other.id'] }));
  const named = lookups.flatMap((source) =>
    isEither.map((isIndexed) => namedStatement({ source, targets, isIndexed })),
  );
  const grouped = groups.map(groupedStatement);
  return [...texts, ...named, ...grouped, holdersStatement, holderIdsStatement];
}

/** Steps of the plan that is kept for a statement, with the indexes that they read. */
async function stepsOf(sql: Sql, text: string): Promise<readonly string[]> {
  const rows = await sql.unsafe<{ 'QUERY PLAN': string }[]>(`explain (generic_plan) ${text}`);
  return rows.map((row) => row['QUERY PLAN']);
}

/** What is looked up by a key may be read from any index of its kind, for as long as a table was never analyzed. */
async function requireLookups(t: Test, sql: Sql, state: string): Promise<void> {
  for (const { name, text } of [...writes, ...(await reads()).map((text) => ({ name: text, text }))]) {
    const steps = await stepsOf(sql, text);
    const wrong = steps.filter((step) => /Seq Scan|_expr_id_idx|documents_created|documents_modified/.test(step));
    t.strictSame(wrong, [], `${state}: ${name}`);
    for (const [index, step] of steps.entries()) {
      if (!step.includes('Index Cond')) continue;
      t.match(step, /project/, `${state}: ${name}`);
      const isById =
        /Scan.* on (documents_\w+ documents|\w+ held)/.test(steps[index - 1]!) &&
        !/(key|->> 'sku'\)\)|#>> '\{\w+,id\}'\)\)) = any/.test(text);
      if (isById) t.match(step, /\b(source_)?id = /, `${state}: ${name}`);
    }
  }
}

t.test(
  'a kept plan finds documents by their id and reads no whole table, whatever was known when it was planned',
  async (t) => {
    const { url, sql: plain, database } = await createDatabase(t);
    await insertEmptyProject(database, 'p');
    const sql = connect({ databaseUrl: url, connectionsMax: 1, prepare: true, settings: plannedOnceSettings });
    t.teardown(() => sql.end());
    const fill = (count: number): Promise<unknown> =>
      plain.unsafe(`insert into documents (project, kind, id, key, version, data)
      select 'p', kind, gen_random_uuid(), kind || gen_random_uuid(), 1,
        jsonb_build_object('createdAt', 'at ' || number, 'lastModifiedAt', 'at ' || number)
      from unnest(array['cart', 'zone']) as kind, generate_series(1, ${count}) as number`);
    await requireLookups(t, sql, 'empty');
    await fill(3000);
    await requireLookups(t, sql, 'never analyzed');
    await plain.unsafe('truncate documents cascade');
    await fill(30);
    await plain.unsafe('analyze');
    await requireLookups(t, sql, 'analyzed while small');
  },
);

import { randomUUID } from 'node:crypto';
import t, { type Test } from 'tap';
import type { Lease } from '../../src/outbox/outbox.ts';
import { searchedProducts } from '../../src/resources/product/searched.ts';
import type { DocumentSource, Indexed, Marks } from '../../src/search/document-source.ts';
import type { Sql } from '../../src/storage/connection.ts';
import { createDocumentSource, documentsBacklog, setAside } from '../../src/storage/search-document-source.ts';
import { createOutbox } from '../../src/storage/outbox.ts';
import type { SearchDocuments } from '../../src/searching/documents.ts';
import { createSearchDocuments, pruneSearchDocuments } from '../../src/storage/search-documents.ts';
import type { Database } from '../../src/storage/database.ts';
import { createDatabase } from '../support/services.ts';

interface Place {
  readonly sql: Sql;
  readonly database: Database;
  readonly project: string;
  readonly source: DocumentSource;
  readonly documents: SearchDocuments;
  /** Takes the lease from whoever has it. */
  hold(): Promise<Lease>;
  /** The number of the next step. */
  step(): Promise<number>;
  addProducts(count: number): Promise<readonly string[]>;
}

async function createPlace(t: Test): Promise<Place> {
  const { sql, database } = await createDatabase(t);
  const project = `place-${randomUUID().slice(0, 18)}`;
  const settings = JSON.stringify({ searchIndexing: { products: { status: 'Indexing' } } });
  await sql`insert into projects (key, version, data) values (${project}, 1, ${settings}::text::jsonb)`;
  const source = createDocumentSource(database, searchedProducts);
  return {
    sql,
    database,
    project,
    source,
    documents: createSearchDocuments(database),
    hold: async () => {
      await sql`delete from leases`;
      const lease = { project, topic: 'search', holder: randomUUID() };
      if (!(await createOutbox(database).hold(lease))) throw new Error('The lease is held');
      return lease;
    },
    step: async () => (await source.state(project))!.step,
    addProducts: async (count) => {
      const ids = Array.from({ length: count }, () => randomUUID()).sort();
      await sql`insert into documents (project, kind, id, version, data)
        select ${project}, 'product', id::uuid, 1, jsonb_build_object('id', id) from unnest(${ids}::text[]) as id`;
      return ids;
    },
  };
}

const noMarks: Marks = {
  products: [],
  groups: [],
  sources: [],
  selections: [],
  isOfAll: false,
  facts: { set: [], gone: [] },
};

const made = (id: string, document: object, sources: readonly string[] = []): Indexed => ({
  id,
  outcome: 'made',
  sources,
  document: JSON.stringify(document),
});

t.test('a step takes place once, and under the lease alone', async (t) => {
  const { source, documents, project, hold, step, addProducts } = await createPlace(t);
  const [id] = await addProducts(1);
  const lease = await hold();
  await source.start(lease, await step(), { documentVersion: 1, facts: [] });
  const number = await step();
  await source.write(lease, number, [made(id!, { both: 1 })]);
  await t.rejects(source.write(lease, number, [made(id!, { both: 2 })]), /lease/, 'what was sent twice');
  await hold();
  const late = await step();
  await t.rejects(source.mark(lease, late, { ...noMarks, products: [id!] }), /lease/);
  await t.rejects(source.write(lease, late, [made(id!, { both: 3 })]), /lease/);
  await t.rejects(source.clear(lease, late), /lease/);
  t.strictSame(await source.marked(project), []);
  t.match((await documents.after(project, 0, 10))?.rows, [{ productId: id, document: '{"both":1}' }]);
  t.equal(await step(), late);
});

t.test('a document has a new number when it changes, and only then', async (t) => {
  const { source, documents, project, hold, step, addProducts } = await createPlace(t);
  const [one, other] = await addProducts(2);
  const lease = await hold();
  await source.start(lease, await step(), { documentVersion: 1, facts: [] });
  await source.write(lease, await step(), [made(one!, { both: 1 }), made(other!, { both: 1 })]);
  const first = (await documents.after(project, 0, 10))!.rows;
  const last = first.at(-1)!.seq;
  const type = randomUUID();
  await source.write(lease, await step(), [made(one!, { both: 1 }, [type]), made(other!, { both: 2 })]);
  t.match((await documents.after(project, last, 10))?.rows, [{ productId: other, document: '{"both":2}' }]);
  await source.mark(lease, await step(), { ...noMarks, sources: [type] });
  t.match(await source.marked(project), [{ id: one, json: /./ }], 'sources are there all the same');
  await source.write(lease, await step(), [{ id: one!, outcome: 'aside', sources: [type], error: 'odd' }]);
  t.match((await documents.after(project, last, 10))?.rows.at(-1), { productId: one, document: undefined });
  await source.mark(lease, await step(), { ...noMarks, sources: [type] });
  t.strictSame(
    (await source.marked(project)).map(({ id }) => id),
    [one],
    'what is set aside is tried again',
  );
});

t.test('who reads on is given all in order, and is told when something may be missing', async (t) => {
  const { sql, database, source, documents, project, hold, step, addProducts } = await createPlace(t);
  const ids = await addProducts(5);
  t.equal(await documents.after(project, 0, 10), undefined);
  t.strictSame(await documents.projects(), []);
  const lease = await hold();
  await source.start(lease, await step(), { documentVersion: 1, facts: [] });
  t.match(await documents.projects(), [{ key: project, lastSeq: 0, isComplete: false }]);
  await source.write(
    lease,
    await step(),
    ids.map((id) => made(id, { both: id })),
  );
  await source.finish(lease, await step());
  t.match(await documents.projects(), [{ key: project, isComplete: true }]);
  const read: string[] = [];
  let seq = 0;
  for (;;) {
    const { rows } = (await documents.after(project, seq, 2))!;
    if (rows.length === 0) break;
    read.push(...rows.map(({ productId }) => productId));
    seq = rows.at(-1)!.seq;
  }
  t.strictSame(read, ids);
  t.match(await documents.projects(), [{ lastSeq: seq, isComplete: true }]);

  await sql`delete from documents where id = ${ids[0]!}`;
  await source.write(lease, await step(), [{ id: ids[0]!, outcome: 'gone' }]);
  const [gone] = (await documents.after(project, seq, 10))!.rows;
  t.match(gone, { productId: ids[0], document: undefined });
  await pruneSearchDocuments(database);
  t.equal((await documents.after(project, seq, 10))!.rows.length, 1);
  await sql`update search_documents set gone_at = gone_at - interval '8 days'`;
  await pruneSearchDocuments(database);
  t.match(await documents.after(project, seq, 10), { prunedSeq: gone!.seq, rows: [] });
});

t.test('what many wait with leaves way, and does not wait for ever', async (t) => {
  const { source, project, hold, step, addProducts } = await createPlace(t);
  const ids = await addProducts(300);
  const lease = await hold();
  await source.start(lease, await step(), { documentVersion: 1, facts: [] });
  const own = ids.slice(200);
  await source.mark(lease, await step(), { ...noMarks, products: own });
  const marked = (await source.marked(project)).map(({ id }) => id);
  t.equal(marked.length, 100);
  t.equal(marked.filter((id) => own.includes(id)).length, 50);
});

t.test('without a search all is taken away by and by', async (t) => {
  const { sql, database, source, documents, project, hold, step, addProducts } = await createPlace(t);
  const ids = await addProducts(6000);
  const lease = await hold();
  await source.start(lease, await step(), {
    documentVersion: 1,
    facts: [{ kind: 'category', id: ids[0]!, fact: [] }],
  });
  t.strictSame(await database.read(documentsBacklog).then(([row]) => row?.count), 6000);
  await source.write(lease, await step(), [
    ...ids.slice(1).map((id) => made(id, {})),
    { id: ids[0]!, outcome: 'aside', sources: [], error: 'odd' },
  ]);
  t.equal((await database.read(documentsBacklog)).length, 0);
  t.match(await database.read(setAside), [{ project, count: 1 }]);
  await source.finish(lease, await step());
  t.strictSame(await source.due(1), []);
  await sql`update projects set data = '{}'`;
  const { lastSeq } = (await documents.projects())[0]!;
  let steps = 0;
  while ((await source.due(1)).length > 0) {
    await source.clear(lease, await step());
    steps += 1;
    t.equal(await documents.after(project, 0, 10), undefined);
  }
  t.equal(steps, 2);
  t.match(await source.state(project), { isStarted: false, isFilled: false, hasAny: false });
  t.equal((await source.facts(project)).length, 0);
  t.equal((await database.read(setAside)).length, 0);
  await sql`update projects set data = '{"searchIndexing": {"productsSearch": {"status": "Indexing"}}}'`;
  t.strictSame(await source.due(1), [project]);
  await source.start(lease, await step(), { documentVersion: 1, facts: [] });
  t.ok((await documents.after(project, lastSeq, 10))!.prunedSeq > lastSeq, 'who has read before begins anew');
});

/** How the documents of product search come to be searched, and what becomes of those that have no room. */
import { randomUUID } from 'node:crypto';
import t, { type Test } from 'tap';
import { searchDocument } from '../../src/product-search/document.ts';
import { type ProductDocuments, ProductIndex } from '../../src/search-index/product-index.ts';
import { Tail } from '../../src/searching/tail.ts';
import { createSearchDocuments } from '../../src/storage/search-documents.ts';
import { queryOf } from '../product-search/parse.ts';
import { beside, product } from '../product-search/shop.ts';
import { createDatabase, eventually } from '../support/services.ts';

const project = 'shop';

/** A product with some words of its own. */
function productOf(id: string, name: string): ProductDocuments {
  const words = Array.from({ length: 200 }, (_, number) => `${name}x${number}`).join(' ');
  const document = searchDocument(product(id, { name: { en: name }, description: { en: words } }), 'current', beside);
  return { id, documents: { both: document } };
}

async function start(t: Test) {
  const { sql, database } = await createDatabase(t);
  await sql`insert into projects (key, version, data) values (${project}, 1, '{}')`;
  await sql`insert into search_projects (project, started_at, filled_at) values (${project}, now(), now())`;
  return {
    sql,
    /** Writes documents together. */
    write: async (products: readonly ProductDocuments[]): Promise<void> => {
      const rows = JSON.stringify(products.map(({ id, documents }) => ({ id, document: JSON.stringify(documents) })));
      await sql`insert into search_documents (project, product_id, seq, sources, digest, document)
        select ${project}, id, nextval('search_sequence'), '{}', '', document::json
        from jsonb_to_recordset(${rows}::text::jsonb) as row (id uuid, document text)
        on conflict (project, product_id) do update set seq = excluded.seq, document = excluded.document`;
    },
    remove: async (ids: readonly string[]): Promise<void> => {
      await sql`update search_documents set seq = nextval('search_sequence'), document = null, gone_at = now()
        where product_id = any(${[...ids]}::uuid[])`;
    },
    tailWith: (bytesMax: number) => {
      const logged: string[] = [];
      const log = (_: object, message: string): void => void logged.push(message);
      const tail = new Tail({ documents: createSearchDocuments(database), bytesMax, log: { info: log, warn: log } });
      tail.run();
      t.teardown(() => tail.close());
      return { logged, found: (text?: string) => foundIn(tail, text) };
    },
  };
}

/** How many products are found, or why nothing can be. */
async function foundIn(tail: Tail, text?: string): Promise<number | string> {
  const index = tail.indexOf(project);
  if (typeof index === 'string') return index;
  const query = queryOf(text === undefined ? {} : { text: { en: [text] } });
  return (await index.search(query, 5000)).total;
}

const becomes = (found: () => Promise<number | string>, wanted: number): Promise<true> =>
  eventually(async () => (await found()) === wanted || undefined);

t.test('without room products that come are left out, and are taken in when there is room again', async (t) => {
  const { write, remove, tailWith } = await start(t);
  const ids = Array.from({ length: 12 }, () => randomUUID());
  const all = ids.map((id, number) => productOf(id, `lamp${number}`));
  const [first, more] = [all.slice(0, 8), all.slice(8)];
  const filled = new ProductIndex();
  filled.put(first);
  const { logged, found } = tailWith(filled.bytes - 1);
  await write(first);
  await becomes(found, 8);
  await write(more);
  await write([productOf(ids[0]!, 'changed')]);
  await becomes(() => found('changed'), 1);
  t.equal(await found('lamp0'), 0, 'what is there changes');
  t.equal(await found('lamp9'), 0);
  t.equal(await found(), 8);
  t.strictSame(logged, ['the indexes of product search take in no more products']);

  const { found: foundWithMore } = tailWith(1_000_000_000);
  await becomes(foundWithMore, 12);

  await remove(ids.slice(1, 6));
  await becomes(found, 7);
  t.equal(await found('lamp9'), 1);
  t.equal(await found('changed'), 1);
  t.strictSame(logged.slice(1), ['the indexes of product search take in products again']);
  await becomes(foundWithMore, 7);
});

t.test('who has not heard that a product went before its row did begins anew', async (t) => {
  const { sql, write, tailWith } = await start(t);
  const ids = [randomUUID(), randomUUID()];
  await write(ids.map((id) => productOf(id, 'lamp')));
  const { found } = tailWith(1_000_000_000);
  await becomes(found, 2);
  // In one transaction, so that the tail sees what it would see after a week.
  await sql.begin(async (own) => {
    await own`delete from search_documents where product_id = ${ids[1]!}`;
    await own`update search_projects set pruned_seq = nextval('search_sequence')`;
  });
  await becomes(found, 1);
  await write([productOf(ids[1]!, 'lamp')]);
  await becomes(found, 2);
});

t.test('a project is searched once all its products are there, and no more while all are made anew', async (t) => {
  const { sql, write, tailWith } = await start(t);
  const fill = (isFilled: boolean): Promise<unknown> =>
    sql`update search_projects set filled_at = ${isFilled ? sql`now()` : null} where project = ${project}`;
  const { found } = tailWith(100_000_000);
  await write([productOf(randomUUID(), 'one')]);
  await becomes(found, 1);
  const isIndexing = () => eventually(async () => (await found()) === 'indexing' || undefined);
  await fill(false);
  await isIndexing();
  await write([productOf(randomUUID(), 'two')]);
  await fill(true);
  await becomes(found, 2);
});

import { randomUUID } from 'node:crypto';
import { Meilisearch } from 'meilisearch';
import t, { type Test } from 'tap';
import type { KeywordSource } from '../../src/search/keyword-source.ts';
import { createTaker, type Taker } from '../../src/outbox/taker.ts';
import { createFeeder } from '../../src/search/feeder.ts';
import { encode } from '../../src/search/encoding.ts';
import { candidatesOf, fold, fuzzyLevel, prefixDistance, type SearchKeyword } from '../../src/search/fold.ts';
import { keywordIndexName } from '../../src/search/product-index.ts';
import { createSuggester } from '../../src/search/suggest.ts';
import type { Database } from '../../src/storage/database.ts';
import { createOutbox } from '../../src/storage/outbox.ts';
import type { Sql } from '../../src/storage/connection.ts';
import { createKeywordSource } from '../../src/storage/keyword-source.ts';
import { createDatabase, eventually, meilisearch } from '../support/services.ts';

type Keywords = Record<string, SearchKeyword[]>;

interface Product {
  readonly id: string;
  readonly published: boolean;
  readonly current: Keywords;
  readonly staged: Keywords;
}

interface Shop {
  readonly sql: Sql;
  readonly project: string;
  readonly database: Database;
  readonly source: KeywordSource;
  readonly products: Map<string, Product>;
}

async function createShop(t: Test, status = 'Indexing'): Promise<Shop> {
  const { sql, database } = await createDatabase(t);
  const project = `feed-${randomUUID().slice(0, 18)}`;
  const data = JSON.stringify({ searchIndexing: { products: { status } } });
  await sql`insert into projects (key, version, data) values (${project}, 1, ${data}::text::jsonb)`;
  // The search needs documents as well, which are another feeder's.
  await sql`insert into search_projects (project, started_at, filled_at) values (${project}, now(), now())`;
  return { sql, project, database, source: createKeywordSource(database), products: new Map() };
}

/** Writes a product, or deletes it, as the platform does: the row and its outbox row in one statement. */
async function write({ sql, project, products }: Shop, product: Product | { readonly id: string }): Promise<void> {
  if (!('current' in product)) {
    products.delete(product.id);
    await sql`with gone as (delete from documents where project = ${project} and id = ${product.id} returning id)
      insert into outbox (project, topic, kind, id, version) select ${project}, 'suggest', 'product', id, 1 from gone`;
    return;
  }
  products.set(product.id, product);
  const { published, current, staged } = product;
  const data = JSON.stringify({
    masterData: { published, current: { searchKeywords: current }, staged: { searchKeywords: staged } },
  });
  await sql`with written as (
      insert into documents (project, kind, id, version, data) values (${project}, 'product', ${product.id}, 1, ${data}::text::jsonb)
      on conflict (project, kind, id) do update set data = excluded.data returning id)
    insert into outbox (project, topic, kind, id, version) select ${project}, 'suggest', 'product', id, 1 from written`;
}

function startFeeder(t: Test, { source, database }: Shop): Taker {
  const consumer = createFeeder({ source, meilisearch: meilisearch() });
  const taker = createTaker({ outbox: createOutbox(database), consumer, log: { warn: () => {} } });
  taker.run();
  t.teardown(() => taker.close());
  return taker;
}

async function idle({ sql }: Shop): Promise<true | undefined> {
  const [row] = await sql<
    { left: number }[]
  >`select (select count(*) from outbox)::int + (select count(*) from suggest_dirty)::int as left`;
  return row!.left === 0 ? true : undefined;
}

/** What the index has to hold, derived from all products: encoded candidates by locale and text. */
function expectedDocuments({ products }: Shop): readonly string[] {
  const documents = new Map<string, { current: Set<string>; staged: Set<string> }>();
  for (const { published, current, staged } of products.values()) {
    for (const [name, keywords] of [
      ['current', published ? current : {}],
      ['staged', staged],
    ] as const) {
      for (const [locale, list] of Object.entries(keywords)) {
        for (const keyword of list) {
          const key = `${locale} ${keyword.text}`;
          const entry = documents.get(key) ?? { current: new Set(), staged: new Set() };
          for (const candidate of candidatesOf(keyword)) entry[name].add(encode(candidate));
          documents.set(key, entry);
        }
      }
    }
  }
  return [...documents]
    .filter(([, { current, staged }]) => current.size + staged.size > 0)
    .map(([key, { current, staged }]) => JSON.stringify([key, [...current].sort(), [...staged].sort()]))
    .sort();
}

async function indexedDocuments({ project }: Shop): Promise<readonly string[]> {
  const { url, key } = meilisearch();
  const { results } = await new Meilisearch({ host: url, apiKey: key })
    .index(keywordIndexName(project))
    .getDocuments({ limit: 10_000 });
  return results
    .filter(({ id }) => id !== 'first')
    .map(({ id, t: text, ...candidates }) => {
      const name = String(id).slice(0, -23);
      const of = (prefix: string): string[] => [...((candidates[`${prefix}_${name}`] ?? []) as string[])].sort();
      return JSON.stringify([`${name.replace('_', '-')} ${String(text)}`, of('c'), of('s')]);
    })
    .sort();
}

/** A deterministic stream of numbers below `count`. */
function numbers(seed: number): (count: number) => number {
  let state = seed;
  return (count) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * count);
  };
}

const words = [
  'Knife',
  'Knight',
  'Tent',
  'Straße',
  'ΣΑΣ',
  'ナイフ',
  'Café',
  'multi',
  'tool',
  '24"',
  'a\\b',
  'Ångström',
];
const locales = ['en', 'de-CH', 'ja'];

function randomKeywords(next: (count: number) => number): Keywords {
  const text = (): string => Array.from({ length: 1 + next(3) }, () => words[next(words.length)]!).join(' ');
  const keyword = (): SearchKeyword => {
    const form = next(3);
    if (form === 0) return { text: text() };
    return {
      text: text(),
      suggestTokenizer: form === 1 ? { type: 'whitespace' } : { type: 'custom', inputs: [text(), text()] },
    };
  };
  return Object.fromEntries(
    locales.filter(() => next(2) === 0).map((locale) => [locale, Array.from({ length: 1 + next(2) }, keyword)]),
  );
}

async function writeRandomly(shop: Shop, next: (count: number) => number, count: number): Promise<void> {
  for (let step = 0; step < count; step += 1) {
    const ids = [...shop.products.keys()];
    const id = ids.length > 0 && next(2) === 0 ? ids[next(ids.length)]! : randomUUID();
    if (ids.length > 5 && next(6) === 0) await write(shop, { id });
    else await write(shop, { id, published: next(3) > 0, current: randomKeywords(next), staged: randomKeywords(next) });
  }
}

t.test('the index becomes what the products offer, whenever a feeder dies', async (t) => {
  const shop = await createShop(t);
  const next = numbers(7);
  for (let round = 0; round < 5; round += 1) {
    const feeders = [startFeeder(t, shop), startFeeder(t, shop)];
    await writeRandomly(shop, next, 40);
    // They are stopped wherever they are, and others go on.
    await Promise.all(feeders.map((feeder) => feeder.close()));
  }
  startFeeder(t, shop);
  await eventually(() => idle(shop));
  t.strictSame(await indexedDocuments(shop), expectedDocuments(shop));
  const [row] = await shop.sql<
    { status: string }[]
  >`select data #>> '{searchIndexing,products,status}' as status from projects`;
  await eventually(async () =>
    row!.status === 'Activated'
      ? true
      : ((row!.status = (
          await shop.sql<
            { status: string }[]
          >`select data #>> '{searchIndexing,products,status}' as status from projects`
        )[0]!.status),
        undefined),
  );
  t.equal(row!.status, 'Activated');
});

t.test('an index that is lost is filled again', async (t) => {
  const shop = await createShop(t);
  await writeRandomly(shop, numbers(11), 30);
  startFeeder(t, shop);
  await eventually(async () =>
    (await idle(shop)) && (await indexedDocuments(shop).catch(() => [])).length > 0 ? true : undefined,
  );
  const { url, key } = meilisearch();
  await new Meilisearch({ host: url, apiKey: key }).deleteIndex(keywordIndexName(shop.project)).waitTask();
  const expected = JSON.stringify(expectedDocuments(shop));
  t.ok(
    await eventually(async () =>
      JSON.stringify(await indexedDocuments(shop).catch(() => [])) === expected ? true : undefined,
    ),
  );
});

t.test('without an index for the project the queue is emptied all the same', async (t) => {
  const shop = await createShop(t, 'Deactivated');
  await writeRandomly(shop, numbers(13), 20);
  startFeeder(t, shop);
  const left = async () => (await shop.sql<{ count: number }[]>`select count(*)::int as count from outbox`)[0]!.count;
  t.ok(await eventually(async () => ((await left()) === 0 ? true : undefined)));
  const [dirty] = await shop.sql<{ count: number }[]>`select count(*)::int as count from suggest_dirty`;
  t.ok(dirty!.count > 0, 'what changed waits for an index');
});

/** The answer by definition: exact matches by text, then by distance and text. */
function oracle(
  { products }: Shop,
  { locale, input, isFuzzy, isStaged }: { locale: string; input: string; isFuzzy: boolean; isStaged: boolean },
): ReadonlyMap<string, number> {
  const wanted = fold(input);
  const level = isFuzzy ? fuzzyLevel([...wanted].length) : 0;
  const distances = new Map<string, number>();
  for (const { published, current, staged } of products.values()) {
    for (const keyword of (isStaged ? staged : published ? current : {})[locale] ?? []) {
      const distance = Math.min(
        ...candidatesOf(keyword).map((candidate) =>
          candidate.startsWith(wanted) ? 0 : level === 0 ? 9 : Math.max(1, prefixDistance(wanted, candidate, level)),
        ),
      );
      if (distance <= level) distances.set(keyword.text, Math.min(distance, distances.get(keyword.text) ?? 9));
    }
  }
  return distances;
}

t.test('answers are those of the definition, exact and fuzzy', async (t) => {
  const shop = await createShop(t);
  const next = numbers(17);
  await writeRandomly(shop, next, 250);
  startFeeder(t, shop);
  await eventually(() => idle(shop));
  const suggester = createSuggester(meilisearch());
  t.teardown(() => suggester.close());
  const spoil = (text: string): string => {
    const points = [...text];
    const at = next(points.length);
    const change = next(3);
    if (change === 0) points.splice(at, 1);
    else if (change === 1) points.splice(at, 0, 'x');
    else if (at > 0) points.splice(at - 1, 2, points[at]!, points[at - 1]!);
    return points.join('') || 'x';
  };
  let wrong = 0;
  for (let round = 0; round < 400; round += 1) {
    const text = `${words[next(words.length)]} ${words[next(words.length)]}`;
    const prefix = [...text].slice(0, 1 + next(10)).join('');
    const locale = locales[next(locales.length)]!;
    const question = {
      locale,
      input: next(2) === 0 ? prefix : spoil(prefix),
      isFuzzy: next(2) === 0,
      isStaged: next(2) === 0,
    };
    const expected = oracle(shop, question);
    const result = await suggester.suggest({
      request: { project: { key: shop.project }, principal: { clientId: 'client' } },
      searchKeywords: new Map([[locale, [question.input]]]),
      isFuzzy: question.isFuzzy,
      isStaged: question.isStaged,
      limit: 100,
    });
    const found = result.get(locale)!;
    const isRight =
      found.length === Math.min(100, expected.size) &&
      found.every((text) => expected.has(text)) &&
      found.every((text, index) => index === 0 || expected.get(found[index - 1]!)! <= expected.get(text)!);
    if (isRight) continue;
    wrong += 1;
    if (wrong <= 3) t.comment(JSON.stringify({ question, found, expected: [...expected] }));
  }
  t.equal(wrong, 0);
});

/** A shop of products with keywords alone, and what suggestions have to make of them. */
import { randomUUID } from 'node:crypto';
import { Meilisearch } from 'meilisearch';
import type { Test } from 'tap';
import { createTaker, type Taker } from '../../src/outbox/taker.ts';
import { encode } from '../../src/search/encoding.ts';
import { createFeeder } from '../../src/search/feeder.ts';
import { candidatesOf, type SearchKeyword } from '../../src/search/fold.ts';
import type { KeywordSource } from '../../src/search/keyword-source.ts';
import { keywordIndexName } from '../../src/search/suggest-indexes.ts';
import type { Sql } from '../../src/storage/connection.ts';
import type { Database } from '../../src/storage/database.ts';
import { createKeywordSource } from '../../src/storage/keyword-source.ts';
import { createOutbox } from '../../src/storage/outbox.ts';
import { createDatabase, meilisearch } from './services.ts';

type SearchEngine = ReturnType<typeof meilisearch>;

export type Keywords = Record<string, SearchKeyword[]>;

export interface Product {
  readonly id: string;
  readonly published: boolean;
  readonly current: Keywords;
  readonly staged: Keywords;
  /** Nothing random happens to it. */
  readonly isKept?: boolean;
}

export interface Shop {
  readonly sql: Sql;
  readonly project: string;
  readonly database: Database;
  readonly source: KeywordSource;
  readonly products: Map<string, Product>;
  readonly url: string;
  write(product: Product | { readonly id: string }): Promise<void>;
}

export async function createShop(t: Test, status = 'Indexing'): Promise<Shop> {
  const { url, sql, database } = await createDatabase(t);
  const project = `feed-${randomUUID().slice(0, 18)}`;
  const data = JSON.stringify({ searchIndexing: { products: { status } } });
  await sql`insert into projects (key, version, data) values (${project}, 1, ${data}::text::jsonb)`;
  // The search needs documents as well, which are another feeder's.
  await sql`insert into search_projects (project, started_at, filled_at) values (${project}, now(), now())`;
  const products = new Map<string, Product>();
  const source = createKeywordSource(database);
  return {
    sql,
    project,
    database,
    source,
    products,
    url,
    write: (product) => write({ sql, project, products }, product),
  };
}

/** Writes a product, or deletes it, as the platform does: the row and its outbox row in one statement. */
async function write(
  { sql, project, products }: Pick<Shop, 'sql' | 'project' | 'products'>,
  product: Product | { readonly id: string },
): Promise<void> {
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

/** The feeder of the shop; what it tells of texts is added to `told`. */
export function startFeeder(t: Test, { source, database }: Shop, told: object[] = [], engine = meilisearch()): Taker {
  const consumer = createFeeder({ source, meilisearch: engine, log: { warn: (details) => told.push(details) } });
  const taker = createTaker({ outbox: createOutbox(database), consumer, log: { warn: () => {} } });
  taker.run();
  t.teardown(() => taker.close());
  return taker;
}

/** Whether indexes are filled, and have all that was written. */
export async function idle({ sql }: Pick<Shop, 'sql'>): Promise<true | undefined> {
  const [row] = await sql<{ left: number; filled: number }[]>`
    select (select count(*) from outbox where topic = 'suggest')::int + (select count(*) from suggest_dirty)::int
      + (select count(*) from suggest_fillings)::int as left, (select count(*) from suggest_indexes)::int as filled`;
  return row!.left === 0 && row!.filled > 0 ? true : undefined;
}

/** What the index has to hold, derived from all products: encoded candidates by locale and text. */
export function expectedDocuments({ products }: Pick<Shop, 'products'>): readonly string[] {
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

export async function indexedDocuments(
  { project }: Pick<Shop, 'project'>,
  { url, key }: SearchEngine = meilisearch(),
): Promise<readonly string[]> {
  const { results } = await new Meilisearch({ host: url, apiKey: key })
    .index(keywordIndexName(project))
    .getDocuments({ limit: 100_000 });
  return results
    .filter(({ id }) => id !== 'first')
    .map(({ id, t: text, ...candidates }) => {
      const name = String(id).slice(0, -23);
      const of = (prefix: string): string[] => [...((candidates[`${prefix}_${name}`] ?? []) as string[])].sort();
      return JSON.stringify([`${name.replace('_', '-')} ${String(text)}`, of('c'), of('s')]);
    })
    .sort();
}

export const words = [
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
export const locales = ['en', 'de-CH', 'ja'];

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

export async function writeRandomly(shop: Shop, next: (count: number) => number, count: number): Promise<void> {
  for (let step = 0; step < count; step += 1) {
    const ids = [...shop.products.values()].filter(({ isKept }) => isKept !== true).map(({ id }) => id);
    const id = ids.length > 0 && next(2) === 0 ? ids[next(ids.length)]! : randomUUID();
    if (ids.length > 5 && next(6) === 0) await shop.write({ id });
    else await shop.write({ id, published: next(3) > 0, current: randomKeywords(next), staged: randomKeywords(next) });
  }
}

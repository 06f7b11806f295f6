/** What one search may take. */
import t from 'tap';
import { searchDocument } from '../../src/product-search/document.ts';
import type { IndexQuery } from '../../src/product-search/index-query.ts';
import { ProductIndex } from '../../src/search-index/product-index.ts';
import { beside, price, product, variant } from '../product-search/shop.ts';
import { productSearchOf, queryOf } from '../product-search/parse.ts';

function indexOf(names: readonly string[]): ProductIndex {
  const index = new ProductIndex();
  index.put(
    names.map((name, number) => {
      const id = `product-${number}`;
      return { id, documents: { both: searchDocument(product(id, { name: { en: name } }), 'current', beside) } };
    }),
  );
  return index;
}

t.test('a search ends when its time is over', async (t) => {
  const index = indexOf(['a', 'b']);
  t.equal((await index.search(queryOf({}), 5000)).total, 2);
  await t.rejects(index.search(queryOf({}), 0), { message: /longer than it may/ });
  await t.rejects(index.search(queryOf({ facet: ['id'] }), 0), { message: /longer than it may/ });
});

t.test('facets count so many values, and their terms are so long, at most', async (t) => {
  const long = indexOf(['a', 'b', 'c'].map((letter) => letter.repeat(3_000_000)));
  await t.rejects(long.search(queryOf({ facet: ['name.en'] }), 5000), { message: /characters/ });
  t.equal((await long.search(queryOf({ facet: ['id'] }), 5000)).total, 3);
  const many = indexOf(Array.from({ length: 100_001 }, (_, number) => `n${number}`));
  await t.rejects(many.search(queryOf({ facet: ['name.en'] }), 60_000), { message: /different values/ });
});

t.test('what is long gives way to what is short', async (t) => {
  const index = indexOf(Array.from({ length: 5000 }, (_, number) => `word${number} lamp`));
  const facets = Array.from({ length: 90 }, (_, number) => `id as f${number}`);
  let isDone = false;
  const long = index.search(queryOf({ facet: facets }), 60_000).then(() => (isDone = true));
  await index.search(queryOf({ 'filter.query': ['id:"product-1"'] }), 5000);
  t.equal(isDone, false);
  await long;
});

/** How often others had a turn while a search went on. */
async function turnsWithin(search: Promise<unknown>): Promise<number> {
  let [turns, isDone] = [0, false];
  const done = search.then(() => (isDone = true));
  const count = (): void => {
    turns += 1;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  await done;
  return turns;
}

t.test('what goes through a whole segment gives way in between', async (t) => {
  const index = new ProductIndex();
  // All at once are one segment.
  index.put(
    Array.from({ length: 20_000 }, (_, number) => {
      const id = `product-${number}`;
      const data = {
        name: { en: `Word${number} ${'lamps and lights '.repeat(3)}` },
        masterVariant: variant(1, { prices: [price(number), price(number + 1, { country: 'DE' })] }),
      };
      return { id, documents: { both: searchDocument(product(id, data), 'current', beside) } };
    }),
  );
  const prices = {
    now: '2030-01-01T00:00:00.000Z',
    currency: 'EUR',
    country: 'DE',
    customerGroups: [],
    channel: undefined,
    countries: undefined,
    channels: undefined,
  };
  const ofProducts = (query: object): IndexQuery => ({ ...queryOf({}), query: productSearchOf({ query }).query });
  const name = { field: 'name', language: 'en' };
  const searches: Readonly<Record<string, IndexQuery>> = {
    'the selected prices': { ...queryOf({ sort: ['variants.scopedPrice.value.centAmount asc'] }), prices },
    'a wildcard': ofProducts({ wildcard: { ...name, value: '*and*lights*x' } }),
    'values without regard to case': ofProducts({ exact: { ...name, value: 'none', caseInsensitive: true } }),
    'words with edits': ofProducts({ fuzzy: { ...name, value: 'lump', level: 1 } }),
    'full text with edits': queryOf({ text: { en: ['word77777'] }, fuzzy: true }),
  };
  for (const [what, query] of Object.entries(searches))
    t.ok((await turnsWithin(index.search(query, 60_000))) > 2, what);
});

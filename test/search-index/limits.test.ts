/** What one search may take. */
import t from 'tap';
import { searchDocument } from '../../src/product-search/document.ts';
import type { IndexQuery } from '../../src/product-search/index-query.ts';
import { ProductIndex } from '../../src/search-index/product-index.ts';
import { beside, product } from '../product-search/shop.ts';
import { projectionSearchOf } from '../product-search/parse.ts';

function queryOf(parameters: object): IndexQuery {
  const { query, filter, facets, sorts, offset, limit } = projectionSearchOf(parameters);
  return {
    side: 'current',
    query,
    filter,
    sorts,
    offset,
    limit,
    facets: facets.map((facet) => ({ language: 'projection', facet, counted: undefined })),
    matching: undefined,
    prices: undefined,
  };
}

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

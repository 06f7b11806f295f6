import t from 'tap';
import { productIndexQuery } from '../../src/product-search/products-search.ts';
import { projectionIndexQuery } from '../../src/product-search/projection-search.ts';
import { productSearchOf, projectionSearchOf } from './parse.ts';

const everything = { kind: 'all', operands: [] };
const byScore = [{ kind: 'score', isDescending: true }];

t.test('a search of projections that says nothing asks for all that is current, by score', async (t) => {
  t.strictSame(projectionIndexQuery(projectionSearchOf({}), { staged: false }, undefined), {
    side: 'current',
    query: everything,
    narrowedBy: everything,
    facets: [],
    sorts: byScore,
    offset: 0,
    limit: 20,
    matching: undefined,
    prices: undefined,
  });
});

t.test('facets count what is looked for, and variants match what is found', async (t) => {
  const search = projectionSearchOf({
    'filter.query': ['variants.sku:"a"'],
    filter: ['variants.sku:"b"'],
    'filter.facets': ['id:"c"', 'key:"d"'],
    facet: ['key'],
    markMatchingVariants: true,
    limit: 0,
    offset: 7,
  });
  const asked = projectionIndexQuery(search, { staged: true }, undefined);
  const test = (scope: string, name: string, value: string): object => ({
    kind: 'in',
    path: { scope, name, class: 'keyword' },
    values: [value],
    foldsCase: false,
  });
  const query = { kind: 'all', operands: [{ ...test('variant', 'sku', 'a'), boost: 0 }] };
  t.match(asked, { side: 'staged', limit: 0, offset: 7 });
  t.strictSame(asked.facets, [
    {
      language: 'projection',
      facet: search.facets[0],
      counted: { kind: 'all', operands: [query, test('product', 'id', 'c')] },
    },
  ]);
  t.strictSame(asked.matching, {
    kind: 'all',
    operands: [query, { kind: 'all', operands: [test('variant', 'sku', 'b')] }],
  });
  t.strictSame(asked.narrowedBy, asked.matching, 'one variant meets both');
});

t.test('what speaks of products alone is judged once', async (t) => {
  const search = projectionSearchOf({ 'filter.query': ['variants.sku:"a"'], filter: ['key:"b"'], facet: ['key'] });
  const asked = projectionIndexQuery(search, { staged: false }, undefined);
  t.strictSame(asked.narrowedBy, search.filter);
  t.equal(asked.facets[0]!.counted, undefined);
});

t.test('facets of products count what their scope says, and never what is filtered afterwards', async (t) => {
  const search = productSearchOf({
    query: { exact: { field: 'key', value: 'a' } },
    postFilter: { exact: { field: 'key', value: 'b' } },
    facets: [{ count: { name: 'found' } }, { count: { name: 'all', scope: 'all' } }],
  });
  const asked = productIndexQuery(search);
  t.strictSame(
    asked.facets.map(({ counted }) => counted),
    [undefined, everything],
  );
  t.strictSame([asked.query, asked.narrowedBy], [search.query, search.postFilter]);
  t.equal(asked.side, 'current');
});

t.test('variants are marked where the query says something of them', async (t) => {
  const marked = (field: string, markMatchingVariants = true): unknown =>
    productIndexQuery(productSearchOf({ query: { exact: { field, value: 'a' } }, markMatchingVariants })).matching;
  t.match(marked('variants.sku'), { kind: 'in', path: { name: 'sku' } });
  t.equal(marked('key'), undefined);
  t.equal(marked('variants.sku', false), undefined);
});

/** What facets count in a small shop. */
import t, { type Test } from 'tap';
import { type SearchDocument, searchDocument } from '../../src/product-search/document.ts';
import { productIndexQuery } from '../../src/product-search/products-search.ts';
import { facetResult, productFacetResult } from './facet-model.ts';
import { answerOf } from './indexed.ts';
import { found } from './model.ts';
import { productSearchOf, projectionSearchOf, queryOf } from './parse.ts';
import { attributes, beside, documents, ids, product, variant } from './shop.ts';

/** The result of the first facet. */
async function resultOf(t: Test, parameters: object, all: readonly SearchDocument[] = documents): Promise<unknown> {
  const search = projectionSearchOf(parameters);
  const asked = queryOf(parameters);
  const result = facetResult(search.facets[0]!, found(asked.facets[0]!.counted ?? asked.query, all));
  t.strictSame((await answerOf(asked, all)).facets[0], result, 'the index agrees');
  return result;
}

t.test('terms of variants count all variants of the found products', async (t) => {
  t.strictSame(await resultOf(t, { facet: ['variants.attributes.color.key'] }), {
    type: 'terms',
    dataType: 'text',
    missing: 1,
    total: 3,
    other: 0,
    terms: [
      { term: 'red', count: 2 },
      { term: 'blue', count: 1 },
    ],
  });
  t.match(await resultOf(t, { facet: ['variants.attributes.color.key'], 'filter.query': ['variants.sku:"LAMP-R"'] }), {
    missing: 0,
    total: 2,
    terms: [{ term: 'blue' }, { term: 'red' }],
  });
  t.match(await resultOf(t, { facet: ['variants.attributes.size'] }), {
    dataType: 'number',
    terms: [
      { term: '10.0', count: 1 },
      { term: '15.0', count: 1 },
      { term: '20.0', count: 1 },
    ],
  });
  t.match(await resultOf(t, { facet: ['variants.attributes.isNew'] }), {
    dataType: 'boolean',
    missing: 3,
    terms: [{ term: 'true', count: 1 }],
  });
});

t.test('terms of products count products', async (t) => {
  t.strictSame(await resultOf(t, { facet: ['categories.id'] }), {
    type: 'terms',
    dataType: 'text',
    missing: 1,
    total: 2,
    other: 0,
    terms: [
      { term: ids.deskLamps, count: 1 },
      { term: ids.chairs, count: 1 },
    ],
  });
});

t.test('who asks gets counts of products as well, by which terms are ordered then', async (t) => {
  const colors = (...keys: readonly string[]): SearchDocument =>
    searchDocument(
      product(keys.join('-'), {
        masterVariant: variant(1, { attributes: attributes({ color: keys[0] }) }),
        variants: keys.slice(1).map((key, index) => variant(index + 2, { attributes: attributes({ color: key }) })),
      }),
      'current',
      beside,
    );
  const shop = [colors('red', 'red', 'red'), colors('blue'), colors('blue', 'green')];
  const facet = 'variants.attributes.color';
  t.match(await resultOf(t, { facet: [facet] }, shop), {
    terms: [
      { term: 'red', count: 3 },
      { term: 'blue', count: 2 },
      { term: 'green', count: 1 },
    ],
  });
  t.match(await resultOf(t, { facet: [`${facet} counting products`] }, shop), {
    terms: [
      { term: 'blue', count: 2, productCount: 2 },
      { term: 'green', count: 1, productCount: 1 },
      { term: 'red', count: 3, productCount: 1 },
    ],
  });
});

t.test('terms beyond 200 are counted together', async (t) => {
  const shop = Array.from({ length: 203 }, (_, index) =>
    searchDocument(
      product(`p${index}`, { masterVariant: variant(1, { attributes: attributes({ size: index }) }) }),
      'current',
      beside,
    ),
  );
  const result = (await resultOf(t, { facet: ['variants.attributes.size'] }, shop)) as { terms: unknown[] };
  t.match(result, { total: 203, other: 3 });
  t.equal(result.terms.length, 200);
});

t.test('ranges take in where they begin and not where they end', async (t) => {
  const zeros = { count: 0, total: 0, min: 0, max: 0, mean: 0 };
  t.strictSame(await resultOf(t, { facet: ['variants.attributes.size:range(10 to 20),(20 to *),(* to 5)'] }), {
    type: 'range',
    ranges: [
      { from: 10, fromStr: '10.0', to: 20, toStr: '20.0', count: 2, total: 25, min: 10, max: 15, mean: 12.5 },
      { from: 20, fromStr: '20.0', to: 0, toStr: '', count: 1, total: 20, min: 20, max: 20, mean: 20 },
      { from: 0, fromStr: '', to: 5, toStr: '5.0', ...zeros },
    ],
  });
  t.match(await resultOf(t, { facet: ['variants.price.centAmount:range(0 to *) counting products'] }), {
    ranges: [{ count: 3, productCount: 2, total: 14_400 }],
  });
  const moment = Date.UTC(2030, 1, 1);
  t.match(await resultOf(t, { facet: ['createdAt:range("2030-02-01" to *)'] }), {
    ranges: [{ from: moment, fromStr: '2030-02-01T00:00:00.000Z', count: 1, min: moment }],
  });
});

t.test('a filter as a facet has one result for all its values', async (t) => {
  t.strictSame(await resultOf(t, { facet: ['variants.attributes.color.key:"red","blue" counting products'] }), {
    type: 'filter',
    count: 3,
    productCount: 2,
  });
  t.strictSame(await resultOf(t, { facet: ['variants.prices:missing as unpriced'] }), { type: 'filter', count: 1 });
  t.strictSame(await resultOf(t, { facet: [`categories.id:subtree("${ids.lamps}")`] }), { type: 'filter', count: 1 });
});

t.test('all subtrees are terms, of each category with those below it', async (t) => {
  const facet = ['categories.id:subtree("*") as below'];
  const terms = [ids.lamps, ids.deskLamps, ids.chairs].map((term) => ({ term, count: 1 }));
  t.match(await resultOf(t, { facet }), { type: 'terms', total: 3, terms });
  t.match(
    await resultOf(t, { facet, 'filter.facets': [`categories.id:"${ids.chairs}"`] }),
    { total: 3 },
    'they have one path',
  );
});

t.test('filters of facets leave out the facet of their own path, and those of results count nothing', async (t) => {
  const facet = ['variants.attributes.color.key'];
  const isBlue = ['variants.attributes.color.key:"blue"'];
  t.match(await resultOf(t, { facet, 'filter.facets': isBlue }), { total: 3 });
  t.match(await resultOf(t, { facet: ['variants.attributes.size'], 'filter.facets': isBlue }), { total: 2 });
  t.match(await resultOf(t, { facet, 'filter.facets': ['variants.attributes.size:15'] }), { total: 1 });
  t.match(await resultOf(t, { facet, filter: isBlue }), { total: 3 });
});

/** The result of one facet of product search. */
async function queryResultOf(t: Test, facet: unknown, all: readonly SearchDocument[] = documents): Promise<unknown> {
  const search = productSearchOf({ facets: [facet] });
  const result = productFacetResult(search.facets[0]!, all);
  t.strictSame((await answerOf(productIndexQuery(search), all)).facets[0], result, 'the index agrees');
  return result;
}

const color = { name: 'f', field: 'variants.attributes.color', fieldType: 'lenum' };
const size = { name: 'f', field: 'variants.attributes.size', fieldType: 'number' };
const isRed = { exact: { field: color.field, fieldType: 'lenum', value: 'red' } };

t.test('distinct values have a bucket each, of products or variants', async (t) => {
  const bucket = (key: string, count: number): object => ({ key, count });
  for (const [facet, buckets] of [
    [color, [bucket('red', 2), bucket('blue', 1)]],
    [{ ...color, language: 'de' }, [bucket('Rot', 2), bucket('Blau', 1)]],
    [{ ...color, limit: 1 }, [bucket('red', 2)]],
    [{ ...color, includes: ['blue', 'green'] }, [bucket('blue', 1)]],
    [
      { name: 'f', field: 'createdAt', includes: ['2030-01-01T01:00:00+01:00'] },
      [bucket('2030-01-01T00:00:00.000Z', 2)],
    ],
    [{ ...color, sort: { by: 'key', order: 'asc' } }, [bucket('blue', 1), bucket('red', 2)]],
    [{ ...color, sort: { by: 'count', order: 'asc' } }, [bucket('blue', 1), bucket('red', 2)]],
    [{ ...color, missing: 'none' }, [bucket('red', 2), bucket('blue', 1), bucket('none', 1)]],
    [{ ...size, missing: 'none', includes: ['none', '10'] }, [bucket('10', 1), bucket('none', 1)]],
    [{ ...color, filter: isRed }, [bucket('red', 2)]],
    [{ ...color, filter: isRed, missing: 'none' }, [bucket('red', 2)]],
    [size, [bucket('10', 1), bucket('15', 1), bucket('20', 1)]],
    [{ ...size, filter: isRed }, [bucket('10', 1), bucket('15', 1)]],
    [{ name: 'f', field: 'productType' }, [bucket('type-1', 3)]],
    [{ name: 'f', field: 'productType', level: 'variants' }, [bucket('type-1', 4)]],
    [{ name: 'f', field: 'productType', level: 'variants', filter: isRed }, [bucket('type-1', 2)]],
    [{ name: 'f', field: 'variants.prices.country', missing: '-' }, [bucket('-', 2), bucket('DE', 1)]],
    [{ name: 'f', field: 'variants.prices.country', level: 'variants' }, [bucket('DE', 2)]],
  ] as const)
    t.strictSame(await queryResultOf(t, { distinct: facet }), { name: 'f', buckets }, JSON.stringify(facet));
});

t.test('ranges, counts and statistics are of what their filter leaves', async (t) => {
  const ranges = [{ to: 15 }, { from: 15, to: 20 }, { from: 15, key: 'large' }];
  const counts = (...values: readonly number[]): object => ({
    name: 'f',
    buckets: ['*-15', '15-20', 'large'].map((key, index) => ({ key, count: values[index] })),
  });
  t.strictSame(await queryResultOf(t, { ranges: { ...size, ranges } }), counts(1, 1, 2));
  t.strictSame(await queryResultOf(t, { ranges: { ...size, ranges, filter: isRed } }), counts(1, 1, 1));
  t.strictSame(await queryResultOf(t, { count: { name: 'f' } }), { name: 'f', value: 3 });
  t.strictSame(await queryResultOf(t, { count: { name: 'f', level: 'variants' } }), { name: 'f', value: 4 });
  t.strictSame(await queryResultOf(t, { count: { name: 'f', filter: isRed } }), { name: 'f', value: 2 });
  t.strictSame(await queryResultOf(t, { stats: size }), { name: 'f', min: 10, max: 20, mean: 15, sum: 45, count: 3 });
  t.strictSame(await queryResultOf(t, { stats: { ...size, filter: isRed } }), {
    name: 'f',
    min: 10,
    max: 15,
    mean: 12.5,
    sum: 25,
    count: 2,
  });
  t.strictSame(await queryResultOf(t, { stats: { name: 'f', field: 'createdAt' } }), {
    name: 'f',
    min: '2030-01-01T00:00:00.000Z',
    max: '2030-02-01T00:00:00.000Z',
    count: 3,
  });
  t.strictSame(await queryResultOf(t, { stats: size }, []), { name: 'f', count: 0 });
});

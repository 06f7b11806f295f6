import t from 'tap';
import { ApiError } from '../../src/errors/api-error.ts';
import { parseFacet } from '../../src/product-search/facet.ts';
import { parseFilter } from '../../src/product-search/filter.ts';
import { type FacetModel, facetOf, type FilterModel, filterOf } from '../../src/product-search/models.ts';

const color = 'variants.attributes.color';
const cents = 'variants.price.centAmount';
const category = '0123abcd-0000-4000-8000-000000000000';

t.test('a model of a filter says what its text says', async (t) => {
  const cases: readonly (readonly [FilterModel, string])[] = [
    [{ value: { path: 'key', values: ['a', 'b'] } }, 'key:"a","b"'],
    [{ value: { path: 'key', values: ['10'] } }, 'key:"10"'],
    [{ value: { path: cents, values: ['10', '20'] } }, `${cents}:10,20`],
    [{ value: { path: 'published', values: ['true'] } }, 'published:true'],
    [{ value: { path: color, values: ['10'] } }, `${color}:"10",10`],
    [{ value: { path: color, values: ['true'] } }, `${color}:"true",true`],
    [{ value: { path: 'createdAt', values: ['2030-01-31T12:00:00+01:00'] } }, 'createdAt:"2030-01-31T11:00:00.000Z"'],
    [{ range: { path: cents, ranges: [{ from: '1', to: '*' }] } }, `${cents}: range (1 to *)`],
    [{ range: { path: color, ranges: [{ from: '1', to: '2.5' }] } }, `${color}: range (1 to 2.5)`],
    [{ range: { path: color, ranges: [{ from: '*', to: '2030-01-31' }] } }, `${color}: range (* to "2030-01-31")`],
    [{ missing: { path: color } }, `${color}:missing`],
    [{ exists: { path: 'variants.prices' }, value: null }, 'variants.prices:exists'],
    [
      { tree: { path: 'categories.id', rootValues: [category], subTreeValues: [category] } },
      `categories.id:"${category}",subtree("${category}")`,
    ],
  ];
  for (const [model, text] of cases) t.strictSame(filterOf(model), parseFilter(text), text);
});

t.test('values that would end a text of a filter are values like others', async (t) => {
  const value = 'a" or \\ , key:"b"\n';
  t.match(filterOf({ value: { path: 'key', values: [value] } }), { expression: { values: [value] } });
});

t.test('a model of a facet says what its text says', async (t) => {
  const cases: readonly (readonly [FacetModel, string])[] = [
    [{ terms: { path: color, countProducts: false } }, color],
    [{ terms: { path: color, alias: 'colors', countProducts: true } }, `${color} as colors counting products`],
    [
      { range: { path: cents, ranges: [{ from: '0', to: '100' }], alias: null, countProducts: false } },
      `${cents}: range (0 to 100)`,
    ],
  ];
  for (const [model, text] of cases) t.strictSame(facetOf(model), parseFacet(text), text);
});

t.test('what a model cannot say is refused', async (t) => {
  const codeOf = (make: () => unknown): unknown => {
    try {
      return make();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return error.code;
    }
  };
  const thousand = Array.from({ length: 1000 }, String);
  t.ok(filterOf({ tree: { path: 'categories.id', rootValues: [], subTreeValues: thousand } }));
  const filters: readonly FilterModel[] = [
    {},
    { missing: { path: 'key' }, exists: { path: 'key' } },
    { missing: { path: 'nothing' } },
    { value: { path: cents, values: ['much'] } },
    { value: { path: 'published', values: ['1'] } },
    { value: { path: 'variants.prices', values: ['1'] } },
    { value: { path: 'key', values: Array.from({ length: 1001 }, String) } },
    { range: { path: 'key', ranges: [{ from: '1', to: '2' }] } },
    { range: { path: cents, ranges: [] } },
    { range: { path: cents, ranges: [{ from: '', to: '1' }] } },
    { range: { path: color, ranges: [{ from: '1', to: 'b' }] } },
    { tree: { path: 'key', rootValues: [], subTreeValues: ['a'] } },
    { tree: { path: 'categories.id', rootValues: thousand, subTreeValues: ['a'] } },
  ];
  for (const model of filters)
    t.equal(
      codeOf(() => filterOf(model)),
      'InvalidInput',
      JSON.stringify(model).slice(0, 80),
    );
  const options = { countProducts: false };
  const facets: readonly (readonly [FacetModel, string])[] = [
    [{}, 'InvalidInput'],
    [{ terms: { path: 'nothing', ...options } }, 'SearchFacetPathNotFound'],
    [{ terms: { path: 'variants.prices', ...options } }, 'SearchFacetPathNotFound'],
    [{ range: { path: 'key', ranges: [{ from: '1', to: '2' }], ...options } }, 'InvalidInput'],
    [{ range: { path: 'variants.prices', ranges: [{ from: '1', to: '2' }], ...options } }, 'InvalidInput'],
  ];
  for (const [model, code] of facets)
    t.equal(
      codeOf(() => facetOf(model)),
      code,
      JSON.stringify(model),
    );
});

t.test('a filter without values finds nothing', async (t) => {
  t.strictSame(filterOf({ value: { path: 'key', values: [] } }).expression, { kind: 'any', operands: [] });
});

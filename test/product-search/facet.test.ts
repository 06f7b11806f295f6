import fc from 'fast-check';
import t from 'tap';
import { ApiError } from '../../src/errors/api-error.ts';
import { parseFacet } from '../../src/product-search/facet.ts';
import { dataTypeOf, endsOf, measureOf, termOf } from '../../src/product-search/facet-results.ts';

const color = { scope: 'variant', name: 'attributes.color.key', class: 'keyword' } as const;
const amount = { scope: 'variant', name: 'price.centAmount', class: 'number' } as const;
const categories = { scope: 'product', name: 'categories', class: 'keyword' } as const;

t.test('a facet is of terms, of ranges or of a filter', async (t) => {
  const colorText = 'variants.attributes.color.key';
  const amountText = 'variants.price.centAmount';
  const red = { kind: 'in', path: color, values: ['red'], foldsCase: false } as const;
  for (const [text, facet] of [
    [colorText, { key: colorText, path: color, countsProducts: false, kind: 'terms' }],
    [` ${colorText} as colors `, { key: 'colors', path: color, countsProducts: false, kind: 'terms' }],
    [`${colorText} AS colors COUNTING products`, { key: 'colors', path: color, countsProducts: true, kind: 'terms' }],
    [`${colorText} counting products as colors`, { key: 'colors', path: color, countsProducts: true, kind: 'terms' }],
    [`${colorText}:"red" as red`, { key: 'red', path: color, countsProducts: false, kind: 'filter', expression: red }],
    [
      `${amountText}:range (* to 100), (100 to *) counting products`,
      {
        key: amountText,
        path: amount,
        countsProducts: true,
        kind: 'ranges',
        ranges: [
          { from: undefined, to: 100 },
          { from: 100, to: undefined },
        ],
      },
    ],
    [
      'variants.prices:missing as unpriced',
      {
        key: 'unpriced',
        path: amount,
        countsProducts: false,
        kind: 'filter',
        expression: { kind: 'not', test: { kind: 'exists', path: amount } },
      },
    ],
    [
      'categories.id: subtree("*") counting products',
      {
        key: 'categories.id',
        path: { scope: 'product', name: 'categoriesSubTree', class: 'keyword' },
        countsProducts: true,
        kind: 'terms',
      },
    ],
    [
      'categories.id: subtree("a") as below',
      {
        key: 'below',
        path: categories,
        countsProducts: false,
        kind: 'filter',
        expression: {
          kind: 'in',
          path: { scope: 'product', name: 'categoriesSubTree', class: 'keyword' },
          values: ['a'],
          foldsCase: false,
        },
      },
    ],
  ] as const)
    t.strictSame(parseFacet(text), facet, text);
});

t.test('what is no facet is refused', async (t) => {
  for (const [text, code] of [
    ['', 'InvalidInput'],
    ['color', 'SearchFacetPathNotFound'],
    ['color:"red"', 'SearchFacetPathNotFound'],
    ['variants.prices', 'SearchFacetPathNotFound'],
    ['variants.prices as x', 'SearchFacetPathNotFound'],
    ['key:', 'InvalidInput'],
    ['key as', 'InvalidInput'],
    ['key as a as b', 'InvalidInput'],
    ['key counting', 'InvalidInput'],
    ['key counting variants', 'InvalidInput'],
    ['key counting products counting products', 'InvalidInput'],
    ['variants.price.centAmount:range (1 to 2), 5', 'InvalidInput'],
    ['key "a"', 'InvalidInput'],
  ] as const)
    t.throws(() => parseFacet(text), { code }, text);
});

t.test('no text throws anything but an ApiError', async () => {
  const piece = fc.constantFrom(
    'key',
    'variants.price.centAmount',
    ...': , ( ) * "a" 1 range to as counting products'.split(' '),
  );
  const texts = fc.oneof(
    fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(' ')),
    fc.string({ unit: 'binary', maxLength: 40 }),
  );
  fc.assert(
    fc.property(texts, (text) => {
      try {
        parseFacet(text);
        return true;
      } catch (error) {
        return error instanceof ApiError;
      }
    }),
    { numRuns: 1000 },
  );
});

t.test('results tell values as texts and numbers of one form', async (t) => {
  for (const [value, term, measure] of [
    [1, '1.0', 1],
    [-2.5, '-2.5', -2.5],
    [true, 'true', 0],
    ['red', 'red', 0],
    ['0.25', '0.25', 0.25],
    ['1970-01-02', '1970-01-02', 86_400_000],
    ['1970-01-01T00:00:01.000Z', '1970-01-01T00:00:01.000Z', 1000],
    ['00:00:02.500', '00:00:02.500', 2500],
  ] as const) {
    t.equal(termOf(value), term);
    t.equal(measureOf(value), measure);
  }
  t.strictSame(endsOf({ from: 5, to: undefined }), { from: 5, fromStr: '5.0', to: 0, toStr: '' });
});

t.test('the type of values is that of the path, or the one that their form tells', async (t) => {
  const any = { scope: 'variant', name: 'attributes.x1', class: 'any' } as const;
  t.equal(dataTypeOf(color, []), 'text');
  t.equal(dataTypeOf(amount, []), 'number');
  t.equal(dataTypeOf({ ...any, class: 'dateTime' }, []), 'datetime');
  for (const [values, type] of [
    [[], 'text'],
    [[1, 2], 'number'],
    [[true], 'boolean'],
    [['red'], 'text'],
    [['2030-01-31'], 'date'],
    [['2030-01-31', 'red'], 'text'],
    [['14:30:00.000'], 'time'],
    [['2030-01-31T12:00:00.000Z'], 'datetime'],
  ] as const)
    t.equal(dataTypeOf(any, values), type);
});

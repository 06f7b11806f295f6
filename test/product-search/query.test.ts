import fc from 'fast-check';
import t from 'tap';
import { ApiError } from '../../src/errors/api-error.ts';
import { productSearchOf } from './parse.ts';

const id = '0f6b1f1e-1111-4222-8333-444455556666';
const queryOf = (query: unknown): unknown => productSearchOf({ query }).query;

/** Code and message of each fault, without the values of fields. */
function faultsOf(body: unknown): readonly (readonly [string, string])[] {
  try {
    productSearchOf(body);
    return [];
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return error.errors.map(({ code, message }) => [code, message]);
  }
}

t.test('each field leads to the values of documents', async (t) => {
  const language = 'en';
  for (const [field, scope, name, valueClass] of [
    [{ field: 'id' }, 'product', 'id', 'keyword'],
    [{ field: 'name', language }, 'product', 'name.en', 'text'],
    [{ field: 'searchKeywords', language: 'de-AT' }, 'product', 'searchKeywords.de-AT', 'text'],
    [{ field: 'productType' }, 'product', 'productType', 'keyword'],
    [{ field: 'categoriesSubTree' }, 'product', 'categoriesSubTree', 'keyword'],
    [{ field: `categoryOrderHints.${id}` }, 'product', `categoryOrderHints.${id}`, 'decimal'],
    [{ field: 'createdAt' }, 'product', 'createdAt', 'dateTime'],
    [{ field: 'reviewRatingStatistics.count' }, 'product', 'reviewRatingStatistics.count', 'number'],
    [{ field: 'attributes.brand', fieldType: 'text' }, 'product', 'attributes.brand', 'text'],
    [{ field: 'variants.sku' }, 'variant', 'sku', 'keyword'],
    [{ field: 'variants.attributes.a-1', fieldType: 'set_text' }, 'variant', 'attributes.a-1', 'text'],
    [{ field: 'variants.attributes.a1', fieldType: 'ltext', language }, 'variant', 'attributes.a1.en', 'text'],
    [{ field: 'variants.attributes.a1', fieldType: 'enum' }, 'variant', 'attributes.a1.key', 'keyword'],
    [{ field: 'variants.attributes.a1.label', fieldType: 'enum' }, 'variant', 'attributes.a1.label', 'text'],
    [{ field: 'variants.attributes.a1', fieldType: 'set_lenum' }, 'variant', 'attributes.a1.key', 'keyword'],
    [{ field: 'variants.attributes.a1', fieldType: 'lenum', language }, 'variant', 'attributes.a1.label.en', 'text'],
    [
      { field: 'variants.attributes.a1.label', fieldType: 'lenum', language },
      'variant',
      'attributes.a1.label.en',
      'text',
    ],
    [{ field: 'variants.attributes.a1', fieldType: 'money' }, 'variant', 'attributes.a1.centAmount', 'number'],
    [
      { field: 'variants.attributes.a1.currencyCode', fieldType: 'money' },
      'variant',
      'attributes.a1.currencyCode',
      'keyword',
    ],
    [{ field: 'variants.attributes.a1', fieldType: 'set_reference' }, 'variant', 'attributes.a1.id', 'keyword'],
    [{ field: 'variants.attributes.a1', fieldType: 'boolean' }, 'variant', 'attributes.a1', 'boolean'],
    [{ field: 'variants.attributes.a1', fieldType: 'datetime' }, 'variant', 'attributes.a1', 'dateTime'],
    [{ field: 'variants.availability.isOnStock' }, 'variant', 'availability.isOnStock', 'boolean'],
    [{ field: 'variants.availability.isOnStockForChannel' }, 'variant', 'availability.isOnStockInChannels', 'keyword'],
    [{ field: 'variants.prices.currentCentAmount' }, 'price', 'currentCentAmount', 'number'],
    [{ field: 'variants.prices.discounted' }, 'price', 'discounted', 'boolean'],
  ] as const)
    t.strictSame(
      queryOf({ exists: field }),
      { kind: 'exists', path: { scope, name, class: valueClass } },
      JSON.stringify(field),
    );
});

t.test('expressions say what they look for', async (t) => {
  const sku = { scope: 'variant', name: 'sku', class: 'keyword' };
  const name = { scope: 'product', name: 'name.en', class: 'text' };
  const amount = { scope: 'price', name: 'centAmount', class: 'number' };
  const field = 'variants.sku';
  const named = { field: 'name', language: 'en' };
  const word = (text: string, distanceMax = 0): object => ({ text, distanceMax });
  for (const [query, meaning] of [
    [{ exact: { field, value: 'a' } }, { kind: 'in', path: sku, values: ['a'], foldsCase: false }],
    [
      { exact: { field, values: ['a', 'b'], caseInsensitive: true, boost: 2 } },
      { kind: 'in', path: sku, values: ['a', 'b'], foldsCase: true, boost: 2 },
    ],
    [{ prefix: { field, value: 'a' } }, { kind: 'prefix', path: sku, text: 'a', foldsCase: false }],
    [{ wildcard: { field, value: 'a**?*' } }, { kind: 'wildcard', path: sku, pattern: 'a*?*', foldsCase: false }],
    [
      { fullText: { ...named, value: 'Désk, LAMP!' } },
      { kind: 'words', path: name, words: [word('desk'), word('lamp')], mustMatch: 'all', isPrefix: false },
    ],
    [
      { fullTextPrefix: { ...named, value: 'des lam', mustMatch: 'any' } },
      { kind: 'words', path: name, words: [word('des'), word('lam')], mustMatch: 'any', isPrefix: true },
    ],
    [
      { fuzzy: { ...named, value: 'lump', level: 1 } },
      { kind: 'words', path: name, words: [word('lump', 1)], mustMatch: 'all', isPrefix: false },
    ],
    [
      { range: { field: 'variants.prices.centAmount', gt: 1, lte: 2 } },
      { kind: 'range', path: amount, bounds: { gt: 1, lte: 2 } },
    ],
    [
      { range: { field: 'createdAt', gte: '2030-01-31' } },
      {
        kind: 'range',
        path: { scope: 'product', name: 'createdAt', class: 'dateTime' },
        bounds: { gte: '2030-01-31T00:00:00.000Z' },
      },
    ],
    [
      { range: { field: 'attributes.opens', fieldType: 'time', lt: '08:00:00' } },
      {
        kind: 'range',
        path: { scope: 'product', name: 'attributes.opens', class: 'time' },
        bounds: { lt: '08:00:00.000' },
      },
    ],
    [{ filter: [{ exists: { field } }] }, { kind: 'all', operands: [{ kind: 'exists', path: sku, boost: 0 }] }],
    [
      { not: [{ or: [{ exists: { field } }] }] },
      { kind: 'none', operands: [{ kind: 'any', operands: [{ kind: 'exists', path: sku }] }] },
    ],
  ] as const)
    t.strictSame(queryOf(query), meaning, JSON.stringify(query));
});

t.test('what has no meaning is refused', async (t) => {
  const field = 'variants.sku';
  const many = Array.from({ length: 1001 }, () => 'a');
  const nested = (depth: number): object => (depth === 0 ? { exists: { field } } : { not: [nested(depth - 1)] });
  for (const [query, code, part] of [
    [{}, 'InvalidJsonInput', 'none'],
    [{ matches: { field } }, 'InvalidJsonInput', 'Known are and, or, not, filter, exact, fullText, fullTextPrefix'],
    [{ exists: { field }, exact: { field, value: 'a' } }, 'InvalidJsonInput', 'exists'],
    ['a', 'InvalidJsonInput', 'query'],
    [{ and: {} }, 'InvalidJsonInput', 'query.and'],
    [{ and: [] }, 'InvalidInput', 'query.and'],
    [{ exists: {} }, 'RequiredField', 'query.exists.field'],
    [{ exists: { field: 'color' } }, 'InvalidInput', "'color'"],
    [{ exists: { field: 'variants.color' } }, 'InvalidInput', 'variants.color'],
    [{ exists: { field: '__proto__' } }, 'InvalidInput', '__proto__'],
    [{ exists: { field: 'name' } }, 'InvalidInput', 'language'],
    [{ exists: { field: 'name', language: 'english' } }, 'InvalidField', 'query.exists.language'],
    [{ exists: { field: 'variants.attributes.color' } }, 'InvalidInput', 'Type is missing'],
    [{ exists: { field: 'variants.attributes.color', fieldType: 'colour' } }, 'InvalidField', 'fieldType'],
    [{ exists: { field: 'variants.attributes.color', fieldType: 'ltext' } }, 'InvalidInput', 'language'],
    [{ exists: { field: 'variants.attributes.color.key', fieldType: 'text' } }, 'InvalidInput', "'key'"],
    [{ exists: { field: 'variants.attributes.color.hex', fieldType: 'enum' } }, 'InvalidInput', "'hex'"],
    [{ exact: { field } }, 'InvalidInput', 'either'],
    [{ exact: { field, value: 'a', values: ['b'] } }, 'InvalidInput', 'either'],
    [{ exact: { field, values: [] } }, 'InvalidInput', 'values'],
    [{ exact: { field, values: many } }, 'InvalidInput', 'values'],
    [{ exact: { field, value: 1 } }, 'InvalidInput', 'a text is expected'],
    [{ exact: { field: 'createdAt', value: 'today' } }, 'InvalidInput', 'a date and time'],
    [
      { exact: { field: 'variants.prices.centAmount', value: '1' } },
      'InvalidInput',
      "'variants.prices.centAmount': a number",
    ],
    [{ prefix: { field: 'variants.prices.channel', value: 1 } }, 'InvalidInput', "'variants.prices.channel'"],
    [
      { exact: { field: 'variants.attributes.width', fieldType: 'number', value: '1' } },
      'InvalidInput',
      "'variants.attributes.width'",
    ],
    [{ exact: { field: 'attributes.width', fieldType: 'number', value: '1' } }, 'InvalidInput', "'attributes.width'"],
    [{ prefix: { field: 'createdAt', value: '2030' } }, 'InvalidInput', 'prefix'],
    [{ wildcard: { field, value: 1 } }, 'InvalidInput', 'no text'],
    [{ wildcard: { field, value: 'a*'.repeat(21) } }, 'InvalidInput', 'stars'],
    [{ fullText: { field, value: 'a' } }, 'InvalidInput', 'fullText'],
    [{ fullText: { field: 'name', language: 'en', value: 'a '.repeat(65) } }, 'InvalidInput', 'words'],
    [{ fullText: { field: 'name', language: 'en', value: 'a', mustMatch: 'some' } }, 'InvalidField', 'mustMatch'],
    [{ fuzzy: { field, value: 'a' } }, 'RequiredField', 'level'],
    [{ fuzzy: { field, value: 'a', level: 3 } }, 'InvalidInput', 'level'],
    [{ range: { field: 'variants.prices.centAmount' } }, 'InvalidInput', 'gte'],
    [{ range: { field, gt: 'a' } }, 'InvalidInput', 'range'],
    [{ range: { field: 'variants.prices.centAmount', gt: 'a' } }, 'InvalidInput', 'a number'],
    [nested(20), 'InvalidInput', 'depth'],
    [{ prefix: { field, value: 'a'.repeat(1001) } }, 'InvalidInput', 'characters'],
    [{ or: Array.from({ length: 500 }, () => nested(0)) }, 'InvalidInput', 'expressions'],
  ] as const) {
    const faults = faultsOf({ query });
    t.equal(faults.length, 1, JSON.stringify(query).slice(0, 200));
    t.equal(faults[0]?.[0], code, `${JSON.stringify(query).slice(0, 200)} → ${faults[0]?.[1]}`);
    t.ok(faults[0]?.[1].includes(part), faults[0]?.[1] ?? '');
  }
  t.ok(queryOf(nested(19)));
  // However deep it is, it is refused before it is parsed.
  t.match(faultsOf({ query: nested(3000) }), [['InvalidInput']]);
});

t.test('all faults are told at once, with their places', async (t) => {
  const faults = faultsOf({
    query: { and: [{ exact: { field: 'a', value: 1 } }, { not: [{ range: { field: 'id', gt: 1 } }] }] },
    sort: [{ field: 'name', order: 'asc' }],
    limit: 101,
    offset: 10_001,
    facets: [{ count: { name: 'a' }, stats: { name: 'b', field: 'id' } }],
  });
  t.strictSame(
    faults.map(([code, message]) => [code, /'([^']*)'/.exec(message)?.[1]]),
    [
      ['InvalidInput', 'query.and[0].exact'],
      ['InvalidInput', 'query.and[1].not[0].range'],
      ['InvalidInput', 'sort[0]'],
      ['InvalidInput', 'limit'],
      ['InvalidInput', 'offset'],
      ['InvalidInput', 'facets[0].stats'],
    ],
  );
});

t.test('a search has what was not said as well', async (t) => {
  t.strictSame(productSearchOf({}), {
    query: { kind: 'all', operands: [] },
    postFilter: { kind: 'all', operands: [] },
    facets: [],
    sorts: [{ kind: 'score', isDescending: true }],
    limit: 20,
    offset: 0,
    marksMatchingVariants: false,
    projection: undefined,
  });
  t.strictSame(productSearchOf({ limit: 0, productProjectionParameters: { priceCurrency: 'EUR' } }).projection, {
    priceCurrency: 'EUR',
  });
  t.strictSame(
    faultsOf({ productProjectionParameters: { priceCountry: 'DE' } }).map(([code]) => code),
    ['InvalidInput'],
  );
});

t.test('a sort takes the value of its mode, among those that its filter leaves', async (t) => {
  const amount = { scope: 'price', name: 'centAmount', class: 'number' };
  const field = 'variants.prices.centAmount';
  t.strictSame(productSearchOf({ sort: [{ field: 'score', order: 'asc' }] }).sorts, [
    { kind: 'score', isDescending: false },
  ]);
  t.strictSame(productSearchOf({ sort: [{ field, order: 'desc' }] }).sorts, [
    { kind: 'value', path: amount, isDescending: true, mode: 'max', where: undefined },
  ]);
  const filter = { exact: { field: 'variants.prices.country', value: 'DE' } };
  t.strictSame(productSearchOf({ sort: [{ field, order: 'asc', mode: 'avg', filter }] }).sorts, [
    {
      kind: 'value',
      path: amount,
      isDescending: false,
      mode: 'avg',
      where: {
        kind: 'in',
        path: { scope: 'price', name: 'country', class: 'keyword' },
        values: ['DE'],
        foldsCase: false,
      },
    },
  ]);
  for (const sort of [
    { field: 'variants.sku', order: 'asc', mode: 'sum' },
    { field: 'color', order: 'asc' },
    { field: 'id' },
    { field: 'id', order: 'up' },
  ])
    t.equal(faultsOf({ sort: [sort] }).length, 1, JSON.stringify(sort));
});

t.test('facets say what they count', async (t) => {
  const size = { scope: 'variant', name: 'attributes.size', class: 'number' };
  const facet = { name: 'f', field: 'variants.attributes.size', fieldType: 'number' };
  const options = { name: 'f', scope: 'query', level: 'products', holder: 'variant', where: undefined };
  const facetsOf = (each: unknown): unknown => productSearchOf({ facets: [each] }).facets[0];
  t.strictSame(facetsOf({ distinct: facet }), {
    ...options,
    kind: 'distinct',
    path: size,
    includes: undefined,
    sort: { by: 'count', isDescending: true },
    limit: 10,
    missing: undefined,
  });
  t.match(facetsOf({ distinct: { ...facet, level: 'variants', scope: 'all', limit: 200 } }), {
    scope: 'all',
    level: 'variants',
    limit: 200,
  });
  t.match(facetsOf({ distinct: { name: 'f', field: 'categories', level: 'variants' } }), { holder: 'variant' });
  t.match(facetsOf({ ranges: { ...facet, ranges: [{ from: 1 }, { to: 2 }, { from: 1, to: 2, key: 'k' }] } }), {
    ranges: [
      { from: 1, to: undefined, key: '1-*' },
      { from: undefined, to: 2, key: '*-2' },
      { from: 1, to: 2, key: 'k' },
    ],
  });
  t.strictSame(facetsOf({ stats: facet }), { ...options, kind: 'stats', path: size });
  t.strictSame(facetsOf({ count: { name: 'f' } }), { ...options, holder: 'product', kind: 'count' });
  for (const [wrong, code] of [
    [{}, 'InvalidJsonInput'],
    [{ count: { name: 'f' }, stats: facet }, 'InvalidJsonInput'],
    [{ count: {} }, 'RequiredField'],
    [{ count: { name: '' } }, 'InvalidInput'],
    [{ count: { name: 'f', level: 'prices' } }, 'InvalidField'],
    [{ distinct: { ...facet, limit: 0 } }, 'InvalidInput'],
    [{ distinct: { ...facet, limit: 201 } }, 'InvalidInput'],
    [{ distinct: { ...facet, fieldType: undefined } }, 'InvalidInput'],
    [{ distinct: { ...facet, includes: Array.from({ length: 201 }, () => 'a') } }, 'InvalidInput'],
    [{ ranges: { ...facet, ranges: [] } }, 'InvalidInput'],
    [{ ranges: { ...facet, ranges: [{}] } }, 'InvalidInput'],
    [{ ranges: { ...facet, ranges: [{ from: '1' }] } }, 'InvalidInput'],
    [{ ranges: { ...facet, ranges: [{ from: 1 }, { from: 1 }] } }, 'InvalidInput'],
    [{ ranges: { name: 'f', field: 'variants.sku', ranges: [{ from: 'a' }] } }, 'InvalidInput'],
    [{ stats: { name: 'f', field: 'variants.sku' } }, 'InvalidInput'],
  ] as const)
    t.strictSame(
      faultsOf({ facets: [wrong] }).map(([each]) => each),
      [code],
      JSON.stringify(wrong),
    );
  t.strictSame(
    faultsOf({ facets: [{ count: { name: 'f' } }, { stats: facet }] }).map(([each]) => each),
    ['InvalidInput'],
  );
});

t.test('no body throws anything but an ApiError', async () => {
  const leaf = fc.record(
    {
      field: fc.constantFrom('name', 'variants.sku', 'variants.attributes.a1', 'variants.prices.centAmount', 'x'),
      value: fc.jsonValue({ maxDepth: 1 }),
      values: fc.jsonValue({ maxDepth: 1 }),
      language: fc.constantFrom('en', 'x', 1),
      fieldType: fc.constantFrom('text', 'set_ltext', 'number', 'nested'),
      level: fc.integer({ min: -1, max: 3 }),
      gt: fc.jsonValue({ maxDepth: 1 }),
    },
    { requiredKeys: [] },
  );
  const { query } = fc.letrec((tie) => ({
    query: fc.oneof(
      { depthSize: 'small' },
      fc.record(
        { exact: leaf, fullText: leaf, range: leaf, fuzzy: leaf, wildcard: leaf, exists: leaf },
        { requiredKeys: [] },
      ),
      fc.record({ and: fc.array(tie('query'), { maxLength: 3 }) }),
      fc.record({ not: tie('query') }),
      fc.jsonValue({ maxDepth: 2 }),
    ),
  }));
  const bodies = fc.record({ query, postFilter: query, sort: fc.jsonValue(), facets: fc.array(fc.jsonValue()) });
  fc.assert(
    fc.property(bodies, (body) => {
      faultsOf(body);
    }),
    { numRuns: 500 },
  );
});

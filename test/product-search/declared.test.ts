/** What endpoints are given by the declarations of both searches. */
import fc from 'fast-check';
import t from 'tap';
import { Parsing } from '../../src/fields/parsing.ts';
import { productSearchFields } from '../../src/product-search/products-search.ts';
import { foundBy, searchParameters } from '../../src/product-search/projection-search.ts';
import { found, matching } from './model.ts';
import { projectionSearchOf } from './parse.ts';
import { documents } from './shop.ts';

t.test('the examples of all members are valid', async (t) => {
  for (const [name, { kind }] of [...Object.entries(searchParameters), ...Object.entries(productSearchFields)]) {
    t.not(kind.examples.length, 0, name);
    for (const example of kind.examples) {
      const parsing = new Parsing();
      kind.parse(example, parsing);
      t.doesNotThrow(() => parsing.settle(), `${name}: ${JSON.stringify(example)}`);
    }
  }
});

t.test('parameters have the forms that adapters read', async (t) => {
  const types = Object.entries(searchParameters).map(([name, { kind }]) => [name, kind.schema.draft['type']]);
  t.strictSame(Object.fromEntries(types), {
    text: 'object',
    fuzzy: 'boolean',
    fuzzyLevel: 'integer',
    'filter.query': 'array',
    filter: 'array',
    'filter.facets': 'array',
    facet: 'array',
    sort: 'array',
    limit: 'integer',
    offset: 'integer',
    markMatchingVariants: 'boolean',
  });
});

t.test('a product is found by filters when one of its variants matches', async () => {
  const filters = fc.constantFrom(
    'key:missing',
    'key:"lamp-key"',
    'name.en:"Chair","Désk Lamp"',
    'variants.prices:missing',
    ...['red', 'blue'].map((key) => `variants.attributes.color.key:"${key}"`),
    ...['10', '15', '20', 'missing', 'range(11 to 20)', '10,20'].map((size) => `variants.attributes.size:${size}`),
  );
  const both = fc.record({
    filter: fc.array(filters, { maxLength: 3 }),
    'filter.query': fc.array(filters, { maxLength: 2 }),
    text: fc.constantFrom({}, { en: ['lamp'] }, { en: ['red'] }),
  });
  fc.assert(
    fc.property(both, (parameters) => {
      const expression = foundBy(projectionSearchOf(parameters));
      const ids = new Set(found(expression, documents).map(({ id }) => id));
      return documents.every((product) => ids.has(product.id) === matching(expression, product).length > 0);
    }),
    { numRuns: 300 },
  );
});

import fc from 'fast-check';
import t from 'tap';
import { ApiError } from '../../src/errors/api-error.ts';
import { parseFilter } from '../../src/product-search/filter.ts';
import type { ValueClass } from '../../src/product-search/path.ts';

const id = '0f6b1f1e-1111-4222-8333-444455556666';

const product = (name: string, valueClass: ValueClass): object => ({ scope: 'product', name, class: valueClass });
const variant = (name: string, valueClass: ValueClass): object => ({ scope: 'variant', name, class: valueClass });

t.test('each path leads to the values of documents', async (t) => {
  for (const [text, path] of [
    ['id:"a"', product('id', 'keyword')],
    ['key:"a"', product('key', 'keyword')],
    ['productType.id:"a"', product('productType', 'keyword')],
    ['categories:"a"', product('categories', 'keyword')],
    ['categories.id:"a"', product('categories', 'keyword')],
    ['state.id:"a"', product('state', 'keyword')],
    ['taxCategory.id:"a"', product('taxCategory', 'keyword')],
    ['createdAt:range (* to "2030-01-31")', product('createdAt', 'dateTime')],
    ['lastModifiedAt:exists', product('lastModifiedAt', 'dateTime')],
    ['published:true', product('published', 'boolean')],
    ['reviewRatingStatistics.averageRating:4', product('reviewRatingStatistics.averageRating', 'number')],
    ['searchKeywords.en.text:"a"', product('searchKeywords.en', 'text')],
    ['name.en-US:"a"', product('name.en-US', 'text')],
    ['slug.de:"a"', product('slug.de', 'text')],
    [`categoryOrderHints.${id.toUpperCase()}:"0.5"`, product(`categoryOrderHints.${id}`, 'decimal')],
    ['variants.sku:"a"', variant('sku', 'keyword')],
    ['variants.key:"a"', variant('key', 'keyword')],
    ['variants.price:missing', variant('price.centAmount', 'number')],
    ['variants.prices:exists', variant('price.centAmount', 'number')],
    ['variants.price.centAmount:100', variant('price.centAmount', 'number')],
    ['variants.price.currencyCode:"EUR"', variant('price.currencyCode', 'keyword')],
    ['variants.scopedPrice.value.centAmount:1', variant('scopedPrice.value.centAmount', 'number')],
    ['variants.scopedPrice.currentValue.centAmount:1', variant('scopedPrice.currentValue.centAmount', 'number')],
    [
      'variants.scopedPrice.discounted.value.centAmount:1',
      variant('scopedPrice.discounted.value.centAmount', 'number'),
    ],
    ['variants.scopedPriceDiscounted:true', variant('scopedPriceDiscounted', 'boolean')],
    ['variants.attributes.color-1:"a"', variant('attributes.color-1', 'any')],
    ['variants.attributes.color.key:"a"', variant('attributes.color.key', 'keyword')],
    ['variants.attributes.color.label:"a"', variant('attributes.color.label', 'text')],
    ['variants.attributes.color.label.en:"a"', variant('attributes.color.label.en', 'text')],
    ['variants.attributes.color.de-AT:"a"', variant('attributes.color.de-AT', 'text')],
    ['variants.attributes.fee.centAmount:1', variant('attributes.fee.centAmount', 'number')],
    ['variants.attributes.fee.currencyCode:"EUR"', variant('attributes.fee.currencyCode', 'keyword')],
    ['variants.attributes.part.id:"a"', variant('attributes.part.id', 'keyword')],
    ['variants.attributes.part.typeId:"product"', variant('attributes.part.typeId', 'keyword')],
    ['variants.availability.isOnStock:true', variant('availability.isOnStock', 'boolean')],
    ['variants.availability.availableQuantity:1', variant('availability.availableQuantity', 'number')],
    ['variants.availability.isOnStockInChannels:"a"', variant('availability.isOnStockInChannels', 'keyword')],
    [
      `variants.availability.channels.${id}.isOnStock:true`,
      variant(`availability.channels.${id}.isOnStock`, 'boolean'),
    ],
    [
      `variants.availability.channels.${id}.availableQuantity:1`,
      variant(`availability.channels.${id}.availableQuantity`, 'number'),
    ],
  ] as const)
    t.strictSame(parseFilter(text).path, path, text);
});

t.test('values are alternatives, in the form in which documents hold them', async (t) => {
  const any = variant('attributes.size', 'any');
  const number = variant('price.centAmount', 'number');
  const key = product('key', 'keyword');
  const categories = product('categories', 'keyword');
  const subTree = product('categoriesSubTree', 'keyword');
  const within = (path: object, ...values: readonly unknown[]): object => ({
    kind: 'in',
    path,
    values,
    foldsCase: false,
  });
  const range = (path: object, bounds: object): object => ({ kind: 'range', path, bounds });
  for (const [text, expression] of [
    ['key:"a"', within(key, 'a')],
    ['key : "a" , "b"', within(key, 'a', 'b')],
    [String.raw`key:"a\"b\\c\nd"`, within(key, 'a"b\\c\nd')],
    ['variants.attributes.size:1.50,-2,1e3,true,FALSE,"x"', within(any, 1.5, -2, 1000, true, false, 'x')],
    ['variants.attributes.size:"2030-01-31"', within(any, '2030-01-31')],
    [
      'variants.attributes.size:"2030-01-31T01:00:00+01:00"',
      within(any, '2030-01-31T01:00:00+01:00', '2030-01-31T00:00:00.000Z'),
    ],
    ['variants.attributes.size:"10:20:30"', within(any, '10:20:30', '10:20:30.000')],
    ['variants.attributes.size:"10:20"', within(any, '10:20')],
    ['createdAt:"2030-01-31"', within(product('createdAt', 'dateTime'), '2030-01-31T00:00:00.000Z')],
    [`categoryOrderHints.${id}:0.50`, within(product(`categoryOrderHints.${id}`, 'decimal'), '0.5')],
    [`categoryOrderHints.${id}:"0.1230"`, within(product(`categoryOrderHints.${id}`, 'decimal'), '0.123')],
    [`categoryOrderHints.${id}:1.5e-7`, within(product(`categoryOrderHints.${id}`, 'decimal'), '0.00000015')],
    ['variants.price.centAmount:range(1 to 2)', range(number, { gte: 1, lte: 2 })],
    ['variants.price.centAmount: RANGE ( * TO 2 )', range(number, { lte: 2 })],
    ['variants.price.centAmount:range(1 to *)', range(number, { gte: 1 })],
    ['variants.price.centAmount:range(* to *)', range(number, {})],
    [
      'variants.price.centAmount:range (1 to 2), (5 to *), 7',
      { kind: 'any', operands: [within(number, 7), range(number, { gte: 1, lte: 2 }), range(number, { gte: 5 })] },
    ],
    ['key:exists', { kind: 'exists', path: key }],
    ['key:missing', { kind: 'not', test: { kind: 'exists', path: key } }],
    ['variants.attributes.size:exists', within(variant('attributes', 'keyword'), 'size')],
    ['variants.attributes.size:missing', { kind: 'not', test: within(variant('attributes', 'keyword'), 'size') }],
    ['categories.id:subtree("a","b")', within(subTree, 'a', 'b')],
    ['categories.id: subtree ("a"), "b"', { kind: 'any', operands: [within(categories, 'b'), within(subTree, 'a')] }],
  ] as const)
    t.strictSame(parseFilter(text).expression, expression, text);
});

t.test('what is no filter is refused with the place', async (t) => {
  for (const [text, place] of [
    ['', 0],
    ['key', 3],
    [':"a"', 0],
    ['color:"a"', 0],
    ['name:"a"', 0],
    ['name.english:"a"', 0],
    ['variants.attributes:exists', 0],
    ['attributes.color:"a"', 0],
    ['variants.color:"a"', 0],
    ['description.en:"a"', 0],
    ['key:', 4],
    ['key:a', 4],
    ['key:"a', 4],
    ['key:"a",', 8],
    ['key:"a" "b"', 8],
    ['key:1', 4],
    [`categoryOrderHints.${id}:"0.${'1'.repeat(101)}"`, `categoryOrderHints.${id}:`.length],
    ['key:true', 4],
    ['key:range ("a" to "b")', 10],
    ['key:subtree("a")', 4],
    ['key:"\ud800"', 5],
    ['published:range (true to *)', 16],
    ['published:"true"', 10],
    ['variants.price:1', 15],
    ['variants.price.centAmount:"1"', 26],
    ['variants.price.centAmount:1.', 26],
    ['variants.price.centAmount:1e999', 26],
    ['variants.price.centAmount:range', 31],
    ['variants.price.centAmount:range (1)', 34],
    ['variants.price.centAmount:range (1 to 2', 39],
    ['variants.attributes.size:range (1 to "b")', 32],
    ['variants.attributes.size:range (true to *)', 32],
    ['createdAt:"yesterday"', 10],
    [`categoryOrderHints.${id}:1.5`, 56],
    ['key;"a"', 3],
  ] as const) {
    const thrown = (() => {
      try {
        parseFilter(text);
        return undefined;
      } catch (error) {
        return error;
      }
    })();
    t.ok(thrown instanceof ApiError, text);
    if (!(thrown instanceof ApiError)) continue;
    t.equal(thrown.code, 'InvalidInput', text);
    t.ok(thrown.message.endsWith(` at position ${place}.`), `${text} → ${thrown.message}`);
  }
});

t.test('a filter has a limit of characters and of values', async (t) => {
  t.throws(() => parseFilter(`key:"${'a'.repeat(50_000)}"`), { code: 'InvalidInput' });
  t.throws(() => parseFilter(`key:${'"'.repeat(20_000)}`), { code: 'InvalidInput', message: /more than 8000/ });
  const values = (count: number): string => Array.from({ length: count }, () => '1').join(',');
  t.ok(parseFilter(`variants.price.centAmount:${values(1000)}`));
  t.throws(() => parseFilter(`variants.price.centAmount:${values(1001)}`), { code: 'InvalidInput' });
  const ranges = Array.from({ length: 1001 }, () => '(1 to 2)').join(',');
  t.throws(() => parseFilter(`variants.price.centAmount:range ${ranges}`), { code: 'InvalidInput' });
  const ids = Array.from({ length: 1001 }, () => '"a"').join(',');
  t.throws(() => parseFilter(`categories.id:subtree(${ids})`), { code: 'InvalidInput' });
});

t.test('no text throws anything but an ApiError', async () => {
  const piece = fc.constantFrom(
    ' ',
    ...'key variants.price.centAmount variants.attributes.a1 categories.id : , ( ) *'.split(' '),
    ...'"a" 1 -1.5e3 true range to missing exists subtree " \\ as counting'.split(' '),
  );
  const texts = fc.oneof(
    fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join('')),
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.string({ maxLength: 20 }).map((text) => `key:${text}`),
  );
  fc.assert(
    fc.property(texts, (text) => {
      try {
        parseFilter(text);
        return true;
      } catch (error) {
        return error instanceof ApiError;
      }
    }),
    { numRuns: 1000 },
  );
});

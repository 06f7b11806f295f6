/** What filters, queries, texts and sorts find in a small shop. */
import t, { type Test } from 'tap';
import { judgedAt } from '../../src/product-search/condition.ts';
import { scopedPriceValues, type SearchDocument, searchDocument } from '../../src/product-search/document.ts';
import type { IndexQuery } from '../../src/product-search/index-query.ts';
import { productIndexQuery } from '../../src/product-search/products-search.ts';
import { foundBy } from '../../src/product-search/projection-search.ts';
import { answerOf, foundIn } from './indexed.ts';
import { found, matching, matchingVariants, sorted } from './model.ts';
import { productSearchOf, projectionSearchOf, queryOf } from './parse.ts';
import { attributes, beside, documents, ids, price, product, variant } from './shop.ts';

const idsOf = (products: readonly SearchDocument[]): readonly string[] => products.map(({ id }) => id);

/** Each question is put to the model and to an index, which have to agree. */
async function projectionsFound(t: Test, parameters: object): Promise<readonly string[]> {
  const ids = idsOf(found(foundBy(projectionSearchOf(parameters)), documents));
  t.strictSame(await foundIn(queryOf(parameters), documents), ids, 'the index agrees');
  return ids;
}

async function productsFound(t: Test, query: unknown): Promise<readonly string[]> {
  const search = productSearchOf({ query });
  const ids = idsOf(found(search.query, documents));
  t.strictSame(await foundIn(productIndexQuery(search), documents), ids, 'the index agrees');
  return ids;
}

async function inOrder(t: Test, query: IndexQuery, all: readonly SearchDocument[]): Promise<readonly string[]> {
  const ids = idsOf(sorted(all, query.sorts));
  t.strictSame(
    (await answerOf(query, all)).results.map(({ id }) => id),
    ids,
    'the index agrees',
  );
  return ids;
}

const filtered = (t: Test, ...filter: readonly string[]) => projectionsFound(t, { filter });

t.test('a product is found by the values of its path', async (t) => {
  for (const [filter, products] of [
    ['id:"lamp","bare"', ['lamp', 'bare']],
    ['key:missing', ['chair', 'bare']],
    ['productType.id:"type-1"', ['lamp', 'chair', 'bare']],
    ['state.id:"state-1"', ['chair']],
    ['published:true', ['lamp', 'chair', 'bare']],
    ['published:false', []],
    ['name.en:"Désk Lamp"', ['lamp']],
    ['name.en:"desk lamp"', []],
    ['name.en:missing', ['bare']],
    ['slug.en:"slug-chair"', ['chair']],
    ['searchKeywords.en.text:"reading light"', ['lamp']],
    [`categories.id:"${ids.lamps}"`, []],
    [`categories.id:subtree("${ids.lamps}")`, ['lamp']],
    [`categories.id:subtree("${ids.lamps}"),"${ids.chairs}"`, ['lamp', 'chair']],
    ['categories:exists', ['lamp', 'chair']],
    [`categoryOrderHints.${ids.chairs}:range(0.4 to "0.50")`, ['chair']],
    ['createdAt:range("2030-01-01T01:00:00+01:00" to "2030-01-31")', ['lamp', 'bare']],
    ['reviewRatingStatistics.averageRating:range(4 to 5)', ['lamp']],
    ['variants.sku:"LAMP-B"', ['lamp']],
    ['variants.key:exists', ['chair']],
    ['variants.prices:missing', ['bare']],
    ['variants.price.centAmount:range(2000 to 2500)', ['lamp']],
    ['variants.price.centAmount:range(2001 to 2499)', []],
    // Only the first price of a variant counts.
    ['variants.price.centAmount:1500', []],
    ['variants.attributes.color.key:"blue","green"', ['lamp']],
    ['variants.attributes.color.label.de:"Rot"', ['lamp', 'chair']],
    ['variants.attributes.size:10,15', ['lamp', 'chair']],
    ['variants.attributes.size:"10"', []],
    ['variants.attributes.sizes:"M"', ['lamp']],
    ['variants.attributes.isNew:true', ['lamp']],
    // One variant of the lamp lacks it.
    ['variants.attributes.isNew:missing', ['lamp', 'chair', 'bare']],
    ['variants.attributes.color:exists', ['lamp', 'chair']],
    ['variants.attributes.since:range("2029-01-01" to *)', ['chair']],
    ['variants.attributes.brand:"Lumen"', []],
    ['variants.availability.isOnStock:true', ['lamp']],
    ['variants.availability.availableQuantity:range(3 to *)', ['lamp']],
    [`variants.availability.isOnStockInChannels:"${ids.berlin}"`, ['lamp']],
    [`variants.availability.isOnStockInChannels:"${ids.vienna}"`, []],
    [`variants.availability.channels.${ids.vienna}.availableQuantity:0`, ['lamp']],
  ] as const)
    t.strictSame(await filtered(t, filter), products, filter);
});

t.test('one variant meets all filters of variants', async (t) => {
  t.strictSame(await filtered(t, 'variants.attributes.color.key:"red"', 'variants.attributes.size:10'), ['lamp']);
  t.strictSame(await filtered(t, 'variants.attributes.color.key:"red"', 'variants.attributes.size:20'), []);
  t.strictSame(await filtered(t, 'variants.attributes.color.key:"blue"', 'key:"lamp-key"'), ['lamp']);
  const apart = {
    'filter.query': ['variants.attributes.color.key:"red"'],
    filter: ['variants.attributes.size:20'],
  };
  t.strictSame(await projectionsFound(t, apart), []);
});

t.test('variants match that meet the text and all filters', async (t) => {
  const lamp = documents[0]!;
  const matchingOf = async (parameters: object): Promise<readonly number[]> => {
    const ids = matching(foundBy(projectionSearchOf(parameters)), lamp);
    const { results } = await answerOf(queryOf({ ...parameters, markMatchingVariants: true }), [lamp]);
    const marked = results.flatMap((result) => result.matching?.variants ?? []);
    t.strictSame(
      marked.map(({ id }) => id),
      ids,
      'the index agrees',
    );
    return ids;
  };
  t.strictSame(await matchingOf({}), [1, 2]);
  t.strictSame(await matchingOf({ filter: ['key:"lamp-key"'] }), [1, 2]);
  t.strictSame(await matchingOf({ filter: ['variants.attributes.color.key:"blue"'] }), [2]);
  t.strictSame(await matchingOf({ text: { en: ['lamp'] } }), [1, 2]);
  t.strictSame(await matchingOf({ text: { en: ['blue'] } }), [2]);
  t.strictSame(await matchingOf({ text: { en: ['blue'] }, 'filter.query': ['variants.attributes.size:10'] }), []);
});

t.test('all words of a text occur, whole, whatever their case and accents', async (t) => {
  const texts = (locale: string, text: string, more: object = {}) =>
    projectionsFound(t, { text: { [locale]: [text] }, ...more });
  for (const [locale, text, products] of [
    ['en', 'desk', ['lamp']],
    ['en', 'DÉSK lámp', ['lamp']],
    ['en', 'des', []],
    ['en', 'lamp chair', []],
    ['en', 'reading-light', ['lamp']],
    ['en', 'slug', ['lamp', 'chair', 'bare']],
    ['de', 'desk', []],
    ['de', 'tischlampe', ['lamp']],
    ['en', 'red', ['lamp', 'chair']],
    ['en', 'lamp blue', ['lamp']],
    // No variant is both.
    ['en', 'red blue', []],
    ['de', 'blau', ['lamp']],
    // Texts that belong to no language are found in each.
    ['fr', 'm', ['lamp']],
    ['en', '...', ['lamp', 'chair', 'bare']],
  ] as const)
    t.strictSame(await texts(locale, text), products, `${locale}: ${text}`);
  for (const [text, fuzzyLevel, products] of [
    ['lmp', undefined, ['lamp']],
    ['lmp', 0, []],
    ['chxxr', undefined, []],
    ['chxir', undefined, ['chair']],
    ['reeding', 1, ['lamp']],
    ['reedimg', 1, []],
    ['reedimg', 2, ['lamp']],
    ['reedimg', undefined, ['lamp']],
    ['xx', undefined, []],
  ] as const)
    t.strictSame(
      await texts('en', text, { fuzzy: true, ...(fuzzyLevel !== undefined && { fuzzyLevel }) }),
      products,
      text,
    );
});

t.test('expressions find products by their fields', async (t) => {
  const size = { field: 'variants.attributes.size', fieldType: 'number' };
  const en = { language: 'en' };
  for (const [query, products] of [
    [undefined, ['lamp', 'chair', 'bare']],
    [{ exact: { field: 'key', value: 'lamp-key' } }, ['lamp']],
    [{ exact: { field: 'key', value: 'LAMP-key' } }, []],
    [{ exact: { field: 'key', value: 'LAMP-key', caseInsensitive: true } }, ['lamp']],
    [{ exact: { field: 'name', ...en, values: ['Chair', 'Table'] } }, ['chair']],
    [{ exact: { field: 'attributes.brand', fieldType: 'text', value: 'Lumen' } }, ['lamp']],
    [{ exact: { field: 'categoriesSubTree', value: ids.lamps } }, ['lamp']],
    [{ exact: { field: 'categories', value: ids.lamps } }, []],
    [{ exact: { field: 'stores', value: 'store-1' } }, ['lamp', 'chair', 'bare']],
    [{ fullText: { field: 'name', ...en, value: 'lamp desk' } }, ['lamp']],
    [{ fullText: { field: 'name', ...en, value: 'lamp chair' } }, []],
    [{ fullText: { field: 'name', ...en, value: 'lamp chair', mustMatch: 'any' } }, ['lamp', 'chair']],
    [{ fullText: { field: 'name', ...en, value: '?' } }, []],
    [{ fullTextPrefix: { field: 'name', ...en, value: 'la de' } }, ['lamp']],
    [{ fuzzy: { field: 'name', ...en, value: 'lump', level: 1 } }, ['lamp']],
    [{ fuzzy: { field: 'name', ...en, value: 'lump', level: 0 } }, []],
    [{ prefix: { field: 'name', ...en, value: 'Désk L' } }, ['lamp']],
    [{ prefix: { field: 'variants.sku', value: 'lamp', caseInsensitive: true } }, ['lamp']],
    [{ wildcard: { field: 'variants.sku', value: 'LAMP-?' } }, ['lamp']],
    [{ wildcard: { field: 'variants.sku', value: '?A*' } }, ['lamp']],
    [{ wildcard: { field: 'variants.sku', value: '*A.*' } }, []],
    [{ wildcard: { field: 'variants.sku', value: '*a*', caseInsensitive: true } }, ['lamp', 'chair']],
    [{ range: { ...size, gt: 10, lt: 20 } }, ['chair']],
    [{ range: { ...size, gte: 10, lte: 10 } }, ['lamp']],
    [{ range: { field: 'createdAt', gt: '2030-01-01T00:00:00.000Z' } }, ['chair']],
    [{ range: { field: `categoryOrderHints.${ids.deskLamps}`, lt: 0.3 } }, ['lamp']],
    [{ exists: { field: 'state' } }, ['chair']],
    [{ exists: { field: 'name', ...en } }, ['lamp', 'chair']],
    [{ exact: { field: 'variants.prices.discounted', value: true } }, ['lamp']],
    [{ range: { field: 'variants.prices.currentCentAmount', gte: 2200, lte: 2200 } }, ['lamp']],
  ] as const)
    t.strictSame(await productsFound(t, query), products, JSON.stringify(query));
});

t.test('what one and says of variants holds for one variant, and of prices for one price', async (t) => {
  const color = (value: string): object => ({
    exact: { field: 'variants.attributes.color', fieldType: 'enum', value },
  });
  const size = (value: number): object => ({
    exact: { field: 'variants.attributes.size', fieldType: 'number', value },
  });
  const amount = (value: number): object => ({ exact: { field: 'variants.prices.centAmount', value } });
  const inGermany = { exact: { field: 'variants.prices.country', value: 'DE' } };
  const isLamp = { exact: { field: 'key', value: 'lamp-key' } };
  for (const [query, products] of [
    [{ and: [color('red'), size(10)] }, ['lamp']],
    [{ and: [color('red'), size(20)] }, []],
    [{ and: [color('red'), isLamp, { filter: [size(20)] }] }, []],
    [{ and: [color('red'), { or: [size(20), size(15)] }] }, ['chair']],
    // An expression of both is one of products.
    [{ and: [color('red'), { or: [size(20), isLamp] }] }, ['lamp']],
    [{ or: [color('blue'), size(15)] }, ['lamp', 'chair']],
    [{ not: [color('blue')] }, ['chair', 'bare']],
    [{ not: [color('blue'), size(15)] }, ['bare']],
    [{ and: [color('red'), { not: [color('blue')] }] }, ['chair']],
    [{ and: [inGermany, amount(1500)] }, ['lamp']],
    [{ and: [inGermany, amount(2000)] }, []],
    [{ and: [inGermany, amount(2500), color('blue')] }, ['lamp']],
    [{ and: [inGermany, amount(2500), color('red')] }, []],
  ] as const)
    t.strictSame(await productsFound(t, query), products, JSON.stringify(query));
});

t.test('a condition goes from a product to its variants and prices in one place each', async (t) => {
  const field = (field: string): object => ({ exists: { field } });
  const kinds = (query: object): unknown =>
    JSON.parse(
      JSON.stringify(judgedAt(productSearchOf({ query }).query, 'product'), (key, value: unknown) =>
        key === 'path' ? (value as { name: string }).name : value,
      ),
    );
  const exists = (path: string): object => ({ kind: 'exists', path });
  const some = (scope: string, condition: object): object => ({ kind: 'some', scope, condition });
  const all = (...operands: readonly object[]): object => ({ kind: 'all', operands });
  const [id, sku, key] = ['id', 'variants.sku', 'variants.key'].map(field) as [object, object, object];
  const [country, channel] = ['variants.prices.country', 'variants.prices.channel'].map(field) as [object, object];
  t.strictSame(kinds({ and: [id, sku, country, { and: [key, channel] }] }), {
    ...all(
      exists('id'),
      some('variant', all(exists('sku'), exists('key'), some('price', all(exists('country'), exists('channel'))))),
    ),
  });
  t.strictSame(kinds(country), some('variant', some('price', exists('country'))));
  t.strictSame(kinds({ or: [country, channel] }), {
    ...some('variant', some('price', { kind: 'any', operands: [exists('country'), exists('channel')] })),
  });
  t.strictSame(kinds({ not: [sku] }), { kind: 'none', operands: [some('variant', exists('sku'))] });
});

t.test('a search says which variants match', async (t) => {
  const lamp = documents[0]!;
  const of = async (query: unknown): Promise<unknown> => {
    const search = productSearchOf({ query, markMatchingVariants: true });
    const expected = matchingVariants(search.query, lamp);
    const [result] = (await answerOf(productIndexQuery(search), [lamp])).results;
    const { isAll, variants } = result!.matching ?? { isAll: true, variants: [] };
    const marked = { allMatched: isAll, matchedVariants: isAll ? [] : variants };
    t.strictSame(marked, expected, 'the index agrees');
    return expected;
  };
  const all = { allMatched: true, matchedVariants: [] };
  const isBlue = { exact: { field: 'variants.sku', value: 'LAMP-B' } };
  t.strictSame(await of({ exists: { field: 'id' } }), all);
  t.strictSame(await of({ exists: { field: 'variants.sku' } }), all);
  const second = { allMatched: false, matchedVariants: [{ id: 2, sku: 'LAMP-B' }] };
  t.strictSame(await of(isBlue), second);
  t.strictSame(await of({ and: [isBlue, { exists: { field: 'variants.prices.country' } }] }), second);
  t.strictSame(await of({ or: [isBlue, { exists: { field: 'id' } }] }), all);
});

t.test('a direction takes the lowest or the highest of several values, and no value comes last', async (t) => {
  const order = (sort: string) => inOrder(t, queryOf({ sort: [sort] }), documents);
  for (const [sort, products] of [
    ['id asc', ['bare', 'chair', 'lamp']],
    ['name.en asc', ['chair', 'lamp', 'bare']],
    ['name.en desc', ['lamp', 'chair', 'bare']],
    ['createdAt desc', ['chair', 'bare', 'lamp']],
    ['price asc', ['lamp', 'chair', 'bare']],
    ['price desc', ['chair', 'lamp', 'bare']],
    // 10 and 20 against 15.
    ['variants.attributes.size asc', ['lamp', 'chair', 'bare']],
    ['variants.attributes.size desc', ['lamp', 'chair', 'bare']],
    ['variants.attributes.size asc.max', ['chair', 'lamp', 'bare']],
    ['variants.attributes.size desc.min', ['chair', 'lamp', 'bare']],
    ['variants.sku asc', ['chair', 'lamp', 'bare']],
    [`categoryOrderHints.${ids.chairs} asc`, ['chair', 'bare', 'lamp']],
    ['score desc', ['bare', 'chair', 'lamp']],
  ] as const)
    t.strictSame(await order(sort), products, sort);
});

t.test('a mode and a filter choose the value that a product is sorted by', async (t) => {
  const field = 'variants.prices.centAmount';
  const priced = [
    ['a', price(100), price(900, { country: 'DE' })],
    ['b', price(300), price(400, { country: 'DE' })],
  ] as const;
  const two = priced.map(([id, ...prices]) =>
    searchDocument(product(id, { masterVariant: variant(1, { prices: [...prices] }) }), 'current', beside),
  );
  const filter = { exact: { field: 'variants.prices.country', value: 'DE' } };
  for (const [sort, products] of [
    [{ order: 'asc' }, ['a', 'b']],
    [{ order: 'desc' }, ['a', 'b']],
    [{ order: 'asc', mode: 'max' }, ['b', 'a']],
    [{ order: 'asc', mode: 'avg' }, ['b', 'a']],
    [{ order: 'desc', mode: 'sum' }, ['a', 'b']],
    [{ order: 'asc', filter }, ['b', 'a']],
  ] as const)
    t.strictSame(
      await inOrder(t, productIndexQuery(productSearchOf({ sort: [{ field, ...sort }] })), two),
      products,
      JSON.stringify(sort),
    );
});

t.test('a selected price counts where its values are added to those of the variant', async (t) => {
  const given = searchDocument(
    product('p', { masterVariant: variant(1, { attributes: attributes({ size: 1 }) }) }),
    'current',
    beside,
  );
  const selected: SearchDocument = {
    ...given,
    variants: given.variants.map((each) => ({
      ...each,
      values: { ...each.values, ...scopedPriceValues({ ...price(100), discounted: price(80) }) },
    })),
  };
  const count = (filter: string, document: SearchDocument): number =>
    found(foundBy(projectionSearchOf({ filter: [filter] })), [document]).length;
  for (const filter of [
    'variants.scopedPrice.value.centAmount:100',
    'variants.scopedPrice.currentValue.centAmount:range(80 to 80)',
    'variants.scopedPrice.discounted.value.centAmount:exists',
    'variants.scopedPriceDiscounted:true',
  ]) {
    t.equal(count(filter, selected), 1, filter);
    t.equal(count(filter, given), 0, filter);
  }
});

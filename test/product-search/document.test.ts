import t from 'tap';
import { attributeValues } from '../../src/product-search/attribute-values.ts';
import { scopedPriceValues, searchDocument } from '../../src/product-search/document.ts';
import { attributes, bare, beside, ids, lamp, price, product, variant } from './shop.ts';

t.test('the form of an attribute tells its values', async (t) => {
  const text = (value: string, textIn = ''): object => ({ member: '', value, textIn });
  for (const [value, found] of [
    ['red', [text('red')]],
    ['2030-01-31', [text('2030-01-31')]],
    [12.5, [{ member: '', value: 12.5 }]],
    [false, [{ member: '', value: false }]],
    [
      { key: 'r', label: 'Red' },
      [
        { member: 'key', value: 'r' },
        { member: 'label', value: 'Red', textIn: '' },
      ],
    ],
    [
      { key: 'r', label: { en: 'Red', 'de-AT': 'Rot' } },
      [
        { member: 'key', value: 'r' },
        { member: 'label.en', value: 'Red', textIn: 'en' },
        { member: 'label.de-AT', value: 'Rot', textIn: 'de-AT' },
      ],
    ],
    [{ key: 'r', label: {} }, [{ member: 'key', value: 'r' }]],
    [
      { en: 'Red', id: 'Merah' },
      [
        { member: 'en', value: 'Red', textIn: 'en' },
        { member: 'id', value: 'Merah', textIn: 'id' },
      ],
    ],
    [{}, []],
    [
      { type: 'centPrecision', currencyCode: 'EUR', centAmount: 100, fractionDigits: 2 },
      [
        { member: 'currencyCode', value: 'EUR' },
        { member: 'centAmount', value: 100 },
      ],
    ],
    [
      { typeId: 'product', id: 'p1' },
      [
        { member: 'typeId', value: 'product' },
        { member: 'id', value: 'p1' },
      ],
    ],
    [
      ['S', 'M'],
      [text('S'), text('M')],
    ],
    [
      [{ en: 'a' }, { de: 'b' }],
      [
        { member: 'en', value: 'a', textIn: 'en' },
        { member: 'de', value: 'b', textIn: 'de' },
      ],
    ],
    [[{ name: 'inner', value: 1 }], []],
    [[[{ name: 'inner', value: 1 }]], []],
    [null, []],
    [{ key: 'r' }, []],
  ] as const)
    t.strictSame(attributeValues(value), found, JSON.stringify(value));
});

t.test('a product is flat by path, and so are its variants and their prices', async (t) => {
  const { id, values, words, titles, variants } = searchDocument(lamp, 'current', beside);
  t.equal(id, 'lamp');
  t.strictSame(values, {
    id: ['lamp'],
    key: ['lamp-key'],
    createdAt: ['2030-01-01T00:00:00.000Z'],
    lastModifiedAt: ['2030-01-02T00:00:00.000Z'],
    published: [true],
    productType: ['type-1'],
    'reviewRatingStatistics.averageRating': [4.5],
    'reviewRatingStatistics.highestRating': [5],
    'reviewRatingStatistics.lowestRating': [4],
    'reviewRatingStatistics.count': [2],
    'name.en': ['Désk Lamp'],
    'name.de': ['Tischlampe'],
    'slug.en': ['slug-lamp'],
    'description.en': ['A light for reading'],
    'searchKeywords.en': ['reading light'],
    categories: [ids.deskLamps],
    categoriesSubTree: [ids.deskLamps, ids.lamps],
    [`categoryOrderHints.${ids.deskLamps}`]: ['0.25'],
    stores: ['store-1'],
    attributes: ['brand'],
    'attributes.brand': ['Lumen'],
  });
  t.strictSame(words, { en: ['desk', 'lamp', 'slug', 'a', 'light', 'for', 'reading'], de: ['tischlampe'] });
  t.strictSame(titles, { en: ['desk', 'lamp'], de: ['tischlampe'] });
  t.strictSame(variants[0], {
    id: 1,
    sku: 'LAMP-R',
    values: {
      sku: ['LAMP-R'],
      'price.centAmount': [2000],
      'price.currencyCode': ['EUR'],
      attributes: ['color', 'size', 'sizes', 'isNew'],
      'attributes.color.key': ['red'],
      'attributes.color.label.en': ['Red'],
      'attributes.color.label.de': ['Rot'],
      'attributes.size': [10],
      'attributes.sizes': ['S', 'M'],
      'attributes.isNew': [true],
      'availability.isOnStock': [true],
      'availability.availableQuantity': [3],
      [`availability.channels.${ids.berlin}.isOnStock`]: [true],
      [`availability.channels.${ids.berlin}.availableQuantity`]: [2],
      'availability.hasInventoryEntryForChannel': [ids.berlin, ids.vienna],
      'availability.isOnStockInChannels': [ids.berlin],
      [`availability.channels.${ids.vienna}.isOnStock`]: [false],
      [`availability.channels.${ids.vienna}.availableQuantity`]: [0],
    },
    words: { en: ['red'], de: ['rot'], '': ['s', 'm', 'lamp', 'r'] },
    prices: [
      { id: ['price-2000'], centAmount: [2000], currentCentAmount: [2000], currencyCode: ['EUR'], discounted: [false] },
      {
        id: ['price-1500'],
        centAmount: [1500],
        currentCentAmount: [1500],
        currencyCode: ['EUR'],
        country: ['DE'],
        discounted: [false],
      },
    ],
  });
  t.match(variants[1]!.prices, [{ centAmount: [2500], currentCentAmount: [2200], discounted: [true] }]);
});

t.test('what is not there has no path', async (t) => {
  const { values, variants } = searchDocument(bare, 'current', { ...beside, stores: [] });
  t.notOk(Object.values(values).some((list) => list.length === 0));
  t.notOk('key' in values);
  t.strictSame(variants, [{ id: 1, sku: undefined, values: {}, words: {}, prices: [] }]);
});

t.test('attributes that are not searched leave nothing', async (t) => {
  const hidden = product('p', {
    masterVariant: variant(1, { attributes: attributes({ secret: 'x', color: 'red' }) }),
  });
  t.strictSame(searchDocument(hidden, 'current', beside).variants[0]?.values, {
    attributes: ['color'],
    'attributes.color': ['red'],
  });
});

t.test('a side has its own document', async (t) => {
  const { masterData } = bare;
  const staged = { ...masterData.staged, name: { en: 'Other' } };
  const both = { ...bare, masterData: { ...masterData, staged } };
  t.strictSame(searchDocument(both, 'staged', beside).values['name.en'], ['Other']);
  t.equal(searchDocument(both, 'current', beside).values['name.en'], undefined);
});

t.test('a selected price adds what it is worth', async (t) => {
  t.strictSame(scopedPriceValues(price(100)), {
    'scopedPrice.value.centAmount': [100],
    'scopedPrice.currentValue.centAmount': [100],
    scopedPriceDiscounted: [false],
  });
  t.strictSame(scopedPriceValues({ ...price(100), discounted: price(80) }), {
    'scopedPrice.value.centAmount': [100],
    'scopedPrice.currentValue.centAmount': [80],
    'scopedPrice.discounted.value.centAmount': [80],
    scopedPriceDiscounted: [true],
  });
});

/** A small shop whose products show each form of a value. */
import { type SearchDocument, searchDocument, type SearchedBeside } from '../../src/product-search/document.ts';
import type { Price } from '../../src/resources/product/price.ts';
import type { Product, ProductData } from '../../src/resources/product/fields.ts';
import type { Variant } from '../../src/resources/product/variant.ts';

export const ids = {
  lamps: '0f6b1f1e-1111-4222-8333-000000000001',
  deskLamps: '0f6b1f1e-1111-4222-8333-000000000002',
  chairs: '0f6b1f1e-1111-4222-8333-000000000003',
  berlin: '0f6b1f1e-1111-4222-8333-000000000011',
  vienna: '0f6b1f1e-1111-4222-8333-000000000012',
  vip: '0f6b1f1e-1111-4222-8333-000000000021',
};

const red = { key: 'red', label: { en: 'Red', de: 'Rot' } };
const blue = { key: 'blue', label: { en: 'Blue', de: 'Blau' } };

export function variant(id: number, given: Partial<Variant> = {}): Variant {
  return { id, prices: [], attributes: [], images: [], assets: [], ...given };
}

export function price(centAmount: number, given: Partial<Price> = {}): Price {
  const value = { type: 'centPrecision', currencyCode: 'EUR', centAmount, fractionDigits: 2 } as const;
  return { id: `price-${centAmount}`, value, ...given };
}

export function attributes(values: Readonly<Record<string, unknown>>): { name: string; value: unknown }[] {
  return Object.entries(values).map(([name, value]) => ({ name, value }));
}

export function product(id: string, data: Partial<ProductData>, given: Partial<Product> = {}): Product {
  const side: ProductData = {
    name: { en: id },
    slug: { en: `slug-${id}` },
    categories: [],
    categoryOrderHints: {},
    searchKeywords: {},
    attributes: [],
    masterVariant: variant(1),
    variants: [],
    ...data,
  };
  return {
    id,
    version: 1,
    createdAt: '2030-01-01T00:00:00.000Z',
    lastModifiedAt: '2030-01-02T00:00:00.000Z',
    productType: { typeId: 'product-type', id: 'type-1' },
    priceMode: 'Embedded',
    masterData: { published: true, hasStagedChanges: false, current: side, staged: side },
    ...given,
  };
}

const category = (id: string): { typeId: string; id: string } => ({ typeId: 'category', id });

export const lamp = product(
  'lamp',
  {
    name: { en: 'Désk Lamp', de: 'Tischlampe' },
    description: { en: 'A light for reading' },
    categories: [category(ids.deskLamps)],
    categoryOrderHints: { [ids.deskLamps]: '0.25' },
    searchKeywords: { en: [{ text: 'reading light' }] },
    attributes: attributes({ brand: 'Lumen' }),
    masterVariant: variant(1, {
      sku: 'LAMP-R',
      attributes: attributes({ color: red, size: 10, sizes: ['S', 'M'], isNew: true }),
      prices: [price(2000), price(1500, { country: 'DE' })],
    }),
    variants: [
      variant(2, {
        sku: 'LAMP-B',
        attributes: attributes({ color: blue, size: 20, sizes: ['L'] }),
        prices: [price(2500, { country: 'DE', discounted: { ...price(2200), discount: category('discount') } })],
      }),
    ],
  },
  {
    key: 'lamp-key',
    reviewRatingStatistics: {
      averageRating: 4.5,
      highestRating: 5,
      lowestRating: 4,
      count: 2,
      ratingsDistribution: { '4': 1, '5': 1 },
    },
  },
);

const chair = product(
  'chair',
  {
    name: { en: 'Chair' },
    categories: [category(ids.chairs)],
    categoryOrderHints: { [ids.chairs]: '0.5' },
    masterVariant: variant(1, {
      sku: 'CHAIR',
      key: 'the-chair',
      attributes: attributes({ color: red, size: 15, since: '2029-05-01' }),
      prices: [price(9900)],
    }),
  },
  { createdAt: '2030-02-01T00:00:00.000Z', state: { typeId: 'state', id: 'state-1' } },
);

/** Nothing but what each product has. */
export const bare = product('bare', { name: { de: 'Nackt' } });

export const beside: SearchedBeside = {
  ancestors: new Map([[ids.deskLamps, [ids.lamps]]]),
  availabilities: new Map([
    [
      'LAMP-R',
      {
        isOnStock: true,
        availableQuantity: 3,
        channels: {
          [ids.berlin]: { isOnStock: true, availableQuantity: 2 },
          [ids.vienna]: { isOnStock: false, availableQuantity: 0 },
        },
      },
    ],
  ]),
  stores: ['store-1'],
  productSelections: [],
  isSearchable: (name) => name !== 'secret',
};

export const documents: readonly SearchDocument[] = [lamp, chair, bare].map((each) =>
  searchDocument(each, 'current', beside),
);

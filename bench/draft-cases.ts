import type { Resource } from '../src/engine/resource.ts';
import { cart } from '../src/resources/cart/resource.ts';
import { cartDiscount } from '../src/resources/cart-discount/resource.ts';
import { product } from '../src/resources/product/resource.ts';
import { shippingMethod } from '../src/resources/shipping-method/resource.ts';
import { zone } from '../src/resources/zone/resource.ts';

export interface DraftCase {
  readonly name: string;
  readonly resource: Resource;
  readonly draft: object;
}

const localized = (text: string): object => ({ en: text, de: `${text} (de)`, fr: `${text} (fr)` });
const euros = (centAmount: number): object => ({ currencyCode: 'EUR', centAmount });
const numbered = <T>(count: number, make: (index: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, index) => make(index));

const countries = ['DE', 'AT', 'CH', 'FR', 'IT', 'NL', 'BE', 'ES'];

const address = {
  country: 'DE',
  title: 'Dr.',
  salutation: 'Ms',
  firstName: 'Jane',
  lastName: 'Doe',
  streetName: 'Example street',
  streetNumber: '12a',
  additionalStreetInfo: 'Back yard',
  postalCode: '10115',
  city: 'Berlin',
  region: 'Brandenburg',
  state: 'Berlin',
  company: 'Example Ltd.',
  department: 'Purchasing',
  building: 'B',
  apartment: '3',
  phone: '+49 30 1234567',
  mobile: '+49 170 1234567',
  email: 'jane@example.org',
};

function variant(index: number): object {
  return {
    sku: `SKU-${index}`,
    key: `variant-${index}`,
    prices: numbered(4, (price) => ({
      value: euros(1000 + 10 * index + price),
      country: countries[price],
      validFrom: '2030-01-01T00:00:00.000Z',
    })),
    attributes: numbered(6, (attribute) => ({ name: `attribute-${attribute}`, value: `value ${index}` })),
    images: [{ url: `https://images.example.org/${index}.jpg`, dimensions: { w: 800, h: 600 }, label: 'Front' }],
  };
}

/** Drafts as clients send them, of several shapes and sizes. */
export const draftCases: readonly DraftCase[] = [
  {
    name: 'zone, 8 locations',
    resource: zone,
    draft: {
      key: 'central-europe',
      name: 'Central Europe',
      description: 'Countries that a lorry reaches within two days.',
      locations: countries.map((country) => ({ country, state: 'Somewhere' })),
    },
  },
  {
    name: 'shipping method, 12 rates',
    resource: shippingMethod,
    draft: {
      key: 'express',
      name: 'Express',
      localizedName: localized('Express'),
      localizedDescription: localized('Arrives on the next working day.'),
      taxCategory: { typeId: 'tax-category', key: 'standard' },
      isDefault: false,
      predicate: 'totalPrice.centAmount > 1000 and shippingAddress.country in ("DE", "AT")',
      zoneRates: numbered(4, (zoneRate) => ({
        zone: { typeId: 'zone', key: `zone-${zoneRate}` },
        shippingRates: numbered(3, (rate) => ({
          price: euros(490 + rate),
          freeAbove: euros(10_000),
          tiers: numbered(2, (tier) => ({
            type: 'CartValue',
            minimumCentAmount: 2000 * (tier + 1),
            price: euros(390 - 100 * tier),
          })),
        })),
      })),
    },
  },
  {
    name: 'product, 8 variants',
    resource: product,
    draft: {
      key: 'shirt',
      productType: { typeId: 'product-type', key: 'clothes' },
      taxCategory: { typeId: 'tax-category', key: 'standard' },
      name: localized('Shirt'),
      slug: { en: 'shirt', de: 'hemd', fr: 'chemise' },
      description: localized('A shirt of cotton, with long sleeves and a collar.'),
      categories: numbered(3, (category) => ({ typeId: 'category', key: `category-${category}` })),
      metaTitle: localized('Shirt'),
      searchKeywords: { en: [{ text: 'shirt' }, { text: 'long sleeve', suggestTokenizer: { type: 'whitespace' } }] },
      masterVariant: variant(0),
      variants: numbered(7, (index) => variant(index + 1)),
      publish: true,
    },
  },
  {
    name: 'cart discount',
    resource: cartDiscount,
    draft: {
      key: 'summer',
      name: localized('Summer sale'),
      description: localized('Ten percent off everything red.'),
      value: { type: 'relative', permyriad: 1000 },
      cartPredicate: 'totalPrice.centAmount > 5000',
      target: { type: 'lineItems', predicate: 'quantity > 2' },
      stores: numbered(3, (store) => ({ typeId: 'store', key: `store-${store}` })),
      sortOrder: '0.371',
      isActive: true,
      validFrom: '2030-06-01T00:00:00.000Z',
      validUntil: '2030-08-31T23:59:59.999Z',
      requiresDiscountCode: false,
    },
  },
  {
    name: 'cart, 2 addresses, 4 items',
    resource: cart,
    draft: {
      currency: 'EUR',
      country: 'DE',
      locale: 'de',
      customerEmail: 'jane@example.org',
      shippingAddress: address,
      billingAddress: { ...address, streetName: 'Other street' },
      customLineItems: numbered(4, (item) => ({
        name: localized('Gift wrapping'),
        slug: `gift-wrapping-${item}`,
        money: euros(250),
        quantity: item + 1,
      })),
    },
  },
];

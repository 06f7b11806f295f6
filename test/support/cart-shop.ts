/** A small shop with what carts are made of, and carts in it as the public client makes and changes them. */
import type {
  ByProjectKeyRequestBuilder,
  Cart,
  CartDiscountDraft,
  CartDiscountTarget,
  CartDiscountValueDraft,
  CartDraft,
  CartUpdateAction,
  ErrorObject,
  PriceDraft,
  Product,
  ProductDraft,
} from '@commercetools/platform-sdk';
import { type Platform, startProject } from './platform.ts';

export const eur = (centAmount: number): { currencyCode: string; centAmount: number } => ({
  currencyCode: 'EUR',
  centAmount,
});

export const german = { country: 'DE', city: 'Berlin' };
export const american = { country: 'US' };
export const newYork = { country: 'US', state: 'NY' };

/** An answer that refuses: its status, and the first of its errors. */
export interface Refusal {
  readonly status: number;
  readonly error: ErrorObject & Readonly<Record<string, unknown>>;
}

export interface CartShop extends Platform {
  /** A published product `key` with one variant of the SKU `key`, or with what the draft says besides. */
  addProduct(key: string, prices: readonly PriceDraft[], draft?: Partial<ProductDraft>): Promise<Product>;
  changeProduct(key: string, ...actions: readonly object[]): Promise<Product>;
  /** Sort orders follow from how many there are: the first one made is applied first. */
  addDiscount(key: string, value: CartDiscountValueDraft, draft?: Partial<CartDiscountDraft>): Promise<string>;
  cart(draft?: Partial<CartDraft>, api?: ByProjectKeyRequestBuilder): Promise<Cart>;
  /** The cart after these actions. Throws what the client does. */
  update(cart: Cart, ...actions: readonly CartUpdateAction[]): Promise<Cart>;
  /** What refuses these actions. Throws where they are accepted, or change the cart all the same. */
  refused(cart: Cart, ...actions: readonly CartUpdateAction[]): Promise<Refusal>;
  /** What refuses the draft. */
  refusedDraft(draft: Partial<CartDraft>): Promise<Refusal>;
}

/** 19 % in Germany, without or with the price; 8.875 % of two parts in New York, and 5 % elsewhere in the United States. */
const rates = (includedInPrice: boolean) => [
  { name: 'VAT', amount: 0.19, includedInPrice, country: 'DE' },
  { name: 'Federal', amount: 0.05, includedInPrice, country: 'US' },
  {
    name: 'Sales tax',
    amount: 0.08875,
    includedInPrice,
    country: 'US',
    state: 'NY',
    subRates: [
      { name: 'State', amount: 0.04 },
      { name: 'City', amount: 0.04875 },
    ],
  },
];

async function furnish({ request }: Platform): Promise<void> {
  const resources: readonly (readonly [string, object])[] = [
    ['tax-categories', { key: 'standard', name: 'Standard', rates: rates(false) }],
    ['tax-categories', { key: 'gross', name: 'Gross', rates: rates(true) }],
    ['tax-categories', { key: 'german', name: 'German', rates: rates(false).slice(0, 1) }],
    ['product-types', { key: 'plain', name: 'Plain', description: '' }],
    ['zones', { key: 'de', name: 'Germany', locations: [{ country: 'DE' }] }],
    ['zones', { key: 'us', name: 'US', locations: [{ country: 'US' }] }],
    ['zones', { key: 'ny', name: 'New York', locations: [{ country: 'US', state: 'NY' }] }],
    ['customer-groups', { key: 'members', groupName: 'Members' }],
    ['customer-groups', { key: 'staff', groupName: 'Staff' }],
    ['channels', { key: 'north', roles: ['ProductDistribution', 'InventorySupply'] }],
    ['channels', { key: 'south', roles: ['ProductDistribution', 'InventorySupply'] }],
  ];
  for (const [path, draft] of resources) await made(request('POST', `/${path}`, draft));
}

async function made(answer: ReturnType<Platform['request']>): Promise<Readonly<Record<string, unknown>>> {
  const { status, body, text } = await answer;
  if (status !== 201) throw new Error(text);
  return body;
}

/** In a project of its own, or in this one. */
export async function startCartShop(given?: Platform): Promise<CartShop> {
  const platform = given ?? (await startProject());
  await furnish(platform);
  const { api, request } = platform;
  let discountCount = 0;
  const update: CartShop['update'] = async ({ id, version }, ...actions) => {
    const body = { version, actions: [...actions] };
    return (await api.carts().withId({ ID: id }).post({ body }).execute()).body;
  };
  const post = async (draft: Partial<CartDraft>, by = api): Promise<Cart> =>
    (
      await by
        .carts()
        .post({ body: { currency: 'EUR', ...draft } })
        .execute()
    ).body;
  return {
    ...platform,
    addProduct: async (key, prices, draft) => {
      const body: ProductDraft = {
        key,
        productType: { typeId: 'product-type', key: 'plain' },
        name: { en: key },
        slug: { en: `slug-${key}` },
        taxCategory: { typeId: 'tax-category', key: 'standard' },
        masterVariant: { sku: key, prices: [...prices] },
        publish: true,
        ...draft,
      };
      return (await api.products().post({ body }).execute()).body;
    },
    changeProduct: async (key, ...actions) => {
      const { version } = (await api.products().withKey({ key }).get().execute()).body;
      const { status, body, text } = await request('POST', `/products/key=${key}`, { version, actions });
      if (status !== 200) throw new Error(text);
      return body as unknown as Product;
    },
    addDiscount: async (key, value, draft) => {
      discountCount += 1;
      const body: CartDiscountDraft = {
        key,
        name: { en: key },
        value,
        cartPredicate: '1 = 1',
        sortOrder: `0.${String(999 - discountCount).padStart(3, '0')}1`,
        ...(value.type !== 'giftLineItem' && {
          target: { type: 'lineItems', predicate: '1 = 1' } as CartDiscountTarget,
        }),
        ...draft,
      };
      return (await api.cartDiscounts().post({ body }).execute()).body.id;
    },
    cart: (draft = {}, by = api) => post(draft, by),
    update,
    refused: async (cart, ...actions) => {
      const refusal = await refusalOf(update(cart, ...actions));
      const { version } = (await api.carts().withId({ ID: cart.id }).get().execute()).body;
      if (version !== cart.version) throw new Error('The cart has changed');
      return refusal;
    },
    refusedDraft: (draft) => refusalOf(post(draft)),
  };
}

/** What a request is refused with. Throws where it is not, or was not understood. */
export async function refusalOf(asked: Promise<unknown>): Promise<Refusal> {
  try {
    await asked;
  } catch (error) {
    // What the client throws has the answer.
    const { statusCode, body } = error as {
      readonly statusCode?: number;
      readonly body?: { errors?: Refusal['error'][] };
    };
    const [first] = body?.errors ?? [];
    if (statusCode === undefined || first === undefined) throw error;
    return { status: statusCode, error: first };
  }
  throw new Error('It was not refused');
}

/** A line of the cart with this SKU. */
export function lineOf({ lineItems }: Cart, sku: string): Cart['lineItems'][number] {
  const line = lineItems.find(({ variant }) => variant.sku === sku);
  if (line === undefined) throw new Error(`There is no line with the SKU '${sku}'`);
  return line;
}

/** What the lines, the custom lines, shipping and the cart cost, in cents. */
export function totalsOf({ lineItems, customLineItems, shippingInfo, totalPrice }: Cart): object {
  return {
    lines: lineItems.map((line) => line.totalPrice.centAmount),
    ...(customLineItems.length > 0 && { custom: customLineItems.map((item) => item.totalPrice.centAmount) }),
    ...(shippingInfo !== undefined && {
      shipping: (shippingInfo.discountedPrice?.value ?? shippingInfo.price).centAmount,
    }),
    total: totalPrice.centAmount,
  };
}

/**
 * Random worlds that reach every rule of carts. Amounts are small and often equal, because ties and single cents are where
 * computations differ; now and then one is near the largest that there can be.
 */
import type {
  Address,
  Category,
  CentPrecisionMoney,
  Channel,
  Customer,
  ShippingRate,
  ShippingRateInputType,
  ShippingRatePriceTier,
  Store,
  TaxCategory,
  TaxRate,
  Zone,
} from '@commercetools/platform-sdk';
import { centMoney } from './amounts.ts';
import type { ModelWorld, StoreMethod } from './cart-shapes.ts';
import { cartPredicates } from './predicates.ts';
import { centsIn, created, currencies, indexes, now, productCount } from './random-amounts.ts';
import { type Choices, choicesOf } from './random-choices.ts';
import { randomCodes, randomDiscounts, randomGroups } from './random-discounts.ts';
import { randomProduct, randomStandalonePrices } from './random-products.ts';
import { idOf } from './world-ids.ts';

export function randomWorld(seed: number): ModelWorld {
  const random = choicesOf(seed);
  const shippingRateInputType = randomInputType(random);
  const groups = randomGroups(random);
  const cartDiscounts = randomDiscounts(random, groups);
  return {
    now,
    project: {
      languages: ['nl', 'en', 'de', 'fr'],
      ...random.maybe(0.7, () => ({ carts: randomSettings(random) })),
      ...(shippingRateInputType === undefined ? {} : { shippingRateInputType }),
      ...random.maybe(0.1, () => ({ discountCombinationMode: random.pick(['Stacking', 'BestDeal'] as const) })),
    },
    products: indexes(productCount).map((index) => randomProduct(random, index)),
    standalonePrices: randomStandalonePrices(random),
    categories: categories(),
    taxCategories: [1, 2].map((index) => randomTaxCategory(random, index)),
    zones: zones(),
    shippingMethods: [1, 2, 3].map((index) => randomMethod(random, index, shippingRateInputType)),
    cartDiscounts,
    discountCodes: randomCodes(random, cartDiscounts),
    discountGroups: groups,
    customers: customers(),
    channels: [1, 2].map((index): Channel => ({
      ...created,
      id: idOf('channel', index),
      key: `channel-${index}`,
      roles: [],
    })),
    stores: [store()],
    codeUses: random.some([1, 2, 3], 0, 2).map((index) => ({
      discountCode: idOf('discount-code', index),
      ...random.maybe(0.7, () => ({ customer: idOf('customer', 1) })),
    })),
    selectedProducts: {
      [idOf('product-selection', 1)]: (random.chance(0.8) ? [1, 2, 3, 4, 5, 6] : [1, 2, 3, 4]).map((index) =>
        idOf('product', index),
      ),
    },
  };
}

/** The world some time after: prices have changed, products have gone, discounts have ended. */
export function laterWorld(world: ModelWorld, seed: number): ModelWorld {
  const random = choicesOf(seed);
  // Products are no longer published rather than gone: what a line of a deleted one is taxed with, nobody says.
  const products = world.products.map((product, index) => {
    if (!random.chance(0.3)) return product;
    const { masterData, taxCategory, ...rest } = randomProduct(random, index + 1);
    // The second has lost its tax category.
    const taxed = index !== 1 && taxCategory !== undefined ? { taxCategory } : {};
    return { ...rest, ...taxed, masterData: { ...masterData, published: masterData.published && random.chance(0.85) } };
  });
  return {
    ...world,
    products,
    standalonePrices: random.chance(0.3) ? randomStandalonePrices(random) : world.standalonePrices,
    cartDiscounts: world.cartDiscounts.map((discount) =>
      random.chance(0.2) ? { ...discount, isActive: !discount.isActive } : discount,
    ),
    discountCodes: world.discountCodes.map((code) => (random.chance(0.2) ? { ...code, validUntil: now } : code)),
    shippingMethods: world.shippingMethods.map((method) =>
      random.chance(0.2) ? { ...method, predicate: random.pick(Object.keys(cartPredicates)) } : method,
    ),
  };
}

function randomSettings(random: Choices): NonNullable<ModelWorld['project']['carts']> {
  const modes = ['HalfEven', 'HalfUp', 'HalfDown'] as const;
  return {
    ...random.maybe(0.6, () => ({ countryTaxRateFallbackEnabled: random.chance(0.7) })),
    ...random.maybe(0.5, () => ({ priceRoundingMode: random.pick(modes) })),
    ...random.maybe(0.5, () => ({ taxRoundingMode: random.pick(modes) })),
  };
}

function randomInputType(random: Choices): ShippingRateInputType | undefined {
  const type = random.pick(['CartValue', 'CartScore', 'CartClassification', undefined] as const);
  if (type !== 'CartClassification') return type === undefined ? undefined : { type };
  return { type, values: ['small', 'heavy'].map((key) => ({ key, label: { en: key } })) };
}

function categories(): readonly Category[] {
  // The second is a child of the first.
  return [1, 2, 3].map((index) => ({
    ...created,
    id: idOf('category', index),
    name: { en: `Category ${index}` },
    slug: { en: `category-${index}` },
    ancestors: index === 2 ? [{ typeId: 'category', id: idOf('category', 1) }] : [],
    orderHint: `0.${index}`,
  }));
}

function randomTaxCategory(random: Choices, index: number): TaxCategory {
  const includedInPrice = random.chance(0.5);
  const rate = (members: Pick<TaxRate, 'name' | 'amount' | 'country'> & Partial<TaxRate>): TaxRate => ({
    id: idOf('tax-rate', random.below(2 ** 31)),
    includedInPrice: random.chance(0.9) ? includedInPrice : !includedInPrice,
    ...members,
  });
  return {
    ...created,
    id: idOf('tax-category', index),
    key: `tax-category-${index}`,
    name: `Tax category ${index}`,
    rates: [
      rate({ name: 'Standard', amount: random.pick([0.19, 0.07, 0]), country: 'DE' }),
      rate({ name: random.pick(['Standard', 'Reduced']), amount: random.pick([0.2, 0.19]), country: 'AT' }),
      ...(random.chance(0.8) ? [rate({ name: 'Federal', amount: 0.0725, country: 'US' })] : []),
      ...(random.chance(0.8)
        ? [rate({ name: 'New York', country: 'US', state: 'NY', ...randomSubRates(random) })]
        : []),
    ],
  };
}

export function randomSubRates(random: Choices): Pick<TaxRate, 'amount' | 'subRates'> {
  return random.pick([
    {
      amount: 0.08875,
      subRates: [
        { name: 'State', amount: 0.04 },
        { name: 'City', amount: 0.045 },
        { name: 'District', amount: 0.00375 },
      ],
    },
    {
      amount: 0.1,
      subRates: [
        { name: 'State', amount: 0.05 },
        { name: 'City', amount: 0.05 },
      ],
    },
    { amount: 0.085 },
  ]);
}

function zones(): readonly Zone[] {
  const zone = (index: number, locations: Zone['locations']): Zone => ({
    ...created,
    id: idOf('zone', index),
    name: `Zone ${index}`,
    locations,
  });
  return [
    zone(1, [{ country: 'DE' }, { country: 'AT' }]),
    zone(2, [{ country: 'US', state: 'NY' }]),
    zone(3, [{ country: 'US' }]),
  ];
}

function randomMethod(random: Choices, index: number, type: ShippingRateInputType | undefined): StoreMethod {
  const rates = (): ShippingRate[] =>
    currencies.filter(() => index === 1 || random.chance(0.85)).map((currency) => randomRate(random, currency, type));
  return {
    ...created,
    id: idOf('shipping-method', index),
    key: `method-${index}`,
    name: index === 1 ? 'Standard' : `Method ${index}`,
    taxCategory: { typeId: 'tax-category', id: idOf('tax-category', 1 + (index % 2)) },
    zoneRates: [1, 2, 3]
      .filter(() => random.chance(index === 1 ? 0.95 : 0.8))
      .map((zone) => ({ zone: { typeId: 'zone', id: idOf('zone', zone) }, shippingRates: rates() })),
    active: index === 1 || random.chance(0.9),
    isDefault: index === 1,
    stores: index === 3 && random.chance(0.5) ? [{ typeId: 'store', key: 'store-1' }] : [],
    ...(index === 2 ? { predicate: random.pick(Object.keys(cartPredicates)) } : {}),
  };
}

export function randomRate(random: Choices, currency: string, type: ShippingRateInputType | undefined): ShippingRate {
  return {
    price: centsIn(random, currency),
    ...random.maybe(0.3, () => ({ freeAbove: centMoney(currency, BigInt(random.pick([1, 100, 333, 1000, 5000]))) })),
    tiers: random.chance(0.6) ? randomShippingTiers(random, currency, type) : [],
  };
}

function randomShippingTiers(
  random: Choices,
  currency: string,
  type: ShippingRateInputType | undefined,
): ShippingRatePriceTier[] {
  const price = (): CentPrecisionMoney => centsIn(random, currency);
  switch (type?.type) {
    case 'CartValue':
      return random
        .some([1, 100, 101, 324, 1000, 3000], 1, 3)
        .map((minimumCentAmount) => ({ type: 'CartValue', minimumCentAmount, price: price() }));
    case 'CartScore':
      return random.some([1, 2, 3, 5, 10], 1, 3).map((score): ShippingRatePriceTier => {
        const text = random.pick(['x * 50 + 100', '(x - 3) * 100', '2 * x * x', '1000 - 99 * x']);
        if (random.chance(0.4))
          return { type: 'CartScore', score, priceFunction: { currencyCode: currency, function: text } };
        return { type: 'CartScore', score, price: price() };
      });
    case 'CartClassification':
      return random
        .some(['small', 'heavy'], 1, 2)
        .map((value) => ({ type: 'CartClassification', value, price: price() }));
    default:
      return [];
  }
}

function customers(): readonly Customer[] {
  const customer = {
    ...created,
    addresses: [],
    isEmailVerified: false,
    stores: [],
    authenticationMode: 'Password',
  } as const;
  const group = (index: number) => ({ typeId: 'customer-group', id: idOf('customer-group', index) }) as const;
  const lists = { shippingAddressIds: [], billingAddressIds: [] };
  return [
    {
      ...customer,
      ...lists,
      addresses: [],
      stores: [],
      id: idOf('customer', 1),
      email: 'ada@example.com',
      firstName: 'Ada',
      customerGroup: group(1),
      customerGroupAssignments: [{ customerGroup: group(2) }],
    },
    {
      ...customer,
      ...lists,
      addresses: [],
      stores: [],
      id: idOf('customer', 2),
      email: 'ben@example.com',
      customerGroupAssignments: [{ customerGroup: group(3) }, { customerGroup: group(2) }],
    },
  ];
}

function store(): Store {
  return {
    ...created,
    id: idOf('store', 1),
    key: 'store-1',
    languages: ['de', 'fr'],
    countries: [],
    distributionChannels: [{ typeId: 'channel', id: idOf('channel', 1) }],
    supplyChannels: [],
    productSelections: [
      { active: true, productSelection: { typeId: 'product-selection', id: idOf('product-selection', 1) } },
    ],
  };
}

export function randomAddress(random: Choices): Address {
  const country = random.pick(['DE', 'DE', 'AT', 'US', 'US']);
  const state = country === 'US' ? random.pick(['NY', 'NY', 'CA', undefined]) : undefined;
  return {
    country,
    ...(state === undefined ? {} : { state }),
    ...random.maybe(0.3, () => ({ city: random.pick(['Bonn', 'Graz']) })),
  };
}

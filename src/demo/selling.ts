/** Where and to whom the demo shop sells, what it takes off, what it has on stock, and what customers say. */
import { type Draft, type DraftGroup, numbered } from './draft.ts';
import { priceIn } from './prices.ts';
import { aloneEvery, basicsOf, productKey, skuOf } from './products.ts';
import { Random } from './random.ts';
import { departments, localized, qualities } from './words.ts';

export function customerGroups(): readonly Draft[] {
  return [
    { key: 'trade', groupName: 'Trade' },
    { key: 'club', groupName: 'Club' },
  ];
}

const bothRoles = ['InventorySupply', 'ProductDistribution'];

export function channels(): readonly Draft[] {
  return [
    { key: 'berlin', roles: bothRoles, name: { en: 'Berlin store', de: 'Laden Berlin' } },
    { key: 'new-york', roles: bothRoles, name: { en: 'New York store' } },
    { key: 'online', roles: ['ProductDistribution'], name: { en: 'Online shop', de: 'Onlineshop' } },
  ];
}

/** What one store leaves out, and what the other one has. */
export function productSelections(): readonly Draft[] {
  return [
    { key: 'not-in-europe', name: { en: 'Not in Europe' }, mode: 'IndividualExclusion' },
    { key: 'overseas-range', name: { en: 'Overseas range' }, mode: 'Individual' },
  ];
}

const selectedMax = 200;

/** Products come into selections by actions, which do nothing the second time. */
export function selectionUpdates(
  products: number,
): readonly { readonly path: string; readonly key: string; readonly actions: readonly Draft[] }[] {
  const update = (key: string, action: string, every: number) => ({
    path: 'product-selections',
    key,
    actions: Array.from({ length: Math.min(selectedMax, Math.floor(products / every)) }, (_, index) => ({
      action,
      product: { key: productKey((index + 1) * every) },
    })),
  });
  return [update('not-in-europe', 'excludeProduct', 25), update('overseas-range', 'addProduct', 4)];
}

export function stores(): readonly Draft[] {
  const keys = (...names: readonly string[]): readonly Draft[] => names.map((key) => ({ key }));
  const selection = (key: string): readonly Draft[] => [{ productSelection: { key }, active: true }];
  const codes = (...names: readonly string[]): readonly Draft[] => names.map((code) => ({ code }));
  return [
    {
      key: 'europe',
      name: { en: 'Europe' },
      languages: ['en', 'de', 'fr', 'it'],
      countries: codes('DE', 'AT', 'CH', 'FR', 'IT', 'GB'),
      distributionChannels: keys('berlin', 'online'),
      supplyChannels: keys('berlin'),
      productSelections: selection('not-in-europe'),
    },
    {
      key: 'overseas',
      name: { en: 'Overseas' },
      languages: ['en', 'ja'],
      countries: codes('US', 'CA', 'JP'),
      distributionChannels: keys('new-york', 'online'),
      supplyChannels: keys('new-york'),
      productSelections: selection('overseas-range'),
    },
  ];
}

/** Before the products, which have their discounts from the first moment on. */
export function productDiscounts(): readonly Draft[] {
  const discount = (key: string, sortOrder: string, members: Draft): Draft => ({
    key,
    sortOrder,
    isActive: true,
    name: { en: key },
    ...members,
  });
  return [
    discount('outdoor-season', '0.3', {
      value: { type: 'relative', permyriad: 1500 },
      predicate: 'categoriesWithAncestors.key contains any ("outdoor")',
    }),
    discount('recycled', '0.4', {
      value: { type: 'absolute', money: [priceIn('EUR', 500), priceIn('USD', 500)] },
      predicate: 'attributes.recyclable = true and centAmount > 30000',
    }),
    discount('trade', '0.5', {
      value: { type: 'relative', permyriad: 500 },
      predicate: 'customerGroup.key = "trade"',
    }),
    discount('campaign', '0.9', { value: { type: 'external' }, predicate: '1 = 1' }),
  ];
}

/** Every third product is in a store as well. */
const inStoreEvery = 3;

export function stock(products: number): readonly DraftGroup[] {
  const entry = (number: number, members: Draft): Draft => {
    const random = new Random(number);
    return {
      sku: skuOf(number, 1),
      quantityOnStock: random.chance(0.1) ? 0 : random.integer(1, 500),
      ...(random.chance(0.2) && { restockableInDays: random.integer(1, 30) }),
      ...members,
    };
  };
  return [
    numbered('inventory', products, (number) => entry(number, { key: `stock-${number}` })),
    numbered('inventory', Math.floor(products / inStoreEvery), (index) => {
      const number = index * inStoreEvery;
      const channel = index % 2 === 0 ? 'berlin' : 'new-york';
      return entry(number, { key: `stock-${number}-${channel}`, supplyChannel: { key: channel } });
    }),
  ];
}

const aloneCurrencies = ['EUR', 'USD'] as const;

export function standalonePrices(products: number): DraftGroup {
  const count = Math.floor(products / aloneEvery) * aloneCurrencies.length;
  return numbered('standalone-prices', count, (index) => {
    const number = Math.ceil(index / aloneCurrencies.length) * aloneEvery;
    const currency = aloneCurrencies[index % aloneCurrencies.length]!;
    const sku = skuOf(number, 1);
    return { key: `${sku}-${currency}`, sku, value: priceIn(currency, basicsOf(number).euroCents) };
  });
}

const reviewsMax = 1000;
/** No factor of many numbers, so that reviews are spread. */
const reviewStep = 37;

/** Each changes what its product says of its reviews, so there are few. */
export function reviews(products: number): DraftGroup {
  return numbered('reviews', Math.min(reviewsMax, Math.floor(products / 5)), (number) => {
    const random = new Random(number);
    const rating = random.integer(1, 5);
    return {
      key: `review-${number}`,
      authorName: random.pick(['Alex', 'Billie', 'Charlie', 'Dana', 'Eli']),
      title: `${random.pick(qualities)[0]}!`,
      text: rating > 2 ? 'I would buy it again.' : 'It is not what I had thought.',
      locale: 'en',
      rating,
      target: { typeId: 'product', key: productKey(1 + ((number * reviewStep) % products)) },
    };
  });
}

/** Departments, their groups, and in these a category for each thing: each level needs the one above. */
export function categoryLevels(
  keyOf: (group: string, words: (typeof qualities)[number]) => string,
): readonly (readonly Draft[])[] {
  const groups = departments.flatMap((department) =>
    department.groups.map((group) => ({ ...group, parent: department.key, key: `${department.key}-${group.key}` })),
  );
  return [
    departments.map(({ key, name }, index) => categoryDraft(key, { name, index })),
    groups.map(({ key, name, parent }, index) => categoryDraft(key, { name, index, parent })),
    groups.flatMap(({ key, things }) =>
      things.map((name, index) => categoryDraft(keyOf(key, name), { name, index, parent: key })),
    ),
  ];
}

function categoryDraft(
  key: string,
  {
    name,
    index,
    parent,
  }: { readonly name: (typeof qualities)[number]; readonly index: number; readonly parent?: string },
): Draft {
  const texts = localized(name);
  return {
    key,
    name: texts,
    slug: Object.fromEntries(Object.keys(texts).map((language) => [language, key])),
    orderHint: `0.${index + 1}`.replace(/0$/, '01'),
    ...(parent !== undefined && { parent: { key: parent } }),
  };
}

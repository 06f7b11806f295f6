/** Random products and the prices that they have, embedded or alone. */
import type { Price, Product, ProductVariant, StandalonePrice, TypedMoney } from '@commercetools/platform-sdk';
import { centMoney, typedMoney } from './amounts.ts';
import {
  countries,
  created,
  currencies,
  earlier,
  giftProduct,
  standaloneProduct,
  indexes,
  later,
  now,
  randomCents,
  randomMoney,
} from './random-amounts.ts';
import type { Choices } from './random-choices.ts';
import { idOf } from './world-ids.ts';

function randomValidity(random: Choices): { validFrom?: string; validUntil?: string } {
  return {
    ...random.maybe(0.7, () => ({ validFrom: random.pick([earlier, now, now, later]) })),
    ...random.maybe(0.4, () => ({ validUntil: random.pick([later, later, now]) })),
  };
}

function randomPrice(random: Choices, currencyCode: string, isScoped: boolean): Price {
  const value = randomMoney(random, currencyCode);
  const scope = isScoped ? 0.4 : 0;
  return {
    id: idOf('price', random.below(2 ** 31)),
    value,
    ...random.maybe(scope, () => ({ country: random.pick(countries) })),
    ...random.maybe(scope, () => ({
      channel: { typeId: 'channel', id: idOf('channel', 1 + random.below(2)) } as const,
    })),
    ...random.maybe(scope, () => ({
      customerGroup: { typeId: 'customer-group', id: idOf('customer-group', 1 + random.below(3)) } as const,
    })),
    ...random.maybe(isScoped ? 0.3 : 0, () => randomValidity(random)),
    ...random.maybe(0.25, () => ({ tiers: randomTiers(random, currencyCode) })),
    ...random.maybe(0.25, () => ({ discounted: randomDiscounted(random, value) })),
  };
}

function randomTiers(random: Choices, currencyCode: string): NonNullable<Price['tiers']> {
  return random
    .some([2, 3, 5, 10], 1, 3)
    .map((minimumQuantity) => ({ minimumQuantity, value: randomMoney(random, currencyCode) }));
}

function randomDiscounted(random: Choices, value: TypedMoney): NonNullable<Price['discounted']> {
  const share = random.pick([0n, 1n, 2n]);
  const lower =
    value.type === 'centPrecision'
      ? centMoney(value.currencyCode, (BigInt(value.centAmount) * share) / 3n)
      : typedMoney({
          ...withoutCents(value),
          preciseAmount: Math.floor((value.preciseAmount * Number(share)) / 3),
        });
  return { value: lower, discount: { typeId: 'product-discount', id: idOf('product-discount', 1) } };
}

/** Cents follow from the precise amount. */
function withoutCents({ centAmount: _, ...money }: TypedMoney): Omit<TypedMoney, 'centAmount'> {
  return money;
}

export function randomProduct(random: Choices, index: number): Product {
  const isGift = index === giftProduct;
  const variants = indexes(index === 1 ? 2 : 1).map((id) => randomVariant(random, index, id));
  const data = {
    name: random.pick([
      { en: `Product ${index}` },
      { en: `Product ${index}`, de: `Ware ${index}`, fr: `Produit ${index}` },
      { en: `Product ${index}`, nl: `Product ${index}` },
      { it: `Prodotto ${index}` },
    ]),
    slug: { en: `product-${index}` },
    categories: random.some([1, 2, 3], 0, 2).map((of) => ({ typeId: 'category', id: idOf('category', of) }) as const),
    masterVariant: variants[0]!,
    variants: variants.slice(1),
    searchKeywords: {},
    attributes: [],
  };
  return {
    ...created,
    id: idOf('product', index),
    key: `product-${index}`,
    productType: { typeId: 'product-type', id: idOf('product-type', 1 + (index % 2)) },
    taxCategory: { typeId: 'tax-category', id: idOf('tax-category', 1 + (index % 2)) },
    priceMode: index === standaloneProduct ? 'Standalone' : 'Embedded',
    masterData: {
      published: isGift ? random.chance(0.5) : random.chance(0.99),
      hasStagedChanges: false,
      current: data,
      staged: data,
    },
  };
}

function randomVariant(random: Choices, product: number, id: number): ProductVariant {
  const own = currencies.flatMap((currency) => {
    const plain = random.chance(product === giftProduct ? 1 : 0.95) ? [randomPrice(random, currency, false)] : [];
    const scoped = indexes(random.below(4)).map(() => randomPrice(random, currency, true));
    return random.chance(0.5) ? [...plain, ...scoped] : [...scoped, ...plain];
  });
  return {
    id,
    sku: `sku-${product}-${id}`,
    prices: own,
    attributes: [
      ...(random.chance(0.7) ? [{ name: 'size', value: 1 + random.below(4) }] : []),
      ...(random.chance(0.7) ? [{ name: 'color', value: random.pick(colors) }] : []),
      ...(random.chance(0.5) ? [{ name: 'organic', value: random.chance(0.5) }] : []),
      ...(random.chance(0.5) ? [{ name: 'tags', value: random.some(['sale', 'new', 'old'], 1, 3) }] : []),
      ...(random.chance(0.3) ? [{ name: 'deposit', value: centMoney('EUR', BigInt(randomCents(random))) }] : []),
    ],
    images: [],
    assets: [],
  };
}

const colors = [
  { key: 'red', label: 'Red' },
  { key: 'blue', label: 'Blue' },
] as const;

export function randomStandalonePrices(random: Choices): readonly StandalonePrice[] {
  let number = 0;
  return currencies.flatMap((currency) =>
    indexes(1 + random.below(4)).map((index): StandalonePrice => {
      const price = randomPrice(random, currency, index > 1);
      const id = idOf('standalone-price', (number += 1));
      return { ...created, ...price, id, sku: 'sku-4-1', active: random.chance(index === 1 ? 0.97 : 0.8) };
    }),
  );
}

/** Random drafts of carts and of what is in them. */
import type {
  CartDraft,
  CustomLineItemDraft,
  ExternalTaxRateDraft,
  ItemShippingDetailsDraft,
  LineItemDraft,
  Money,
  ShippingRateInputDraft,
} from '@commercetools/platform-sdk';
import type { ModelWorld } from './cart-shapes.ts';
import { countries, currencies, randomCents, randomMoney } from './random-amounts.ts';
import type { Choices } from './random-choices.ts';
import { randomAddress, randomSubRates } from './random-world.ts';
import { idOf } from './world-ids.ts';

export const modes = ['HalfEven', 'HalfUp', 'HalfDown'] as const;
export const calculationModes = ['LineItemLevel', 'UnitPriceLevel'] as const;
export const taxModes = ['Platform', 'Platform', 'Platform', 'External', 'ExternalAmount', 'Disabled'] as const;
const addressKeys = ['home', 'work'] as const;
export const slugs = ['fee', 'wrap', 'voucher'] as const;

export function randomDraft(random: Choices, world: ModelWorld): CartDraft {
  const currency = random.pick(['EUR', 'EUR', 'EUR', ...currencies]);
  const taxMode = random.pick(taxModes);
  const isMultiple = random.chance(0.12);
  const shippingKeys = isMultiple ? ['first', 'second'] : [];
  const options: ItemOptions = { currency, taxMode, shippingKeys, world };
  const lines = random.some([1, 2, 3, 4, 5], 0, 4);
  const rateInput = randomRateInput(random, world);
  const hasAddress = isMultiple || random.chance(0.75);
  const isSingleMethod = !isMultiple && hasAddress && random.chance(0.6);
  return {
    currency,
    taxMode,
    ...random.maybe(0.6, () => ({ country: random.pick(countries) })),
    ...random.maybe(0.4, () => ({ priceRoundingMode: random.pick(modes) })),
    ...random.maybe(0.4, () => ({ taxRoundingMode: random.pick(modes) })),
    ...random.maybe(0.5, () => ({ taxCalculationMode: random.pick(calculationModes) })),
    ...(random.chance(0.5)
      ? random.maybe(0.7, () => ({ customerId: idOf('customer', 1 + random.below(2)) }))
      : random.maybe(0.4, () => ({ customerGroup: groupOf(random) }))),
    ...random.maybe(0.2, () => ({ store: { typeId: 'store', key: 'store-1' } as const })),
    ...random.maybe(0.5, () => ({ custom: randomCustom(random) })),
    ...(hasAddress ? { shippingAddress: randomAddress(random) } : {}),
    ...random.maybe(0.2, () => ({ billingAddress: randomAddress(random) })),
    ...(isMultiple ? { shippingMode: 'Multiple', shipping: randomShipping(random, options) } : {}),
    ...(isMultiple || random.chance(0.2)
      ? { itemShippingAddresses: addressKeys.map((key) => ({ ...randomAddress(random), key })) }
      : {}),
    ...(isSingleMethod ? { shippingMethod: { typeId: 'shipping-method', id: idOf('shipping-method', 1) } } : {}),
    ...(isMultiple || rateInput === undefined ? {} : { shippingRateInput: rateInput }),
    ...random.maybe(0.35, () => ({ discountCodes: someCodes(random, world) })),
    lineItems: lines.map((product) => randomLine(random, { ...options, product })),
    customLineItems: random.some(slugs, 0, 2).map((slug) => randomCustomLine(random, { ...options, slug })),
  };
}

/** Most of them can be added. */
export function someCodes(random: Choices, world: ModelWorld): string[] {
  const codes = world.discountCodes.filter(({ cartDiscounts, validFrom, validUntil }) => {
    const isActive = cartDiscounts.some(({ id }) => world.cartDiscounts.some((one) => one.id === id && one.isActive));
    return isActive && validFrom === undefined && validUntil === undefined;
  });
  const isAny = random.chance(0.1);
  return random.some(isAny ? ['CODE1', 'CODE2', 'CODE3'] : codes.map(({ code }) => code), 1, 2);
}

export interface ItemOptions {
  readonly currency: string;
  readonly taxMode: string;
  readonly shippingKeys: readonly string[];
  readonly world: ModelWorld;
}

function randomShipping(random: Choices, { taxMode, shippingKeys }: ItemOptions): NonNullable<CartDraft['shipping']> {
  return shippingKeys.map((key) => ({
    key,
    shippingMethodName: 'Standard',
    shippingMethod: { typeId: 'shipping-method', id: idOf('shipping-method', 1) },
    shippingAddress: randomAddress(random),
    ...(taxMode === 'External' ? random.maybe(0.8, () => ({ externalTaxRate: randomTaxRate(random) })) : {}),
  }));
}

export function groupOf(random: Choices): { typeId: 'customer-group'; id: string } {
  return { typeId: 'customer-group', id: idOf('customer-group', 1 + random.below(3)) };
}

export function channelOf(random: Choices): { typeId: 'channel'; id: string } {
  return { typeId: 'channel', id: idOf('channel', 1 + random.below(2)) };
}

export function randomCustom(random: Choices): NonNullable<CartDraft['custom']> {
  return {
    type: { typeId: 'type', id: idOf('type', 1) },
    fields: {
      ...random.maybe(0.6, () => ({ vip: random.chance(0.7) })),
      ...random.maybe(0.6, () => ({ score: random.pick([5, 6, 7, 10, 11]) })),
      ...random.maybe(0.6, () => ({ tags: random.some(['a', 'b', 'c'], 1, 3) })),
    },
  };
}

export function randomItemCustom(random: Choices): NonNullable<LineItemDraft['custom']> {
  return { type: { typeId: 'type', id: idOf('type', 2) }, fields: { engraving: random.pick(['Ada', 'Ben']) } };
}

export function randomTaxRate(random: Choices): ExternalTaxRateDraft {
  const base = { name: random.pick(['Standard', 'Own']), country: 'DE', includedInPrice: random.chance(0.5) };
  if (random.chance(0.3)) {
    const { amount, subRates } = randomSubRates(random);
    return subRates === undefined
      ? { ...base, amount }
      : { ...base, subRates, ...random.maybe(0.5, () => ({ amount })) };
  }
  return { ...base, amount: random.pick([0.19, 0.19, 0.07, 0]) };
}

export function randomQuantity(random: Choices): number {
  return random.pick([1, 1, 1, 2, 2, 3, 3, 4, 5, 7, 10]);
}

/** Money as drafts have it, in the currency of the cart but for a few. */
export function randomDraftMoney(random: Choices, currency: string): Money {
  return randomMoney(random, random.chance(0.995) ? currency : 'KWD');
}

export function centDraft(random: Choices, currency: string): Money {
  return { currencyCode: currency, centAmount: randomCents(random) };
}

export function randomDetails(
  random: Choices,
  quantity: number,
  shippingKeys: readonly string[],
): ItemShippingDetailsDraft {
  const first = random.below(quantity + 1);
  const missing = random.chance(0.15) ? 1 : 0;
  const quantities = [first, quantity - first - missing].map((share) => Math.max(share, 0));
  const targets = addressKeys.map((addressKey, index) => ({
    addressKey,
    quantity: quantities[index]!,
    ...(shippingKeys.length === 0 ? {} : { shippingMethodKey: shippingKeys[index]! }),
  }));
  const chosen = random.some(
    targets.filter((target) => target.quantity > 0),
    2,
    2,
  );
  // A few have one place twice, and are refused.
  return { targets: random.chance(0.01) ? [...chosen, ...chosen.slice(0, 1)] : chosen };
}

function nextKey(random: Choices): string {
  return `key-${random.below(2 ** 31)}`;
}

export function randomLine(random: Choices, options: ItemOptions & { readonly product: number }): LineItemDraft {
  const { currency, taxMode, shippingKeys, product } = options;
  const quantity = randomQuantity(random);
  const variantId = product === 1 && random.chance(0.4) ? 2 : 1;
  return {
    key: nextKey(random),
    quantity,
    ...(random.chance(0.5)
      ? { sku: `sku-${product}-${variantId}` }
      : { productId: idOf('product', product), variantId }),
    ...random.maybe(0.25, () => ({ distributionChannel: channelOf(random) })),
    ...random.maybe(0.15, () => ({ supplyChannel: channelOf(random) })),
    ...random.maybe(0.15, () => ({ custom: randomItemCustom(random) })),
    ...random.maybe(0.12, () => ({ externalPrice: randomDraftMoney(random, currency) })),
    ...random.maybe(0.06, () => ({ externalTotalPrice: randomTotalPrice(random, currency) })),
    ...(taxMode === 'External' ? randomLineRates(random, shippingKeys) : {}),
    ...(shippingKeys.length > 0 ? { shippingDetails: randomDetails(random, quantity, shippingKeys) } : {}),
  };
}

function randomLineRates(
  random: Choices,
  shippingKeys: readonly string[],
): Pick<LineItemDraft, 'externalTaxRate' | 'perMethodExternalTaxRate'> {
  if (shippingKeys.length === 0) return random.maybe(0.85, () => ({ externalTaxRate: randomTaxRate(random) }));
  const rates = shippingKeys.map((shippingMethodKey) => ({
    shippingMethodKey,
    ...random.maybe(0.9, () => ({ taxRate: randomTaxRate(random) })),
  }));
  return {
    ...random.maybe(0.6, () => ({ perMethodExternalTaxRate: random.chance(0.02) ? [...rates, ...rates] : rates })),
    ...random.maybe(0.2, () => ({ externalTaxRate: randomTaxRate(random) })),
  };
}

export function randomTotalPrice(random: Choices, currency: string): NonNullable<LineItemDraft['externalTotalPrice']> {
  return { price: centDraft(random, currency), totalPrice: centDraft(random, currency) };
}

export function randomCustomLine(
  random: Choices,
  options: ItemOptions & { readonly slug: string },
): CustomLineItemDraft {
  const { currency, taxMode, shippingKeys, slug } = options;
  const quantity = random.pick([1, 1, 2, 3]);
  const isVoucher = slug === 'voucher';
  const money = randomDraftMoney(random, currency);
  return {
    key: nextKey(random),
    name: { en: slug === 'wrap' ? 'Wrapping' : slug },
    slug,
    quantity,
    money: isVoucher ? { currencyCode: currency, centAmount: -random.pick([1, 50, 100]) } : money,
    taxCategory: { typeId: 'tax-category', id: idOf('tax-category', 1 + random.below(2)) },
    ...random.maybe(0.15, () => ({ priceMode: 'External' })),
    ...random.maybe(0.15, () => ({ custom: randomItemCustom(random) })),
    ...(taxMode === 'External' ? random.maybe(0.85, () => ({ externalTaxRate: randomTaxRate(random) })) : {}),
    ...(shippingKeys.length > 0 ? { shippingDetails: randomDetails(random, quantity, shippingKeys) } : {}),
  };
}

export function randomRateInput(random: Choices, { project }: ModelWorld): ShippingRateInputDraft | undefined {
  const type = project.shippingRateInputType?.type;
  if (random.chance(0.3)) return undefined;
  if (random.chance(0.02)) return { type: 'Score', score: 3 };
  if (type === 'CartScore') return { type: 'Score', score: random.pick([0, 1, 2, 3, 4, 10, 20]) };
  if (type === 'CartClassification') return { type: 'Classification', key: random.pick(['small', 'heavy']) };
  return undefined;
}

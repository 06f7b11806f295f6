/** The amounts and moments that random worlds and carts draw from. */
import type { CentPrecisionMoney, TypedMoney } from '@commercetools/platform-sdk';
import { amountMax, centMoney, typedMoney } from './amounts.ts';
import type { Choices } from './random-choices.ts';

export const now = '2026-06-01T00:00:00.000Z';
export const earlier = '2026-05-31T23:59:59.999Z';
export const later = '2026-06-01T00:00:00.001Z';
export const currencies = ['EUR', 'USD', 'JPY'] as const;
export const countries = ['DE', 'AT', 'US'] as const;
export const productCount = 6;
/** Gifts are of this product, which is published in some worlds only. */
export const giftProduct = 6;
/** Its prices stand alone. */
export const standaloneProduct = 4;

export const created = { version: 1, createdAt: earlier, lastModifiedAt: earlier } as const;

export function randomCents(random: Choices): number {
  if (random.chance(0.001)) return Number(amountMax) - random.below(2);
  return random.pick([1, 2, 3, 5, 7, 50, 99, 100, 100, 101, 108, 108, 333, 1000, 1000, 1999]);
}

export function centsIn(random: Choices, currencyCode: string): CentPrecisionMoney {
  return centMoney(currencyCode, BigInt(randomCents(random)));
}

export function randomMoney(random: Choices, currencyCode: string): TypedMoney {
  if (!random.chance(0.12)) return centsIn(random, currencyCode);
  const fractionDigits = 3 + random.below(3);
  const preciseAmount = random.pick([1, 5, 15, 105, 1005, 1015, 12345, 33333, 100_000, 108_450]);
  return typedMoney({ type: 'highPrecision', currencyCode, fractionDigits, preciseAmount });
}

/** From 1 up to the count. */
export function indexes(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}

import { apiError } from '../errors/api-error.ts';
import { centPrecision, type CentPrecisionMoney, roundedCents, type TypedMoney } from '../money/money.ts';

/**
 * `quantity` times a unit price, in the currency's smallest unit. A high-precision price is multiplied exactly and
 * rounded once, half even. Throws MoneyOverflow where the product is no safe integer.
 */
export function multiplyMoney(money: TypedMoney, quantity: number): CentPrecisionMoney {
  const cents =
    money.type === 'centPrecision'
      ? BigInt(money.centAmount) * BigInt(quantity)
      : roundedCents(money.currencyCode, BigInt(money.preciseAmount) * BigInt(quantity), money.fractionDigits);
  return centPrecision(money.currencyCode, safeCents(cents));
}

/** The sum of amounts of one currency, in the form of `like`. Throws MoneyOverflow where it is no safe integer. */
export function addCents(like: CentPrecisionMoney, amounts: readonly CentPrecisionMoney[]): CentPrecisionMoney {
  return { ...like, centAmount: safeCents(amounts.reduce((sum, { centAmount }) => sum + BigInt(centAmount), 0n)) };
}

function safeCents(cents: bigint): number {
  const number = Number(cents);
  if (!Number.isSafeInteger(number))
    throw apiError('MoneyOverflow', `The amount of ${cents} cents is beyond the largest that can be kept exactly.`);
  return number;
}

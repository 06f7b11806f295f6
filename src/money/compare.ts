import type { TypedMoney } from './money.ts';

/** How two amounts of one currency compare, each in its own precision: negative, zero or positive. */
export function compareAmounts(one: TypedMoney, other: TypedMoney): number {
  const digits = Math.max(one.fractionDigits, other.fractionDigits);
  const difference = unitsOf(one, digits) - unitsOf(other, digits);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** The amount in 1/(10^digits) of the currency, of which it has no more digits. */
function unitsOf(value: TypedMoney, digits: number): bigint {
  const amount = value.type === 'highPrecision' ? value.preciseAmount : value.centAmount;
  return BigInt(amount) * 10n ** BigInt(digits - value.fractionDigits);
}

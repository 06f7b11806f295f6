/** Money of the contract's JSON as exact amounts, and back (carts 1). */
import type { CentPrecisionMoney, RoundingMode, TypedMoney } from '@commercetools/platform-sdk';
import { ModelError } from './model-error.ts';
import { multiply, type Rational, rational, round } from './rational.ts';

/** `amount` counts units of 10^-digits of the currency. */
export interface Amount {
  readonly currencyCode: string;
  readonly digits: number;
  readonly isHighPrecision: boolean;
  readonly amount: bigint;
}

/** Money as drafts and read types have it. */
export interface AnyMoney {
  readonly type?: string;
  readonly currencyCode: string;
  readonly centAmount?: number;
  readonly preciseAmount?: number;
  readonly fractionDigits?: number;
}

/** The largest amount that JSON numbers hold exactly; beyond it MoneyOverflow (1.1). */
export const amountMax = 2n ** 53n - 1n;

const digitsOfCurrencies = new Map([
  ['EUR', 2],
  ['USD', 2],
  ['JPY', 0],
  ['KWD', 3],
]);

function currencyDigits(currencyCode: string): number {
  return digitsOfCurrencies.get(currencyCode) ?? 2;
}

export function amountOf(money: AnyMoney): Amount {
  const { currencyCode, preciseAmount, fractionDigits } = money;
  if (money.type === 'highPrecision' && preciseAmount !== undefined && fractionDigits !== undefined)
    return { currencyCode, digits: fractionDigits, isHighPrecision: true, amount: BigInt(preciseAmount) };
  const amount = BigInt(money.centAmount ?? 0);
  return { currencyCode, digits: currencyDigits(currencyCode), isHighPrecision: false, amount };
}

/** How many cents an amount is, exactly. */
export function centsOf({ currencyCode, digits, amount }: Amount): Rational {
  return rational(amount, 10n ** BigInt(digits - currencyDigits(currencyCode)));
}

/** So many cents in the amount's own digits, exactly. */
export function inDigitsOf({ currencyCode, digits }: Amount, cents: Rational): Rational {
  return multiply(cents, rational(10n ** BigInt(digits - currencyDigits(currencyCode))));
}

export function withAmount(like: Amount, amount: bigint): Amount {
  return { ...like, amount };
}

export function moneyOf(value: Amount, mode: RoundingMode): TypedMoney {
  if (!value.isHighPrecision) return centMoney(value.currencyCode, value.amount);
  return {
    type: 'highPrecision',
    currencyCode: value.currencyCode,
    centAmount: checked(round(centsOf(value), mode)),
    fractionDigits: value.digits,
    preciseAmount: checked(value.amount),
  };
}

export function centMoney(currencyCode: string, cents: bigint): CentPrecisionMoney {
  return {
    type: 'centPrecision',
    currencyCode,
    centAmount: checked(cents),
    fractionDigits: currencyDigits(currencyCode),
  };
}

/** What a client gave, as it is shown. */
export function typedMoney(money: AnyMoney): TypedMoney {
  const given = money.centAmount;
  const typed = moneyOf(amountOf(money), 'HalfEven');
  return given === undefined ? typed : { ...typed, centAmount: given };
}

/** Cents of money that is in cent precision, such as totals. */
export function cents(money: { readonly centAmount: number }): bigint {
  return BigInt(money.centAmount);
}

export function sum(values: readonly bigint[]): bigint {
  return values.reduce((total, value) => total + value, 0n);
}

function checked(amount: bigint): number {
  if (amount > amountMax || amount < -amountMax) throw new ModelError('MoneyOverflow');
  return Number(amount);
}

import { fractionDigitsOf } from './currency.ts';
import { divideRounded, type RoundingMode } from './rounding.ts';

/** An amount in the currency's smallest unit (specification 2.3). */
export interface CentPrecisionMoney {
  type: 'centPrecision';
  currencyCode: string;
  centAmount: number;
  fractionDigits: number;
}

/** An amount in 1/(10^fractionDigits) of the currency; `centAmount` is its rounding, half even. */
export interface HighPrecisionMoney {
  type: 'highPrecision';
  currencyCode: string;
  centAmount: number;
  preciseAmount: number;
  fractionDigits: number;
}

export type TypedMoney = CentPrecisionMoney | HighPrecisionMoney;

export function centPrecision(currencyCode: string, centAmount: number): CentPrecisionMoney {
  return { type: 'centPrecision', currencyCode, centAmount, fractionDigits: knownDigits(currencyCode) };
}

export function highPrecision(currencyCode: string, preciseAmount: number, fractionDigits: number): HighPrecisionMoney {
  // Rounding to fewer digits never makes the amount larger than it was, so it stays a safe integer.
  const centAmount = Number(roundedCents(currencyCode, BigInt(preciseAmount), fractionDigits));
  return { type: 'highPrecision', currencyCode, centAmount, preciseAmount, fractionDigits };
}

/** Whether a client's `centAmount` is a correct rounding of the precise one: no neighbor is nearer. Of a tie both are. */
export function isRoundingOf(
  centAmount: number,
  { currencyCode, preciseAmount, fractionDigits }: Omit<HighPrecisionMoney, 'type' | 'centAmount'>,
): boolean {
  const unit = 10n ** BigInt(fractionDigits - knownDigits(currencyCode));
  const difference = BigInt(centAmount) * unit - BigInt(preciseAmount);
  return 2n * (difference < 0n ? -difference : difference) <= unit;
}

/** `amount` in 1/(10^fractionDigits) of the currency, in its smallest unit. */
export function roundedCents(
  currencyCode: string,
  amount: bigint,
  fractionDigits: number,
  mode: RoundingMode = 'HalfEven',
): bigint {
  return divideRounded(amount, 10n ** BigInt(fractionDigits - knownDigits(currencyCode)), mode);
}

function knownDigits(currencyCode: string): number {
  const digits = fractionDigitsOf(currencyCode);
  if (digits === undefined) throw new Error(`'${currencyCode}' is no currency; it should have been refused before`);
  return digits;
}

/** What a product discount makes of an amount. */
import type { Fixed } from '../../engine/document.ts';
import { centPrecision, type CentPrecisionMoney, highPrecision, type TypedMoney } from '../../money/money.ts';
import { divideRounded } from '../../money/rounding.ts';
import type { ProductDiscount } from './fields.ts';

/** What is to be paid with a discount; undefined where it says nothing of such a price. */
export function discountedValue(
  value: TypedMoney,
  { value: off }: Pick<Fixed<ProductDiscount>, 'value'>,
): TypedMoney | undefined {
  switch (off.type) {
    case 'relative':
      // The members are those of the form.
      return reduced(value, off['permyriad'] as number);
    case 'absolute': {
      const amounts = off['money'] as readonly CentPrecisionMoney[];
      const amount = amounts.find(({ currencyCode }) => currencyCode === value.currencyCode);
      return amount && less(value, amount);
    }
    default:
      return undefined;
  }
}

const wholePermyriad = 10_000n;

/** Half down, in the precision of the price: half of 101 cents is 50. */
function reduced(value: TypedMoney, permyriad: number): TypedMoney {
  const share = wholePermyriad - BigInt(permyriad);
  return withUnits(value, divideRounded(unitsOf(value) * share, wholePermyriad, 'HalfDown'));
}

function less(value: TypedMoney, amount: CentPrecisionMoney): TypedMoney {
  const unit = 10n ** BigInt(value.fractionDigits - amount.fractionDigits);
  const units = unitsOf(value) - BigInt(amount.centAmount) * unit;
  return withUnits(value, units < 0n ? 0n : units);
}

/** An integer of 1/(10^fractionDigits) of the currency. */
export function unitsOf(value: TypedMoney): bigint {
  return BigInt(value.type === 'highPrecision' ? value.preciseAmount : value.centAmount);
}

/** Another amount of as many units; cents of a high-precision one are rounded half even. */
function withUnits({ type, currencyCode, fractionDigits }: TypedMoney, units: bigint): TypedMoney {
  return type === 'highPrecision'
    ? highPrecision(currencyCode, Number(units), fractionDigits)
    : centPrecision(currencyCode, Number(units));
}

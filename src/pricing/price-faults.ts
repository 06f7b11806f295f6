/** What has to hold between the members of a price, of those in products and those that stand alone. */
import { isInOrder, type Validity } from './price-scope.ts';

interface Amount {
  readonly value: { readonly currencyCode: string };
}

/** A price as far as its members say something together. */
export interface JointPrice extends Amount, Validity {
  readonly tiers?: readonly (Amount & { readonly minimumQuantity: number })[];
  readonly discounted?: Amount;
  readonly staged?: Amount;
}

export interface PriceFault {
  /** The path within the price. */
  readonly field: string;
  readonly value: unknown;
  /** Completes the sentence "… is expected". */
  readonly expected: string;
}

/** Its validity has a moment, its tiers begin at different quantities, and its amounts are in one currency (catalog 25d). */
export function faultsOf(price: JointPrice): readonly PriceFault[] {
  const { value, validFrom, validUntil, tiers = [], discounted, staged } = price;
  const faults: PriceFault[] = [];
  const requireCurrency = (name: string, amount: Amount | undefined): void => {
    if (amount === undefined || amount.value.currencyCode === value.currencyCode) return;
    const expected = `the currency of the price, ${value.currencyCode},`;
    faults.push({ field: `${name}.value.currencyCode`, value: amount.value.currencyCode, expected });
  };
  if (!isInOrder(price))
    faults.push({ field: 'validUntil', value: validUntil, expected: `a moment after validFrom, ${validFrom},` });
  const quantities = new Set<number>();
  for (const [index, tier] of tiers.entries()) {
    const { minimumQuantity } = tier;
    requireCurrency(`tiers[${index}]`, tier);
    if (quantities.has(minimumQuantity)) {
      const expected = 'a quantity that no other tier has';
      faults.push({ field: `tiers[${index}].minimumQuantity`, value: minimumQuantity, expected });
    }
    quantities.add(minimumQuantity);
  }
  requireCurrency('discounted', discounted);
  requireCurrency('staged', staged);
  return faults;
}

/** The taxes of a cart's items: as a whole, or by the shipping methods that take their units (carts 7, 8.8). */
import { apiError } from '../../errors/api-error.ts';
import type { RoundingMode } from '../../money/rounding.ts';
import { shareOut } from '../../money/share-out.ts';
import { portionsOf, sumOfTaxed, type Taxed, taxedTotal, taxedUnits, type TaxRate } from './taxes.ts';
import type { Part } from './units.ts';

/** What a client says of the taxes of something (carts 7.8). */
export interface GivenTaxes {
  /** What it cost when that was said first; undefined for what is said just now. */
  readonly net?: number;
  readonly gross: number;
  readonly rate?: TaxRate;
}

export interface ItemMethod {
  readonly shippingKey: string;
  readonly quantity: number;
  readonly taxRate?: TaxRate;
  readonly taxed?: GivenTaxes;
}

/** What the taxes of an item depend on. */
export interface Taxable {
  /** In cents. */
  readonly total: number;
  /** Its units, whose prices have so many digits after the point. */
  readonly parts: readonly Part[];
  readonly fractionDigits: number;
  readonly of: {
    readonly quantity: number;
    /** That the client gave. */
    readonly total?: number;
    readonly taxRate?: TaxRate;
    readonly methods?: readonly ItemMethod[];
    readonly taxed?: GivenTaxes;
  };
}

export interface ItemTaxes {
  taxed?: Taxed | undefined;
  /** In the order of the item's methods. */
  taxedByMethod?: readonly (Taxed | undefined)[];
}

/** How a cart taxes its items. */
export interface Taxation {
  readonly currency: { readonly fractionDigits: number };
  readonly taxRounding: RoundingMode;
  readonly taxCalculation: 'LineItemLevel' | 'UnitPriceLevel';
}

export function itemTaxes(item: Taxable, cart: Taxation): ItemTaxes {
  const { methods } = item.of;
  return methods === undefined ? { taxed: taxesOf(item, item.of, cart) } : taxesByMethods(item, methods, cart);
}

function taxesOf(
  item: Taxable,
  { taxRate, taxed }: Pick<ItemMethod, 'taxRate' | 'taxed'>,
  cart: Taxation,
): Taxed | undefined {
  return taxRate === undefined ? givenTaxes(taxed, item.total) : taxedItem(item, taxRate, cart);
}

/**
 * Taxes that a client gave hold for the total that there was (carts 7.8). Throws InvalidField for those of just now that
 * would be taxes below zero.
 */
export function givenTaxes(taxes: GivenTaxes | undefined, total: number): Taxed | undefined {
  if (taxes === undefined || (taxes.net !== undefined && taxes.net !== total)) return undefined;
  const { net, gross, rate } = taxes;
  if (net === undefined) requireTaxed(total, gross, 'externalTaxAmount.totalGross');
  return { net: total, gross, portions: rate === undefined ? [] : portionsOf(gross - total, rate) };
}

/** What costs less than nothing is taxed so, too. */
export function requireTaxed(net: number, gross: number, field: string): void {
  if (net < 0 ? gross <= net : gross >= net) return;
  throw apiError(
    'InvalidField',
    `The field '${field}' is ${gross} cents, but with taxes it cannot be ${net < 0 ? 'more' : 'less'} than the net of ${net} cents.`,
    { field, invalidValue: gross },
  );
}

/** A total that the client gave has no prices of units that would make it. */
function taxedItem({ of, parts, total, fractionDigits }: Taxable, rate: TaxRate, cart: Taxation): Taxed {
  const isByUnit = cart.taxCalculation === 'UnitPriceLevel' && of.total === undefined;
  if (!isByUnit) return taxedTotal(total, rate, cart.taxRounding);
  const moreDigits = fractionDigits - cart.currency.fractionDigits;
  return taxedUnits(total, parts, { rate, rounding: cart.taxRounding, moreDigits });
}

/**
 * The units of the item go to the methods in their order, and what each takes is taxed with the rate of the place that it
 * goes to, or as the client says; all together where all goes somewhere, and no more than there is.
 */
function taxesByMethods(item: Taxable, methods: readonly ItemMethod[], cart: Taxation): ItemTaxes {
  const { of, total } = item;
  const quantities = methods.map(({ quantity }) => quantity);
  const dealt = [...deal(item.parts, quantities)];
  // Of a total that the client gave each unit has the same part.
  const weightOf = (parts: readonly Part[]): bigint =>
    parts.reduce(
      (sum, { quantity, price }) => sum + BigInt(quantity) * (of.total === undefined ? BigInt(price) : 1n),
      0n,
    );
  const totals = shareOut(total, dealt.map(weightOf));
  const taxedByMethod = methods.map((method, index) =>
    taxesOf({ ...item, parts: dealt[index]!, total: totals[index]! }, method, cart),
  );
  const known = taxedByMethod.filter((taxed) => taxed !== undefined);
  const isComplete = quantities.reduce((sum, quantity) => sum + quantity, 0) === of.quantity;
  return {
    taxedByMethod,
    taxed: isComplete && known.length === methods.length ? sumOfTaxed(known) : undefined,
  };
}

/** So many units to each, from the first on, as long as there are some; those that are left come last. */
function deal(parts: readonly Part[], quantities: readonly number[]): readonly (readonly Part[])[] {
  let rest = parts;
  const dealt = quantities.map((wanted) => {
    let left = wanted;
    const taken: Part[] = [];
    const kept: Part[] = [];
    for (const part of rest) {
      const quantity = Math.min(part.quantity, left);
      left -= quantity;
      if (quantity > 0) taken.push({ ...part, quantity });
      if (quantity < part.quantity) kept.push({ ...part, quantity: part.quantity - quantity });
    }
    rest = kept;
    return taken;
  });
  return [...dealt, rest];
}

/** What the values of cart discounts take off units: each by itself, or an amount that is spread over them. */
import { ratio, scale, type Ratio } from '../../money/ratio.ts';
import { divideRounded, type RoundingMode } from '../../money/rounding.ts';
import type { TypedMoney } from '../../money/money.ts';
import { type Allotment, type Share, spreadByPrice, spreadEvenly, totalOf } from './spread.ts';
import { partOf, type Picked, type Reduction } from './units.ts';

export type ApplicationMode = 'ProportionateDistribution' | 'EvenDistribution' | 'IndividualApplication';

/** What a discount takes off prices; it does nothing to a cart in whose currency it has no amount (carts 5.21). */
export type PriceValue =
  | { readonly type: 'relative'; readonly rest: Ratio; readonly mode: ApplicationMode }
  | { readonly type: 'absolute'; readonly money: ReadonlyMap<string, number>; readonly mode: ApplicationMode }
  | { readonly type: 'fixed'; readonly money: ReadonlyMap<string, TypedMoney>; readonly mode: ApplicationMode };

const wholePermyriad = 10_000n;

/** What is left of a price. */
export function restOf(permyriad: number): Ratio {
  return ratio(wholePermyriad - BigInt(permyriad), wholePermyriad);
}

/** What amounts of the cart are counted in. */
export interface Currency {
  readonly currencyCode: string;
  readonly fractionDigits: number;
  /** For discounts and line totals: the cart's `priceRoundingMode`. */
  readonly rounding: RoundingMode;
}

/** Whether the value says anything of prices in the currency. */
export function isInCurrency(value: PriceValue, { currencyCode }: Currency): boolean {
  return value.type === 'relative' || value.money.has(currencyCode);
}

/** Units that a value applies to, and those over which an amount is spread, in the order of the cart. */
export interface Affected {
  readonly targets: readonly Picked[];
  readonly spreadOver: readonly Picked[];
}

/** What the units lose. A pattern gives the units of one occurrence; other targets all units that match. */
export function reductionsOf(value: PriceValue, affected: Affected, currency: Currency): readonly Reduction[] {
  if (value.mode === 'IndividualApplication')
    return affected.targets.map((picked) => ({ ...picked, amount: lossOf(value, picked, currency) }));
  const targeted = affected.targets.filter(costs);
  const { shares: targets, perCent } = sharesOf(targeted, currency);
  const cents = spreadCents(value, { targets, perCent }, currency);
  const over = value.type === 'relative' ? affected.spreadOver.filter(costs) : targeted;
  const { shares, perCent: fine } = sharesOf(over, currency);
  const spread = value.mode === 'EvenDistribution' ? spreadEvenly : spreadByPrice;
  return inUnits(over, spread({ cents, shares, perCent: fine }), currency);
}

/** What is free, or given with money, loses nothing. */
function costs(picked: Picked): boolean {
  return partOf(picked).price > 0;
}

/** What one unit loses by itself. */
function lossOf(value: PriceValue, picked: Picked, { currencyCode, fractionDigits, rounding }: Currency): number {
  const { price } = partOf(picked);
  if (price <= 0) return 0;
  switch (value.type) {
    case 'relative':
      return price - scale(price, value.rest, rounding);
    case 'absolute':
      return Math.min(
        price,
        inDigits(BigInt(value.money.get(currencyCode)!), picked.item.fractionDigits - fractionDigits),
      );
    case 'fixed':
      return Math.max(0, price - unitsInDigits(value.money.get(currencyCode)!, picked.item.fractionDigits, rounding));
  }
}

/** What an amount in cents loses, such as what shipping costs, or the total of a cart (carts 5.17, 5.18). */
export function lossOfAmount(value: PriceValue, cents: number, { currencyCode, rounding }: Currency): number {
  if (cents <= 0) return 0;
  switch (value.type) {
    case 'relative':
      return cents - scale(cents, value.rest, rounding);
    case 'absolute':
      return Math.min(cents, value.money.get(currencyCode) ?? 0);
    case 'fixed':
      return 0;
  }
}

/** Past what a price can be, it is any amount that is larger. */
function inDigits(cents: bigint, moreDigits: number): number {
  return Number(cents * 10n ** BigInt(moreDigits));
}

/** An amount in 1/(10^digits) of its currency. */
function unitsInDigits(money: TypedMoney, digits: number, rounding: RoundingMode): number {
  const units = unitsOf(money);
  const more = digits - money.fractionDigits;
  return Number(more >= 0 ? units * 10n ** BigInt(more) : divideRounded(units, 10n ** BigInt(-more), rounding));
}

function unitsOf(money: TypedMoney): bigint {
  return BigInt(money.type === 'highPrecision' ? money.preciseAmount : money.centAmount);
}

/** The amount that is spread, in whole cents, at most what the targets cost (carts 5.10, 5.12 and 5.16). */
function spreadCents(
  value: PriceValue,
  { targets, perCent }: { readonly targets: readonly Share[]; readonly perCent: bigint },
  { currencyCode, fractionDigits, rounding }: Currency,
): bigint {
  const cost = totalOf(targets);
  switch (value.type) {
    case 'relative': {
      const { numerator, denominator } = value.rest;
      const rest = divideRounded(cost * numerator, denominator * perCent, rounding);
      return wholeCents(cost - rest * perCent, perCent);
    }
    case 'absolute': {
      const cents = BigInt(value.money.get(currencyCode)!);
      const all = wholeCents(cost, perCent);
      return cents < all ? cents : all;
    }
    case 'fixed': {
      const money = value.money.get(currencyCode)!;
      const perUnit = 10n ** BigInt(money.fractionDigits - fractionDigits);
      return wholeCents(cost * perUnit - unitsOf(money) * perCent, perCent * perUnit);
    }
  }
}

function wholeCents(units: bigint, perCent: bigint): bigint {
  return units > 0n ? units / perCent : 0n;
}

function sharesOf(
  picked: readonly Picked[],
  { fractionDigits }: Currency,
): { readonly shares: readonly Share[]; readonly perCent: bigint } {
  const digits = picked.reduce((most, { item }) => Math.max(most, item.fractionDigits), fractionDigits);
  const shares = picked.map((each) => ({
    quantity: each.quantity,
    price: BigInt(partOf(each).price) * 10n ** BigInt(digits - each.item.fractionDigits),
  }));
  return { shares, perCent: 10n ** BigInt(digits - fractionDigits) };
}

function inUnits(
  picked: readonly Picked[],
  allotments: readonly (readonly Allotment[])[],
  { fractionDigits }: Currency,
): readonly Reduction[] {
  return picked.flatMap(({ item, part }, index) =>
    allotments[index]!.map(({ quantity, cents }) => ({
      item,
      part,
      quantity,
      amount: inDigits(BigInt(cents), item.fractionDigits - fractionDigits),
    })),
  );
}

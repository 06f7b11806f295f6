/** What product discounts offer to prices: the one that holds for a price, and what it makes of it. No I/O here. */
import type { Fixed } from '../../engine/document.ts';
import { centPrecision, type CentPrecisionMoney, highPrecision, type TypedMoney } from '../../money/money.ts';
import { divideHalfDown } from '../../money/rounding.ts';
import { compilePredicate } from '../../predicate/compile.ts';
import type { ProductDiscount } from './fields.ts';
import { parseProductPredicate } from './predicate.ts';
import type { DiscountedPrice, Named, PriceSubject } from './subject.ts';

export { isSaid, requireTaken, sayExternal } from './external.ts';
export { type PriceSubject, subjectOf, variantAt } from './subject.ts';

type Discount = Fixed<ProductDiscount>;

/**
 * The discounted price of the one discount that holds: among those that are active, valid now, match and fit the price, it
 * is the one with the highest sort order. What a client said of an external discount goes before all others. Undefined
 * where none holds.
 */
export function discountFor(
  subject: PriceSubject,
  discounts: readonly Discount[],
  now: string,
): DiscountedPrice | undefined {
  const { price } = subject;
  const facts = factsOf(subject);
  const holds = (discount: Discount): boolean => isInForce(discount, now) && matcherOf(discount)(facts);
  const given = price.discounted;
  for (const discount of inOrder(discounts)) {
    if (discount.id === given?.discount.id && discount.value.type === 'external' && holds(discount)) return given;
  }
  for (const discount of inOrder(discounts)) {
    const value = discountedValue(price.value, discount);
    if (value !== undefined && holds(discount))
      return { value, discount: { typeId: 'product-discount', id: discount.id } };
  }
  return undefined;
}

/** The next moment at which one of the active discounts begins or ends. */
export function nextBorder(discounts: readonly Discount[], now: string): string | undefined {
  const borders = discounts.flatMap(({ isActive, validFrom, validUntil }) => (isActive ? [validFrom, validUntil] : []));
  const ahead = borders.filter((border): border is string => border !== undefined && border > now);
  return ahead.toSorted((one, other) => (one < other ? -1 : 1))[0];
}

/** Bounds are half open, as those of prices: the discount holds at its first moment and not at its last. */
function isInForce({ isActive, validFrom, validUntil }: Discount, now: string): boolean {
  return isActive && (validFrom === undefined || validFrom <= now) && (validUntil === undefined || now < validUntil);
}

/** Parsing takes longer than matching by far, and the documents are kept while they do not change. */
const matchers = new WeakMap<Discount, (facts: unknown) => boolean>();

function matcherOf(discount: Discount): (facts: unknown) => boolean {
  let matches = matchers.get(discount);
  if (matches === undefined) {
    matches = compilePredicate(parseProductPredicate(discount.predicate));
    matchers.set(discount, matches);
  }
  return matches;
}

const orders = new WeakMap<readonly Discount[], readonly Discount[]>();

/** The highest sort order first: as texts they compare like the decimals, none of which ends in 0. */
function inOrder(discounts: readonly Discount[]): readonly Discount[] {
  let ordered = orders.get(discounts);
  if (ordered === undefined) {
    ordered = discounts.toSorted((one, other) => (one.sortOrder < other.sortOrder ? 1 : -1));
    orders.set(discounts, ordered);
  }
  return ordered;
}

/** What is to be paid with a discount; undefined where it says nothing of such a price. */
export function discountedValue(value: TypedMoney, { value: off }: Pick<Discount, 'value'>): TypedMoney | undefined {
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
  return withUnits(value, divideHalfDown(unitsOf(value) * share, wholePermyriad));
}

function less(value: TypedMoney, amount: CentPrecisionMoney): TypedMoney {
  const unit = 10n ** BigInt(value.fractionDigits - amount.fractionDigits);
  const units = unitsOf(value) - BigInt(amount.centAmount) * unit;
  return withUnits(value, units < 0n ? 0n : units);
}

function unitsOf(value: TypedMoney): bigint {
  return BigInt(value.type === 'highPrecision' ? value.preciseAmount : value.centAmount);
}

/** Another amount of as many units; cents of a high-precision one are rounded half even. */
function withUnits({ type, currencyCode, fractionDigits }: TypedMoney, units: bigint): TypedMoney {
  return type === 'highPrecision'
    ? highPrecision(currencyCode, Number(units), fractionDigits)
    : centPrecision(currencyCode, Number(units));
}

/** The object that predicates speak of. What is absent has no member. */
function factsOf({ product, productType, variant, price, categories, ancestors }: PriceSubject): object {
  const { value, country, customerGroup, channel } = price;
  const ofPrice = {
    amount: Number(unitsOf(value)) / 10 ** value.fractionDigits,
    centAmount: value.centAmount,
    currency: value.currencyCode,
    country,
    customerGroup,
    channel,
  };
  return {
    product,
    productType,
    variant: { id: variant.id, key: variant.key },
    variantId: variant.id,
    sku: variant.sku,
    attributes: Object.fromEntries(variant.attributes.map(({ name, value }) => [name, value])),
    price: { ...value, ...ofPrice },
    ...ofPrice,
    categories: together(categories),
    categoriesWithAncestors: together([...categories, ...ancestors]),
  };
}

/** Undefined for none, of which predicates say that it is empty. */
function together(resources: readonly Named[]): object | undefined {
  if (resources.length === 0) return undefined;
  const keys = resources.flatMap(({ key }) => key ?? []);
  return { id: resources.map(({ id }) => id), ...(keys.length > 0 && { key: keys }) };
}

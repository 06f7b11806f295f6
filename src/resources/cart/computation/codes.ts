/** Discount codes of a cart: which of them bring their discounts, and the state in which each is (carts 6). */
import { apiError, type ErrorElement, throwAll } from '../../../errors/api-error.ts';
import type { Fixed } from '../../../engine/document.ts';
import type { Outcome } from '../../../pricing/cart/discounts.ts';
import { isForStore } from '../../../pricing/stores.ts';
import type { CartDiscount } from '../../cart-discount/fields.ts';
import type { DiscountCode } from '../../discount-code/fields.ts';
import { invalidOperation } from '../../../engine/actions.ts';
import { addedCodeName, codeOfFrozenName } from '../actions/discounts.ts';
import type { Cart } from '../fields.ts';
import { isInForce } from './discounts.ts';
import type { Gathered } from './gathered.ts';
import type { Holds } from './holding.ts';

export type CodeState = Cart['discountCodes'][number]['state'];

/** A code of the cart with the discounts that it brings. */
export interface CartCode {
  readonly code: Fixed<DiscountCode>;
  readonly discounts: readonly Fixed<CartDiscount>[];
  /** The state as far as it is known before discounts are applied; undefined for one whose discounts are. */
  readonly refused: CodeState | undefined;
}

/** A code of the cart, of which nobody has said yet whether it is refused. */
export type SetCode = Omit<CartCode, 'refused'>;

export interface CodeSources {
  codeOf(id: string): Fixed<DiscountCode> | undefined;
  discountOf(id: string): Fixed<CartDiscount> | undefined;
}

/** The codes of the cart, of which those that have gone are not there. */
export function codesOf({ discountCodes }: Fixed<Cart>, { codeOf, discountOf }: CodeSources): readonly SetCode[] {
  return discountCodes.flatMap(({ discountCode }) => {
    const code = codeOf(discountCode.id);
    if (code === undefined) return [];
    return [{ code, discounts: code.cartDiscounts.flatMap(({ id }) => discountOf(id) ?? []) }];
  });
}

/** All that may be asked about before it is known whether the code is refused. */
export function predicatesOfCode({ code: { cartPredicate }, discounts }: SetCode): readonly string[] {
  const ofDiscounts = discounts.map((discount) => discount.cartPredicate);
  return cartPredicate === undefined ? ofDiscounts : [cartPredicate, ...ofDiscounts];
}

interface Judging {
  readonly cart: Fixed<Cart>;
  readonly now: string;
  readonly holds: Holds;
  /** How often the customer of the cart has used codes, by their ids. */
  readonly uses: Gathered['codeUses'];
}

export function judgedCode(set: SetCode, judging: Judging): CartCode {
  return { ...set, refused: refusalOf(set, judging) };
}

/** The first that holds (carts 6.3). */
function refusalOf({ code, discounts }: SetCode, { cart, now, holds, uses }: Judging): CodeState | undefined {
  const active = discounts.filter(({ isActive }) => isActive);
  if (!code.isActive || active.length === 0) return 'NotActive';
  const inForce = active.filter((discount) => isInForce(discount, now));
  if (!isWithin(code, now) || inForce.length === 0) return 'NotValid';
  if (isUsedUp(code, uses.get(code.id) ?? 0)) return 'MaxApplicationReached';
  const isMatching = code.cartPredicate === undefined || holds(code.cartPredicate);
  if (!isForStore(code.stores, cart.store) || !isMatching) return 'DoesNotMatchCart';
  const fitting = inForce.filter(({ stores, cartPredicate }) => isForStore(stores, cart.store) && holds(cartPredicate));
  return fitting.length === 0 ? 'DoesNotMatchCart' : undefined;
}

/** Nobody, or not the customer who has used it so often, can use it once more. Uses are counted when carts are ordered. */
function isUsedUp(
  { maxApplications = Infinity, maxApplicationsPerCustomer = Infinity, applicationCount = 0 }: Fixed<DiscountCode>,
  uses: number,
): boolean {
  return applicationCount >= maxApplications || uses >= maxApplicationsPerCustomer;
}

function isWithin({ validFrom, validUntil }: Fixed<DiscountCode>, now: string): boolean {
  return isInForce({ isActive: true, ...(validFrom && { validFrom }), ...(validUntil && { validUntil }) }, now);
}

/** The state of a code when it is known what became of its discounts. */
export function stateOf({ discounts, refused }: CartCode, outcomes: ReadonlyMap<string, Outcome>): CodeState {
  if (refused !== undefined) return refused;
  const known = discounts.flatMap(({ id }) => outcomes.get(id) ?? []);
  const matching = known.filter((outcome) => outcome !== 'doesNotMatchCart');
  if (matching.length > 0 && matching.every((outcome) => outcome === 'stopped'))
    return 'ApplicationStoppedByPreviousDiscount';
  if (matching.length > 0 && matching.every((outcome) => outcome === 'worseThanOthersOfGroup'))
    return 'ApplicationStoppedByGroupBestDeal';
  return 'MatchesCart';
}

/**
 * Throws DiscountCodeNonApplicable for codes that a request has added and that nobody can use (carts 6.1), and
 * InvalidOperation for those that would change a cart that was frozen (carts 6.6).
 */
export function requireUsable(
  codes: readonly CartCode[],
  { cart, now, said }: Pick<Judging, 'cart' | 'now'> & { readonly said: ReadonlySet<string> },
): void {
  const errors = codes
    .filter(({ code }) => said.has(addedCodeName(code.id)))
    .flatMap((each) => faultOf(each, { cart, now }) ?? []);
  throwAll(errors);
  for (const { code, refused } of codes)
    if (said.has(codeOfFrozenName(code.id)) && refused !== 'DoesNotMatchCart')
      throw invalidOperation(`The cart is frozen, so the discount code '${code.code}' may not change it.`);
}

/** Of a code that is not valid at the moment; undefined for another. */
export function timeFault(code: Fixed<DiscountCode>, now: string): ErrorElement | undefined {
  if (isWithin(code, now)) return undefined;
  const { id, validFrom, validUntil } = code;
  return apiError('DiscountCodeNonApplicable', `The discount code '${code.code}' is not valid at this time.`, {
    discountCode: code.code,
    reason: 'TimeRangeNonApplicable',
    discountCodeId: id,
    // The contract has it once more under this name.
    dicountCodeId: id,
    ...(validFrom !== undefined && { validFrom }),
    ...(validUntil !== undefined && { validUntil }),
    validityCheckTime: now,
  }).errors[0];
}

function faultOf(
  { code, discounts }: CartCode,
  { cart, now }: Pick<Judging, 'cart' | 'now'>,
): ErrorElement | undefined {
  const named = { discountCode: code.code };
  const late = timeFault(code, now);
  if (late !== undefined) return late;
  const isUsable = discounts.some((discount) => isInForce(discount, now));
  if (isUsable && discounts.some(({ stores }) => isForStore(stores, cart.store))) return undefined;
  return apiError(
    'DiscountCodeNonApplicable',
    `No discount of the code '${code.code}' can be applied to this cart.`,
    named,
  ).errors[0];
}

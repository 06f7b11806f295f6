/** Section 6: the states of discount codes. */
import type { CartDiscount, DiscountCodeState } from '@commercetools/platform-sdk';
import { isInTime, isMatching, isOfStore, type Run } from './cart-discounts.ts';
import type { ModelCart, ModelWorld, Request, StoreCode } from './cart-shapes.ts';
import { refuseIf } from './model-error.ts';
import { cartPredicate } from './predicates.ts';

function discountsOf(world: ModelWorld, { cartDiscounts }: StoreCode): readonly CartDiscount[] {
  const isOff = ({ discountGroup }: CartDiscount): boolean =>
    world.discountGroups.some(({ id, isActive }) => id === discountGroup?.id && !isActive);
  return world.cartDiscounts
    .filter((discount) => cartDiscounts.some(({ id }) => id === discount.id))
    .map((discount) => ({ ...discount, isActive: discount.isActive && !isOff(discount) }));
}

/** What keeps a code from bringing its discounts; undefined where it is usable (6.3, the first four states). */
function stateBefore(world: ModelWorld, view: ModelCart, code: StoreCode): DiscountCodeState | undefined {
  const active = discountsOf(world, code).filter(({ isActive }) => isActive);
  if (!code.isActive || active.length === 0) return 'NotActive';
  const usable = active.filter((discount) => isInTime(world, discount));
  if (!isInTime(world, code) || usable.length === 0) return 'NotValid';
  // 6.4
  const uses = world.codeUses.filter(({ discountCode }) => discountCode === code.id);
  const own = uses.filter(({ customer }) => customer === view.customerId);
  if (code.maxApplications !== undefined && uses.length >= code.maxApplications) return 'MaxApplicationReached';
  if (view.customerId !== undefined && own.length >= (code.maxApplicationsPerCustomer ?? Number.POSITIVE_INFINITY))
    return 'MaxApplicationReached';
  const isOwnMatch =
    isOfStore(view, code.stores) &&
    (code.cartPredicate === undefined || cartPredicate(code.cartPredicate)(view, world));
  if (!isOwnMatch || !usable.some((discount) => isMatching(view, discount, world))) return 'DoesNotMatchCart';
  return undefined;
}

function codesOf(world: ModelWorld, cart: ModelCart): readonly StoreCode[] {
  return cart.discountCodes.flatMap(({ discountCode }) =>
    world.discountCodes.filter(({ id }) => id === discountCode.id),
  );
}

/** Codes of the cart that bring their discounts. */
export function usableCodes(world: ModelWorld, cart: ModelCart, view: ModelCart): readonly StoreCode[] {
  return codesOf(world, cart).filter((code) => stateBefore(world, view, code) === undefined);
}

/** Sets the states of all codes after the discounts have run (6.3). */
export function setCodeStates(run: Run, view: ModelCart): void {
  const { cart, world } = run;
  cart.discountCodes = cart.discountCodes.map((info) => {
    const code = world.discountCodes.find(({ id }) => id === info.discountCode.id);
    return code === undefined ? info : { ...info, state: stateOf(run, view, code) };
  });
}

function stateOf(run: Run, view: ModelCart, code: StoreCode): DiscountCodeState {
  const { world } = run;
  const before = stateBefore(world, view, code);
  if (before !== undefined) return before;
  const matching = discountsOf(world, code).filter(
    (discount) => discount.isActive && isInTime(world, discount) && isMatching(view, discount, world),
  );
  if (matching.every(({ id }) => run.dropped.has(id))) return 'ApplicationStoppedByPreviousDiscount';
  if (matching.every(({ id }) => run.beaten.has(id))) return 'ApplicationStoppedByGroupBestDeal';
  return 'MatchesCart';
}

/** Judges the codes that a request added (6.1, 6.6). */
export function checkNewCodes(world: ModelWorld, view: ModelCart, { newCodes }: Request): void {
  for (const { code: text, isFrozen } of newCodes) {
    const code = world.discountCodes.find((candidate) => candidate.code === text);
    refuseIf(code === undefined || !isAddable(world, view, code), 'DiscountCodeNonApplicable');
    if (code !== undefined && isFrozen)
      refuseIf(stateBefore(world, view, code) !== 'DoesNotMatchCart', 'InvalidOperation');
  }
}

// 6.1
function isAddable(world: ModelWorld, view: ModelCart, code: StoreCode): boolean {
  const discounts = discountsOf(world, code);
  return (
    isInTime(world, code) &&
    discounts.some((discount) => discount.isActive && isInTime(world, discount)) &&
    discounts.some(({ stores }) => isOfStore(view, stores))
  );
}

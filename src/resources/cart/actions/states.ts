/** What may be done with a cart: frozen, locked, ordered and merged ones. */
import { action, invalidOperation, type Plain, plainAction, withGraphqlMembers } from '../../../engine/actions.ts';
import type { Fixed } from '../../../engine/document.ts';
import type { Action, ApplyContext } from '../../../engine/resource.ts';
import { ApiError, type ErrorElement } from '../../../errors/api-error.ts';
import { defaulted, type Fields } from '../../../fields/field.ts';
import { boolean } from '../../../fields/scalar.ts';
import { cartDays } from '../../project/fields.ts';
import { type Cart, fields, freezeStrategy } from '../fields.ts';

/** Said where the cart is computed as if it were not frozen, once more or again. */
export const freezesNow = 'freezes now';

/** Said where lines take over what their products have become. */
export const updatesProductData = 'updates product data';

/** In GraphQL it has the member of actions without any, from before it had one. */
export const freezeCart = withGraphqlMembers(
  action({ strategy: defaulted(freezeStrategy, () => 'SoftFreeze' as const) }, (cart: Cart, { strategy }, { said }) => {
    // What one strategy has let move another would keep: who wants that takes the cart out of the first one.
    if (cart.cartState !== 'Active') throw invalidOperation(`The cart is not active, but ${cart.cartState}.`);
    if (cart.lineItems.length + cart.customLineItems.length === 0)
      throw invalidOperation('An empty cart cannot be frozen.');
    said.add(freezesNow);
    cart.cartState = 'Frozen';
    cart.freezeStrategy = strategy;
  }),
  { name: 'dummy', type: 'String' },
);

export const unfreezeCart = action({}, (cart: Cart) => {
  if (cart.cartState !== 'Frozen') throw invalidOperation(`The cart is not frozen, but ${cart.cartState}.`);
  cart.cartState = 'Active';
  delete cart.freezeStrategy;
});

export const lockCart = action({}, (cart: Cart, _, { initiator, now }) => {
  if (cart.lock !== undefined) throw invalidOperation('The cart is locked already.');
  cart.lock = { createdAt: now, clientId: initiator.clientId ?? '' };
});

export const unlockCart = action({}, (cart: Cart) => {
  if (cart.lock === undefined) throw invalidOperation('The cart is not locked.');
  delete cart.lock;
});

/** Without a value it is the project's. */
export const setDeleteDaysAfterLastModification = action(
  { deleteDaysAfterLastModification: fields.deleteDaysAfterLastModification },
  (cart: Cart, { deleteDaysAfterLastModification: given }, { project }) => {
    cart.deleteDaysAfterLastModification = given ?? cartDays(project.settings);
  },
);

/** What it does is done for each update (carts 4.2). */
export const recalculate = action(
  { updateProductData: defaulted(boolean(), () => false) },
  (_: Cart, { updateProductData }, { said }) => {
    if (updateProductData) said.add(updatesProductData);
  },
);

/** May change what items cost. */
const notFrozen: ReadonlySet<string> = new Set([
  'addLineItem',
  'addShoppingList',
  'changeLineItemQuantity',
  'removeLineItem',
  'setLineItemDistributionChannel',
  'setLineItemSupplyChannel',
  'addCustomLineItem',
  'changeCustomLineItemQuantity',
  'removeCustomLineItem',
  'changeTaxMode',
  'setLineItemPrice',
  'setLineItemTotalPrice',
]);

/** May change what discounts or shipping take (carts 9.2). Of each code that is added or removed that is judged (carts 6.6). */
const notHardFrozen: ReadonlySet<string> = new Set([
  'setDirectDiscounts',
  'setShippingMethod',
  'setCustomShippingMethod',
  'addShippingMethod',
  'addCustomShippingMethod',
  'removeShippingMethod',
]);

/** Changes the lock itself, or says nothing of what is locked. */
const ofLocks: ReadonlySet<string> = new Set(['lockCart', 'unlockCart']);

/** The scope of those who may change a cart that is locked. */
const ofLocked = 'manage_locked_carts';

/** The actions, of which each looks first whether it may be done in the state that the cart is in. */
export function guarded(fields: Fields, actions: Readonly<Record<string, Action | Plain>>): Record<string, Action> {
  return Object.fromEntries(
    Object.entries(actions).map(([name, given]) => {
      const declared = 'plain' in given ? plainAction('cart', fields, given) : given;
      return [name, { ...declared, apply: guardedApply(name, declared) }];
    }),
  );
}

function guardedApply(name: string, { apply }: Action): Action['apply'] {
  return (document, input, context) => {
    // The engine calls it with carts.
    const cart = document as unknown as Cart;
    requireState(name, cart, input);
    if (cart.lock !== undefined || ofLocks.has(name)) requireScopeOfLocks(context.holds);
    apply(document, input, context);
  };
}

/** Throws insufficient_scope for a cart that is locked. */
export function requireKeyOf(lock: Cart['lock'], holds: Holds): void {
  if (lock !== undefined) requireScopeOfLocks(holds);
}

type Holds = ApplyContext['holds'];

function requireScopeOfLocks(holds: Holds): void {
  const fault = scopeFault(holds);
  if (fault !== undefined) throw new ApiError([fault]);
}

function scopeFault(holds: Holds): ErrorElement | undefined {
  if (holds(ofLocked)) return undefined;
  return { code: 'insufficient_scope', message: `Insufficient scope. The token needs '${ofLocked}'.` };
}

/** The reference tells of updates alone, but whoever may not change a locked cart would take away all of it. */
export function lockedFault(
  { lock }: Pick<Fixed<Cart>, 'lock'>,
  { holds }: Pick<ApplyContext, 'holds'>,
): ErrorElement | undefined {
  return lock === undefined ? undefined : scopeFault(holds);
}

export function isFrozenHard({ cartState, freezeStrategy }: Pick<Cart, 'cartState' | 'freezeStrategy'>): boolean {
  return cartState === 'Frozen' && freezeStrategy === 'HardFreeze';
}

function requireState(name: string, cart: Cart, input: Parameters<Action['apply']>[1]): void {
  const { cartState } = cart;
  if (cartState === 'Ordered' || cartState === 'Merged')
    throw invalidOperation(`The cart is ${cartState}, so nothing of it can be changed.`);
  if (cartState !== 'Frozen') return;
  const isHard = isFrozenHard(cart);
  if (notFrozen.has(name) || (isHard && notHardFrozen.has(name)))
    throw invalidOperation(`The cart is frozen, so '${name}' is not possible.`);
  if (isHard && name === 'setShippingAddress' && losesShipping(cart, input))
    throw invalidOperation('The cart is frozen hard, and its shipping method would go with the address.');
}

/** A cart without an address has no shipping either (carts 8.6). Several methods have addresses of their own. */
function losesShipping({ shippingInfo }: Cart, input: Parameters<Action['apply']>[1]): boolean {
  return shippingInfo !== undefined && (input as { readonly address?: unknown }).address === undefined;
}

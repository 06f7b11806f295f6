/**
 * A slow and obvious model of what a cart costs, written from the rules of carts alone and independent of the code that it
 * is compared with. It computes prices, taxes, shipping and discounts once a request, after its last action (4.1).
 *
 * Covered: 1; 2 but for prices of recurring orders; 3.1 to 3.8; 4; 5; 6 but for orders (6.5); 7; 8; 9.1 and 9.2 but for
 * locks; 10 by a table of texts. Left out: stock and reservations (3.9), limits (3.10), replicas, merges, retention and
 * shopping lists (9.3 to 9.6), product discounts, which prices carry already (2.10, 10.7), drafts that are refused by
 * their shape, unique keys, actions on what costs nothing (payments, keys, locale), and what lines of deleted products
 * are taxed with.
 */
import type { CartDraft, CartUpdateAction } from '@commercetools/platform-sdk';
import { addCustomLineItem, addLineItem } from './add-items.ts';
import { customOf } from './custom-fields.ts';
import { applyAction } from './apply-action.ts';
import { centMoney } from './amounts.ts';
import { addressOf, type ModelCart, type ModelResult, type ModelWorld, type Request } from './cart-shapes.ts';
import { computeCart } from './compute-cart.ts';
import { ModelError, refuseIf } from './model-error.ts';

export function createModelCart(world: ModelWorld, draft: CartDraft): ModelResult {
  return resultOf(() => {
    const cart = emptyCart(world, draft);
    const request = newRequest(cart);
    setMembers(cart, draft);
    setBuyer(world, cart, draft);
    for (const line of draft.lineItems ?? []) addLineItem(world, cart, line);
    for (const line of draft.customLineItems ?? []) addCustomLineItem(cart, line);
    for (const action of actionsOf(draft)) applyAction(world, cart, { action, request });
    computeCart(world, cart, request);
    return cart;
  });
}

/** The cart itself is left as it is; a request that is refused changes nothing. */
export function updateModelCart(world: ModelWorld, cart: ModelCart, actions: readonly CartUpdateAction[]): ModelResult {
  return resultOf(() => {
    const working = copyOf(cart);
    const request = newRequest(cart);
    for (const action of actions) applyAction(world, working, { action, request });
    computeCart(world, working, request);
    return working;
  });
}

/** What the computation changes in place is copied; all else in carts is replaced as a whole. */
function copyOf(cart: ModelCart): ModelCart {
  const { shippingInfo } = cart;
  return {
    ...cart,
    lineItems: cart.lineItems.map((line) => ({ ...line })),
    customLineItems: cart.customLineItems.map((line) => ({ ...line })),
    ...(shippingInfo === undefined ? {} : { shippingInfo: { ...shippingInfo } }),
    shipping: cart.shipping.map((shipping) => ({ ...shipping, shippingInfo: { ...shipping.shippingInfo } })),
    itemShippingAddresses: [...cart.itemShippingAddresses],
    discountCodes: [...cart.discountCodes],
  };
}

function resultOf(make: () => ModelCart): ModelResult {
  try {
    return { cart: make() };
  } catch (error) {
    if (error instanceof ModelError) return { error: error.code };
    throw error;
  }
}

function newRequest({ cartState, lineItems }: Pick<ModelCart, 'cartState' | 'lineItems'>): Request {
  const channels = new Map(lineItems.map(({ id, distributionChannel }) => [id, distributionChannel?.id]));
  return {
    isFrozen: cartState === 'Frozen',
    channels,
    newMethods: new Set(),
    newCodes: [],
    newTaxAmounts: new Set(),
    hasNewTotalTax: false,
  };
}

function emptyCart({ project }: ModelWorld, draft: CartDraft): ModelCart {
  return {
    totalPrice: centMoney(draft.currency, 0n),
    lineItems: [],
    customLineItems: [],
    taxMode: draft.taxMode ?? 'Platform',
    // 1.3
    priceRoundingMode: draft.priceRoundingMode ?? project.carts?.priceRoundingMode ?? 'HalfEven',
    taxRoundingMode: draft.taxRoundingMode ?? project.carts?.taxRoundingMode ?? 'HalfEven',
    taxCalculationMode: draft.taxCalculationMode ?? 'LineItemLevel',
    inventoryMode: draft.inventoryMode ?? 'None',
    cartState: 'Active',
    shippingMode: draft.shippingMode ?? 'Single',
    shipping: [],
    itemShippingAddresses: (draft.itemShippingAddresses ?? []).map(addressOf),
    discountCodes: [],
    directDiscounts: [],
    refusedGifts: [],
    origin: draft.origin ?? 'Customer',
    nextId: 1,
  };
}

function setMembers(cart: ModelCart, draft: CartDraft): void {
  const { country, shippingAddress, billingAddress, custom, store } = draft;
  if (country !== undefined) cart.country = country;
  if (shippingAddress !== undefined) cart.shippingAddress = addressOf(shippingAddress);
  if (billingAddress !== undefined) cart.billingAddress = addressOf(billingAddress);
  if (custom !== undefined) cart.custom = customOf(custom);
  if (store?.key !== undefined) cart.store = { typeId: 'store', key: store.key };
}

function setBuyer(world: ModelWorld, cart: ModelCart, { customerId, customerGroup }: CartDraft): void {
  const customer = world.customers.find(({ id }) => id === customerId);
  refuseIf(customerId !== undefined && customer === undefined, 'ReferencedResourceNotFound');
  if (customerId !== undefined) cart.customerId = customerId;
  const group = customer === undefined ? customerGroup?.id : customer.customerGroup?.id;
  if (group !== undefined) cart.customerGroup = { typeId: 'customer-group', id: group };
}

/** What else a draft has is as if it had been set by actions. */
function actionsOf(draft: CartDraft): readonly CartUpdateAction[] {
  const { shippingMethod, shippingRateInput, externalTaxRateForShippingMethod: externalTaxRate } = draft;
  const withRate = externalTaxRate === undefined ? {} : { externalTaxRate };
  return [
    ...(shippingRateInput === undefined ? [] : [{ action: 'setShippingRateInput', shippingRateInput } as const]),
    ...(shippingMethod === undefined ? [] : [{ action: 'setShippingMethod', shippingMethod, ...withRate } as const]),
    ...(draft.shipping ?? []).map((shipping) => {
      const { key: shippingKey, shippingMethod: method, shippingAddress: address, ...rest } = shipping;
      if (method === undefined || address === undefined) throw new Error('Shipping needs a method and an address.');
      return {
        action: 'addShippingMethod',
        ...rest,
        shippingKey,
        shippingMethod: method,
        shippingAddress: address,
      } as const;
    }),
    ...(draft.customShipping ?? []).map((shipping) => {
      const { key: shippingKey, shippingAddress: address, ...rest } = shipping;
      if (address === undefined) throw new Error('Custom shipping needs an address.');
      return { action: 'addCustomShippingMethod', ...rest, shippingKey, shippingAddress: address } as const;
    }),
    ...(draft.discountCodes ?? []).map((code) => ({ action: 'addDiscountCode', code }) as const),
  ];
}

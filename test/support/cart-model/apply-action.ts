/** What each update action does to the cart before it is computed; what its state refuses is refused in turn. */
import { isDeepStrictEqual } from 'node:util';
import type { CartUpdateAction } from '@commercetools/platform-sdk';
import { addCustomLineItem, addLineItem, checkCurrency } from './add-items.ts';
import { centMoney, typedMoney } from './amounts.ts';
import {
  addressOf,
  type Applied,
  currencyOf,
  type ModelCart,
  type ModelCustomLine,
  type ModelWorld,
} from './cart-shapes.ts';
import { customOf, setField } from './custom-fields.ts';
import { changeLine, type LineAction } from './change-items.ts';
import { copyOfProduct } from './line-copies.ts';
import { variantsOf } from './line-prices.ts';
import { refuseIf } from './model-error.ts';
import { changeShipping } from './change-shipping.ts';
import { assign, dropTaxes } from './taxes.ts';

/** 9.2: the eleven that a frozen cart refuses. */
const frozenActions: ReadonlySet<string> = new Set([
  'addLineItem',
  'removeLineItem',
  'changeLineItemQuantity',
  'setLineItemDistributionChannel',
  'setLineItemSupplyChannel',
  'addCustomLineItem',
  'removeCustomLineItem',
  'changeCustomLineItemQuantity',
  'changeTaxMode',
  'setLineItemPrice',
  'setLineItemTotalPrice',
]);

const hardFrozenActions: ReadonlySet<string> = new Set([
  'setDirectDiscounts',
  'setShippingMethod',
  'setCustomShippingMethod',
  'addShippingMethod',
  'addCustomShippingMethod',
  'removeShippingMethod',
]);

export function applyAction(world: ModelWorld, cart: ModelCart, applied: Applied): void {
  const { action, request } = applied;
  // 9.1
  refuseIf(cart.cartState === 'Ordered' || cart.cartState === 'Merged', 'InvalidOperation');
  const isFrozen = cart.cartState === 'Frozen';
  refuseIf(isFrozen && frozenActions.has(action.action), 'InvalidOperation');
  const isHard = isFrozen && cart.freezeStrategy === 'HardFreeze';
  refuseIf(isHard && hardFrozenActions.has(action.action), 'InvalidOperation');
  // 9.2: without an address the shipping method would go.
  const losesAddress = action.action === 'setShippingAddress' && action.address === undefined;
  refuseIf(isHard && losesAddress && cart.shippingInfo !== undefined, 'InvalidOperation');
  if (changeShipping(world, cart, applied)) return;
  if (changeModes(cart, applied)) return;
  if (changeBuyer(world, cart, action)) return;
  if (changeDiscounts(world, cart, applied)) return;
  switch (action.action) {
    case 'addLineItem':
      return addLineItem(world, cart, action);
    case 'addCustomLineItem':
      return addCustomLineItem(cart, action);
    case 'recalculate':
      // 4.2
      if (action.updateProductData === true) updateProductData(world, cart);
      return;
    case 'changeLineItemsOrder':
      return changeOrder(cart, action.lineItemOrder);
    case 'setCustomType':
      return assign(cart, 'custom', action.type === undefined ? undefined : customOf({ ...action, type: action.type }));
    case 'setCustomField':
      return setField(cart, action);
    case 'setCartTotalTax': {
      refuseIf(cart.taxMode !== 'ExternalAmount', 'InvalidOperation');
      checkCurrency(cart, action.externalTotalGross);
      const totalGross = centMoney(currencyOf(cart), BigInt(action.externalTotalGross.centAmount ?? 0));
      const taxPortions = (action.externalTaxPortions ?? []).map(({ name, rate, amount }) => ({
        ...(name === undefined ? {} : { name }),
        rate,
        amount: centMoney(currencyOf(cart), BigInt(amount.centAmount ?? 0)),
      }));
      cart.taxedPrice = { totalNet: totalGross, totalGross, taxPortions };
      request.hasNewTotalTax = true;
      return;
    }
    case 'changeCustomLineItemMoney': {
      checkCurrency(cart, action.money);
      const line = findCustomLine(cart, action);
      // 9.2: what a hard freeze keeps is kept for the money that there was.
      if (isDeepStrictEqual(line.money, typedMoney(action.money))) return;
      line.money = typedMoney(action.money);
      line.discountedPricePerQuantity = [];
      return;
    }
    case 'changeCustomLineItemPriceMode':
      findCustomLine(cart, action).priceMode = action.mode;
      return;
    default:
      if (!isOfItem(action)) throw new Error(`The model has no action ${action.action}.`);
      return changeLine(cart, { action, request });
  }
}

function isOfItem(action: CartUpdateAction): action is LineAction {
  return ['lineItemId', 'lineItemKey', 'customLineItemId', 'customLineItemKey'].some((name) => name in action);
}

function changeModes(cart: ModelCart, { action, request }: Applied): boolean {
  switch (action.action) {
    case 'changeTaxMode': {
      if (action.taxMode === cart.taxMode) return true;
      // 7.7: rates that a client gave outlast a change to External or ExternalAmount alone.
      const isExternal = (mode: string): boolean => mode === 'External' || mode === 'ExternalAmount';
      dropTaxes(cart, isExternal(cart.taxMode) && isExternal(action.taxMode));
      cart.taxMode = action.taxMode;
      return true;
    }
    case 'changeTaxCalculationMode':
      cart.taxCalculationMode = action.taxCalculationMode;
      return true;
    case 'changeTaxRoundingMode':
      cart.taxRoundingMode = action.taxRoundingMode;
      return true;
    case 'changePriceRoundingMode':
      cart.priceRoundingMode = action.priceRoundingMode;
      return true;
    case 'freezeCart':
      refuseIf(cart.cartState !== 'Active', 'InvalidOperation');
      refuseIf(cart.lineItems.length === 0 && cart.customLineItems.length === 0, 'InvalidOperation');
      cart.cartState = 'Frozen';
      cart.freezeStrategy = action.strategy ?? 'SoftFreeze';
      return true;
    case 'unfreezeCart':
      refuseIf(cart.cartState !== 'Frozen', 'InvalidOperation');
      cart.cartState = 'Active';
      delete cart.freezeStrategy;
      request.isFrozen = false;
      return true;
    default:
      return false;
  }
}

function changeBuyer(world: ModelWorld, cart: ModelCart, action: CartUpdateAction): boolean {
  switch (action.action) {
    case 'setCountry':
      assign(cart, 'country', action.country);
      return true;
    case 'setBillingAddress':
      assign(cart, 'billingAddress', action.address && addressOf(action.address));
      return true;
    case 'setCustomerId': {
      // 2.6
      const customer = world.customers.find(({ id }) => id === action.customerId);
      refuseIf(action.customerId !== undefined && customer === undefined, 'ReferencedResourceNotFound');
      assign(cart, 'customerId', action.customerId);
      assign(cart, 'customerGroup', customer?.customerGroup);
      return true;
    }
    case 'setCustomerGroup': {
      refuseIf(cart.customerId !== undefined, 'InvalidOperation');
      const id = action.customerGroup?.id;
      assign(cart, 'customerGroup', id === undefined ? undefined : { typeId: 'customer-group', id });
      return true;
    }
    default:
      return false;
  }
}

// 6
function changeDiscounts(world: ModelWorld, cart: ModelCart, { action, request }: Applied): boolean {
  switch (action.action) {
    case 'addDiscountCode': {
      // 6.2
      refuseIf(cart.directDiscounts.length > 0, 'InvalidOperation');
      const code = world.discountCodes.find((candidate) => candidate.code === action.code);
      // 6.1
      if (cart.discountCodes.some(({ discountCode }) => discountCode.id === code?.id)) return true;
      request.newCodes.push({ code: action.code, isFrozen: cart.cartState === 'Frozen' });
      if (code !== undefined)
        cart.discountCodes.push({ discountCode: { typeId: 'discount-code', id: code.id }, state: 'DoesNotMatchCart' });
      return true;
    }
    case 'removeDiscountCode': {
      const index = cart.discountCodes.findIndex(({ discountCode }) => discountCode.id === action.discountCode.id);
      refuseIf(index < 0, 'InvalidOperation');
      // 9.2: what the frozen totals have stays.
      const isHard = cart.cartState === 'Frozen' && cart.freezeStrategy === 'HardFreeze';
      const isGone = world.discountCodes.every(({ id }) => id !== action.discountCode.id);
      refuseIf(isHard && !isGone && cart.discountCodes[index]!.state === 'MatchesCart', 'InvalidOperation');
      cart.discountCodes.splice(index, 1);
      return true;
    }
    case 'setDirectDiscounts':
      refuseIf(cart.discountCodes.length > 0 && action.discounts.length > 0, 'InvalidOperation');
      cart.directDiscounts = action.discounts.map(({ value, target }) => {
        const id = `direct-${cart.nextId++}`;
        // What a client gives for direct discounts is what it reads of them.
        const discount = { id, value } as ModelCart['directDiscounts'][number];
        return target === undefined ? discount : { ...discount, target };
      });
      return true;
    default:
      return false;
  }
}

// 4.2
function updateProductData(world: ModelWorld, cart: ModelCart): void {
  for (const line of cart.lineItems) {
    const product = world.products.find(({ id }) => id === line.productId);
    const variant = product && variantsOf(product).find(({ id }) => id === line.variant.id);
    if (product === undefined || variant === undefined || !product.masterData.published) continue;
    delete line.productKey;
    Object.assign(line, copyOfProduct(world, cart, { product, variant }));
  }
}

// 3.8
function changeOrder(cart: ModelCart, order: readonly string[]): void {
  const lines = order.map((id) => cart.lineItems.find((line) => line.id === id));
  refuseIf(new Set(order).size !== order.length || order.length !== cart.lineItems.length, 'InvalidOperation');
  refuseIf(lines.includes(undefined), 'InvalidOperation');
  cart.lineItems = lines.filter((line) => line !== undefined);
}

function findCustomLine(
  cart: ModelCart,
  { customLineItemId, customLineItemKey }: { readonly customLineItemId?: string; readonly customLineItemKey?: string },
): ModelCustomLine {
  const line = cart.customLineItems.find(({ id, key }) =>
    customLineItemId === undefined ? key === customLineItemKey : id === customLineItemId,
  );
  refuseIf(line === undefined, 'InvalidOperation');
  return line!;
}

/** Actions on shipping and its addresses (section 8). */
import type {
  ExternalTaxRateDraft,
  ShippingMethod,
  ShippingRate,
  ShippingRateDraft,
  ShippingRateInput,
  ShippingRateInputDraft,
  ShippingRatePriceTier,
} from '@commercetools/platform-sdk';
import { checkCurrency } from './add-items.ts';
import { type AnyMoney, centMoney } from './amounts.ts';
import {
  addressOf,
  type Applied,
  currencyOf,
  itemsOf,
  type ModelCart,
  type ModelShipping,
  type ModelShippingInfo,
  type ModelWorld,
} from './cart-shapes.ts';
import { setTaxAmount } from './change-items.ts';
import { refuse, refuseIf } from './model-error.ts';
import { assign, dropTaxes, externalRate } from './taxes.ts';

/** Whether the action was one of these. */
export function changeShipping(world: ModelWorld, cart: ModelCart, applied: Applied): boolean {
  return changeAddresses(cart, applied) || changeSingle(world, cart, applied) || changeMultiple(world, cart, applied);
}

function changeAddresses(cart: ModelCart, { action, request }: Applied): boolean {
  switch (action.action) {
    case 'setShippingAddress':
      assign(cart, 'shippingAddress', action.address && addressOf(action.address));
      // 8.6
      if (action.address === undefined) {
        delete cart.shippingInfo;
        request.newMethods.delete('');
        if (cart.shippingMode === 'Single') dropTaxes(cart, false);
      }
      return true;
    case 'addItemShippingAddress':
      cart.itemShippingAddresses.push(addressOf(action.address));
      return true;
    case 'updateItemShippingAddress':
      refuseIf(!cart.itemShippingAddresses.some(({ key }) => key === action.address.key), 'InvalidOperation');
      cart.itemShippingAddresses = cart.itemShippingAddresses.map((address) =>
        address.key === action.address.key ? addressOf(action.address) : address,
      );
      return true;
    case 'removeItemShippingAddress': {
      // 3.7
      const isUsed = itemsOf(cart).some(({ shippingDetails }) =>
        shippingDetails?.targets.some(({ addressKey }) => addressKey === action.addressKey),
      );
      const others = cart.itemShippingAddresses.filter(({ key }) => key !== action.addressKey);
      refuseIf(isUsed || others.length === cart.itemShippingAddresses.length, 'InvalidOperation');
      cart.itemShippingAddresses = others;
      return true;
    }
    default:
      return false;
  }
}

function changeSingle(world: ModelWorld, cart: ModelCart, { action, request }: Applied): boolean {
  switch (action.action) {
    case 'setShippingMethod': {
      refuseIf(cart.shippingMode !== 'Single', 'InvalidOperation');
      delete cart.shippingInfo;
      request.newMethods.delete('');
      if (action.shippingMethod === undefined) return true;
      refuseIf(cart.shippingAddress === undefined, 'InvalidOperation');
      cart.shippingInfo = infoOfMethod(cart, findMethod(world, action.shippingMethod.id), action.externalTaxRate);
      request.newMethods.add('');
      return true;
    }
    case 'setCustomShippingMethod':
      refuseIf(cart.shippingMode !== 'Single' || cart.shippingAddress === undefined, 'InvalidOperation');
      cart.shippingInfo = customInfo(cart, action);
      request.newMethods.add('');
      return true;
    case 'setShippingRateInput':
      refuseIf(cart.shippingMode !== 'Single', 'InvalidOperation');
      assign(cart, 'shippingRateInput', inputOf(world, action.shippingRateInput));
      return true;
    case 'setShippingMethodTaxRate':
    case 'setShippingMethodTaxAmount': {
      const info = infoOf(cart, action.shippingKey);
      const isRate = action.action === 'setShippingMethodTaxRate';
      refuseIf(cart.taxMode !== (isRate ? 'External' : 'ExternalAmount'), 'InvalidOperation');
      if (isRate) assign(info, 'taxRate', action.externalTaxRate && externalRate(action.externalTaxRate));
      else {
        setTaxAmount(cart, info, action.externalTaxAmount);
        request.newTaxAmounts.add('');
      }
      return true;
    }
    default:
      return false;
  }
}

function infoOf(cart: ModelCart, shippingKey: string | undefined): ModelShippingInfo {
  refuseIf((shippingKey !== undefined) !== (cart.shippingMode === 'Multiple'), 'InvalidOperation');
  const shipping = cart.shipping.find((candidate) => candidate.shippingKey === shippingKey);
  return shipping?.shippingInfo ?? cart.shippingInfo ?? refuse('InvalidOperation');
}

// 8.8
function changeMultiple(world: ModelWorld, cart: ModelCart, { action, request }: Applied): boolean {
  switch (action.action) {
    case 'addShippingMethod':
    case 'addCustomShippingMethod': {
      const { shippingKey } = action;
      const shippingAddress = addressOf(action.shippingAddress);
      refuseIf(cart.shippingMode !== 'Multiple', 'InvalidOperation');
      refuseIf(
        cart.shipping.some((shipping) => shipping.shippingKey === shippingKey),
        'InvalidOperation',
      );
      const shippingInfo =
        action.action === 'addShippingMethod'
          ? infoOfMethod(cart, findMethod(world, action.shippingMethod.id), action.externalTaxRate)
          : customInfo(cart, action);
      const shipping: ModelShipping = { shippingKey, shippingInfo, shippingAddress };
      assign(shipping, 'shippingRateInput', inputOf(world, action.shippingRateInput));
      cart.shipping.push(shipping);
      request.newMethods.add(shippingKey);
      return true;
    }
    case 'removeShippingMethod': {
      const others = cart.shipping.filter(({ shippingKey }) => shippingKey !== action.shippingKey);
      refuseIf(cart.shippingMode !== 'Multiple' || others.length === cart.shipping.length, 'InvalidOperation');
      cart.shipping = others;
      for (const item of itemsOf(cart)) {
        const isOther = (of: { readonly shippingMethodKey: string }): boolean =>
          of.shippingMethodKey !== action.shippingKey;
        item.perMethodTaxRate = item.perMethodTaxRate.filter(isOther);
        item.taxedPricePortions = item.taxedPricePortions.filter(isOther);
      }
      request.newMethods.delete(action.shippingKey);
      return true;
    }
    default:
      return false;
  }
}

function findMethod({ shippingMethods }: ModelWorld, id: string | undefined): ShippingMethod {
  return shippingMethods.find((method) => method.id === id) ?? refuse('ReferencedResourceNotFound');
}

/** The rate is chosen when the cart is computed; until then it has no currency. */
function infoOfMethod(
  cart: ModelCart,
  method: ShippingMethod,
  externalTaxRate: ExternalTaxRateDraft | undefined,
): ModelShippingInfo {
  refuseIf(externalTaxRate !== undefined && cart.taxMode !== 'External', 'InvalidOperation');
  return {
    shippingMethodName: method.name,
    price: centMoney(currencyOf(cart), 0n),
    shippingRate: { price: centMoney('', 0n), tiers: [] },
    taxCategory: method.taxCategory,
    shippingMethod: { typeId: 'shipping-method', id: method.id },
    deliveries: [],
    shippingMethodState: 'MatchesCart',
    ...(externalTaxRate === undefined ? {} : { taxRate: externalRate(externalTaxRate) }),
  };
}

interface CustomMethod {
  readonly shippingMethodName: string;
  readonly shippingRate: ShippingRateDraft;
  readonly taxCategory?: { readonly id?: string };
  readonly externalTaxRate?: ExternalTaxRateDraft;
}

// 8.7
function customInfo(cart: ModelCart, method: CustomMethod): ModelShippingInfo {
  const { shippingMethodName, shippingRate, taxCategory, externalTaxRate } = method;
  refuseIf(externalTaxRate !== undefined && cart.taxMode !== 'External', 'InvalidOperation');
  return {
    shippingMethodName,
    price: centMoney(currencyOf(cart), 0n),
    shippingRate: rateOf(cart, shippingRate),
    deliveries: [],
    shippingMethodState: 'MatchesCart',
    ...(taxCategory?.id === undefined ? {} : { taxCategory: { typeId: 'tax-category', id: taxCategory.id } }),
    ...(externalTaxRate === undefined ? {} : { taxRate: externalRate(externalTaxRate) }),
  };
}

function rateOf(cart: ModelCart, { price, freeAbove, tiers = [] }: ShippingRateDraft): ShippingRate {
  const inCents = (money: AnyMoney): ShippingRate['price'] => {
    checkCurrency(cart, money);
    return centMoney(money.currencyCode, BigInt(money.centAmount ?? 0));
  };
  return {
    price: inCents(price),
    ...(freeAbove === undefined ? {} : { freeAbove: inCents(freeAbove) }),
    tiers: tiers.map((tier: ShippingRatePriceTier) => tier),
  };
}

// 8.4
function inputOf({ project }: ModelWorld, draft: ShippingRateInputDraft | undefined): ShippingRateInput | undefined {
  if (draft === undefined) return undefined;
  const type = project.shippingRateInputType;
  if (draft.type === 'Score') {
    refuseIf(type?.type !== 'CartScore', 'InvalidOperation');
    return { type: 'Score', score: draft.score };
  }
  const values = type?.type === 'CartClassification' ? type.values : [];
  const { key, label } = values.find((value) => value.key === draft.key) ?? refuse('InvalidOperation');
  return { type: 'Classification', key, label };
}

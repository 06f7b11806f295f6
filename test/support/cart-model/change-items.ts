/** Actions on one line item or custom line item. */
import type { CartUpdateAction, ExternalTaxAmountDraft, ExternalTaxRateDraft } from '@commercetools/platform-sdk';
import { addTarget, checkTargets, detailsOf, type ExternalPrices, setPriceMode } from './add-items.ts';
import { centMoney } from './amounts.ts';
import {
  currencyOf,
  isGift,
  isLine,
  type ModelCart,
  type ModelItem,
  type ModelLine,
  type Request,
} from './cart-shapes.ts';
import { customOf, setField } from './custom-fields.ts';
import { discountOfGift } from './gifts.ts';
import { refuse, refuseIf } from './model-error.ts';
import { assign, externalRate, taxAmountName } from './taxes.ts';

export type LineAction = Extract<
  CartUpdateAction,
  { readonly lineItemId?: string } | { readonly customLineItemId?: string }
>;

export function changeLine(
  cart: ModelCart,
  { action, request }: { readonly action: LineAction; readonly request: Request },
): void {
  const item = findItem(cart, action);
  switch (action.action) {
    case 'changeLineItemQuantity':
      return changeQuantity(cart, item, { quantity: action.quantity, given: action });
    case 'changeCustomLineItemQuantity':
      return changeQuantity(cart, item, { quantity: action.quantity, given: {} });
    case 'removeLineItem': {
      const { quantity = item.quantity, shippingDetailsToRemove } = action;
      checkTargets(shippingDetailsToRemove?.targets);
      for (const target of shippingDetailsToRemove?.targets ?? [])
        addTarget(item, { ...target, quantity: -target.quantity });
      return changeQuantity(cart, item, { quantity: item.quantity - quantity, given: action });
    }
    case 'removeCustomLineItem':
      return changeQuantity(cart, item, { quantity: 0, given: {} });
    case 'setLineItemPrice':
      return setPriceMode(cart, standardLineOf(item), only('externalPrice', action.externalPrice));
    case 'setLineItemTotalPrice':
      return setPriceMode(cart, standardLineOf(item), only('externalTotalPrice', action.externalTotalPrice));
    case 'setLineItemTaxRate':
    case 'setCustomLineItemTaxRate':
      return setTaxRate(cart, item, { rate: action.externalTaxRate, shippingKey: action.shippingKey });
    case 'setLineItemTaxAmount':
    case 'setCustomLineItemTaxAmount':
      return setItemTaxAmount(cart, item, { action, request });
    case 'setLineItemDistributionChannel':
      return assign(standardLineOf(item), 'distributionChannel', channelOf(action.distributionChannel));
    case 'setLineItemSupplyChannel':
      return assign(standardLineOf(item), 'supplyChannel', channelOf(action.supplyChannel));
    case 'setLineItemCustomType':
    case 'setCustomLineItemCustomType':
      return assign(item, 'custom', action.type === undefined ? undefined : customOf({ ...action, type: action.type }));
    case 'setLineItemCustomField':
    case 'setCustomLineItemCustomField':
      return setField(item, action);
    case 'setLineItemInventoryMode':
      return assign(lineOf(item), 'inventoryMode', action.inventoryMode);
    case 'setLineItemShippingDetails':
    case 'setCustomLineItemShippingDetails': {
      const { shippingDetails } = action;
      checkTargets(shippingDetails?.targets);
      return assign(item, 'shippingDetails', shippingDetails && detailsOf(cart, shippingDetails.targets));
    }
    case 'applyDeltaToLineItemShippingDetailsTargets':
    case 'applyDeltaToCustomLineItemShippingDetailsTargets':
      for (const target of action.targetsDelta) {
        // As where the details are set.
        detailsOf(cart, [target]);
        addTarget(item, target);
      }
      return;
    default:
      throw new Error(`The model has no action ${action.action}.`);
  }
}

// 3.8
function findItem(cart: ModelCart, action: LineAction): ModelItem {
  const isOfLine = 'lineItemId' in action || 'lineItemKey' in action;
  const id =
    'lineItemId' in action ? action.lineItemId : 'customLineItemId' in action ? action.customLineItemId : undefined;
  const ofKey = 'lineItemKey' in action ? action.lineItemKey : undefined;
  const key = 'customLineItemKey' in action ? action.customLineItemKey : ofKey;
  const items: readonly ModelItem[] = isOfLine ? cart.lineItems : cart.customLineItems;
  return items.find((item) => (id === undefined ? item.key === key : item.id === id)) ?? refuse('InvalidOperation');
}

function lineOf(item: ModelItem): ModelLine {
  return isLine(item) ? item : refuse('InvalidOperation');
}

// 5.19
function standardLineOf(item: ModelItem): ModelLine {
  refuseIf(isGift(item), 'InvalidOperation');
  return lineOf(item);
}

function only<Name extends string, Value>(name: Name, value: Value | undefined): { readonly [Member in Name]?: Value } {
  // The object has the one member, or none.
  return (value === undefined ? {} : { [name]: value }) as { readonly [Member in Name]?: Value };
}

function channelOf(given: { readonly id?: string } | undefined): { typeId: 'channel'; id: string } | undefined {
  return given?.id === undefined ? undefined : { typeId: 'channel', id: given.id };
}

function changeQuantity(
  cart: ModelCart,
  item: ModelItem,
  { quantity, given }: { readonly quantity: number; readonly given: ExternalPrices },
): void {
  // 5.19
  refuseIf(isGift(item) && quantity > item.quantity, 'InvalidOperation');
  // 3.3
  if (quantity <= 0) return removeItem(cart, item);
  item.quantity = quantity;
  if (!isLine(item) || isGift(item)) return;
  // 2.11
  const isGiven = given.externalPrice !== undefined || given.externalTotalPrice !== undefined;
  refuseIf(item.priceMode === 'ExternalPrice' && !isGiven, 'InvalidOperation');
  // 2.12
  setPriceMode(cart, item, {
    ...only('externalPrice', given.externalPrice),
    ...only('externalTotalPrice', given.externalTotalPrice),
  });
}

function removeItem(cart: ModelCart, item: ModelItem): void {
  // 5.19
  const discount = isLine(item) && isGift(item) ? discountOfGift(item) : undefined;
  if (discount !== undefined) cart.refusedGifts = [...cart.refusedGifts, { typeId: 'cart-discount', id: discount }];
  cart.lineItems = cart.lineItems.filter((line) => line !== item);
  cart.customLineItems = cart.customLineItems.filter((line) => line !== item);
}

/** 7.7, and by method 8.8. */
function setTaxRate(
  cart: ModelCart,
  item: ModelItem,
  { rate, shippingKey }: { readonly rate: ExternalTaxRateDraft | undefined; readonly shippingKey: string | undefined },
): void {
  refuseIf(cart.taxMode !== 'External', 'InvalidOperation');
  refuseIf((shippingKey !== undefined) !== (cart.shippingMode === 'Multiple'), 'InvalidOperation');
  const taxRate = rate === undefined ? undefined : externalRate(rate);
  if (shippingKey === undefined) return assign(item, 'taxRate', taxRate);
  const others = item.perMethodTaxRate.filter(({ shippingMethodKey }) => shippingMethodKey !== shippingKey);
  item.perMethodTaxRate = taxRate === undefined ? others : [...others, { shippingMethodKey: shippingKey, taxRate }];
}

/** 7.8, and by method 8.8: of the units that go with it. */
function setItemTaxAmount(
  cart: ModelCart,
  item: ModelItem,
  {
    action: { externalTaxAmount, shippingKey },
    request,
  }: {
    readonly action: { readonly externalTaxAmount?: ExternalTaxAmountDraft; readonly shippingKey?: string };
    readonly request: Request;
  },
): void {
  refuseIf(cart.taxMode !== 'ExternalAmount', 'InvalidOperation');
  refuseIf((shippingKey !== undefined) !== (cart.shippingMode === 'Multiple'), 'InvalidOperation');
  request.newTaxAmounts.add(taxAmountName(item, shippingKey));
  if (shippingKey === undefined) return setTaxAmount(cart, item, externalTaxAmount);
  const isTarget = (item.shippingDetails?.targets ?? []).some((target) => target.shippingMethodKey === shippingKey);
  const isMethod = cart.shipping.some((shipping) => shipping.shippingKey === shippingKey);
  refuseIf(!isTarget || !isMethod, 'InvalidOperation');
  const own: Pick<ModelItem, 'taxRate' | 'taxedPrice'> = {};
  setTaxAmount(cart, own, externalTaxAmount);
  const isOther = (of: { readonly shippingMethodKey: string }): boolean => of.shippingMethodKey !== shippingKey;
  item.perMethodTaxRate = item.perMethodTaxRate.filter(isOther);
  item.taxedPricePortions = item.taxedPricePortions.filter(isOther);
  if (own.taxRate === undefined || own.taxedPrice === undefined) return;
  item.perMethodTaxRate.push({ shippingMethodKey: shippingKey, taxRate: own.taxRate });
  item.taxedPricePortions.push({ shippingMethodKey: shippingKey, taxedPrice: own.taxedPrice });
}

/** 7.8: the net is the total of what is taxed, which the computation of the cart fills in. */
export function setTaxAmount(
  cart: ModelCart,
  taxable: Pick<ModelItem, 'taxRate' | 'taxedPrice'>,
  given: ExternalTaxAmountDraft | undefined,
): void {
  delete taxable.taxRate;
  delete taxable.taxedPrice;
  if (given === undefined) return;
  refuseIf(given.totalGross.currencyCode !== currencyOf(cart), 'InvalidField');
  const totalGross = centMoney(currencyOf(cart), BigInt(given.totalGross.centAmount ?? 0));
  taxable.taxRate = externalRate(given.taxRate);
  taxable.taxedPrice = { totalNet: totalGross, totalGross, taxPortions: [] };
}

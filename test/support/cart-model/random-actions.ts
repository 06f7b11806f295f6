/** Random update actions, drawn by what a cart holds. */
import type { CartUpdateAction, ItemShippingTarget, Money } from '@commercetools/platform-sdk';
import {
  currencyOf,
  isGift,
  itemsOf,
  type ModelCart,
  type ModelCustomLine,
  type ModelItem,
  type ModelWorld,
} from './cart-shapes.ts';
import { countries, productCount } from './random-amounts.ts';
import type { Choices } from './random-choices.ts';
import { randomEffect } from './random-discounts.ts';
import {
  calculationModes,
  centDraft,
  channelOf,
  groupOf,
  type ItemOptions,
  modes,
  randomCustom,
  randomCustomLine,
  randomDetails,
  randomDraftMoney,
  randomItemCustom,
  randomLine,
  randomQuantity,
  randomRateInput,
  randomTaxRate,
  randomTotalPrice,
  slugs,
  someCodes,
  taxModes,
} from './random-drafts.ts';
import { randomAddress, randomRate } from './random-world.ts';
import { idOf } from './world-ids.ts';

export function randomActions(random: Choices, world: ModelWorld, cart: ModelCart): readonly CartUpdateAction[] {
  const count = 1 + random.below(3);
  return Array.from({ length: count }, () => randomAction(random, world, cart));
}

function randomAction(random: Choices, world: ModelWorld, cart: ModelCart): CartUpdateAction {
  // Few carts are frozen, and those for few requests.
  if (cart.cartState === 'Frozen' && random.chance(0.15)) return { action: 'unfreezeCart' };
  // So few are what a client gives the taxes of.
  if (cart.taxMode === 'ExternalAmount' && random.chance(0.3))
    return ofTaxes(random, cart) ?? { action: 'recalculate' };
  const makers = [ofCart, ofCart, ofTaxes, ofShipping, ofDiscounts, ofAdding, ofItem, ofItem, ofItem];
  return random.pick(makers)(random, cart, world) ?? { action: 'recalculate' };
}

/** One of these, made when it is chosen. */
function oneOf(random: Choices, makers: readonly (() => CartUpdateAction | undefined)[]): CartUpdateAction | undefined {
  return random.pick(makers)();
}

function ofCart(random: Choices, cart: ModelCart): CartUpdateAction | undefined {
  return oneOf(random, [
    () => ({ action: 'recalculate', updateProductData: random.chance(0.5) }),
    () => ({ action: 'setCountry', ...random.maybe(0.8, () => ({ country: random.pick(countries) })) }),
    () => ({
      action: 'setCustomerId',
      ...random.maybe(0.7, () => ({ customerId: idOf('customer', 1 + random.below(2)) })),
    }),
    () => ({ action: 'setCustomerGroup', ...random.maybe(0.7, () => ({ customerGroup: groupOf(random) })) }),
    () => ({ action: 'setCustomType', ...randomCustom(random) }),
    () =>
      cart.custom === undefined ? undefined : { action: 'setCustomField', name: 'vip', value: random.chance(0.5) },
    () => ({ action: 'changePriceRoundingMode', priceRoundingMode: random.pick(modes) }),
    () => ({ action: 'setBillingAddress', address: randomAddress(random) }),
    () => {
      if (cart.cartState === 'Frozen' && random.chance(0.9)) return { action: 'unfreezeCart' };
      return {
        action: 'freezeCart',
        ...random.maybe(0.7, () => ({ strategy: random.pick(['SoftFreeze', 'HardFreeze']) })),
      };
    },
    () => {
      const order = random.some(cart.lineItems, cart.lineItems.length, cart.lineItems.length).map(({ id }) => id);
      return { action: 'changeLineItemsOrder', lineItemOrder: random.chance(0.97) ? order : order.slice(1) };
    },
  ]);
}

function ofTaxes(random: Choices, cart: ModelCart): CartUpdateAction | undefined {
  return oneOf(random, [
    () => ({ action: 'changeTaxMode', taxMode: random.pick(taxModes) }),
    () => ({ action: 'changeTaxCalculationMode', taxCalculationMode: random.pick(calculationModes) }),
    () => ({ action: 'changeTaxRoundingMode', taxRoundingMode: random.pick(modes) }),
    () => {
      if (cart.taxMode !== 'ExternalAmount' && random.chance(0.9)) return undefined;
      const amount = { currencyCode: currencyOf(cart), centAmount: 19 };
      const externalTaxPortions = [{ name: 'Standard', rate: 0.19, amount }];
      const externalTotalGross = grossFor(random, cart, cart.totalPrice);
      return { action: 'setCartTotalTax', externalTotalGross, ...random.maybe(0.6, () => ({ externalTaxPortions })) };
    },
    () => ofItemTaxes(random, cart),
    () => ofItemTaxes(random, cart),
    () => {
      if (cart.shippingInfo === undefined || cart.taxMode === 'Platform') return undefined;
      const totalGross = grossFor(random, cart, cart.shippingInfo.price);
      return cart.taxMode === 'ExternalAmount'
        ? { action: 'setShippingMethodTaxAmount', externalTaxAmount: { totalGross, taxRate: randomTaxRate(random) } }
        : { action: 'setShippingMethodTaxRate', externalTaxRate: randomTaxRate(random) };
    },
  ]);
}

/** More than the net; a few are less, which is refused. */
function grossFor(random: Choices, cart: ModelCart, { centAmount: net }: { readonly centAmount: number }): Money {
  const own = centDraft(random, currencyOf(cart));
  if (random.chance(0.1)) return own;
  return { ...own, centAmount: net < 0 ? net - 1 : Math.min(net + own.centAmount, Number.MAX_SAFE_INTEGER) };
}

function ofItemTaxes(random: Choices, cart: ModelCart): CartUpdateAction | undefined {
  const item = itemsOf(cart).length === 0 ? undefined : random.pick(itemsOf(cart));
  // A rate or an amount in another mode is refused, which a few are enough for.
  if (item === undefined || (cart.taxMode === 'Platform' && random.chance(0.9))) return undefined;
  const isLine = 'productId' in item;
  const externalTaxRate = random.chance(0.9) ? { externalTaxRate: randomTaxRate(random) } : {};
  const method = cart.shippingMode === 'Multiple' && cart.shipping.length > 0 ? random.pick(cart.shipping) : undefined;
  const shippingKey = method === undefined ? {} : { shippingKey: method.shippingKey };
  if (cart.taxMode === 'ExternalAmount') {
    const given = { totalGross: grossFor(random, cart, item.totalPrice), taxRate: randomTaxRate(random) };
    const externalTaxAmount = random.chance(0.9) ? { externalTaxAmount: given } : {};
    return isLine
      ? { action: 'setLineItemTaxAmount', lineItemId: item.id, ...externalTaxAmount, ...shippingKey }
      : { action: 'setCustomLineItemTaxAmount', customLineItemId: item.id, ...externalTaxAmount, ...shippingKey };
  }
  return isLine
    ? { action: 'setLineItemTaxRate', lineItemId: item.id, ...externalTaxRate, ...shippingKey }
    : { action: 'setCustomLineItemTaxRate', customLineItemId: item.id, ...externalTaxRate, ...shippingKey };
}

function ofSeveralMethods(random: Choices, cart: ModelCart, world: ModelWorld): CartUpdateAction | undefined {
  const keys = cart.shipping.map(({ shippingKey }) => shippingKey);
  const rate = cart.taxMode === 'External' ? random.maybe(0.8, () => ({ externalTaxRate: randomTaxRate(random) })) : {};
  return oneOf(random, [
    () => (keys.length === 0 ? undefined : { action: 'removeShippingMethod', shippingKey: random.pick(keys) }),
    () => ({
      action: 'addShippingMethod',
      shippingKey: random.pick(['first', 'second', 'third']),
      shippingMethod: { typeId: 'shipping-method', id: idOf('shipping-method', random.pick([1, 1, 2])) },
      shippingAddress: randomAddress(random),
      ...rate,
    }),
    () => ({
      action: 'addCustomShippingMethod',
      shippingKey: random.pick(['first', 'second', 'third']),
      shippingMethodName: 'Own',
      shippingAddress: randomAddress(random),
      shippingRate: randomRate(random, currencyOf(cart), world.project.shippingRateInputType),
      taxCategory: { typeId: 'tax-category', id: idOf('tax-category', 1) },
      ...rate,
    }),
    () => ofItemAddresses(random, cart),
  ]);
}

function ofItemAddresses(random: Choices, { itemShippingAddresses }: ModelCart): CartUpdateAction {
  if (itemShippingAddresses.length === 0 || random.chance(0.3)) {
    // Another one for each address of a request.
    const key = `spare-${random.below(2 ** 31)}`;
    return { action: 'addItemShippingAddress', address: { ...randomAddress(random), key } };
  }
  const key = random.pick(itemShippingAddresses).key!;
  return random.chance(0.5)
    ? { action: 'updateItemShippingAddress', address: { ...randomAddress(random), key } }
    : { action: 'removeItemShippingAddress', addressKey: key };
}

/** Units more for an address of items, where the cart has one, or one of those that an item has there less. */
function randomDelta(
  random: Choices,
  cart: ModelCart,
  { shippingDetails }: ModelItem,
): ItemShippingTarget[] | undefined {
  if (cart.itemShippingAddresses.length === 0) return undefined;
  const targets = shippingDetails?.targets ?? [];
  if (targets.length > 0 && random.chance(0.3)) return [{ ...random.pick(targets), quantity: -1 }];
  const method = cart.shipping.length === 0 ? undefined : random.pick(cart.shipping).shippingKey;
  return [
    {
      addressKey: random.pick(cart.itemShippingAddresses).key!,
      quantity: random.pick([1, 1, 2]),
      ...(method === undefined ? {} : { shippingMethodKey: method }),
    },
  ];
}

function ofShipping(random: Choices, cart: ModelCart, world: ModelWorld): CartUpdateAction | undefined {
  if (cart.shippingMode === 'Multiple') return ofSeveralMethods(random, cart, world);
  const rate = cart.taxMode === 'External' ? random.maybe(0.8, () => ({ externalTaxRate: randomTaxRate(random) })) : {};
  return oneOf(random, [
    () => ({
      action: 'setShippingAddress',
      ...(random.chance(0.75) ? { address: randomAddress(random) } : {}),
    }),
    () => ({ action: 'setShippingAddress', address: randomAddress(random) }),
    () => {
      const id = idOf('shipping-method', random.pick([1, 1, 2, 2, 3]));
      if (random.chance(0.1)) return { action: 'setShippingMethod' };
      return { action: 'setShippingMethod', shippingMethod: { typeId: 'shipping-method', id }, ...rate };
    },
    () => ({
      action: 'setCustomShippingMethod',
      shippingMethodName: 'Own',
      shippingRate: randomRate(random, currencyOf(cart), world.project.shippingRateInputType),
      taxCategory: { typeId: 'tax-category', id: idOf('tax-category', 1) },
      ...rate,
    }),
    () => {
      const shippingRateInput = randomRateInput(random, world);
      return { action: 'setShippingRateInput', ...(shippingRateInput === undefined ? {} : { shippingRateInput }) };
    },
    () => ofItemAddresses(random, cart),
  ]);
}

function ofDiscounts(random: Choices, cart: ModelCart, world: ModelWorld): CartUpdateAction | undefined {
  // A hard freeze keeps discounts and codes: what a new one does then is nowhere said.
  const isHard = cart.freezeStrategy === 'HardFreeze';
  return oneOf(random, [
    () => (isHard ? undefined : { action: 'addDiscountCode', code: random.pick(someCodes(random, world)) ?? 'code1' }),
    () => (isHard ? undefined : { action: 'addDiscountCode', code: random.pick(['CODE1', 'CODE2', 'CODE3', 'CODE4']) }),
    () => {
      const code = cart.discountCodes.length === 0 ? undefined : random.pick(cart.discountCodes);
      return code && { action: 'removeDiscountCode', discountCode: code.discountCode };
    },
    () => {
      if (cart.discountCodes.length > 0 && random.chance(0.9)) return undefined;
      const discounts = Array.from({ length: random.below(4) }, () => randomEffect(random, false));
      return { action: 'setDirectDiscounts', discounts };
    },
  ]);
}

function ofAdding(random: Choices, cart: ModelCart, world: ModelWorld): CartUpdateAction | undefined {
  const shippingKeys = cart.shipping.map(({ shippingKey }) => shippingKey);
  const options: ItemOptions = { currency: currencyOf(cart), taxMode: 'Platform', shippingKeys, world };
  if (random.chance(0.3)) {
    const slug = random.pick(slugs);
    return { action: 'addCustomLineItem', ...randomCustomLine(random, { ...options, slug }) };
  }
  const product = 1 + random.below(productCount);
  return { action: 'addLineItem', ...randomLine(random, { ...options, product }) };
}

function ofItem(random: Choices, cart: ModelCart): CartUpdateAction | undefined {
  const items = itemsOf(cart);
  if (items.length === 0) return undefined;
  const item = random.pick(items);
  if (isGift(item)) return ofGift(random, cart, item);
  return 'productId' in item ? ofLine(random, cart, item) : ofCustomLine(random, cart, item);
}

function ofGift(random: Choices, cart: ModelCart, { id: lineItemId }: ModelItem): CartUpdateAction | undefined {
  if (random.chance(0.6)) return { action: 'removeLineItem', lineItemId };
  return oneOf(random, [
    () => ({ action: 'changeLineItemQuantity', lineItemId, quantity: random.below(3) }),
    () => ({
      action: 'setLineItemPrice',
      lineItemId,
      ...random.maybe(0.7, () => ({ externalPrice: randomDraftMoney(random, currencyOf(cart)) })),
    }),
    () => ({
      action: 'setLineItemDistributionChannel',
      lineItemId,
      ...random.maybe(0.7, () => ({ distributionChannel: channelOf(random) })),
    }),
    () => ({
      action: 'setLineItemSupplyChannel',
      lineItemId,
      ...random.maybe(0.7, () => ({ supplyChannel: channelOf(random) })),
    }),
  ]);
}

function ofLine(random: Choices, cart: ModelCart, line: ModelCart['lineItems'][number]): CartUpdateAction | undefined {
  const currency = currencyOf(cart);
  const target = random.chance(0.5) || line.key === undefined ? { lineItemId: line.id } : { lineItemKey: line.key };
  const given =
    line.priceMode === 'ExternalPrice' && random.chance(0.9)
      ? { externalPrice: randomDraftMoney(random, currency) }
      : line.priceMode === 'ExternalTotal' && random.chance(0.5)
        ? { externalTotalPrice: randomTotalPrice(random, currency) }
        : {};
  return oneOf(random, [
    () => ({
      action: 'changeLineItemQuantity',
      ...target,
      quantity: random.chance(0.1) ? 0 : randomQuantity(random),
      ...given,
    }),
    () => ({ action: 'changeLineItemQuantity', ...target, quantity: randomQuantity(random), ...given }),
    () => ({
      action: 'removeLineItem',
      ...target,
      ...random.maybe(0.6, () => ({ quantity: 1 + random.below(3), ...given })),
    }),
    () => ({
      action: 'setLineItemPrice',
      ...target,
      ...random.maybe(0.7, () => ({ externalPrice: randomDraftMoney(random, currency) })),
    }),
    () => ({
      action: 'setLineItemTotalPrice',
      ...target,
      ...random.maybe(0.5, () => ({ externalTotalPrice: randomTotalPrice(random, currency) })),
    }),
    () => ({
      action: 'setLineItemDistributionChannel',
      ...target,
      ...random.maybe(0.7, () => ({ distributionChannel: channelOf(random) })),
    }),
    () => ({
      action: 'setLineItemSupplyChannel',
      ...target,
      ...random.maybe(0.7, () => ({ supplyChannel: channelOf(random) })),
    }),
    () => ({ action: 'setLineItemCustomType', ...target, ...random.maybe(0.7, () => randomItemCustom(random)) }),
    () => {
      if (cart.itemShippingAddresses.length === 0) return undefined;
      const shippingKeys = cart.shipping.map(({ shippingKey }) => shippingKey);
      return {
        action: 'setLineItemShippingDetails',
        ...target,
        shippingDetails: randomDetails(random, line.quantity, shippingKeys),
      };
    },
    () => {
      const targetsDelta = randomDelta(random, cart, line);
      return targetsDelta && { action: 'applyDeltaToLineItemShippingDetailsTargets', ...target, targetsDelta };
    },
    () => {
      if (line.custom === undefined) return undefined;
      return { action: 'setLineItemCustomField', ...target, name: 'engraving', value: random.pick(['Ada', 'Ben']) };
    },
  ]);
}

function ofCustomLine(random: Choices, cart: ModelCart, item: ModelCustomLine): CartUpdateAction | undefined {
  const { id, quantity, custom, money } = item;
  const target = { customLineItemId: id };
  return oneOf(random, [
    () => ({ action: 'changeCustomLineItemQuantity', ...target, quantity: random.below(4) }),
    () => ({
      action: 'changeCustomLineItemMoney',
      ...target,
      money: random.chance(0.3) ? money : randomDraftMoney(random, currencyOf(cart)),
    }),
    () => ({ action: 'changeCustomLineItemPriceMode', ...target, mode: random.pick(['Standard', 'External']) }),
    () => ({ action: 'removeCustomLineItem', ...target }),
    () => ({ action: 'setCustomLineItemCustomType', ...target, ...random.maybe(0.7, () => randomItemCustom(random)) }),
    () => {
      if (custom === undefined) return undefined;
      const value = random.pick(['Ada', 'Ben']);
      return { action: 'setCustomLineItemCustomField', ...target, name: 'engraving', value };
    },
    () => {
      if (cart.itemShippingAddresses.length === 0) return undefined;
      const shippingKeys = cart.shipping.map(({ shippingKey }) => shippingKey);
      const shippingDetails = randomDetails(random, quantity, shippingKeys);
      return { action: 'setCustomLineItemShippingDetails', ...target, shippingDetails };
    },
    () => {
      const targetsDelta = randomDelta(random, cart, item);
      return targetsDelta && { action: 'applyDeltaToCustomLineItemShippingDetailsTargets', ...target, targetsDelta };
    },
  ]);
}

import type {
  CartDiscount,
  CartDiscountTarget,
  CartDiscountValue,
  CartDraft,
  PatternComponent,
} from '@commercetools/platform-sdk';
import t from 'tap';
import type { ModelCart, ModelWorld } from '../support/cart-model/cart-shapes.ts';
import { updateModelCart } from '../support/cart-model/model.ts';
import {
  created,
  absolute,
  address,
  cartOf,
  discount,
  euros,
  everything,
  lines,
  now,
  price,
  relative,
  shop,
  unitsOf,
} from '../support/cart-model/plain-shop.ts';
import { idOf } from '../support/cart-model/world-ids.ts';

t.test('half of 101 is rounded as the cart says', async (t) => {
  const world = shop({ prices: [price(101)], discounts: [discount('0.5', relative(5000))] });
  t.equal(cartOf(world, lines(1)).totalPrice.centAmount, 50);
  t.equal(cartOf(world, { ...lines(1), priceRoundingMode: 'HalfUp' }).totalPrice.centAmount, 51);
});

t.test('an absolute discount is spread over units', async (t) => {
  const cart = cartOf(shop({ discounts: [discount('0.5', absolute(100))] }), lines(3));
  t.equal(cart.totalPrice.centAmount, 224);
  t.strictSame(unitsOf(cart), [
    [1, 74],
    [2, 75],
  ]);
  const amounts = cart.lineItems[0]!.discountedPricePerQuantity.map(
    ({ discountedPrice }) => discountedPrice.includedDiscounts[0]!.discountedAmount.centAmount,
  );
  t.strictSame(amounts, [34, 33]);
});

t.test('discounts follow each other by the number that their sort order is', async (t) => {
  const stacked = (first: string, second: string): number => {
    const discounts = [discount(first, relative(1000)), discount(second, absolute(100))];
    return cartOf(shop({ prices: [price(1000)], discounts }), lines(1)).totalPrice.centAmount;
  };
  t.equal(stacked('0.9', '0.5'), 800);
  t.equal(stacked('0.5', '0.9'), 810);
  t.equal(stacked('0.35', '0.4'), 810);
});

t.test('a discount that stops keeps those after it from applying, if it has applied', async (t) => {
  const stopping = { ...discount('0.9', relative(1000)), stackingMode: 'StopAfterThisDiscount' };
  const after = discount('0.5', absolute(100), { type: 'totalPrice' });
  t.equal(cartOf(shop({ prices: [price(1000)], discounts: [stopping, after] }), lines(1)).totalPrice.centAmount, 900);
  const idle = { ...stopping, target: { type: 'customLineItems', predicate: everything } } as const;
  t.equal(cartOf(shop({ prices: [price(1000)], discounts: [idle, after] }), lines(1)).totalPrice.centAmount, 900);
  t.equal(
    cartOf(shop({ prices: [price(1000)], discounts: [idle, after] }), lines(1)).discountOnTotalPrice?.discountedAmount
      .centAmount,
    100,
  );
});

t.test('of two bought the cheapest is discounted, by multi buy and by pattern', async (t) => {
  const draft: Partial<CartDraft> = { lineItems: [{ sku: 'sku-2-1' }, { sku: 'sku-1-1', quantity: 2 }] };
  const multiBuy: CartDiscountTarget = {
    type: 'multiBuyLineItems',
    predicate: everything,
    triggerQuantity: 2,
    discountedQuantity: 1,
    selectionMode: 'Cheapest',
  };
  const component: PatternComponent = { type: 'CountOnLineItemUnits', predicate: everything, minCount: 1, maxCount: 1 };
  const pattern: CartDiscountTarget = {
    type: 'pattern',
    triggerPattern: [component],
    targetPattern: [component],
    selectionMode: 'Cheapest',
  };
  for (const target of [multiBuy, pattern]) {
    const cart = cartOf(shop({ discounts: [discount('0.5', relative(10_000), target)] }), draft);
    t.equal(cart.totalPrice.centAmount, 608, target.type);
    t.strictSame(unitsOf(cart, 0), [], target.type);
    t.strictSame(unitsOf(cart, 1).length, 2, target.type);
    const pair: Partial<CartDraft> = { lineItems: [{ sku: 'sku-1-1' }, { sku: 'sku-2-1' }] };
    const discounts = [discount('0.5', relative(10_000), target)];
    t.equal(cartOf(shop({ discounts }), pair).totalPrice.centAmount, 500, target.type);
    const dearest = { ...target, selectionMode: 'MostExpensive' };
    const ofDearest = [discount('0.5', relative(10_000), dearest)];
    t.equal(cartOf(shop({ discounts: ofDearest }), pair).totalPrice.centAmount, 108, target.type);
  }
});

t.test('what a pattern excludes is required and not discounted', async (t) => {
  const component: PatternComponent = { type: 'CountOnLineItemUnits', predicate: everything, minCount: 3, maxCount: 3 };
  const target: CartDiscountTarget = {
    type: 'pattern',
    triggerPattern: [],
    targetPattern: [{ ...component, excludeCount: 2 }],
    selectionMode: 'Cheapest',
  };
  const world = shop({ prices: [price(100)], discounts: [discount('0.5', relative(5000), target)] });
  const totals = [4, 5, 9, 10].map((quantity) => cartOf(world, lines(quantity)).totalPrice.centAmount);
  t.strictSame(totals, [400, 350, 750, 700]);
});

t.test('a fixed price lowers what is above it alone', async (t) => {
  const value: CartDiscountValue = { type: 'fixed', money: [euros(300)] };
  const draft: Partial<CartDraft> = { lineItems: [{ sku: 'sku-1-1' }, { sku: 'sku-2-1' }] };
  t.equal(cartOf(shop({ discounts: [discount('0.5', value)] }), draft).totalPrice.centAmount, 408);
});

t.test('a discount on the total price leaves lines, and scales taxes', async (t) => {
  const world = shop({ prices: [price(1000)], discounts: [discount('0.5', relative(1000), { type: 'totalPrice' })] });
  const cart = cartOf(world, { ...lines(1), shippingAddress: address });
  t.equal(cart.totalPrice.centAmount, 900);
  t.equal(cart.lineItems[0]?.totalPrice.centAmount, 1000);
  t.equal(cart.lineItems[0]?.taxedPrice?.totalGross.centAmount, 1190);
  t.equal(cart.taxedPrice?.totalNet.centAmount, 900);
  t.equal(cart.taxedPrice?.totalGross.centAmount, 1071);
  t.equal(cart.discountOnTotalPrice?.discountedNetAmount?.centAmount, 100);
  t.equal(cart.discountOnTotalPrice?.discountedGrossAmount?.centAmount, 119);
});

t.test('a gift is a line of its own until the client removes it', async (t) => {
  const gift: CartDiscountValue = {
    type: 'giftLineItem',
    product: { typeId: 'product', id: idOf('product', 2) },
    variantId: 1,
  };
  const world = shop({ discounts: [discount('0.9', gift), discount('0.5', relative(1000))] });
  const cart = cartOf(world, { ...lines(1), shippingAddress: address });
  const line = cart.lineItems[1]!;
  t.match(line, { lineItemMode: 'GiftLineItem', quantity: 1, totalPrice: euros(0), price: { value: euros(500) } });
  t.strictSame(unitsOf(cart, 1), [[1, 0]]);
  t.equal(cart.totalPrice.centAmount, 97);
  t.equal(cart.totalLineItemQuantity, 2);
  t.equal(line.taxedPrice?.totalGross.centAmount, 0);
  const more = updateModelCart(world, cart, [{ action: 'changeLineItemQuantity', lineItemId: line.id, quantity: 2 }]);
  t.strictSame(more, { error: 'InvalidOperation' });
  const refused = updateModelCart(world, cart, [{ action: 'removeLineItem', lineItemId: line.id }]);
  t.match(refused, { cart: { refusedGifts: [{ id: world.cartDiscounts[0]!.id }] } });
  t.equal('cart' in refused && refused.cart.lineItems.length, 1);
});

t.test('a code says what has become of its discounts', async (t) => {
  const stopping = { ...discount('0.9', relative(1000)), stackingMode: 'StopAfterThisDiscount' };
  const group = { typeId: 'discount-group', id: idOf('discount-group', 1) } as const;
  const small = { ...discount('0.1', relative(100)), discountGroup: group, requiresDiscountCode: true };
  const large = { ...discount('0.2', relative(200)), discountGroup: group };
  const stateWith = (discounts: readonly CartDiscount[]): string | undefined => {
    const cartDiscounts = [{ typeId: 'cart-discount', id: small.id } as const];
    const code = { ...created, id: idOf('discount-code', 1), code: 'CODE', cartDiscounts, stores: [] };
    const world: ModelWorld = {
      ...shop({ discounts }),
      discountGroups: [{ ...created, id: group.id, key: 'group', sortOrder: '0.5', isActive: true }],
      discountCodes: [{ ...code, isActive: true, references: [], groups: [] }],
    };
    return cartOf(world, { ...lines(1), discountCodes: ['CODE'] }).discountCodes[0]?.state;
  };
  t.equal(stateWith([small]), 'MatchesCart');
  t.equal(stateWith([small, large]), 'ApplicationStoppedByGroupBestDeal');
  t.equal(stateWith([small, stopping]), 'ApplicationStoppedByPreviousDiscount');
  t.equal(stateWith([{ ...small, cartPredicate: 'country = "DE"' }]), 'DoesNotMatchCart');
});

t.test('a code is refused that does not exist or apply, beside direct discounts and on frozen carts', async (t) => {
  const off = discount('0.5', relative(1000));
  const codeOf = (index: number, members: object): ModelWorld['discountCodes'][number] => ({
    ...created,
    id: idOf('discount-code', index),
    code: `CODE${index}`,
    cartDiscounts: [{ typeId: 'cart-discount', id: off.id }],
    stores: [],
    isActive: true,
    references: [],
    groups: [],
    ...members,
  });
  const discountCodes = [codeOf(1, {}), codeOf(2, { validUntil: now }), codeOf(3, { cartPredicate: 'country = "DE"' })];
  const world = { ...shop({ discounts: [{ ...off, requiresDiscountCode: true }] }), discountCodes };
  const cart = cartOf(world, lines(1));
  const frozen = updateModelCart(world, cart, [{ action: 'freezeCart' }]);
  const direct = updateModelCart(world, cart, [
    { action: 'setDirectDiscounts', discounts: [{ value: relative(5000), target: { type: 'totalPrice' } }] },
  ]);
  if (!('cart' in frozen) || !('cart' in direct)) throw new Error('Both are allowed.');
  t.equal(direct.cart.totalPrice.centAmount, 54);
  const outcome = (of: ModelCart, code: string): number | string => {
    const result = updateModelCart(world, of, [{ action: 'addDiscountCode', code }]);
    return 'cart' in result ? result.cart.totalPrice.centAmount : result.error;
  };
  const outcomes = (of: ModelCart): readonly (number | string)[] =>
    ['CODE1', 'CODE2', 'CODE3', 'code1'].map((code) => outcome(of, code));
  t.strictSame(outcomes(cart), [97, 'DiscountCodeNonApplicable', 108, 'DiscountCodeNonApplicable']);
  t.strictSame(outcomes(frozen.cart), [
    'InvalidOperation',
    'DiscountCodeNonApplicable',
    108,
    'DiscountCodeNonApplicable',
  ]);
  t.equal(outcome(direct.cart, 'CODE1'), 'InvalidOperation');
});

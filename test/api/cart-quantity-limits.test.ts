/** How many units of a line a cart takes, as the stock of its SKU and supply channel says. */
import type { CartUpdateAction } from '@commercetools/platform-sdk';
import t from 'tap';
import { eur, startCartShop } from '../support/cart-shop.ts';

t.test('limits hold when a line is added, or changes its quantity or its supply channel', async (t) => {
  const { addProduct, cart, update, refused, refusedDraft, api } = await startCartShop();
  await addProduct('lamp', [{ value: eur(1000) }]);
  const north = { typeId: 'channel' as const, key: 'north' };
  const stock = { sku: 'lamp', quantityOnStock: 100 };
  const { body: entry } = await api
    .inventory()
    .post({ body: { ...stock, minCartQuantity: 2, maxCartQuantity: 5 } })
    .execute();
  await api
    .inventory()
    .post({ body: { ...stock, supplyChannel: north, maxCartQuantity: 3 } })
    .execute();
  const above = (quantity: number, maxCartQuantity: number) => ({
    status: 400,
    error: { code: 'LineItemQuantityAboveLimit', quantity, maxCartQuantity, lineItem: String },
  });
  const below = (quantity: number) => ({
    status: 400,
    error: { code: 'LineItemQuantityBelowLimit', quantity, minCartQuantity: 2, lineItem: String },
  });
  t.match(await refusedDraft({ lineItems: [{ sku: 'lamp', quantity: 6 }] }), above(6, 5));
  t.match(await refusedDraft({ lineItems: [{ sku: 'lamp', quantity: 1 }] }), below(1));
  const draft = { lineItems: [{ sku: 'lamp', key: 'line', quantity: 4 }] };
  let own = await cart(draft);
  const change = (quantity: number): CartUpdateAction => ({
    action: 'changeLineItemQuantity',
    lineItemKey: 'line',
    quantity,
  });
  t.match(await refused(own, { action: 'addLineItem', sku: 'lamp', quantity: 2 }), above(6, 5), 'the sum counts');
  t.match(await refused(own, change(6)), above(6, 5));
  t.match(await refused(own, change(1)), below(1));
  t.match(await refused(own, { action: 'removeLineItem', lineItemKey: 'line', quantity: 3 }), below(1));
  const move: CartUpdateAction = { action: 'setLineItemSupplyChannel', lineItemKey: 'line', supplyChannel: north };
  t.match(await refused(own, move), above(4, 3), 'of the stock at the other channel');
  own = await update(own, change(5));
  t.equal(own.totalLineItemQuantity, 5, 'as many as the limit');
  own = await update(own, change(1), move);
  t.equal(own.totalLineItemQuantity, 1, 'the stock there has no least quantity');

  let other = await cart(draft);
  await api
    .inventory()
    .withId({ ID: entry.id })
    .post({ body: { version: entry.version, actions: [{ action: 'setInventoryLimits', maxCartQuantity: 3 }] } })
    .execute();
  other = await update(other, { action: 'setCountry', country: 'DE' }, change(4));
  t.equal(other.totalLineItemQuantity, 4, 'what is in a cart stays when limits move');
  t.match(await refused(other, change(5)), above(5, 3));
  other = await update(other, change(0));
  t.strictSame(other.lineItems, [], 'a line can be removed');
});

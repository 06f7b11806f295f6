import t from 'tap';
import { eur, german, startCartShop } from '../support/cart-shop.ts';
import { keepMessages, messagesOf, tellerOf } from '../support/messages.ts';

t.test('carts tell of being frozen and locked, and little else', async (t) => {
  const shop = await startCartShop();
  await keepMessages(shop);
  await shop.addProduct('lamp', [{ value: eur(1000) }]);
  const zone = await shop.api.zones().withKey({ key: 'de' }).get().execute();
  const method = {
    key: 'post',
    name: 'Post',
    taxCategory: { typeId: 'tax-category', key: 'standard' },
    zoneRates: [{ zone: { typeId: 'zone', id: zone.body.id }, shippingRates: [{ price: eur(500) }] }],
    isDefault: false,
  };
  t.equal((await shop.request('POST', '/shipping-methods', method)).status, 201);
  const shippingMethod = { typeId: 'shipping-method', key: 'post' };
  const draft = { currency: 'EUR', shippingAddress: german, shippingMethod, lineItems: [{ sku: 'lamp' }] };
  const cart = await tellerOf(t, shop, { path: '/carts', typeId: 'cart', draft });
  t.strictSame(cart.created, []);
  const estimatedDelivery = { from: '2030-01-01T00:00:00.000Z', until: '2030-01-02T00:00:00.000Z' };
  t.strictSame(
    await cart.tells(
      { action: 'setPurchaseOrderNumber', purchaseOrderNumber: 'P-1' },
      { action: 'setPurchaseOrderNumber', purchaseOrderNumber: 'P-2' },
      { action: 'setCustomerEmail', email: 'jane@example.org' },
      { action: 'setEstimatedDelivery', estimatedDelivery },
      { action: 'lockCart' },
    ),
    [
      { type: 'CartPurchaseOrderNumberSet', purchaseOrderNumber: 'P-1' },
      { type: 'CartPurchaseOrderNumberSet', purchaseOrderNumber: 'P-2', oldPurchaseOrderNumber: 'P-1' },
      { type: 'CartEstimatedDeliverySet', estimatedDelivery },
      { type: 'CartLocked' },
    ],
  );
  t.strictSame(await cart.tells({ action: 'unlockCart' }, { action: 'freezeCart' }, { action: 'unfreezeCart' }), [
    { type: 'CartUnlocked' },
    { type: 'CartFrozen' },
    { type: 'CartUnfrozen' },
  ]);
  t.strictSame(await cart.tells({ action: 'setEstimatedDelivery' }), [{ type: 'CartEstimatedDeliverySet' }]);
  t.strictSame(await cart.deleted('&dataErasure=true'), []);
  t.strictSame(await messagesOf(shop, cart.id), []);
});

t.test('lists tell of line items that come and go', async (t) => {
  const shop = await startCartShop();
  await keepMessages(shop);
  await shop.addProduct('lamp', [{ value: eur(1000) }]);
  const draft = { key: 'wishes', name: { en: 'Wishes' }, lineItems: [{ sku: 'lamp', key: 'first' }] };
  const list = await tellerOf(t, shop, { path: '/shopping-lists', typeId: 'shopping-list', draft });
  t.strictSame(list.created, []);
  const items = (): readonly Readonly<Record<string, unknown>>[] =>
    list.body['lineItems'] as readonly Readonly<Record<string, unknown>>[];
  const [first] = items();
  const again = await list.tells({ action: 'addLineItem', sku: 'lamp' });
  t.strictSame(again, [{ type: 'ShoppingListLineItemAdded', lineItem: { ...first, quantity: 2 } }]);
  const productId = first!['productId'];
  const other = await list.tells({ action: 'addLineItem', productId });
  t.strictSame(other, [{ type: 'ShoppingListLineItemAdded', lineItem: items()[1] }]);
  const [, second] = items();
  t.strictSame(await list.tells({ action: 'changeLineItemQuantity', lineItemKey: 'first', quantity: 3 }), []);
  t.strictSame(await list.tells({ action: 'removeLineItem', lineItemKey: 'first', quantity: 1 }), []);
  t.strictSame(
    await list.tells(
      { action: 'removeLineItem', lineItemKey: 'first' },
      { action: 'changeLineItemQuantity', lineItemId: second!['id'], quantity: 0 },
      { action: 'addTextLineItem', name: { en: 'Text' } },
    ),
    [
      { type: 'ShoppingListLineItemRemoved', lineItem: { ...first, quantity: 2 } },
      { type: 'ShoppingListLineItemRemoved', lineItem: second },
    ],
  );
});

import t from 'tap';
import type { Cart } from '@commercetools/platform-sdk';
import { eur, startCartShop } from '../support/cart-shop.ts';
import { changeSettings } from '../support/platform.ts';
import { keepMessages, messagesOf, tellerOf, toldIn } from '../support/messages.ts';

const about = { path: '/inventory', typeId: 'inventory-entry' };

t.test('stocks tell of what is on them, and of levels that they come down to', async (t) => {
  const shop = await startCartShop();
  await keepMessages(shop);
  const north = await shop.api.channels().withKey({ key: 'north' }).get().execute();
  const supplyChannel = { typeId: 'channel', id: north.body.id };
  const draft = { key: 'one', sku: 'lamp', supplyChannel, quantityOnStock: 10 };
  const stock = await tellerOf(t, shop, { ...about, draft });
  t.strictSame(stock.created, [{ type: 'InventoryEntryCreated', inventoryEntry: stock.body }]);
  const named = { sku: 'lamp', supplyChannel };
  const set = (from: number, to: number): object => ({
    type: 'InventoryEntryQuantitySet',
    oldQuantityOnStock: from,
    newQuantityOnStock: to,
    oldAvailableQuantity: from,
    newAvailableQuantity: to,
    ...named,
  });
  t.strictSame(
    await stock.tells(
      { action: 'setReorderPoint', quantity: 5 },
      { action: 'setSafetyStock', quantity: 3 },
      { action: 'addQuantity', quantity: 2 },
      { action: 'removeQuantity', quantity: 4 },
      { action: 'setReservationExpirationInMinutes', reservationExpirationInMinutes: 7 },
    ),
    [
      set(10, 12),
      set(12, 8),
      { type: 'InventoryEntryReservationExpirationInMinutesSet', newReservationExpirationInMinutes: 7 },
    ],
  );
  t.strictSame(await stock.tells({ action: 'changeQuantity', quantity: 5 }), [
    set(8, 5),
    { type: 'InventoryEntryReorderPoint', quantityOnStock: 5, ...named },
  ]);
  t.strictSame(await stock.tells({ action: 'changeQuantity', quantity: 4 }), [set(5, 4)], 'once');
  t.strictSame(await stock.tells({ action: 'changeQuantity', quantity: 9 }), [set(4, 9)]);
  t.strictSame(await stock.tells({ action: 'changeQuantity', quantity: -1 }), [
    set(9, -1),
    { type: 'InventoryEntryOutOfStock', ...named },
    { type: 'InventoryEntryReorderPoint', quantityOnStock: -1, ...named },
    { type: 'InventoryEntrySafetyStock', quantityOnStock: -1, ...named },
  ]);
  t.strictSame(await stock.deleted(), [{ type: 'InventoryEntryDeleted', ...named }]);
});

t.test('the reservation that takes the last unit tells that the stock is out, and no other does', async (t) => {
  const shop = await startCartShop();
  await keepMessages(shop);
  await shop.addProduct('lamp', [{ value: eur(1000) }]);
  const minutes = { action: 'setReservationExpirationInMinutes', reservationExpirationInMinutes: 30 };
  t.equal((await changeSettings(shop, minutes)).status, 200);
  const stock = await tellerOf(t, shop, { ...about, draft: { sku: 'lamp', quantityOnStock: 40 } });
  const carts = await Promise.all(
    Array.from({ length: 48 }, () => shop.cart({ inventoryMode: 'ReserveOnCart', lineItems: [{ sku: 'lamp' }] })),
  );
  const reserved = carts.flatMap(({ lineItems }) => lineItems).filter(({ reservation }) => reservation !== undefined);
  t.equal(reserved.length, 40);
  t.strictSame(await stock.since(), [{ type: 'InventoryEntryOutOfStock', sku: 'lamp' }]);
  t.equal(stock.body['availableQuantity'], 0);

  const quantity = async (cart: Cart, to: number): Promise<Cart> =>
    shop.update(cart, { action: 'changeLineItemQuantity', lineItemId: cart.lineItems[0]!.id, quantity: to });
  const holding = carts.filter(({ lineItems }) => lineItems[0]?.reservation !== undefined);
  const [first, second] = [await quantity(holding[0]!, 0), holding[1]!];
  t.equal(first.lineItems.length, 0);
  t.strictSame(await stock.since(), [], 'what is given back tells nothing');
  await quantity(second, 2);
  t.strictSame(await stock.since(), [{ type: 'InventoryEntryOutOfStock', sku: 'lamp' }], 'but out of stock again');
  const last = (await messagesOf(shop, stock.id)).at(-1)!;
  t.match(last, { sequenceNumber: 3, resourceVersion: stock.body.version });
  t.strictSame(toldIn(last), { type: 'InventoryEntryOutOfStock', sku: 'lamp' });
});

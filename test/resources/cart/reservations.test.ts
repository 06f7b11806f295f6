/** Random requests of several carts over few stocks: what carts hold and what stocks say always agree. */
import t from 'tap';
import type { Warning } from '../../../src/engine/resource.ts';
import type { InventoryEntry } from '../../../src/resources/inventory-entry/fields.ts';
import { reserveStock } from '../../../src/resources/cart/computation/reservations.ts';
import type { Cart } from '../../../src/resources/cart/fields.ts';
import type { LineItem } from '../../../src/resources/cart/item-fields.ts';
import type { Reservation } from '../../../src/resources/reservation/fields.ts';
import { type Effect, isLive } from '../../../src/resources/reservation/offers.ts';
import { choicesOf } from '../../support/random.ts';

const now = '2026-01-01T00:00:00.000Z';
const skus = ['a', 'b', 'without stock'];
const channels = ['', 'north', 'south'];

/** All that is stored. */
interface World {
  readonly entries: Map<string, InventoryEntry>;
  readonly reservations: Map<string, Reservation>;
  readonly carts: Cart[];
}

function newWorld(): World {
  const places = skus.slice(0, 2).flatMap((sku) => channels.slice(0, 2).map((channel) => ({ sku, channel })));
  const entries = places.map(({ sku, channel }): [string, InventoryEntry] => {
    const id = `${sku} ${channel}`;
    const supplyChannel = channel === '' ? {} : { supplyChannel: { typeId: 'channel', id: channel } };
    const entry = { id, version: 1, sku, quantityOnStock: 12, availableQuantity: 12, ...supplyChannel };
    return [id, entry as InventoryEntry];
  });
  const cart = (index: number): Cart =>
    ({
      id: `cart-${index}`,
      cartState: 'Active',
      inventoryMode: index % 2 === 0 ? 'ReserveOnCart' : 'None',
      lineItems: [],
    }) as unknown as Cart;
  return { entries: new Map(entries), reservations: new Map(), carts: [0, 1, 2, 3].map(cart) };
}

function apply({ entries, reservations }: World, cart: Cart, effect: Effect): void {
  const take = (id: string, units: number): void => {
    const entry = entries.get(id)!;
    entries.set(id, { ...entry, availableQuantity: entry.availableQuantity - units });
  };
  if (effect.type === 'create') {
    const { entryId, ...made } = effect.made;
    const inventoryEntry = { typeId: 'inventory-entry', id: entryId };
    const owner = { typeId: 'cart', id: cart.id };
    reservations.set(effect.id, { id: effect.id, ...made, inventoryEntry, owner, state: 'Created' } as Reservation);
    return take(entryId, made.quantity);
  }
  const { id, quantity, inventoryEntry } = effect.of;
  const known = reservations.get(id)!;
  if (effect.type === 'change') {
    reservations.set(id, { ...known, ...effect.to, state: 'Updated' });
    return take(inventoryEntry.id, effect.to.quantity - quantity);
  }
  reservations.delete(id);
  if (isLive(known)) take(inventoryEntry.id, -quantity);
}

/** Stores what becomes of the cart's reservations. */
function reserved(world: World, cart: Cart, before: Cart): readonly Warning[] {
  const [warnings, effects]: [Warning[], Effect[]] = [[], []];
  reserveStock(cart, {
    before,
    stocks: { entries: world.entries, reservations: world.reservations },
    said: new Set(),
    now,
    minutes: 30,
    warn: (warning) => void warnings.push(warning),
    leave: (effect) => void effects.push(effect),
  });
  for (const effect of effects) apply(world, cart, effect);
  return warnings;
}

t.test('what carts hold is what stocks lack', async (t) => {
  const random = choicesOf(1);
  let [ids, warned, met] = [0, 0, 0];
  for (let world = newWorld(), step = 0; step < 20_000; step += 1) {
    if (step % 100 === 0) world = newWorld();
    const place = random.below(world.carts.length);
    const before = world.carts[place]!;
    const asked = structuredClone(before);
    for (let count = 1 + random.below(3); count > 0; count -= 1) changeAtRandom(asked, () => `line-${(ids += 1)}`);
    const cart = structuredClone(asked);
    const warnings = reserved(world, cart, before);
    world.carts[place] = cart;
    const fault = faultOf(world) ?? unmetFault(asked, cart, warnings);
    if (fault !== undefined) {
      t.fail(fault, { before, asked, cart, warnings });
      return;
    }
    warned += warnings.length;
    met += warnings.length === 0 ? 1 : 0;
  }
  t.ok(warned > 1000 && met > 1000, `${met} requests were met, and ${warned} warnings given`);

  function changeAtRandom(cart: Cart, newId: () => string): void {
    const line = cart.lineItems[random.below(4)];
    const channel = random.pick(channels);
    switch (line === undefined ? 0 : random.below(5)) {
      case 0: {
        const added = {
          id: newId(),
          quantity: 1 + random.below(8),
          variant: { sku: random.pick(skus) },
          lineItemMode: 'Standard',
          productId: 'p',
        };
        cart.lineItems.push(added as unknown as LineItem);
        return;
      }
      case 1:
        line!.quantity = 1 + random.below(8);
        return;
      case 2:
        delete line!.supplyChannel;
        if (channel !== '') line!.supplyChannel = { typeId: 'channel', id: channel };
        return;
      case 3:
        line!.inventoryMode = random.pick(['ReserveOnCart', 'None'] as const);
        return;
      case 4:
        cart.lineItems = cart.lineItems.filter((other) => other !== line);
    }
  }
});

t.test('units that a line gives up are there for another line of the request', async (t) => {
  const world = newWorld();
  const [first] = world.carts as [Cart];
  const lineOf = (id: string): LineItem =>
    ({ id, quantity: 12, variant: { sku: 'a' }, lineItemMode: 'Standard', productId: 'p' }) as unknown as LineItem;
  const one = { ...first, lineItems: [lineOf('one')] };
  t.strictSame(reserved(world, one, first), []);
  const both = { ...one, lineItems: [...structuredClone(one.lineItems), lineOf('other')] };
  t.match(reserved(world, both, one), [{ code: 'CannotCreateReservation' }]);
  const other = { ...one, lineItems: [lineOf('other')] };
  t.strictSame(reserved(world, other, one), []);
  t.match(other.lineItems, [{ id: 'other', reservation: { typeId: 'reservation' } }]);
});

t.test('a line gives up units of a stock that has fewer than are reserved', async (t) => {
  const world = newWorld();
  const [first] = world.carts as [Cart];
  const lineOf = (quantity: number): LineItem =>
    ({ id: 'one', quantity, variant: { sku: 'a' }, lineItemMode: 'Standard', productId: 'p' }) as unknown as LineItem;
  const ten = { ...first, lineItems: [lineOf(10)] };
  reserved(world, ten, first);
  const entry = world.entries.get('a ')!;
  world.entries.set(entry.id, { ...entry, quantityOnStock: 5, availableQuantity: -5 });
  const eight = { ...ten, lineItems: [{ ...ten.lineItems[0]!, quantity: 8 }] };
  t.strictSame(reserved(world, eight, ten), []);
  t.match(eight.lineItems, [{ quantity: 8 }]);
  t.match(world.entries.get(entry.id), { availableQuantity: -3 });
});

function isReserving({ inventoryMode }: LineItem, cart: Cart): boolean {
  return (inventoryMode ?? cart.inventoryMode) === 'ReserveOnCart';
}

/** What is wrong with what is stored. */
function faultOf({ entries, reservations, carts }: World): string | undefined {
  for (const { id, quantityOnStock, availableQuantity } of entries.values()) {
    const held = [...reservations.values()].filter(({ inventoryEntry }) => inventoryEntry.id === id);
    const units = held.reduce((sum, { quantity }) => sum + quantity, 0);
    if (availableQuantity < 0) return `${id} is oversold`;
    if (availableQuantity !== quantityOnStock - units)
      return `${units} of ${id} are held, and ${availableQuantity} available`;
  }
  let links = 0;
  for (const cart of carts) {
    for (const line of cart.lineItems) {
      const reservation = line.reservation && reservations.get(line.reservation.id);
      if (reservation === undefined) {
        if (line.reservation !== undefined || isReserving(line, cart)) return `${line.id} has no reservation`;
        continue;
      }
      links += 1;
      const place = `${line.variant.sku} ${line.supplyChannel?.id ?? ''}`;
      const isRight =
        isReserving(line, cart) && reservation.quantity === line.quantity && reservation.inventoryEntry.id === place;
      if (!isRight) return `${line.id} has another reservation`;
    }
  }
  return links === reservations.size ? undefined : 'a reservation is for nobody';
}

/** Without a warning all is as it was asked for; each warning is of one line. */
function unmetFault(asked: Cart, cart: Cart, warnings: readonly Warning[]): string | undefined {
  const told = (lines: readonly LineItem[]): string[] =>
    lines.map(({ id, quantity, supplyChannel, inventoryMode }) =>
      JSON.stringify([id, quantity, supplyChannel?.id, inventoryMode]),
    );
  const got = new Set(told(cart.lineItems));
  const unmet = told(asked.lineItems).filter((line) => !got.has(line));
  return unmet.length === warnings.length
    ? undefined
    : `${unmet.length} lines are otherwise, and ${warnings.length} warnings`;
}

/** Requests at random about what the model knows to be there, most of them good. */
import type { CartDraft } from '@commercetools/platform-sdk';
import type { Random } from '../../../src/demo/random.ts';
import { eur, german } from '../cart-shop.ts';
import { away, home, standard } from '../order-shop.ts';
import type { Input } from './inputs.ts';
import type { ImportDraft } from './importing.ts';
import type { OrderDraft } from './ordering.ts';
import { randomAction, randomNumber } from './random-actions.ts';
import { actionNames, type Update } from './update.ts';
import { skus } from './shop.ts';
import type { Link, OrderDocument, World } from './world.ts';

export type RandomRequest =
  | { readonly is: 'cart'; readonly draft: Partial<CartDraft>; readonly payment?: string; readonly isFrozen: boolean }
  | { readonly is: 'order'; readonly draft: OrderDraft }
  | { readonly is: 'import'; readonly draft: ImportDraft }
  | { readonly is: 'update'; readonly update: Update }
  | { readonly is: 'deletion'; readonly id: string; readonly version: number }
  | { readonly is: 'sign-up'; readonly anonymousId: string }
  | { readonly is: 'price'; readonly sku: string; readonly centAmount: number }
  | { readonly is: 'stock'; readonly id: string; readonly quantity: number }
  | { readonly is: 'code'; readonly id: string; readonly isActive: boolean; readonly maxApplications?: number };

/** More are not kept: what stays is asked about more often. */
const ordersMax = 6;
const nobody = '00000000-0000-4000-8000-000000000000';

export function randomRequest(random: Random, world: World): RandomRequest {
  if (world.orders.length > ordersMax) return randomDeletion(random, world);
  const orderable = world.carts.filter(({ cartState }) => cartState !== 'Ordered');
  const share = random.next();
  if (orderable.length < 2 || share < 0.08) return randomCart(random, world);
  if (world.orders.length < 2 || share < 0.24) return { is: 'order', draft: randomOrder(random, world) };
  if (share < 0.3) return { is: 'import', draft: randomImport(random, world) };
  if (share < 0.32) return randomDeletion(random, world);
  if (share < 0.33) return { is: 'sign-up', anonymousId: random.pick(visitors) };
  if (share < 0.335) return { is: 'price', sku: random.pick(skus), centAmount: random.pick([1000, 1100]) };
  if (share < 0.37) return { is: 'stock', id: random.pick(world.stocks).id, quantity: random.integer(1, 8) };
  if (share < 0.39) return randomCode(random, world);
  return { is: 'update', update: randomUpdate(random, world) };
}

const visitors = ['visitor-1', 'visitor-2', 'visitor-3'];

function randomCode(random: Random, { codes }: World): RandomRequest {
  const { id, maxApplications, uses } = random.pick(codes);
  const more = maxApplications === undefined ? {} : { maxApplications: uses + random.integer(0, 3) };
  return { is: 'code', id, isActive: random.chance(0.8), ...more };
}

/** Now and then a version that is not the current one. */
const versionOf = (random: Random, version: number): number =>
  random.chance(0.04) ? version + random.pick([-1, 1, 7]) : version;

function randomDeletion(random: Random, { orders }: World): RandomRequest {
  const { id, version } = random.pick(orders);
  return { is: 'deletion', id: random.chance(0.03) ? nobody : id, version: versionOf(random, version) };
}

function randomCart(random: Random, world: World): RandomRequest {
  const isSeveral = random.chance(0.25);
  // Of one there is never any.
  const chosen = skus.filter((sku) => random.chance(sku === 'pen' ? 0.08 : 0.4));
  const owner = random.next();
  const isPaid = random.chance(0.4);
  const store = random.chance(0.3) ? { store: { typeId: 'store' as const, key: random.pick(world.stores).key } } : {};
  const draft: Partial<CartDraft> = {
    key: `cart-${world.unknowns}-${random.integer(0, 1_000_000_000)}`,
    inventoryMode: random.pick(['None', 'TrackOnly', 'ReserveOnOrder']),
    lineItems: chosen.map((sku) => {
      const quantity = random.integer(1, 4);
      return {
        key: sku,
        sku,
        quantity,
        ...(random.chance(0.2) && { inventoryMode: random.pick(['None', 'TrackOnly', 'ReserveOnOrder'] as const) }),
        ...(random.chance(sku === 'mug' ? 0.5 : 0.05) && { supplyChannel: { typeId: 'channel', key: 'north' } }),
        ...detailsOf(random, quantity, isSeveral),
        ...noteOf(random),
      };
    }),
    customLineItems: ['wrap', 'card']
      .filter(() => random.chance(0.4))
      .map((slug) => {
        const quantity = random.integer(1, 3);
        return {
          key: slug,
          slug,
          name: { en: slug },
          money: eur(100),
          quantity,
          taxCategory: standard,
          ...detailsOf(random, quantity, isSeveral),
        };
      }),
    itemShippingAddresses: [home, away],
    ...(random.chance(0.95) && { shippingAddress: german }),
    ...(random.chance(0.5) && { country: 'DE' }),
    ...(random.chance(0.3) && { purchaseOrderNumber: 'of the cart' }),
    ...(owner < 0.5 && { customerId: random.pick(world.customers.slice(0, 3)).id }),
    ...(owner > 0.7 && { anonymousId: random.pick(visitors) }),
    ...store,
    ...noteOf(random),
    discountCodes: world.codes.filter(() => random.chance(0.35)).map(({ code }) => code),
  };
  // By which methods, the shop says.
  if (isSeveral) Object.assign(draft, { shippingMode: 'Multiple' });
  else if (draft.shippingAddress !== undefined && random.chance(0.7))
    Object.assign(draft, { shippingMethod: { typeId: 'shipping-method', key: 'post' } });
  return {
    is: 'cart',
    draft,
    isFrozen: random.chance(0.15),
    ...(isPaid && { payment: random.pick(world.payments) }),
  };
}

/** Where the units of an item go: to all but a few it is said of all of them. */
function detailsOf(random: Random, quantity: number, isSeveral: boolean): { shippingDetails?: { targets: never[] } } {
  if (!isSeveral && random.chance(0.6)) return {};
  const own = random.chance(0.95) ? quantity : quantity + 1;
  const target = (addressKey: string, method: string, units: number): object => ({
    addressKey,
    quantity: units,
    ...(isSeveral && { shippingMethodKey: method }),
  });
  const targets =
    own > 1 && random.chance(0.5)
      ? [target('home', 'by-post', own - 1), target('away', 'courier', 1)]
      : [target('home', 'by-post', own)];
  // The client's type has all members that a target may have.
  return { shippingDetails: { targets: targets as never[] } };
}

const noteOf = (random: Random): { custom?: { type: { typeId: 'type'; key: string }; fields: { note: string } } } =>
  random.chance(0.2) ? { custom: { type: { typeId: 'type', key: 'note' }, fields: { note: 'of the cart' } } } : {};

function linkOf(random: Random, { id, key }: { readonly id: string; readonly key?: string }, typeId: string): Link {
  return key !== undefined && random.chance(0.5) ? { typeId, key } : { typeId, id };
}

function randomOrder(random: Random, world: World): OrderDraft {
  const orderable = world.carts.filter(({ cartState }) => cartState !== 'Ordered');
  const cart = random.pick(random.chance(0.95) ? orderable : world.carts);
  const link = linkOf(random, cart as { id: string; key?: string }, 'cart');
  const state = random.pick(world.states);
  const named = random.next();
  return {
    ...(named < 0.8 && { cart: link }),
    ...(named > 0.6 && named < 0.99 && { id: random.chance(0.95) ? cart.id : random.pick(world.carts).id }),
    ...(named > 0.575 && named < 0.6 && { cart: { typeId: 'cart', id: nobody } }),
    ...(random.chance(0.99) && { version: versionOf(random, cart.version) }),
    ...(random.chance(0.6) && { orderNumber: randomNumber(random, world) }),
    ...(random.chance(0.2) && { purchaseOrderNumber: 'of the draft' }),
    ...(random.chance(0.3) && { orderState: random.pick(['Confirmed', 'Complete']) }),
    ...(random.chance(0.3) && { paymentState: random.pick(['Pending', 'Paid']) }),
    ...(random.chance(0.3) && { shipmentState: random.pick(['Ready', 'Backorder']) }),
    ...(random.chance(0.3) && {
      state:
        state.type === 'OrderState' || random.chance(0.2)
          ? linkOf(random, state, 'state')
          : { typeId: 'state', key: 'first' },
    }),
    ...(random.chance(0.2) && {
      custom: random.chance(0.8)
        ? { type: { typeId: 'type', key: 'note' }, fields: { note: 'of the draft' } }
        : { type: { typeId: 'type', key: random.pick(['other', 'nothing']) }, fields: {} },
    }),
  };
}

function randomImport(random: Random, world: World): ImportDraft {
  const { states, payments, customers, channels } = world;
  const north = channels.find(({ key }) => key === 'north')!;
  const [initial, packed] = ['Initial', 'packed'].map((key) => states.find((state) => state.key === key)!);
  const lines = skus
    .filter((sku) => random.chance(sku === 'pen' ? 0.05 : 0.3))
    .map((sku) => {
      const quantity = random.chance(0.9) ? random.integer(1, 3) : -1;
      const isWhole = random.chance(0.95);
      return {
        key: sku,
        sku: random.chance(0.98) ? sku : 'nothing',
        quantity,
        cents: random.integer(1, 2000),
        ...(random.chance(0.3) && { inventoryMode: random.pick(['TrackOnly', 'ReserveOnOrder']) }),
        ...(random.chance(0.2) && { supplyChannel: { typeId: 'channel', id: north.id } }),
        ...(random.chance(0.3) && {
          state: [
            { quantity: 1, state: { typeId: 'state', id: packed!.id } },
            { quantity: isWhole ? quantity - 1 : quantity, state: { typeId: 'state', id: initial!.id } },
          ],
        }),
        ...(quantity > 0 &&
          random.chance(0.3) && {
            targets: [
              {
                addressKey: random.chance(0.95) ? 'home' : 'nowhere',
                quantity: random.chance(0.95) ? quantity : quantity + 1,
              },
            ],
          }),
      };
    });
  const orderNumber = random.chance(0.6) ? randomNumber(random, world) : undefined;
  // Of a number and a payment that others have, the database tells one or the other.
  const isFree = !world.orders.some((order) => order.orderNumber === orderNumber);
  return {
    totalPrice: { type: 'centPrecision', ...eur(random.integer(-500, 5000)), fractionDigits: 2 },
    ...(random.chance(0.5) && { inventoryMode: random.pick(['None', 'TrackOnly', 'ReserveOnOrder']) }),
    ...(orderNumber !== undefined && { orderNumber }),
    ...(random.chance(0.5) && { country: random.pick(['DE', 'DE', 'US']) }),
    ...(random.chance(0.3) && { store: { typeId: 'store', key: random.pick(['mine', 'german']) } }),
    ...(random.chance(0.3) && { customerId: random.chance(0.9) ? random.pick(customers).id : nobody }),
    ...(random.chance(0.2) && { state: linkOf(random, random.pick(states), 'state') }),
    ...((orderNumber === undefined || isFree) &&
      random.chance(0.3) && {
        paymentInfo: { payments: [{ typeId: 'payment', id: random.chance(0.95) ? random.pick(payments) : nobody }] },
      }),
    ...(random.chance(0.3) && { completedAt: '2020-01-01T00:00:00.000Z' }),
    itemShippingAddresses: [home, away],
    lineItems: lines,
    customLineItems: random.chance(0.5) ? [{ key: 'wrap', slug: 'wrap', quantity: 2, cents: 100 }] : [],
  };
}

/** As the API has it: the model's draft is plainer. */
export function importBody({ lineItems = [], customLineItems = [], ...draft }: ImportDraft): object {
  return {
    ...draft,
    lineItems: lineItems.map(({ sku, cents, targets, ...line }) => ({
      ...line,
      name: { en: 'Imported' },
      variant: { sku },
      price: { value: eur(cents) },
      ...(targets !== undefined && { shippingDetails: { targets } }),
    })),
    customLineItems: customLineItems.map(({ cents, ...item }) => ({
      ...item,
      name: { en: 'Imported' },
      money: eur(cents),
    })),
  };
}

/** Actions take turns, so that of few requests none is left out. */
let turn = 0;

function randomUpdate(random: Random, world: World): Update {
  const order = random.pick(world.orders);
  const count = random.pick([1, 1, 1, 2, 3]);
  let isCustomized = false;
  const actions: Input[] = Array.from({ length: count }, () => {
    const isCustom = (name: string): boolean => /Custom(Type|Field)$/.test(name);
    // Messages have custom fields as they are stored, whichever of several actions they tell of.
    do turn += 1;
    while (isCustomized && isCustom(actionNames[turn % actionNames.length]!));
    const action = actionNames[turn % actionNames.length]!;
    isCustomized ||= isCustom(action);
    return randomAction(random, { world, order, action: random.chance(0.9) ? possible(action, order) : action });
  });
  return { id: random.chance(0.01) ? nobody : order.id, version: versionOf(random, order.version), actions };
}

/** The action, or one that makes what it would change. */
function possible(action: string, order: OrderDocument): string {
  const infos = [order.shippingInfo, ...order.shipping.map(({ shippingInfo }) => shippingInfo)];
  const deliveries = infos.flatMap((info) => info?.deliveries ?? []);
  if (infos.every((info) => info === undefined) && /Delivery|Parcel/.test(action)) return 'addReturnInfo';
  if (deliveries.length === 0 && /(Delivery|Parcel)(?!.*Estimated)/.test(action)) return 'addDelivery';
  if (!deliveries.some(({ parcels }) => parcels.length > 0) && /setParcel|removeParcel/.test(action))
    return 'addParcelToDelivery';
  if (order.returnInfo.length === 0 && action.startsWith('setReturn')) return 'addReturnInfo';
  const [, part] = /^set(.*)CustomField$/.exec(action) ?? [];
  if (part !== undefined && !JSON.stringify(order).includes('"custom":')) return `set${part}CustomType`;
  if (action === 'removePayment' && order.paymentInfo === undefined) return 'addPayment';
  if (order.lineItems.length === 0 && /(?<!Custom)LineItem/.test(action)) return 'setPurchaseOrderNumber';
  if (order.customLineItems.length === 0 && action.includes('CustomLineItem')) return 'changeOrderState';
  return action;
}

/** Stock that carts hold back for their lines in the mode ReserveOnCart: what is available, warnings, ends, and rivals. */
import type { Cart, CartUpdateAction, InventoryEntryDraft, Reservation } from '@commercetools/platform-sdk';
import t, { type Test } from 'tap';
import { type CartShop, eur, startCartShop } from '../support/cart-shop.ts';
import { startPlatform } from '../support/platform.ts';
import { eventually } from '../support/services.ts';

interface ReservingShop extends CartShop {
  /** What is on stock of an SKU at no channel, and what of that is available. */
  stockOf(sku: string): Promise<{ readonly onStock: number; readonly available: number }>;
  stock(sku: string, quantityOnStock: number, draft?: Partial<InventoryEntryDraft>): Promise<void>;
  reservations(cart: Cart): Promise<readonly (Reservation | undefined)[]>;
  set(action: object): Promise<void>;
}

const reserving = { inventoryMode: 'ReserveOnCart' } as const;
const minutes = { action: 'setReservationExpirationInMinutes', reservationExpirationInMinutes: 30 };

async function startReservingShop(skus: readonly string[] = ['lamp']): Promise<ReservingShop> {
  const shop = await startCartShop();
  const { api, addProduct, request } = shop;
  for (const sku of skus) await addProduct(sku, [{ value: eur(1000) }]);
  const set = async (action: object): Promise<void> => {
    const { version } = (await request('GET', '')).body;
    const { status, text } = await request('POST', '', { version, actions: [action] });
    if (status !== 200) throw new Error(text);
  };
  return {
    ...shop,
    set,
    stock: async (sku, quantityOnStock, draft) => {
      await api
        .inventory()
        .post({ body: { sku, quantityOnStock, ...draft } })
        .execute();
    },
    stockOf: async (sku) => {
      const where = `sku = "${sku}" and supplyChannel is not defined`;
      const { results } = (await api.inventory().get({ queryArgs: { where } }).execute()).body;
      return { onStock: results[0]!.quantityOnStock, available: results[0]!.availableQuantity };
    },
    reservations: async ({ id }) => {
      const expand = 'lineItems[*].reservation';
      const { lineItems } = (await api.carts().withId({ ID: id }).get({ queryArgs: { expand } }).execute()).body;
      return lineItems.map(({ reservation }) => reservation?.obj);
    },
  };
}

const change = (quantity: number): CartUpdateAction => ({
  action: 'changeLineItemQuantity',
  lineItemKey: 'line',
  quantity,
});
const line = (quantity: number) => ({ sku: 'lamp', key: 'line', quantity });

/** Seconds from now until a moment, as minutes to the next one. */
function minutesUntil(moment: string): number {
  return Math.ceil((Date.parse(moment) - Date.now()) / 60_000);
}

t.test('a line holds its units back from when it is added until it has gone', async (t) => {
  const { cart, update, set, stock, stockOf, reservations, refusedDraft } = await startReservingShop();
  await stock('lamp', 5);
  const refused = { status: 400, error: { code: 'InvalidOperation', message: /reservationExpirationInMinutes/ } };
  t.match(await refusedDraft(reserving), refused, 'the project has to say for how long');
  t.match(await refusedDraft({ lineItems: [{ ...line(1), ...reserving }] }), refused);
  await set(minutes);
  let own = await cart({ ...reserving, lineItems: [line(2)] });
  t.strictSame(await stockOf('lamp'), { onStock: 5, available: 3 });
  const [held] = await reservations(own);
  t.match(held, {
    quantity: 2,
    state: 'Created',
    owner: { typeId: 'cart', id: own.id },
    lineItemId: own.lineItems[0]!.id,
    inventoryEntry: { typeId: 'inventory-entry', id: String },
    version: 1,
  });
  t.ok([29, 30].includes(minutesUntil(held!.expiresAt)));
  own = await update(own, change(5));
  t.strictSame(await stockOf('lamp'), { onStock: 5, available: 0 });
  t.match(await reservations(own), [{ id: held!.id, quantity: 5, state: 'Updated', version: 2 }]);
  own = await update(own, { action: 'removeLineItem', lineItemKey: 'line', quantity: 1 });
  t.strictSame(await stockOf('lamp'), { onStock: 5, available: 1 });
  own = await update(own, { action: 'setCountry', country: 'DE' });
  t.match(await reservations(own), [{ quantity: 4, version: 3 }], 'nothing else changes it');
  own = await update(own, { action: 'removeLineItem', lineItemKey: 'line' });
  t.strictSame(await stockOf('lamp'), { onStock: 5, available: 5 });
});

t.test('what cannot be reserved is not added, stays as it was, and is warned of', async (t) => {
  const { api, cart, update, set, stock, stockOf, request } = await startReservingShop(['lamp', 'chair']);
  await set(minutes);
  await stock('lamp', 3);
  const { productId } = (await cart({ lineItems: [line(1)] })).lineItems[0]!;
  const short = await cart({ ...reserving, lineItems: [line(4), { sku: 'chair' }] });
  t.strictSame(short.lineItems, [], 'too many, and none known');
  t.match(short, {
    totalPrice: { centAmount: 0 },
    warnings: [
      { code: 'CannotCreateReservation', message: String, productId, sku: 'lamp', quantity: 4 },
      { code: 'CannotCreateReservation', sku: 'chair', quantity: 1 },
    ],
  });
  const read = (await api.carts().withId({ ID: short.id }).get().execute()).body;
  t.notOk('warnings' in read, 'it is said once');
  let own = await cart({ ...reserving, lineItems: [line(2)] });
  t.notOk('warnings' in own);
  const stuck = await update(own, change(4));
  t.match(stuck, {
    version: own.version,
    lineItems: [{ quantity: 2 }],
    warnings: [
      {
        code: 'CannotUpdateReservation',
        lineItemId: own.lineItems[0]!.id,
        requestedQuantity: 4,
        reservedQuantity: 2,
        productId,
        sku: 'lamp',
      },
    ],
  });
  t.strictSame(stuck.lineItems, own.lineItems);
  const added = await update(
    own,
    { action: 'addLineItem', sku: 'lamp', quantity: 2 },
    { action: 'setCountry', country: 'DE' },
  );
  t.match(added, { country: 'DE', lineItems: [{ quantity: 2 }], warnings: [{ code: 'CannotUpdateReservation' }] });
  t.equal(added.lineItems.length, 1);
  const north = { typeId: 'channel' as const, key: 'north' };
  const moved = await update(added, { action: 'setLineItemSupplyChannel', lineItemKey: 'line', supplyChannel: north });
  t.match(moved.warnings, [{ code: 'CannotCreateReservation', supplyChannel: String, quantity: 2 }]);
  t.notOk('supplyChannel' in moved.lineItems[0]!, 'it stays where it has its stock');
  t.strictSame(await stockOf('lamp'), { onStock: 3, available: 1 });
  await stock('lamp', 9, { supplyChannel: north });
  own = await update(moved, { action: 'setLineItemSupplyChannel', lineItemKey: 'line', supplyChannel: north });
  t.match(own.lineItems, [{ supplyChannel: { typeId: 'channel' } }]);
  t.strictSame(await stockOf('lamp'), { onStock: 3, available: 3 }, 'another stock has it now');
  const said = await request('POST', '/graphql', {
    query: `mutation($id: String, $version: Long!, $actions: [CartUpdateAction!]!) {
      updateCart(id: $id, version: $version, actions: $actions) {
        warnings { __typename code message
          ... on CannotUpdateReservationTypedWarning { type requestedQuantity reservedQuantity sku supplyChannelRef { id } } }
        lineItems { reservationRef { typeId } reservation { __typename quantity state inventoryMode ownerRef { id } inventoryEntry { sku } } }
      }
    }`,
    variables: {
      id: own.id,
      version: own.version,
      actions: [{ changeLineItemQuantity: { lineItemKey: 'line', quantity: 10 } }],
    },
  });
  t.match(said.body, {
    data: {
      updateCart: {
        warnings: [
          {
            __typename: 'CannotUpdateReservationTypedWarning',
            code: 'CannotUpdateReservation',
            type: String,
            requestedQuantity: 10,
            reservedQuantity: 2,
            supplyChannelRef: { id: String },
          },
        ],
        lineItems: [
          {
            reservationRef: { typeId: 'reservation' },
            reservation: {
              __typename: 'Reservation',
              quantity: 2,
              state: 'Created',
              inventoryMode: 'ReserveOnCart',
              ownerRef: { id: own.id },
              inventoryEntry: { sku: 'lamp' },
            },
          },
        ],
      },
    },
  });
});

t.test('a line is reserved by its mode, and released by it', async (t) => {
  const { cart, update, set, stock, stockOf } = await startReservingShop();
  await set(minutes);
  await stock('lamp', 3);
  const mode = (inventoryMode?: string): CartUpdateAction => ({
    action: 'setLineItemInventoryMode',
    lineItemKey: 'line',
    ...(inventoryMode !== undefined && { inventoryMode }),
  });
  let own = await cart({ lineItems: [line(4)] });
  t.strictSame(await stockOf('lamp'), { onStock: 3, available: 3 });
  const short = await update(own, mode('ReserveOnCart'));
  t.match(short, { version: own.version, warnings: [{ code: 'CannotCreateReservation', quantity: 4 }] });
  t.notOk('inventoryMode' in short.lineItems[0]!);
  own = await update(own, change(3), mode('ReserveOnCart'));
  t.match(own.lineItems, [{ inventoryMode: 'ReserveOnCart', reservation: { typeId: 'reservation' } }]);
  t.strictSame(await stockOf('lamp'), { onStock: 3, available: 0 });
  own = await update(own, mode());
  t.notOk('reservation' in own.lineItems[0]!);
  t.strictSame(await stockOf('lamp'), { onStock: 3, available: 3 });
});

t.test('what is reserved stays so when stock comes and goes, and a cart that goes gives it back', async (t) => {
  const { api, cart, update, set, stock, stockOf } = await startReservingShop();
  await set(minutes);
  await stock('lamp', 5);
  const own = await cart({ ...reserving, lineItems: [line(2)] });
  const [entry] = (await api.inventory().get().execute()).body.results;
  const moved = async (version: number, action: object): Promise<number> =>
    (
      await api
        .inventory()
        .withId({ ID: entry!.id })
        .post({ body: { version, actions: [action as never] } })
        .execute()
    ).body.version;
  let version = await moved(entry!.version, { action: 'addQuantity', quantity: 3 });
  t.strictSame(await stockOf('lamp'), { onStock: 8, available: 6 });
  version = await moved(version, { action: 'changeQuantity', quantity: 1 });
  t.strictSame(await stockOf('lamp'), { onStock: 1, available: -1 });
  version = await moved(version, { action: 'removeQuantity', quantity: 1 });
  t.strictSame(await stockOf('lamp'), { onStock: 0, available: -2 });
  const less = await update(
    own,
    { action: 'setReservationExpirationInMinutes', reservationExpirationInMinutes: 60 },
    change(1),
  );
  t.notOk('warnings' in less, 'less can be held of what lacks units, and for longer');
  t.strictSame(await stockOf('lamp'), { onStock: 0, available: -1 });
  await api
    .carts()
    .withId({ ID: less.id })
    .delete({ queryArgs: { version: less.version } })
    .execute();
  t.strictSame(await stockOf('lamp'), { onStock: 0, available: 0 });
  const other = await cart({ ...reserving });
  await api
    .inventory()
    .withId({ ID: entry!.id })
    .delete({ queryArgs: { version: version + 2 } })
    .execute();
  await api
    .carts()
    .withId({ ID: other.id })
    .delete({ queryArgs: { version: other.version } })
    .execute();
});

t.test('a stock that moves to a channel gets back what was held of it', async (t) => {
  const { api, cart, update, set, stock } = await startReservingShop();
  await set(minutes);
  await stock('lamp', 5);
  const own = await cart({ ...reserving, lineItems: [line(2)] });
  const { id, version } = (await api.inventory().get().execute()).body.results[0]!;
  const supplyChannel = { typeId: 'channel' as const, key: 'north' };
  await api
    .inventory()
    .withId({ ID: id })
    .post({ body: { version, actions: [{ action: 'setSupplyChannel', supplyChannel }] } })
    .execute();
  t.strictSame((await update(own, change(0))).lineItems, []);
  t.match((await api.inventory().withId({ ID: id }).get().execute()).body, {
    quantityOnStock: 5,
    availableQuantity: 5,
  });
});

t.test('carts with as many lines as a cart may have are made, signed in with and deleted', async (t) => {
  const skus = Array.from({ length: 100 }, (_, index) => `item-${index}`);
  const { api, request, addProduct, cart, set, stock } = await startReservingShop([]);
  await set(minutes);
  for (let index = 0; index < 5; index += 1) {
    const [first, ...others] = skus
      .slice(index * 20, index * 20 + 20)
      .map((sku) => ({ sku, prices: [{ value: eur(100) }] }));
    await addProduct(`items-${index}`, [], { masterVariant: first!, variants: others });
  }
  await Promise.all(skus.map((sku) => stock(sku, 10)));
  const field = { name: 'note', label: { en: 'Note' }, required: false, type: { name: 'String' } };
  await request('POST', '/types', {
    key: 'note',
    name: { en: 'Note' },
    resourceTypeIds: ['line-item'],
    fieldDefinitions: [field],
  });
  const lineItems = Array.from({ length: 500 }, (_, index) => ({
    sku: skus[index % 100]!,
    custom: { type: { typeId: 'type' as const, key: 'note' }, fields: { note: String(index) } },
  }));
  const anonymous = await cart({ ...reserving, anonymousId: 'visitor', lineItems });
  t.equal(anonymous.lineItems.filter(({ reservation }) => reservation !== undefined).length, 500);
  const login = { email: 'jane@example.org', password: 'secret-1-secret' };
  const { customer } = (await api.customers().post({ body: login }).execute()).body;
  await cart({ ...reserving, customerId: customer.id });
  const { status, body } = await request('POST', `/carts/customer-id=${customer.id}/merge`, {
    anonymousCart: { typeId: 'cart', id: anonymous.id },
  });
  t.equal(status, 200);
  const { id, version, lineItems: merged } = body as unknown as Cart;
  t.equal(merged.filter(({ reservation }) => reservation !== undefined).length, 500);
  await api.carts().withId({ ID: id }).delete({ queryArgs: { version } }).execute();
  const where = 'availableQuantity != 10';
  t.match((await api.inventory().get({ queryArgs: { where } }).execute()).body, { results: [] });
});

t.test('a stock that has gone keeps nobody from changing the cart', async (t) => {
  const { api, cart, update, set, stock } = await startReservingShop();
  await set(minutes);
  await stock('lamp', 5);
  const [one, other] = [
    await cart({ ...reserving, lineItems: [line(2)] }),
    await cart({ ...reserving, lineItems: [line(2)] }),
  ];
  const { id, version } = (await api.inventory().get().execute()).body.results[0]!;
  await api.inventory().withId({ ID: id }).delete({ queryArgs: { version } }).execute();
  t.match(await update(one, change(1)), {
    lineItems: [{ quantity: 2 }],
    warnings: [{ code: 'CannotUpdateReservation', requestedQuantity: 1, reservedQuantity: 2 }],
  });
  t.strictSame((await update(one, change(0))).lineItems, []);
  const gone = await api
    .carts()
    .withId({ ID: other.id })
    .delete({ queryArgs: { version: other.version } })
    .execute();
  t.equal(gone.statusCode, 200);
});

t.test(
  'lines of a request share what there is, whatever their order, and what is refused leaves all of a line',
  async (t) => {
    const { cart, update, set, stock } = await startReservingShop(['lamp', 'chair']);
    await set(minutes);
    await stock('lamp', 3);
    const other = { typeId: 'channel' as const, key: 'north' };
    let own = await cart({
      ...reserving,
      lineItems: [line(1), { sku: 'lamp', key: 'other', quantity: 2, distributionChannel: other }],
    });
    own = await update(own, change(2), { action: 'changeLineItemQuantity', lineItemKey: 'other', quantity: 1 });
    t.notOk('warnings' in own);
    t.match(own.lineItems, [{ quantity: 2 }, { quantity: 1 }]);
    const address = { country: 'DE', key: 'home' };
    const targets = [{ addressKey: 'home', quantity: 2 }];
    own = await update(
      own,
      { action: 'addItemShippingAddress', address },
      { action: 'setLineItemShippingDetails', lineItemKey: 'line', shippingDetails: { targets } },
    );
    t.match(own.lineItems, [{ shippingDetails: { valid: true } }, {}]);
    const stuck = await update(own, change(9));
    t.match(stuck, { version: own.version, warnings: [{ code: 'CannotUpdateReservation' }] });
    t.strictSame(stuck.lineItems, own.lineItems);
    const added = await update(own, { ...line(9), action: 'addLineItem', shippingDetails: { targets } });
    t.strictSame(added.lineItems[0]!.shippingDetails, own.lineItems[0]!.shippingDetails);
  },
);

t.test('the end of a reservation is the stock’s own, the project’s, or what the cart says', async (t) => {
  const { cart, update, set, stock, reservations } = await startReservingShop(['lamp', 'chair']);
  await set(minutes);
  await stock('lamp', 5, { reservationExpirationInMinutes: 5 });
  await stock('chair', 5);
  const lineItems = [line(1), { sku: 'chair' }];
  let own = await cart({ ...reserving, lineItems });
  const ends = async (): Promise<readonly number[]> =>
    (await reservations(own)).map((each) => minutesUntil(each!.expiresAt));
  t.strictSame(await ends(), [5, 30]);
  const { version } = own;
  own = await update(own, { action: 'setReservationExpirationInMinutes', reservationExpirationInMinutes: 60 });
  t.equal(own.version, version + 1);
  t.strictSame(await ends(), [60, 60]);
  own = await update(own, change(2));
  t.strictSame(await ends(), [5, 60], 'another quantity is reserved anew');
});

t.test('rivals never hold back more than there is', async (t) => {
  const { cart, set, stock, stockOf } = await startReservingShop(['lamp', 'chair']);
  await set(minutes);
  await stock('lamp', 20);
  await stock('chair', 30);
  const orders = [
    [{ sku: 'lamp' }, { sku: 'chair' }],
    [{ sku: 'chair' }, { sku: 'lamp' }],
  ];
  const carts = await Promise.all(
    Array.from({ length: 64 }, (_, index) => cart({ ...reserving, lineItems: orders[index % 2]! })),
  );
  const held = (sku: string): number =>
    carts.flatMap(({ lineItems }) => lineItems).filter(({ variant }) => variant.sku === sku).length;
  t.strictSame({ lamp: held('lamp'), chair: held('chair') }, { lamp: 20, chair: 30 });
  t.match(await stockOf('lamp'), { available: 0 });
  t.match(await stockOf('chair'), { available: 0 });
  const warned = carts.flatMap(({ warnings = [] }) => warnings);
  t.equal(warned.length, 64 - 20 + 64 - 30, 'who got nothing is told');
});

t.test('a cart that is merged passes on what it holds, the last unit too', async (t) => {
  const { api, request, cart, set, stock, stockOf, reservations } = await startReservingShop();
  await set(minutes);
  await stock('lamp', 3);
  const body = { email: 'jane@example.org', password: 'secret-secret-1' };
  const customer = (await api.customers().post({ body }).execute()).body.customer.id;
  await cart({ ...reserving, customerId: customer });
  const anonymous = await cart({ ...reserving, anonymousId: 'visitor', lineItems: [line(3)] });
  const [entry] = (await api.inventory().get().execute()).body.results;
  const actions = [{ action: 'changeQuantity' as const, quantity: 2 }];
  await api
    .inventory()
    .withId({ ID: entry!.id })
    .post({ body: { version: entry!.version, actions } })
    .execute();
  const merging = await request('POST', `/carts/customer-id=${customer}/merge`, {
    anonymousCart: { typeId: 'cart', id: anonymous.id },
  });
  const merged = merging.body as unknown as Cart;
  t.match(merged, { customerId: customer, lineItems: [{ quantity: 3 }] });
  t.notOk('warnings' in merged);
  t.match(await reservations(merged), [{ quantity: 3, owner: { id: merged.id } }], 'though the stock has fallen');
  t.strictSame(await stockOf('lamp'), { onStock: 2, available: -1 });
  const before = (await api.carts().withId({ ID: anonymous.id }).get().execute()).body;
  t.match(before, { cartState: 'Merged' });
  t.notOk('reservation' in before.lineItems[0]!);
});

t.test('what has ended is available again, unless the project keeps it', async (t) => {
  const { platform, clock } = await aheadOfTime(t);
  const { request } = platform;
  const post = async (path: string, body: object): Promise<Readonly<Record<string, unknown>>> => {
    const answer = await request('POST', path, body);
    if (answer.status >= 300) throw new Error(answer.text);
    return answer.body;
  };
  const set = (action: object): Promise<true> =>
    eventually(async () => {
      const { version } = (await request('GET', '')).body;
      const { status } = await request('POST', '', { version, actions: [action] });
      // The background changes the settings of new projects, too.
      return status === 200 ? true : undefined;
    });
  await post('/product-types', { key: 'plain', name: 'Plain', description: '' });
  await post('/products', {
    productType: { key: 'plain' },
    name: { en: 'Lamp' },
    slug: { en: 'lamp' },
    masterVariant: { sku: 'lamp', prices: [{ value: eur(1000) }] },
    publish: true,
  });
  await set(minutes);
  await set({ action: 'setReleaseExpiredReservations', releaseExpiredReservations: false });
  const entry = await post('/inventory', { sku: 'lamp', quantityOnStock: 5 });
  const own = await post('/carts', { currency: 'EUR', ...reserving, taxMode: 'Disabled', lineItems: [line(2)] });
  const other = await post('/carts', { currency: 'EUR', ...reserving, taxMode: 'Disabled', lineItems: [line(1)] });
  const available = async (): Promise<unknown> =>
    (await request('GET', `/inventory/${entry['id'] as string}`)).body['availableQuantity'];
  clock.minutes = 31;
  const later = await post('/carts', { currency: 'EUR', deleteDaysAfterLastModification: 1 });
  clock.minutes = 2 * 24 * 60;
  await eventually(async () =>
    (await request('GET', `/carts/${later['id'] as string}`)).status === 404 ? true : undefined,
  );
  t.equal(await available(), 2, 'the project keeps what has ended');
  await set({ action: 'setReleaseExpiredReservations', releaseExpiredReservations: true });
  clock.minutes += 5;
  await eventually(async () => ((await available()) === 5 ? true : undefined));
  const gone = await request('DELETE', `/carts/${other['id'] as string}?version=${other['version'] as number}`);
  t.equal(gone.status, 200);
  t.equal(await available(), 5, 'what has ended is given back once');
  const shown = await request('GET', `/carts/${own['id'] as string}?expand=lineItems%5B*%5D.reservation`);
  t.match(shown.body, {
    version: own['version'],
    lineItems: [{ reservation: { obj: { state: 'Expired', quantity: 2 } } }],
  });
  const renewed = await post(`/carts/${own['id'] as string}`, {
    version: own['version'],
    actions: [{ action: 'setReservationExpirationInMinutes', reservationExpirationInMinutes: 60 }],
  });
  t.match(renewed, {
    version: own['version'],
    warnings: [{ code: 'CannotChangeReservationExpiry', lineItemId: String }],
  });
  const act = (action: object, { version } = own): Promise<Readonly<Record<string, unknown>>> =>
    post(`/carts/${own['id'] as string}`, { version, actions: [action] });
  const short = await act(change(6));
  t.match(short, { warnings: [{ code: 'CannotUpdateReservation', requestedQuantity: 6, reservedQuantity: 0 }] });
  const again = await act(change(2));
  t.match(again, { lineItems: [{ quantity: 2, reservation: { typeId: 'reservation' } }] });
  t.equal(await available(), 3, 'a quantity is reserved again, be it the same');
  const kept = await request('GET', `/carts/${own['id'] as string}?expand=lineItems%5B*%5D.reservation`);
  t.match(kept.body, { lineItems: [{ reservation: { obj: { state: 'Created' } } }] });
});

/** A platform whose feeder is ahead of the time by so many minutes as the clock says. */
async function aheadOfTime(t: Test) {
  const clock = { minutes: 0 };
  const ahead = (): Date => new Date(Date.now() + clock.minutes * 60_000);
  const platform = await startPlatform(t, { feeder: true, clock: ahead, meilisearch: 'none' });
  return { platform, clock };
}

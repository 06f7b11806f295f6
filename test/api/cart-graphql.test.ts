/** What clients of carts may say and ask in GraphQL alone. */
import t from 'tap';
import { eur, german, startCartShop } from '../support/cart-shop.ts';

const standard = { typeId: 'tax-category' as const, key: 'standard' };

const shop = await startCartShop();
const { addProduct, addDiscount, api, cart, request } = shop;
await addProduct('lamp', [{ value: eur(1000) }]);

async function ask(query: string, variables: object = {}): Promise<Readonly<Record<string, unknown>>> {
  return (await request('POST', '/graphql', { query, variables })).body;
}

/** Updates the cart, whatever its version is, and selects something of it. */
async function change(id: string, selection: string, ...actions: object[]): Promise<Readonly<Record<string, unknown>>> {
  const { version } = (await request('GET', `/carts/${id}`)).body;
  const query = `mutation M($actions: [CartUpdateAction!]!) {
    updateCart(id: "${id}", version: ${String(version)}, actions: $actions) ${selection}
  }`;
  return ask(query, { actions });
}

t.test('targets of items come in each form that GraphQL has', async (t) => {
  const { id } = await cart({
    lineItems: [{ key: 'line', sku: 'lamp', quantity: 4 }],
    customLineItems: [{ key: 'item', name: { en: 'a' }, slug: 'a', money: eur(100), taxCategory: standard }],
    itemShippingAddresses: ['home', 'work'].map((key) => ({ ...german, key })),
  });
  const lines = '{ lineItems { shippingDetails { valid targets { addressKey quantity } } } }';
  const set = (shippingDetails: object): ReturnType<typeof ask> =>
    change(id, lines, { setLineItemShippingDetails: { lineItemKey: 'line', shippingDetails } });
  const home = { addressKey: 'home', quantity: 1 };
  const work = { addressKey: 'work', quantity: 3 };
  const have = (...targets: readonly object[]): object => ({
    data: { updateCart: { lineItems: [{ shippingDetails: { targets } }] } },
  });
  t.match(await set({ targets: [home], itemShippingAddressTargets: [work], shippingTargets: [] }), have(home, work));
  t.match(await set({ itemShippingAddressTargets: [work] }), have(work));
  t.match(
    await set({ shippingTargets: [{ shippingMethodKey: 'post', quantity: 1 }] }),
    { errors: [{ extensions: { code: 'RequiredField', field: /addressKey$/ } }] },
    'targets have addresses',
  );
  const applied = (delta: object): ReturnType<typeof ask> =>
    change(id, lines, { applyDeltaToLineItemShippingDetailsTargets: { lineItemKey: 'line', ...delta } });
  t.match(await applied({ targetsDelta: [home] }), have(work, home));
  t.match(
    await applied({ targetsDeltaDraft: { targets: [{ ...work, quantity: -1 }], itemShippingAddressTargets: [home] } }),
    have({ ...work, quantity: 2 }, { ...home, quantity: 2 }),
  );
  t.match(await applied({}), { errors: [{ extensions: { code: 'RequiredField', field: /targetsDelta$/ } }] });
  const both = { targetsDelta: [home], targetsDeltaDraft: { targets: [work] } };
  t.match(await applied(both), {
    errors: [{ extensions: { code: 'InvalidInput' }, message: /either targetsDelta or/ }],
  });
  t.match(await applied({ targetsDelta: null, targetsDeltaDraft: { targets: [home] } }), { errors: undefined });
  const draft = { customLineItemKey: 'item', targetsDeltaDraft: { targets: [home] } };
  t.match(
    await change(id, '{ customLineItems { shippingDetails { valid } } }', {
      applyDeltaToCustomLineItemShippingDetailsTargets: draft,
    }),
    { data: { updateCart: { customLineItems: [{ shippingDetails: { valid: true } }] } } },
  );
});

t.test('members that say nothing are taken', async (t) => {
  await addDiscount('coded', { type: 'relative', permyriad: 1000 }, { requiresDiscountCode: true });
  const cartDiscounts = [{ typeId: 'cart-discount' as const, key: 'coded' }];
  await api
    .discountCodes()
    .post({ body: { code: 'CODE', cartDiscounts } })
    .execute();
  const { id } = await cart({ lineItems: [{ sku: 'lamp' }] });
  const code = { addDiscountCode: { code: 'CODE', validateDuplicates: true } };
  const state = '{ cartState freezeStrategy discountCodes { state } totalPrice { centAmount } }';
  const one = { discountCodes: [{ state: 'MatchesCart' }], totalPrice: { centAmount: 900 } };
  t.strictSame(await change(id, state, code, code), {
    data: { updateCart: { cartState: 'Active', freezeStrategy: null, ...one } },
  });
  t.match(await change(id, state, { freezeCart: { dummy: 'now' } }), {
    data: { updateCart: { cartState: 'Frozen', freezeStrategy: 'SoftFreeze' } },
  });
  t.match(await change(id, state, { unfreezeCart: { dummy: null } }, { freezeCart: { strategy: 'HardFreeze' } }), {
    data: { updateCart: { freezeStrategy: 'HardFreeze' } },
  });
});

t.test('parcels have the ids and times of the platform, whatever a client gives', async (t) => {
  const parcel = { id: 'mine', createdAt: '2001-01-01T00:00:00.000Z', key: 'first' };
  const draft = {
    currency: 'EUR',
    shippingMode: 'Multiple',
    customShipping: [
      {
        key: 'courier',
        shippingMethodName: 'Courier',
        shippingAddress: german,
        shippingRate: { price: eur(500) },
        taxCategory: standard,
        deliveries: [{ items: [], parcels: [parcel] }],
      },
    ],
  };
  const query = `mutation M($draft: CartDraft!) {
    createCart(draft: $draft) { shipping { shippingInfo { deliveries { parcels { id key createdAt } } } } }
  }`;
  const { data } = await ask(query, { draft });
  const [{ id, ...others }] = parcelsOf(data);
  t.match(others, { key: 'first', createdAt: /^20(?!01)/ });
  t.match(id, /^[\da-f-]{36}$/);
});

function parcelsOf(data: unknown): readonly [{ readonly id: string }] {
  // What the query selects.
  const { createCart } = data as {
    createCart: { shipping: [{ shippingInfo: { deliveries: [{ parcels: [{ id: string }] }] } }] };
  };
  return createCart.shipping[0].shippingInfo.deliveries[0].parcels;
}

t.test('links of lines to product types, and what no cart or discount says otherwise', async (t) => {
  const { id } = await cart({ lineItems: [{ sku: 'lamp' }] });
  const query = `{
    cart(id: "${id}") { origin placement lineItems { productType { id } productTypeRef { ...link } } }
  }
  fragment link on VersionedReference { typeId id version }`;
  const { data } = await ask(query);
  const [line] = (data as { cart: { lineItems: [{ productType: { id: string } }] } }).cart.lineItems;
  t.match(data, {
    cart: {
      origin: 'Customer',
      placement: null,
      lineItems: [{ productTypeRef: { typeId: 'product-type', id: line.productType.id, version: null } }],
    },
  });
  const draft = {
    name: [{ locale: 'en', value: 'a' }],
    value: { relative: { permyriad: 1 } },
    target: { totalPrice: { dummy: '' } },
    cartPredicate: '1 = 1',
    isActive: false,
    recurringOrderScope: { AnyOrder: { dummy: '' } },
  };
  const create = `mutation M($draft: CartDiscountDraft!) {
    createCartDiscount(draft: $draft) { recurringOrderScope { __typename type } }
  }`;
  t.strictSame(await ask(create, { draft }), {
    data: { createCartDiscount: { recurringOrderScope: { __typename: 'AnyOrder', type: 'AnyOrder' } } },
  });
});

/** What is printed of how a cart comes to cost what it does. */
import t from 'tap';
import { explainStoredCart } from '../../src/background.ts';
import { eur, german, startCartShop } from '../support/cart-shop.ts';

const { addProduct, addDiscount, cart, update, api, config, projectKey } = await startCartShop();
const explained = async (id: string): Promise<readonly string[]> =>
  ((await explainStoredCart({ ...config, projectKey }, id)) ?? []).flatMap(({ step, lines }) => [step, ...lines]);

t.test('a cart is explained step by step, with what was not applied and why', async (t) => {
  await addProduct('lamp', [{ value: eur(1000) }]);
  await addDiscount('tenth', { type: 'relative', permyriad: 1000 });
  await addDiscount('never', { type: 'relative', permyriad: 1000 }, { cartPredicate: 'totalPrice > "900 EUR"' });
  await addDiscount('off', { type: 'relative', permyriad: 1000 }, { isActive: false });
  await addDiscount('coded', { type: 'relative', permyriad: 1000 }, { requiresDiscountCode: true });
  await addDiscount('last', { type: 'absolute', money: [eur(100)] }, { target: { type: 'totalPrice' } });
  await addDiscount('late', { type: 'relative', permyriad: 1000 }, { validFrom: '2999-01-01T00:00:00.000Z' });
  const made = await cart({ shippingAddress: german, country: 'DE', lineItems: [{ sku: 'lamp', quantity: 3 }] });
  const lines = await explained(made.id);
  const told = [
    'lamp: 3 at 10.00 EUR, price ',
    'lamp: VAT, 0.19',
    'not coded: no usable code of the cart brings it',
    'not 2 that are not active or not valid now',
    'tenth: applied',
    'never: not applied: its predicate does not hold for the cart',
    'last: applied',
    'lamp: 3 × 9.00 −1.00 tenth = 27.00 EUR',
    'off the total: 1.00 EUR by last',
    'total: 26.00 EUR',
    'net 26.00 EUR, gross 30.94 EUR',
  ];
  t.strictSame(
    told.filter((line) => !lines.some((each) => each.startsWith(line))),
    [],
    lines.join('\n'),
  );
  t.notOk(
    lines.some((line) => /^not (off|late)/.test(line)),
    'of which there may be thousands',
  );
  const { body: stored } = await api.carts().withId({ ID: made.id }).get().execute();
  t.equal(stored.version, made.version, 'the cart is as it was');
  const codes = ['coded', 'off'].map((key) => ({ typeId: 'cart-discount' as const, key }));
  await api
    .discountCodes()
    .post({ body: { code: 'CODE', cartDiscounts: codes } })
    .execute();
  const asked = await update(made, { action: 'addDiscountCode', code: 'CODE' });
  const asking = await explained(asked.id);
  t.ok(asking.includes('not off: it is not active'), 'unless a code asks for it');
  t.ok(asking.includes('not 1 that are not active or not valid now'));
  const frozen = await update(asked, { action: 'freezeCart', strategy: 'HardFreeze' });
  t.ok((await explained(frozen.id)).includes('frozen: discounts stay'));
});

t.test('a discount that is kept and finds too little is told with what there is', async (t) => {
  await addDiscount('five', { type: 'absolute', money: [eur(500)] }, { target: { type: 'totalPrice' } });
  const customLineItems = [{ name: { en: 'Fee' }, slug: 'fee', money: eur(2000) }];
  const made = await cart({ taxMode: 'External', customLineItems });
  const { id: customLineItemId } = made.customLineItems[0]!;
  const frozen = await update(made, { action: 'freezeCart', strategy: 'HardFreeze' });
  const less = { action: 'changeCustomLineItemMoney', customLineItemId, money: eur(300) } as const;
  const lines = await explained((await update(frozen, less)).id);
  for (const line of ['off the total: 5.00 EUR by five', 'of which as much as there is: 3.00 EUR', 'total: 0.00 EUR'])
    t.ok(lines.includes(line), `${line}, of ${lines.join('\n')}`);
});

t.test('gifts are told, and rates of each of several methods', async (t) => {
  const pen = await addProduct('pen', [{ value: eur(200) }]);
  const value = { type: 'giftLineItem', product: { typeId: 'product', id: pen.id }, variantId: 1 } as const;
  await addDiscount('gift', value, { requiresDiscountCode: true });
  const cartDiscounts = [{ typeId: 'cart-discount' as const, key: 'gift' }];
  await api
    .discountCodes()
    .post({ body: { code: 'GIFT', cartDiscounts } })
    .execute();
  const externalTaxRate = (amount: number) => ({ name: `own ${amount}`, amount, country: 'DE' });
  const made = await cart({
    taxMode: 'External',
    shippingMode: 'Multiple',
    discountCodes: ['GIFT'],
    itemShippingAddresses: [{ key: 'home', country: 'DE' }],
    customShipping: [0.1, 0.2].map((amount, index) => ({
      key: `m${index + 1}`,
      shippingMethodName: 'Own',
      shippingAddress: german,
      shippingRate: { price: eur(100) },
      taxCategory: { typeId: 'tax-category', key: 'standard' },
      externalTaxRate: externalTaxRate(amount),
    })),
    lineItems: [
      {
        sku: 'lamp',
        quantity: 2,
        shippingDetails: {
          targets: ['m1', 'm2'].map((shippingMethodKey) => ({ addressKey: 'home', quantity: 1, shippingMethodKey })),
        },
        perMethodExternalTaxRate: ['m1', 'm2'].map((shippingMethodKey, index) => ({
          shippingMethodKey,
          taxRate: externalTaxRate(0.1 * (index + 1)),
        })),
      },
    ],
  });
  const lines = await explained(made.id);
  for (const line of ['lamp: m1 own 0.1, 0.1; m2 own 0.2, 0.2', 'pen: 1 as a gift = 0.00 EUR'])
    t.ok(lines.includes(line), `${line}\n${lines.join('\n')}`);
});

t.test('a cart that is not there is not explained', async (t) => {
  const id = '00000000-0000-4000-8000-000000000000';
  t.equal(await explainStoredCart({ ...config, projectKey }, id), undefined);
});

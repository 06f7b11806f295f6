/** Applying an edit gives what its preview shows, whatever it does. */
import type { Order, StagedOrderUpdateAction } from '@commercetools/platform-sdk';
import t from 'tap';
import { eur, german, refusalOf } from '../support/cart-shop.ts';
import { standard, startOrderShop } from '../support/order-shop.ts';
import { choicesOf } from '../support/random.ts';

const editsMax = 300;
const ordersMax = 12;

const shop = await startOrderShop();
const { addDiscount, addProduct, api, order } = shop;
await addProduct('desk', [
  { value: eur(4999), tiers: [{ minimumQuantity: 4, value: eur(3999) }] },
  { value: eur(4500), country: 'DE' },
]);
await addProduct('pen', [{ value: eur(99) }]);
await addDiscount('tenth', { type: 'relative', permyriad: 1000 }, { cartPredicate: 'totalPrice > "100.00 EUR"' });
await addDiscount('code', { type: 'relative', permyriad: 700 }, { requiresDiscountCode: true });
await api
  .discountCodes()
  .post({ body: { code: 'CODE', cartDiscounts: [{ typeId: 'cart-discount', key: 'code' }] } })
  .execute();

const { pick } = choicesOf(37);

type Make = (order: Order, number: number) => object;
const line = ({ lineItems }: Order): object => ({ lineItemId: lineItems.length > 0 ? pick(lineItems).id : 'none' });
const item = ({ customLineItems }: Order): object => ({
  customLineItemId: customLineItems.length > 0 ? pick(customLineItems).id : 'none',
});

const makers: readonly Make[] = [
  () => ({ action: 'addLineItem', sku: pick(['desk', 'pen', 'lamp']), quantity: pick([1, 2, 5]) }),
  (own) => ({ action: 'changeLineItemQuantity', ...line(own), quantity: pick([0, 1, 3, 7]) }),
  (own) => ({ action: 'removeLineItem', ...line(own), quantity: 1 }),
  (own) => ({ action: 'setLineItemPrice', ...line(own), externalPrice: eur(pick([100, 777])) }),
  (_, number) => ({
    action: 'addCustomLineItem',
    name: { en: 'Extra' },
    slug: `extra-${number}`,
    money: eur(pick([50, 1234])),
    quantity: pick([1, 3]),
    taxCategory: standard,
  }),
  (own) => ({ action: 'changeCustomLineItemQuantity', ...item(own), quantity: pick([0, 1, 4]) }),
  (own) => ({ action: 'changeCustomLineItemMoney', ...item(own), money: eur(pick([10, 999])) }),
  () => ({ action: 'setShippingAddress', address: pick([german, { ...german, city: 'Bonn' }, { country: 'US' }]) }),
  () => ({ action: 'setShippingMethod', shippingMethod: { typeId: 'shipping-method', key: 'post' } }),
  () => ({
    action: 'setCustomShippingMethod',
    shippingMethodName: 'Courier',
    shippingRate: { price: eur(pick([300, 800])), freeAbove: eur(20000) },
    taxCategory: standard,
  }),
  () => ({ action: 'addDiscountCode', code: 'CODE' }),
  () => ({
    action: 'setDirectDiscounts',
    discounts: pick([
      [],
      [{ value: { type: 'relative', permyriad: 500 }, target: { type: 'lineItems', predicate: 'true' } }],
    ]),
  }),
  () => ({ action: 'setCountry', country: pick(['DE', 'US']) }),
  () => ({ action: 'changeTaxRoundingMode', taxRoundingMode: pick(['HalfUp', 'HalfDown', 'HalfEven']) }),
  () => ({ action: 'changeTaxCalculationMode', taxCalculationMode: pick(['LineItemLevel', 'UnitPriceLevel']) }),
  () => ({ action: 'changeOrderState', orderState: pick(['Open', 'Confirmed']) }),
  () => ({ action: 'setCustomerEmail', email: pick(['a@example.org', 'b@example.org']) }),
  (own) => ({ action: 'addDelivery', items: own.lineItems.slice(0, 1).map(({ id }) => ({ id, quantity: 1 })) }),
  (own) => ({ action: 'addReturnInfo', items: [{ quantity: 1, ...line(own), shipmentState: 'Advised' }] }),
];

const moments = new Set([
  'lastModifiedAt',
  'createdAt',
  'addedAt',
  'version',
  'lastMessageSequenceNumber',
  'returnDate',
]);

/** Members come in any order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([one], [other]) => one.localeCompare(other))
      .map(([name, member]) => [name, sorted(member)]),
  );
}

/** The order without moments, and with ids that it did not have named by their order. */
function comparable(own: Order, known: string): unknown {
  const fresh = new Map<string, string>();
  return JSON.parse(JSON.stringify(sorted(own)), (name, value: unknown) => {
    if (moments.has(name)) return 'that';
    if (typeof value !== 'string' || !/^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(value) || known.includes(value)) return value;
    if (!fresh.has(value)) fresh.set(value, `new ${fresh.size}`);
    return fresh.get(value);
  });
}

t.test('300 random edits', async (t) => {
  const orders = await Promise.all(Array.from({ length: ordersMax }, () => order()));
  const { id: state } = (await api.states().withKey({ key: 'Initial' }).get().execute()).body;
  const seen = { applied: 0, refused: 0 };
  for (let number = 0; number < editsMax; number += 1) {
    const index = number % ordersMax;
    const own = orders[index]!;
    const stagedActions = Array.from(
      { length: pick([1, 1, 2, 4]) },
      () => pick(makers)(own, number) as StagedOrderUpdateAction,
    );
    const body = { resource: { typeId: 'order' as const, id: own.id }, stagedActions };
    const { body: edit } = await api.orders().edits().post({ body }).execute();
    const applying = { editVersion: edit.version, resourceVersion: own.version };
    const named = api.orders().edits().withId({ ID: edit.id });
    if (edit.result.type !== 'PreviewSuccess') {
      seen.refused += 1;
      t.equal((await refusalOf(named.apply().post({ body: applying }).execute())).error.code, 'EditPreviewFailed');
      continue;
    }
    const { body: applied } = await named.apply().post({ body: applying }).execute();
    const { body: now } = await api.orders().withId({ ID: own.id }).get().execute();
    const known = JSON.stringify(own) + state;
    const preview = edit.result.preview as unknown as Order;
    const isSame = t.strictSame(comparable(now, known), comparable(preview, known), JSON.stringify(stagedActions));
    if (!isSame) return;
    t.equal(preview.version, own.version);
    t.match(applied.result, excerpts(own, now));
    requireSums(now);
    orders[index] = now;
    seen.applied += 1;
  }
  t.ok(seen.applied > editsMax / 2 && seen.refused > 5, JSON.stringify(seen));
});

function excerpts(before: Order, after: Order): object {
  const excerptOf = ({ totalPrice, version }: Order): object => ({ totalPrice, version });
  return { type: 'Applied', excerptBeforeEdit: excerptOf(before), excerptAfterEdit: excerptOf(after) };
}

/** Units are in as many states as there are, and parts cost what the whole does. */
function requireSums({ lineItems, customLineItems, shippingInfo, totalPrice, discountOnTotalPrice }: Order): void {
  const items = [...lineItems, ...customLineItems];
  for (const { quantity, state } of items) {
    const units = state.reduce((sum, each) => sum + each.quantity, 0);
    if (units !== quantity) throw new Error(`${units} of ${quantity} units have a state`);
  }
  const shipping =
    shippingInfo === undefined ? 0 : (shippingInfo.discountedPrice?.value ?? shippingInfo.price).centAmount;
  const sum = items.reduce((total, each) => total + each.totalPrice.centAmount, shipping);
  const total = totalPrice.centAmount + (discountOnTotalPrice?.discountedAmount.centAmount ?? 0);
  if (sum !== total) throw new Error(`The parts cost ${sum}, and all of them ${total}`);
}

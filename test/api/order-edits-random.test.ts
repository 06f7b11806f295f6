/** Applying an edit gives what its preview shows, whatever it does. TEST_CASES says for how many edits. */
import type { Order, StagedOrderUpdateAction } from '@commercetools/platform-sdk';
import t, { type Test } from 'tap';
import { eur, german, refusalOf } from '../support/cart-shop.ts';
import { keepMessages, messagesOf, toldIn } from '../support/messages.ts';
import { standard, startOrderShop } from '../support/order-shop.ts';
import { type Choices, choicesOf } from '../support/random.ts';

const editsCount = Number(process.env['TEST_CASES'] ?? 300);
/** Edited at the same time. */
const lanesCount = 12;
/** After as many the next ones are of a new order, for orders grow. */
const editsOfOne = 25;

const shop = await startOrderShop();
const { addDiscount, addProduct, api, order } = shop;
await addProduct('desk', [
  { value: eur(4999), tiers: [{ minimumQuantity: 4, value: eur(3999) }] },
  { value: eur(4500), country: 'DE' },
]);
await addProduct('pen', [{ value: eur(99) }]);
await addDiscount('tenth', { type: 'relative', permyriad: 1000 }, { cartPredicate: 'totalPrice > "100.00 EUR"' });
await addDiscount('code', { type: 'relative', permyriad: 700 }, { requiresDiscountCode: true });
const discountCodeDraft = { code: 'CODE', cartDiscounts: [{ typeId: 'cart-discount' as const, key: 'code' }] };
const { id: codeId } = (await api.discountCodes().post({ body: discountCodeDraft }).execute()).body;
await api
  .states()
  .post({ body: { key: 'packed', type: 'LineItemState', initial: false } })
  .execute();
await keepMessages(shop);

const discountCode = { typeId: 'discount-code', id: codeId };
const north = { typeId: 'channel', key: 'north' };
const members = { typeId: 'customer-group', key: 'members' };
const note = { typeId: 'type', key: 'note' };

type Make = (order: Order, number: number) => object;

/** What may be staged, by the choices of one lane. */
function makersOf({ pick }: Pick<Choices, 'pick'>): readonly Make[] {
  const idOf = (items: readonly { readonly id: string }[]): string => (items.length > 0 ? pick(items).id : 'none');
  const line = ({ lineItems }: Order): object => ({ lineItemId: idOf(lineItems) });
  const item = ({ customLineItems }: Order): object => ({ customLineItemId: idOf(customLineItems) });
  return [...ofItems({ pick, line, item }), ...ofOrders({ pick, line })];
}

interface Parts {
  readonly pick: Choices['pick'];
  readonly line: (order: Order) => object;
  readonly item: (order: Order) => object;
}

const ofItems = ({ pick, line, item }: Parts): readonly Make[] => [
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
  (own) => ({
    action: 'setLineItemTotalPrice',
    ...line(own),
    externalTotalPrice: { price: eur(40), totalPrice: eur(80) },
  }),
  (own) => ({ action: 'setLineItemDistributionChannel', ...line(own), distributionChannel: pick([north, null]) }),
  (own) => ({ action: 'setLineItemCustomType', ...line(own), type: note, fields: { note: pick(['one', 'two']) } }),
  (own) => ({
    action: 'transitionLineItemState',
    ...line(own),
    quantity: 1,
    fromState: { typeId: 'state', key: 'Initial' },
    toState: { typeId: 'state', key: 'packed' },
  }),
];

const ofOrders = ({ pick, line }: Omit<Parts, 'item'>): readonly Make[] => [
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
  () => ({ action: 'changePriceRoundingMode', priceRoundingMode: pick(['HalfUp', 'HalfDown', 'HalfEven']) }),
  () => ({ action: 'changeTaxMode', taxMode: pick(['Platform', 'Platform', 'External']) }),
  () => ({ action: 'setCustomerGroup', customerGroup: pick([members, null]) }),
  () => ({ action: 'setBillingAddress', address: pick([german, null]) }),
  () => ({ action: 'addItemShippingAddress', address: { ...german, key: pick(['home', 'away']) } }),
  () => ({ action: 'setCustomType', type: note, fields: { note: pick(['one', 'two']) } }),
  () => ({ action: 'setCustomField', name: 'note', value: pick(['three', null]) }),
  () => ({ action: 'setPurchaseOrderNumber', purchaseOrderNumber: pick(['A', 'B']) }),
  () => ({ action: 'changeShipmentState', shipmentState: pick(['Shipped', 'Ready']) }),
  () => ({ action: 'removeDiscountCode', discountCode }),
  () => ({ action: 'changeOrderState', orderState: pick(['Open', 'Confirmed']) }),
  () => ({ action: 'setCustomerEmail', email: pick(['a@example.org', 'b@example.org']) }),
  (own) => ({ action: 'addDelivery', items: own.lineItems.slice(0, 1).map(({ id }) => ({ id, quantity: 1 })) }),
  (own) => ({ action: 'addReturnInfo', items: [{ quantity: 1, ...line(own), shipmentState: 'Advised' }] }),
];

/** What tells of the write, and of when it was. */
const moments = new Set([
  'lastModifiedAt',
  'createdAt',
  'addedAt',
  'version',
  'lastMessageSequenceNumber',
  'returnDate',
  'transitionDate',
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
function comparable(own: unknown, known: string): unknown {
  const fresh = new Map<string, string>();
  return JSON.parse(JSON.stringify(sorted(own)), (name, value: unknown) => {
    if (moments.has(name)) return 'that';
    if (typeof value !== 'string' || !/^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(value) || known.includes(value)) return value;
    if (!fresh.has(value)) fresh.set(value, `new ${fresh.size}`);
    return fresh.get(value);
  });
}

t.test(`${editsCount} random edits`, async (t) => {
  const { id: initial } = (await api.states().withKey({ key: 'Initial' }).get().execute()).body;
  const seen = { applied: 0, refused: 0 };
  const lane = async (seed: number): Promise<void> => {
    const choices = choicesOf(seed);
    const makers = makersOf(choices);
    let own = await order();
    for (let number = seed; number < editsCount; number += lanesCount) {
      if (Math.floor(number / lanesCount) % editsOfOne === editsOfOne - 1) own = await order();
      const stagedActions = Array.from({ length: choices.pick([1, 1, 2, 4]) }, () => choices.pick(makers)(own, number));
      const now = await edited(t, own, { stagedActions, known: JSON.stringify(own) + initial });
      seen[now === undefined ? 'refused' : 'applied'] += 1;
      own = now ?? own;
    }
  };
  await Promise.all(Array.from({ length: lanesCount }, (_, seed) => lane(seed)));
  t.equal(seen.applied + seen.refused, editsCount);
  t.ok(seen.applied > editsCount / 3 && seen.refused > 5, JSON.stringify(seen));
  t.comment(JSON.stringify(seen));
});

interface Edited {
  readonly stagedActions: readonly object[];
  /** The ids that were there before. */
  readonly known: string;
}

/** The order after the edit, which is what the preview shows; undefined where the edit cannot be applied. */
async function edited(t: Test, own: Order, { stagedActions, known }: Edited): Promise<Order | undefined> {
  const body = {
    resource: { typeId: 'order' as const, id: own.id },
    stagedActions: stagedActions as StagedOrderUpdateAction[],
  };
  const { body: edit } = await api.orders().edits().post({ body }).execute();
  const applying = { editVersion: edit.version, resourceVersion: own.version };
  const named = api.orders().edits().withId({ ID: edit.id });
  if (edit.result.type !== 'PreviewSuccess') {
    const { error } = await refusalOf(named.apply().post({ body: applying }).execute());
    t.equal(error.code, 'EditPreviewFailed');
    return undefined;
  }
  const { body: applied } = await named.apply().post({ body: applying }).execute();
  const { body: now } = await api.orders().withId({ ID: own.id }).get().execute();
  const { preview, messagePayloads } = edit.result as unknown as { preview: Order; messagePayloads: unknown[] };
  t.strictSame(comparable(now, known), comparable(preview, known), JSON.stringify(stagedActions));
  t.equal(preview.version, own.version);
  t.match(applied.result, excerpts(own, now));
  const told = (await messagesOf(shop, own.id)).filter(({ resourceVersion }) => resourceVersion === now.version);
  t.equal(told.at(-1)?.type, 'OrderEditApplied');
  t.strictSame(comparable(told.slice(0, -1).map(toldIn), known), comparable(messagePayloads, known), 'its messages');
  requireSums(now);
  requireDeliveries(own, now);
  return now;
}

function excerpts(before: Order, after: Order): object {
  const excerptOf = ({ totalPrice, version }: Order): object => ({ totalPrice, version });
  return { type: 'Applied', excerptBeforeEdit: excerptOf(before), excerptAfterEdit: excerptOf(after) };
}

/** None is staged to go. */
function requireDeliveries(before: Order, after: Order): void {
  const idsOf = ({ shippingInfo }: Order): readonly string[] => (shippingInfo?.deliveries ?? []).map(({ id }) => id);
  const left = new Set(idsOf(after));
  if (!idsOf(before).every((id) => left.has(id))) throw new Error('A delivery has gone');
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

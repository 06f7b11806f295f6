/** A shop of the platform, and what the model knows of it. */
import type { CartDraft } from '@commercetools/platform-sdk';
import { changeSettings } from '../platform.ts';
import { eur } from '../cart-shop.ts';
import { keepMessages } from '../messages.ts';
import { type OrderShop, startOrderShop } from '../order-shop.ts';
import type { CartDocument, Code, Customer, State, Stock, World } from './world.ts';

export interface RandomShop {
  readonly shop: OrderShop;
  readonly world: World;
}

export const skus = ['lamp', 'vase', 'mug', 'cup', 'pen'] as const;

type Body = Readonly<Record<string, unknown>> & { readonly id: string };

/** What a request gives that has to be done. */
export async function done({ request }: Pick<OrderShop, 'request'>, path: string, draft: object): Promise<Body> {
  const { status, text, body } = await request('POST', path, draft);
  if (status !== 200 && status !== 201) throw new Error(`${path}: ${text}`);
  return body as Body;
}

export async function startRandomShop(): Promise<RandomShop> {
  const shop = await startOrderShop();
  await keepMessages(shop);
  await changeSettings(shop, { action: 'changeLanguages', languages: ['de', 'en'] });
  for (const sku of skus.slice(1)) await shop.addProduct(sku, [{ value: eur(1000) }]);
  const other = await done(shop, '/types', { key: 'other', name: { en: 'Other' }, resourceTypeIds: ['order'] });
  const note = (await shop.request('GET', '/types/key=note')).body as Body;
  await done(shop, '/stores', { key: 'mine', name: { en: 'Mine' } });
  await done(shop, '/stores', { key: 'german', name: { en: 'German' }, countries: [{ code: 'DE' }] });
  const payments: string[] = [];
  for (let index = 0; index < 8; index += 1)
    payments.push((await done(shop, '/payments', { amountPlanned: eur(100) })).id);
  const prices = new Map<string, number>();
  const products = new Map<string, object>();
  const world: World = {
    by: { clientId: shop.client.clientId },
    carts: [],
    orders: [],
    channels: await channelsOf(shop),
    stocks: await stocksOf(shop),
    codes: await codesOf(shop),
    states: await statesOf(shop),
    stores: [
      { key: 'mine', countries: [] },
      { key: 'german', countries: ['DE'] },
    ],
    customers: await customersOf(shop),
    payments,
    languages: ['de', 'en'],
    typeId: note.id,
    otherTypeId: other.id,
    prices,
    products,
    unknowns: 0,
  };
  for (const sku of skus) await noteProduct({ shop, world }, sku);
  return { shop, world };
}

/** Has the model know what a product shows. */
export async function noteProduct({ shop, world }: RandomShop, sku: string): Promise<void> {
  const { id, key, productType, masterData } = (await shop.api.products().withKey({ key: sku }).get().execute()).body;
  const { masterVariant, slug } = masterData.current;
  world.prices.set(sku, masterVariant.prices![0]!.value.centAmount);
  const { availability: _, ...variant } = masterVariant;
  (world.products as Map<string, object>).set(sku, {
    productId: id,
    productKey: key,
    productSlug: slug,
    productType: { typeId: 'product-type', id: productType.id },
    variant,
  });
}

async function statesOf(shop: OrderShop): Promise<readonly State[]> {
  const of = (type: string) => async (key: string, initial: boolean, to?: readonly string[]) => {
    const transitions = to?.map((id) => ({ typeId: 'state', id }));
    const { id } = await done(shop, '/states', {
      key,
      type,
      initial,
      ...(transitions !== undefined && { transitions }),
    });
    return { id, key, type, initial, ...(to !== undefined && { transitions: to }) };
  };
  const [ofOrders, ofLines] = [of('OrderState'), of('LineItemState')];
  const last = await ofOrders('last', false, []);
  const free = await ofOrders('free', false);
  const first = await ofOrders('first', true, [last.id, free.id]);
  const lost = await ofLines('lost', false, []);
  const packed = await ofLines('packed', true, [lost.id]);
  const paid = await of('PaymentState')('paid', true);
  const { id } = (await shop.request('GET', '/states/key=Initial')).body as Body;
  const initial = { id, key: 'Initial', type: 'LineItemState', initial: true };
  return [last, free, first, lost, packed, paid, initial, await ofLines('anywhere', false)];
}

async function channelsOf(shop: OrderShop): Promise<World['channels']> {
  const channels: World['channels'][number][] = [];
  for (const [key, roles] of [
    ['into', ['OrderExport']],
    ['from', ['OrderImport']],
    ['shelf', ['InventorySupply']],
  ] as const)
    channels.push({ id: (await done(shop, '/channels', { key, roles })).id, key, roles });
  const { id } = (await shop.request('GET', '/channels/key=north')).body as Body;
  return [...channels, { id, key: 'north', roles: ['ProductDistribution', 'InventorySupply'] }];
}

async function stocksOf(shop: OrderShop): Promise<Stock[]> {
  const stocks: Stock[] = [];
  const north = { supplyChannel: { typeId: 'channel', key: 'north' } };
  for (const draft of [
    { sku: 'lamp', quantityOnStock: 12 },
    { sku: 'vase', quantityOnStock: 14, stockLevels: { reorderPoint: 8, safetyStock: 4 } },
    { sku: 'mug', quantityOnStock: 5 },
    { sku: 'mug', quantityOnStock: 5, ...north },
    { sku: 'cup', quantityOnStock: 2, restockableInDays: 0 },
  ])
    stocks.push({
      ...((await done(shop, '/inventory', draft)) as unknown as Stock),
      // Its creation.
      messageCount: 1,
    });
  return stocks;
}

async function codesOf(shop: OrderShop): Promise<Code[]> {
  const id = await shop.addDiscount('off', { type: 'relative', permyriad: 1000 }, { requiresDiscountCode: true });
  const codes: Code[] = [];
  for (const [code, limits] of [
    ['FREE', {}],
    ['FEW', { maxApplications: 4 }],
    ['EACH', { maxApplicationsPerCustomer: 1 }],
    ['BOTH', { maxApplications: 8, maxApplicationsPerCustomer: 1 }],
  ] as const) {
    const draft = { code, cartDiscounts: [{ typeId: 'cart-discount', id }], ...limits };
    const made = await done(shop, '/discount-codes', draft);
    codes.push({ id: made.id, code, isActive: true, uses: 0, usesByCustomer: new Map(), ...limits });
  }
  return codes;
}

async function customersOf(shop: OrderShop): Promise<Customer[]> {
  const group = (await shop.request('GET', '/customer-groups/key=members')).body as Body;
  const customerGroup = { typeId: 'customer-group', id: group.id };
  const customers: Customer[] = [];
  for (const [email, draft] of [
    ['ann@example.org', {}],
    ['bob@example.org', { customerGroup }],
    ['cid@example.org', {}],
  ] as const) {
    const { customer } = await done(shop, '/customers', { email, password: 'secret word 1', ...draft });
    customers.push({ id: (customer as Body).id, ...draft });
  }
  return customers;
}

/** A cart of this draft, as the platform shows it. */
export async function addCart({ shop, world }: RandomShop, draft: Partial<CartDraft>): Promise<CartDocument> {
  const { shipping, customShipping } = shop.severally;
  const methods = draft.shippingMode === 'Multiple' ? { shipping: shipping!, customShipping: customShipping! } : {};
  const cart = (await shop.cart({ ...draft, ...methods })) as unknown as CartDocument;
  world.carts.push(cart);
  return cart;
}

/** Has the model know a cart as it is. */
export async function noteCart({ shop, world }: RandomShop, id: string): Promise<void> {
  const { body } = await shop.request('GET', `/carts/${id}`);
  const index = world.carts.findIndex((cart) => cart.id === id);
  world.carts[index] = body as unknown as CartDocument;
}

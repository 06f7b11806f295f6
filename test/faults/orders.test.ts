/**
 * Orders under kills: many clients order carts while processes of the platform and Postgres end with SIGKILL. Whatever was
 * answered, and whatever broke off, each order is there as a whole or not at all (orders 15 to 17, 60), and is told of.
 */
import t, { type Test } from 'tap';
import { type Cluster, startCluster } from '../../bench/history/cluster.ts';
import { Random } from '../../src/demo/random.ts';
import { keepMessages } from '../support/messages.ts';
import { type Delivery, type NotificationServer, notificationServer } from '../support/notification-server.ts';
import { type Answer, requestToken, send } from '../support/platform.ts';
import { eventually } from '../support/services.ts';

const clients = 64;
const cartsEach = 3;
const seed = Number(process.env['HISTORY_SEED'] ?? 1);
const skus = ['ant', 'bee', 'cat'];
const stockOfEach = 200;
const codes = [
  { code: 'FEW', maxApplications: 20 },
  { code: 'MANY', maxApplications: 1000 },
];
/** What a client may hear of an order; what is from 500 on, or no answer at all, says nothing of what became of it. */
const statuses = [201, 400, 409, 502, 503];
const refusals = ['OutOfStock', 'DiscountCodeNonApplicable', 'DuplicateField', 'InvalidOperation'];

type Body = Readonly<Record<string, unknown>> & { readonly id: string; readonly version: number };

interface Wish {
  readonly cart: Body;
  readonly orderNumber: string;
}

interface Shop {
  readonly cluster: Cluster;
  /** Asks the processes in turns, of which one may be gone. Undefined where the connection broke. */
  ask(method: string, path: string, body?: object): Promise<Answer | undefined>;
  /** What a request gives in the end. */
  sure(method: string, path: string, body?: object): Promise<Answer>;
}

// The server that is notified is on a loopback address.
process.env['ALLOW_PRIVATE_SUBSCRIPTIONS'] = 'true';

async function startShop(t: Test): Promise<Shop> {
  const cluster = await startCluster({ servers: 3 });
  t.teardown(() => cluster.stop());
  const token = await requestToken(cluster.baseUrls[0]!, cluster.client);
  const { baseUrls, projectKey } = cluster;
  const headers = { authorization: `Bearer ${token}` };
  let turn = 0;
  const ask: Shop['ask'] = (method, path, body) => {
    turn += 1;
    const baseUrl = baseUrls[turn % baseUrls.length]!;
    return send({ baseUrl, method, path: `/${projectKey}${path}`, body, headers }).catch(() => undefined);
  };
  const sure: Shop['sure'] = (method, path, body) =>
    eventually(async () => {
      const answer = await ask(method, path, body);
      return answer === undefined || answer.status >= 500 ? undefined : answer;
    });
  return { cluster, ask, sure };
}

async function made({ sure }: Shop, path: string, draft: object): Promise<Body> {
  const { status, text, body } = await sure('POST', path, draft);
  if (status !== 201 && status !== 200) throw new Error(`${path}: ${text}`);
  return body as Body;
}

const eur = (centAmount: number): object => ({ currencyCode: 'EUR', centAmount });

async function furnish(shop: Shop): Promise<void> {
  await keepMessages({ request: (method, path, body) => shop.sure(method, path, body as object | undefined) });
  await made(shop, '/product-types', { key: 'plain', name: 'Plain', description: '' });
  for (const sku of skus) {
    await made(shop, '/products', {
      productType: { typeId: 'product-type', key: 'plain' },
      name: { en: sku },
      slug: { en: sku },
      masterVariant: { sku, prices: [{ value: eur(100) }] },
      publish: true,
    });
    await made(shop, '/inventory', { sku, quantityOnStock: stockOfEach, stockLevels: { reorderPoint: 100 } });
  }
  const discount = await made(shop, '/cart-discounts', {
    name: { en: 'Off' },
    value: { type: 'relative', permyriad: 1000 },
    cartPredicate: '1 = 1',
    target: { type: 'lineItems', predicate: '1 = 1' },
    sortOrder: '0.5',
    requiresDiscountCode: true,
  });
  const cartDiscounts = [{ typeId: 'cart-discount', id: discount.id }];
  for (const code of codes) await made(shop, '/discount-codes', { ...code, cartDiscounts });
}

async function addCart(shop: Shop, random: Random, number: number): Promise<Body> {
  const chosen = skus.filter(() => random.chance(0.7));
  const cart = await made(shop, '/carts', {
    currency: 'EUR',
    taxMode: 'Disabled',
    shippingAddress: { country: 'DE' },
    inventoryMode: 'ReserveOnOrder',
    // In any order, for rivals not to wait for each other without end.
    lineItems: (chosen.length > 0 ? chosen : skus)
      .toSorted(() => random.pick([-1, 1]))
      .map((sku) => ({ sku, quantity: random.integer(1, 3) })),
    discountCodes: codes.filter(() => random.chance(0.4)).map(({ code }) => code),
  });
  if (number % 2 === 0) return cart;
  const payment = { typeId: 'payment', id: (await made(shop, '/payments', { amountPlanned: eur(1) })).id };
  return made(shop, `/carts/${cart.id}`, { version: cart.version, actions: [{ action: 'addPayment', payment }] });
}

interface Heard {
  readonly acknowledged: Map<string, Body>;
  readonly odd: string[];
  /** How many requests were answered for good, and how many were not. */
  outcomes: number;
  unknown: number;
}

/** Orders a cart; who does not know what became of that looks for the number, and begins again where it is not there. */
async function order(shop: Shop, heard: Heard, { cart, orderNumber }: Wish): Promise<void> {
  const draft = { cart: { typeId: 'cart', id: cart.id }, version: cart.version, orderNumber };
  await eventually(async () => {
    const answer = await shop.ask('POST', '/orders', draft);
    if (answer !== undefined && !statuses.includes(answer.status)) heard.odd.push(`${answer.status} ${answer.text}`);
    if (answer === undefined || answer.status >= 500) {
      heard.unknown += 1;
      const found = await shop.sure('GET', `/orders/order-number=${orderNumber}`);
      if (found.status === 200) heard.acknowledged.set(orderNumber, found.body as Body);
      return found.status === 200 ? 'found' : undefined;
    }
    heard.outcomes += 1;
    if (answer.status === 201) heard.acknowledged.set(orderNumber, answer.body as Body);
    const errors = (answer.body['errors'] ?? []) as readonly { readonly code: string }[];
    for (const { code } of answer.status === 400 ? errors : [])
      if (!refusals.includes(code)) heard.odd.push(answer.text);
    return answer.status;
  });
}

const answersBetween = 40;

/** Ends processes, one at a time, whenever so many requests more have an outcome. */
class Nemesis {
  readonly #cluster: Cluster;
  readonly #random = new Random(seed + 1);
  #next = answersBetween;
  #striking = Promise.resolve();
  strikes = 0;

  constructor({ cluster }: Shop) {
    this.#cluster = cluster;
  }

  /** Strikes where it is time for that. Who strikes waits until all is back that was ended before; others go on. */
  async pass(outcomes: number): Promise<void> {
    if (outcomes < this.#next) return;
    this.#next += answersBetween;
    const last = this.#striking;
    this.#striking = last.then(() => this.#strike());
    await last;
  }

  async #strike(): Promise<void> {
    const victim = this.strikes % 3;
    this.strikes += 1;
    const { baseUrls } = this.#cluster;
    // The feeder, which delivers notifications, comes after those that serve.
    if (victim === 0) await this.#cluster.killServer(this.#random.integer(0, baseUrls.length));
    else await this.#cluster.killDatabase(victim === 1 ? 'server' : 'helper');
  }

  /** Waits until everything is back. */
  rest(): Promise<void> {
    return this.#striking;
  }
}

/** All of a kind, page by page. */
async function all({ sure }: Shop, path: string, where?: string): Promise<readonly Body[]> {
  const found: Body[] = [];
  for (;;) {
    const last = found.at(-1)?.id;
    const conditions = [where, last && `id > "${last}"`].filter((one) => one !== undefined);
    const query = new URLSearchParams({ limit: '500', sort: 'id asc' });
    if (conditions.length > 0) query.set('where', conditions.join(' and '));
    const page = (await sure('GET', `${path}?${query.toString()}`)).body['results'] as readonly Body[];
    found.push(...page);
    if (page.length < 500) return found;
  }
}

type Order = Body & {
  readonly orderNumber: string;
  readonly cart: { readonly id: string };
  readonly lineItems: readonly { readonly quantity: number; readonly variant: { readonly sku: string } }[];
  readonly discountCodes: readonly { readonly discountCode: { readonly id: string } }[];
  readonly paymentInfo?: { readonly payments: readonly { readonly id: string }[] };
};

/** What of the orders and what goes with them does not fit. */
async function faultsOf(shop: Shop, wishes: readonly Wish[], heard: Heard): Promise<readonly string[]> {
  const orders = (await all(shop, '/orders')) as readonly Order[];
  const faults: string[] = [];
  const byNumber = new Map(orders.map((one) => [one.orderNumber, one]));
  for (const [number, { id }] of heard.acknowledged)
    if (byNumber.get(number)?.id !== id) faults.push(`the order ${number} was acknowledged`);
  for (const { id, version, cartState } of await all(shop, '/carts')) {
    const of = orders.filter(({ cart }) => cart.id === id);
    const before = wishes.find(({ cart }) => cart.id === id)!.cart.version;
    const isRight = of.length === 1 ? cartState === 'Ordered' && version === before + 1 : cartState === 'Active';
    if (of.length > 1 || !isRight || (of.length === 0 && version !== before))
      faults.push(`the cart ${id} is ${String(cartState)} with ${of.length} orders`);
  }
  for (const { sku, quantityOnStock, availableQuantity } of await all(shop, '/inventory')) {
    const lines = orders.flatMap(({ lineItems }) => lineItems).filter(({ variant }) => variant.sku === sku);
    const left = stockOfEach - lines.reduce((sum, { quantity }) => sum + quantity, 0);
    if (left < 0 || quantityOnStock !== left || availableQuantity !== left)
      faults.push(`of ${String(sku)} ${String(quantityOnStock)} are left and not ${left}`);
  }
  const query = '{ discountCodes { results { id code applicationCount } } }';
  const { data } = (await shop.sure('POST', '/graphql', { query })).body as unknown as {
    data: { discountCodes: { results: readonly { id: string; code: string; applicationCount: number }[] } };
  };
  for (const { id, code, applicationCount } of data.discountCodes.results) {
    const uses = orders.filter(({ discountCodes }) => discountCodes.some(({ discountCode }) => discountCode.id === id));
    const { maxApplications } = codes.find((one) => one.code === code)!;
    if (applicationCount !== uses.length || uses.length > maxApplications)
      faults.push(`the code ${code} counts ${applicationCount} uses, of ${uses.length} orders`);
  }
  const payments = orders.flatMap(({ paymentInfo }) => paymentInfo?.payments ?? []).map(({ id }) => id);
  if (new Set(payments).size !== payments.length) faults.push('a payment is in two orders');
  return [...faults, ...(await messageFaults(shop, orders))];
}

/** Each order has told of its creation alone, and each stock counts its messages without a gap. */
async function messageFaults(shop: Shop, orders: readonly Order[]): Promise<readonly string[]> {
  const messages = await all(shop, '/messages', 'resource(typeId in ("order", "inventory-entry"))');
  const byResource = new Map<string, Body[]>();
  for (const message of messages) {
    const { id } = message['resource'] as { id: string };
    byResource.set(id, [...(byResource.get(id) ?? []), message]);
  }
  const faults: string[] = [];
  for (const [id, told] of byResource) {
    const numbers = told.map(({ sequenceNumber }) => Number(sequenceNumber)).toSorted((one, other) => one - other);
    if (numbers.some((number, index) => number !== index + 1)) faults.push(`${id} has told ${numbers.join()}`);
  }
  const created = messages.filter(({ type }) => type === 'OrderCreated');
  for (const { id } of orders) if (byResource.get(id)?.length !== 1) faults.push(`the order ${id} has not told once`);
  if (created.length !== orders.length) faults.push(`${created.length} orders are told, ${orders.length} are there`);
  for (const type of ['InventoryEntryOutOfStock', 'InventoryEntryReorderPoint'])
    if (messages.filter((one) => one['type'] === type).length > skus.length) faults.push(`${type} is told twice`);
  return faults;
}

/** What was not delivered of what is there, was of something that is not, or came before what it follows. */
async function deliveryFaults(shop: Shop, server: NotificationServer): Promise<readonly string[]> {
  const messages = await all(shop, '/messages', 'resource(typeId in ("order", "inventory-entry"))');
  const orders = await all(shop, '/orders');
  const expected = new Set([...messages, ...orders].map(({ id }) => id));
  const nameOf = ({ body }: Delivery): string => (typeof body['id'] === 'string' ? body['id'] : body.resource.id);
  const taken = (): readonly Delivery[] => server.of('orders');
  await server.until(() => {
    const told = new Set(taken().map(nameOf));
    return [...expected].every((id) => told.has(id));
  });
  const faults = taken()
    .filter((delivery) => !expected.has(nameOf(delivery)))
    .map(({ text }) => `there is no ${text}`);
  const last = new Map<string, number>();
  for (const { body } of taken()) {
    if (body['sequenceNumber'] === undefined) continue;
    const [number, before] = [Number(body['sequenceNumber']), last.get(body.resource.id) ?? 0];
    // What was under way when a process ended is told again.
    if (number > before + 1) faults.push(`${body.resource.id} has told ${number} after ${before}`);
    last.set(body.resource.id, Math.max(number, before));
  }
  return faults;
}

t.test('of orders under kills each is there as a whole, or not at all', async (t) => {
  t.comment(`HISTORY_SEED=${seed}`);
  const shop = await startShop(t);
  const server = await notificationServer(t);
  const heardOf = [{ resourceTypeId: 'order' }];
  await made(shop, '/subscriptions', {
    destination: { type: 'HTTP', url: server.urlOf('orders') },
    messages: [...heardOf, { resourceTypeId: 'inventory-entry' }],
    changes: heardOf,
  });
  await furnish(shop);
  const random = new Random(seed);
  const wishes: Wish[] = [];
  for (let number = 0; number < clients * cartsEach; number += 1) {
    const cart = await addCart(shop, random, number);
    wishes.push({ cart, orderNumber: `N-${number}` });
    // Two want some of the carts, and one gets each.
    if (number % 5 === 0) wishes.push({ cart, orderNumber: `R-${number}` });
  }
  const heard: Heard = { acknowledged: new Map(), odd: [], outcomes: 0, unknown: 0 };
  const waiting = [...wishes];
  const nemesis = new Nemesis(shop);
  const work = async (): Promise<void> => {
    for (let wish = waiting.shift(); wish !== undefined; wish = waiting.shift()) {
      await nemesis.pass(heard.outcomes);
      await order(shop, heard, wish);
    }
  };
  await Promise.all(Array.from({ length: clients }, work));
  await nemesis.rest();
  const { acknowledged, outcomes, unknown, odd } = heard;
  const { strikes } = nemesis;
  t.comment(JSON.stringify({ outcomes, unknown, strikes, acknowledged: acknowledged.size }));
  t.strictSame(odd, []);
  t.strictSame(await faultsOf(shop, wishes, heard), []);
  t.strictSame(await deliveryFaults(shop, server), []);
  t.ok(acknowledged.size > 50, `${acknowledged.size} orders are acknowledged`);
  t.ok(strikes >= 3 && unknown > 0, `${strikes} strikes left ${unknown} requests without an outcome`);
});

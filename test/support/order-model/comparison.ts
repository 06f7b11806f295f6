/** Sends requests to the platform and the model, and compares what becomes of them: answers, resources and messages. */
import type { Answer } from '../platform.ts';
import { messagesOf as storedMessages } from '../messages.ts';
import { messagesOf, type Telling } from './messages.ts';
import { importOrder } from './importing.ts';
import { deleteOrder, orderFromCart, takeOver } from './ordering.ts';
import { importBody, type RandomRequest } from './random-requests.ts';
import { addCart, done, noteCart, noteProduct, type RandomShop, startRandomShop } from './shop.ts';
import { difference, known, type Learned } from './unknowns.ts';
import { updateOrder } from './update.ts';
import { holderOf, type ModelError, type ModelMessage, type OrderDocument, Refused, type World } from './world.ts';

export interface Comparison {
  readonly world: World;
  readonly counts: Counts;
  /** What the two do not do alike; undefined where they do. */
  faultOf(request: RandomRequest): Promise<string | undefined>;
  /** What is wrong with what is left. */
  lastFaults(): Promise<readonly string[]>;
}

interface Counts {
  requests: number;
  refused: number;
  messages: number;
  /** How often each action was done, and each code told. */
  readonly done: Map<string, number>;
  readonly codes: Map<string, number>;
}

const count = (counts: Map<string, number>, name: string): void => void counts.set(name, (counts.get(name) ?? 0) + 1);

export async function startComparison(): Promise<Comparison> {
  const random = await startRandomShop();
  const counts: Counts = { requests: 0, refused: 0, messages: 0, done: new Map(), codes: new Map() };
  const comparing = new Comparing(random, counts);
  return {
    world: random.world,
    counts,
    faultOf: (request) => {
      counts.requests += 1;
      return comparing.faultOf(request);
    },
    lastFaults: () => comparing.lastFaults(),
  };
}

type Compared = Extract<RandomRequest, { readonly is: 'order' | 'import' | 'update' | 'deletion' }>;

class Comparing {
  readonly #random: RandomShop;
  readonly #counts: Counts;
  /** How many messages each order has, of those too that have gone. */
  readonly #told = new Map<string, number>();
  #signUps = 0;

  constructor(random: RandomShop, counts: Counts) {
    this.#random = random;
    this.#counts = counts;
  }

  get #world(): World {
    return this.#random.world;
  }

  #ask(method: string, path: string, body?: object): Promise<Answer> {
    return this.#random.shop.request(method, path, body);
  }

  async faultOf(request: RandomRequest): Promise<string | undefined> {
    switch (request.is) {
      case 'cart':
        return this.#addCart(request);
      case 'price':
      case 'stock':
      case 'code':
        return this.#furnish(request);
      case 'sign-up':
        return this.#signUp(request.anonymousId);
      default:
        return this.#compare(request);
    }
  }

  /** Carts are the platform's: what they are computed to be another model knows. */
  async #addCart({ draft, payment, isFrozen }: Extract<RandomRequest, { readonly is: 'cart' }>): Promise<undefined> {
    const { id } = await addCart(this.#random, draft);
    const hasItems = [...(draft.lineItems ?? []), ...(draft.customLineItems ?? [])].length > 0;
    const actions = [
      ...(payment !== undefined && holderOf(this.#world, payment) === undefined
        ? [{ action: 'addPayment', payment: { typeId: 'payment', id: payment } }]
        : []),
      ...(isFrozen && hasItems ? [{ action: 'freezeCart' }] : []),
    ];
    const { version } = this.#world.carts.at(-1)!;
    if (actions.length > 0) await done(this.#random.shop, `/carts/${id}`, { version, actions });
    await noteCart(this.#random, id);
    return undefined;
  }

  async #furnish(request: Extract<RandomRequest, { readonly is: 'price' | 'stock' | 'code' }>): Promise<undefined> {
    const { shop } = this.#random;
    if (request.is === 'price') {
      const price = { value: { currencyCode: 'EUR', centAmount: request.centAmount } };
      await shop.changeProduct(request.sku, { action: 'setPrices', variantId: 1, prices: [price], staged: false });
      await noteProduct(this.#random, request.sku);
    } else if (request.is === 'stock') {
      const stock = this.#world.stocks.find(({ id }) => id === request.id)!;
      const { version, quantityOnStock, availableQuantity } = (await done(shop, `/inventory/${request.id}`, {
        version: stock.version,
        actions: [{ action: 'addQuantity', quantity: request.quantity }],
      })) as unknown as typeof stock;
      Object.assign(stock, { version, quantityOnStock, availableQuantity, messageCount: stock.messageCount + 1 });
    } else {
      const { id, is: _, ...given } = request;
      const { version } = (await this.#ask('GET', `/discount-codes/${id}`)).body;
      const { isActive, maxApplications } = request;
      const actions = [
        { action: 'changeIsActive', isActive },
        ...(maxApplications === undefined ? [] : [{ action: 'setMaxApplications', maxApplications }]),
      ];
      await done(shop, `/discount-codes/${id}`, { version, actions });
      Object.assign(
        this.#world.codes.find((code) => code.id === id)!,
        given,
      );
    }
    return undefined;
  }

  async #signUp(anonymousId: string): Promise<string | undefined> {
    this.#signUps += 1;
    const email = `visitor-${this.#signUps}@example.org`;
    const draft = { email, password: 'secret word 1', anonymousId };
    const { customer } = (await done(this.#random.shop, '/customers', draft)) as unknown as {
      customer: { id: string };
    };
    this.#world.customers.push({ id: customer.id });
    for (const cart of this.#world.carts.filter((one) => one.anonymousId === anonymousId))
      await noteCart(this.#random, cart.id);
    for (const order of takeOver(this.#world, anonymousId, customer.id)) {
      const { body } = await this.#ask('GET', `/orders/${order.id}`);
      const learned: Learned = new Map();
      const fault = difference(order, body, learned, 'order');
      if (fault !== undefined) return `after a sign-up ${fault}`;
      this.#learn(order, learned);
    }
    return undefined;
  }

  #learn(order: OrderDocument, learned: Learned): void {
    const { orders, carts } = this.#world;
    for (const all of [orders, carts] as { id: string }[][])
      for (const [index, one] of all.entries())
        if (one.id === order.id || all === carts) all[index] = known(one, learned);
  }

  async #compare(request: Compared): Promise<string | undefined> {
    const answer = await this.#send(request);
    const expected = this.#model(request);
    if (expected instanceof Refused) return this.#refusalFault(answer, expected) ?? this.#standingFault(request);
    const { status, body, text } = answer;
    if (status !== (request.is === 'order' || request.is === 'import' ? 201 : 200)) return `it is refused with ${text}`;
    const learned: Learned = new Map();
    const { order } = expected;
    // What is deleted is given as it was, without what is told of that.
    const last = structuredClone(order);
    const messages = messagesOf(expected);
    const fault = difference(request.is === 'deletion' ? last : order, body, learned, 'order');
    if (fault !== undefined) return fault;
    this.#learn(order, learned);
    if (request.is === 'update') for (const { action } of request.update.actions) count(this.#counts.done, action);
    const { id } = known(order, learned);
    const told = await this.#messageFault({ id, messages, learned });
    if (told !== undefined) return told;
    if (request.is === 'order') {
      const cart = await this.#cartFault((order as unknown as { cart: { id: string } }).cart.id);
      if (cart !== undefined) return cart;
    }
    return this.#isAboutSales(request) ? this.#soldFault() : undefined;
  }

  /** Stocks and codes are looked at after whatever could sell, and now and then after the rest. */
  #isAboutSales({ is }: Compared): boolean {
    return is !== 'update' || this.#counts.requests % 16 === 0;
  }

  #send(request: Compared): Promise<Answer> {
    switch (request.is) {
      case 'order':
        return this.#ask('POST', '/orders', request.draft);
      case 'import':
        return this.#ask('POST', '/orders/import', importBody(request.draft));
      case 'update': {
        const { id, version, actions } = request.update;
        return this.#ask('POST', `/orders/${id}`, { version, actions });
      }
      case 'deletion':
        return this.#ask('DELETE', `/orders/${request.id}?version=${request.version}`);
    }
  }

  #model(request: Compared): Telling | Refused {
    try {
      switch (request.is) {
        case 'order':
          return orderFromCart(this.#world, request.draft);
        case 'import':
          return importOrder(this.#world, request.draft);
        case 'update':
          return updateOrder(this.#world, request.update);
        case 'deletion':
          return deleteOrder(this.#world, request.id, request.version);
      }
    } catch (error) {
      if (error instanceof Refused) return error;
      throw error;
    }
  }

  #refusalFault({ status, body, text }: Answer, expected: Refused): string | undefined {
    this.#counts.refused += 1;
    for (const { code } of expected.errors) count(this.#counts.codes, code);
    if (status !== expected.status) return `it gives ${status} ${text} and not ${expected.message}`;
    // An item that is imported has no id before it is stored.
    const isUnstored = /"\?\d+"/.test(expected.message);
    const shown = (error: ModelError): string =>
      isUnstored ? plainError(error).replaceAll(/"(\?\d+|[\da-f]{8}-[\da-f-]{27})"/g, 'some id') : plainError(error);
    const given = (body['errors'] as readonly ModelError[]).map(shown);
    const wanted = expected.errors.map(shown);
    const sorted = (errors: readonly string[]): readonly string[] => [...new Set(errors)].sort();
    const isSame = difference(sorted(wanted), sorted(given), new Map()) === undefined;
    return isSame ? undefined : `it is refused with ${given.join()} and not ${wanted.join()}`;
  }

  /** Whether what was refused has left all as it was. */
  async #standingFault(request: Compared): Promise<string | undefined> {
    const id = request.is === 'update' ? request.update.id : request.is === 'deletion' ? request.id : undefined;
    const order = this.#world.orders.find((one) => one.id === id);
    if (order !== undefined) {
      const fault = difference(order, (await this.#ask('GET', `/orders/${order.id}`)).body, new Map(), 'order');
      if (fault !== undefined) return `although it is refused, ${fault}`;
    }
    if (request.is === 'order') {
      const { cart = { id: request.draft.id }, id: other } = request.draft;
      for (const one of this.#world.carts)
        if ([cart.id, other].includes(one.id)) {
          const fault = await this.#cartFault(one.id);
          if (fault !== undefined) return `although it is refused, ${fault}`;
        }
    }
    return this.#isAboutSales(request) ? this.#soldFault() : undefined;
  }

  async #cartFault(id: string): Promise<string | undefined> {
    const index = this.#world.carts.findIndex((one) => one.id === id);
    const cart = this.#world.carts[index]!;
    const { body } = await this.#ask('GET', `/carts/${id}`);
    // When it was ordered the order says.
    const { lastModifiedAt } = body;
    const fault = difference({ ...cart, lastModifiedAt }, body, new Map(), 'cart');
    if (fault === undefined) this.#world.carts[index] = body as unknown as typeof cart;
    return fault;
  }

  /** The stocks and the uses of codes. */
  async #soldFault(): Promise<string | undefined> {
    const { results } = (await this.#ask('GET', '/inventory?limit=50')).body as unknown as {
      results: readonly { id: string; version: number; quantityOnStock: number; availableQuantity: number }[];
    };
    for (const { id, sku, version, quantityOnStock, availableQuantity } of this.#world.stocks) {
      const found = results.find((one) => one.id === id)!;
      const given = {
        version: found.version,
        quantityOnStock: found.quantityOnStock,
        availableQuantity: found.availableQuantity,
      };
      const fault = difference({ version, quantityOnStock, availableQuantity }, given, new Map(), `stock of ${sku}`);
      if (fault !== undefined) return fault;
    }
    const { body } = await this.#ask('POST', '/graphql', {
      query: 'query Q { discountCodes { results { id applicationCount } } }',
    });
    const codes = (body['data'] as { discountCodes: { results: { id: string; applicationCount: number }[] } })
      .discountCodes.results;
    const wrong = this.#world.codes.find(
      ({ id, uses }) => codes.find((one) => one.id === id)!.applicationCount !== uses,
    );
    return wrong && `the code ${wrong.code} is used ${JSON.stringify(codes)} and not ${wrong.uses} times`;
  }

  async #messageFault({
    id,
    messages,
    learned,
  }: {
    readonly id: string;
    readonly messages: readonly ModelMessage[];
    readonly learned: Learned;
  }): Promise<string | undefined> {
    const own = messages.filter(({ resource }) => resource.typeId === 'order');
    const before = this.#told.get(id) ?? 0;
    this.#told.set(id, before + own.length);
    this.#counts.messages += messages.length;
    const given = await this.#messagesSince(`resource(id = "${id}") and sequenceNumber > ${before}`);
    const stocks = messages.filter(({ resource }) => resource.typeId !== 'order');
    // What other stocks have told last was looked at before.
    for (const { resource, sequenceNumber } of stocks)
      given.push(
        ...(await this.#messagesSince(`resource(id = "${resource.id}") and sequenceNumber = ${sequenceNumber}`)),
      );
    const whole = [...own, ...stocks].map((message) => ({
      ...known(message, learned),
      id: `?${this.#world.unknowns + 1 + messages.indexOf(message)}`,
      version: 1,
      lastModifiedAt: known(message, learned).createdAt,
      createdBy: this.#world.by,
      lastModifiedBy: this.#world.by,
    }));
    return difference(whole, given, new Map(), 'messages');
  }

  async #messagesSince(where: string): Promise<object[]> {
    const query = new URLSearchParams({ where, sort: 'sequenceNumber asc', limit: '500' });
    const { status, body, text } = await this.#ask('GET', `/messages?${query.toString()}`);
    if (status !== 200) throw new Error(text);
    return body['results'] as object[];
  }

  async lastFaults(): Promise<readonly string[]> {
    const faults: string[] = [];
    for (const [id, expected] of this.#told) {
      const numbers = (await storedMessages(this.#random.shop, id)).map(({ sequenceNumber }) => sequenceNumber);
      const isWhole = numbers.length === expected && numbers.every((number, index) => number === index + 1);
      if (!isWhole) faults.push(`the order ${id} has told ${numbers.join()} and not ${expected}`);
    }
    for (const { id, sku, messageCount } of this.#world.stocks) {
      const numbers = (await storedMessages(this.#random.shop, id)).map(({ sequenceNumber }) => sequenceNumber);
      const isWhole = numbers.length === Math.min(500, messageCount);
      if (!isWhole || !numbers.every((number, index) => number === index + 1))
        faults.push(`the stock of ${sku} has told ${numbers.length} and not ${messageCount}`);
    }
    return faults;
  }
}

/** What is compared of an error. */
function plainError(error: ModelError): string {
  const {
    message: _,
    invalidValue: _i,
    allowedValues: _a,
    expectedVersion: _e,
    detailedErrorMessage: _d,
    ...members
  } = error as ModelError & Readonly<Record<string, unknown>>;
  for (const name of ['lineItems', 'skus']) {
    const { [name]: list } = members;
    if (Array.isArray(list)) members[name] = list.map(String).toSorted((one, other) => (one < other ? -1 : 1));
  }
  return JSON.stringify(
    Object.fromEntries(Object.entries(members).toSorted(([one], [other]) => (one < other ? -1 : 1))),
  );
}

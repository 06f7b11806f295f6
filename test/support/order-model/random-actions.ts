/** Update actions of orders at random. What they name is there most of the time. */
import type { Random } from '../../../src/demo/random.ts';
import { german } from '../cart-shop.ts';
import type { Input, ParcelInput, ReturnInput } from './inputs.ts';
import type { Address, Custom, Delivery, Link, OrderDocument, ShippedItem, State, World } from './world.ts';

interface Asked {
  readonly world: World;
  readonly order: OrderDocument;
  readonly action: string;
}

const nobody = '00000000-0000-4000-8000-000000000000';
const moment = '2030-01-01T00:00:00.000Z';

/** A number that may be another's. */
export function randomNumber(random: Random, { orders }: Pick<World, 'orders'>): string {
  const taken = orders.flatMap(({ orderNumber }) => orderNumber ?? []);
  if (taken.length > 0 && random.chance(0.15)) return random.pick(taken);
  return random.chance(0.03) ? random.pick(['', 'n'.repeat(257)]) : `N-${random.integer(0, 1_000_000_000)}`;
}

class Actions {
  readonly #random: Random;
  readonly #world: World;
  readonly #order: OrderDocument;

  constructor(random: Random, { world, order }: Asked) {
    this.#random = random;
    this.#world = world;
    this.#order = order;
  }

  #is(probability: number): boolean {
    return this.#random.chance(probability);
  }

  /** What is picked may be nothing: a member that is not said. */
  #pick<T>(values: readonly T[]): T {
    return this.#random.pick(values.map((value) => ({ value }))).value;
  }

  /** One of the good values, and now and then another. */
  #mostly<T>(good: readonly T[], bad: readonly T[]): T {
    return this.#pick(good.length > 0 && this.#is(0.93) ? good : bad);
  }

  #maybe<T>(probability: number, value: () => T): T | undefined {
    return this.#is(probability) ? value() : undefined;
  }

  /** Names a part by its id or its key, rarely by both or neither, or by those of nothing. */
  #name(noun: string, parts: readonly { id: string; key?: string }[]): object {
    const [idName, keyName] = [`${noun}Id`, `${noun}Key`];
    if (parts.length === 0 || this.#is(0.03)) return this.#is(0.5) ? { [idName]: nobody } : { [keyName]: 'nothing' };
    const { id, key } = this.#pick(parts);
    if (this.#is(0.02)) return { [idName]: id, [keyName]: key ?? 'nothing' };
    if (this.#is(0.02)) return {};
    return key !== undefined && this.#is(0.5) ? { [keyName]: key } : { [idName]: id };
  }

  get #deliveries(): readonly Delivery[] {
    const { shippingInfo, shipping } = this.#order;
    return [shippingInfo, ...shipping.map((each) => each.shippingInfo)].flatMap((info) => info?.deliveries ?? []);
  }

  lineItem(): object {
    return this.#name('lineItem', this.#order.lineItems);
  }
  customLineItem(): object {
    return this.#name('customLineItem', this.#order.customLineItems);
  }
  delivery(): object {
    return this.#name('delivery', this.#deliveries);
  }
  parcel(): object {
    return this.#name(
      'parcel',
      this.#deliveries.flatMap(({ parcels }) => parcels),
    );
  }
  returnItem(): object {
    return this.#name(
      'returnItem',
      this.#order.returnInfo.flatMap(({ items }) => items),
    );
  }

  shippingKey(): string | undefined {
    const { shippingMode, shipping } = this.#order;
    if (shippingMode === 'Single') return this.#maybe(0.05, () => 'by-post');
    return this.#mostly<string | undefined>(
      shipping.map(({ shippingKey }) => shippingKey),
      [undefined, 'nothing'],
    );
  }

  addressKey(): string {
    return this.#mostly(
      this.#order.itemShippingAddresses.flatMap(({ key }) => key ?? []),
      ['nowhere'],
    );
  }

  address(): Address {
    const custom = this.#maybe(0.2, () => this.custom());
    // Custom fields are named by the key of their type, and kept by its id, so addresses begin without.
    return { ...this.#pick([german, { country: 'US' }, { country: 'FR' }]), ...(custom && {}) };
  }

  itemAddress(isNew: boolean): Address {
    const known = this.addressKey();
    const key = isNew && this.#is(0.85) ? `to-${this.#random.integer(0, 1_000_000)}` : known;
    return { ...this.address(), ...(this.#is(0.97) && { key }) };
  }

  custom(): Custom {
    const type = { typeId: 'type', key: this.#is(0.97) ? 'note' : 'nothing' };
    return { type, fields: this.#is(0.7) ? { note: this.#pick(['one', 'two']) } : {} };
  }

  setType(): object {
    return this.#is(0.25) ? {} : this.custom();
  }

  setField(): object {
    const name = this.#is(0.97) ? 'note' : 'other';
    return { name, ...(this.#is(0.7) && { value: this.#is(0.97) ? this.#pick(['one', 'two']) : 5 }) };
  }

  #stateLink({ id, key }: State): Link {
    return this.#is(0.5) ? { typeId: 'state', id } : { typeId: 'state', key };
  }

  state(type: string): Link {
    if (this.#is(0.02)) return { typeId: 'state', id: nobody };
    const [good, bad] = [true, false].map((isOf) => this.#world.states.filter((one) => (one.type === type) === isOf));
    return this.#stateLink(this.#mostly(good!, bad!));
  }

  /** Of units that are there, for the most part. */
  transition(noun: 'lineItem' | 'customLineItem'): object {
    const items = noun === 'lineItem' ? this.#order.lineItems : this.#order.customLineItems;
    const named = this.#name(noun, items) as Readonly<Record<string, string>>;
    const item = items.find(({ id, key }) => id === named[`${noun}Id`] || key === named[`${noun}Key`]);
    const entry = item && this.#pick(item.state);
    const from = entry && this.#is(0.9) ? entry.state : this.state('LineItemState');
    const quantity = entry && this.#is(0.9) ? this.#random.integer(1, Math.max(1, entry.quantity)) : this.#pick([0, 9]);
    return {
      ...named,
      quantity,
      fromState: from,
      toState: this.state('LineItemState'),
      actualTransitionDate: this.#maybe(0.3, () => moment),
    };
  }

  importedStates(noun: 'lineItem' | 'customLineItem'): object {
    const items = noun === 'lineItem' ? this.#order.lineItems : this.#order.customLineItems;
    const item = items.length === 0 ? undefined : this.#pick(items);
    const quantity = (item?.quantity ?? 2) + (this.#is(0.9) ? 0 : 1);
    const first = this.#is(0.95) ? this.#random.integer(0, Math.max(0, quantity)) : quantity + 1;
    const ids = this.#world.states.filter(({ type }) => type === 'LineItemState').map(({ id }) => id);
    const entry = (units: number): object => ({
      quantity: units,
      state: { typeId: 'state', id: this.#mostly(ids, [nobody]) },
    });
    return {
      ...this.#name(noun, item === undefined ? [] : [item]),
      state: [entry(first), entry(quantity - first)],
    };
  }

  items(): ShippedItem[] {
    const ids = [...this.#order.lineItems, ...this.#order.customLineItems].map(({ id }) => id);
    return Array.from({ length: this.#random.integer(0, 2) }, () => ({
      id: this.#mostly(ids, [nobody]),
      quantity: this.#is(0.97) ? this.#random.integer(1, 5) : 0,
    }));
  }

  measurements(): object {
    return { weightInGram: this.#random.integer(1, 9), ...(this.#is(0.3) && { heightInMillimeter: 7 }) };
  }

  trackingData(): { trackingId?: string; isReturn?: boolean } {
    return { trackingId: this.#pick(['T-1', 'T-2']), ...(this.#is(0.3) && { isReturn: this.#is(0.5) }) };
  }

  key(): string | undefined {
    return this.#maybe(0.6, () => `key-${this.#random.integer(0, this.#is(0.1) ? 3 : 1_000_000)}`);
  }

  parcelInput(): ParcelInput {
    const [key, custom] = [this.key(), this.#maybe(0.2, () => this.custom())];
    return {
      ...(key !== undefined && { key }),
      ...(this.#is(0.5) && { items: this.items() }),
      ...(this.#is(0.5) && { measurements: this.measurements() }),
      ...(this.#is(0.5) && { trackingData: this.trackingData() }),
      ...(custom !== undefined && { custom }),
    };
  }

  newDelivery(): object {
    return {
      deliveryKey: this.key(),
      shippingKey: this.shippingKey(),
      ...(this.#is(0.7) && { items: this.items() }),
      address: this.#maybe(0.5, () => this.address()),
      ...(this.#is(0.5) && {
        parcels: Array.from({ length: this.#random.integer(0, 2) }, () => this.parcelInput()),
      }),
      custom: this.#maybe(0.2, () => this.custom()),
    };
  }

  newParcel(): object {
    const { key: parcelKey, ...given } = this.parcelInput();
    return { ...this.delivery(), parcelKey, ...given };
  }

  newReturn(): ReturnInput {
    const { lineItems, customLineItems } = this.#order;
    const of = (id: string, isLine: boolean) => (isLine ? { lineItemId: id } : { customLineItemId: id });
    const item = (): ReturnInput['items'][number] => {
      const isLine = lineItems.length > 0 && this.#is(0.7);
      const all = isLine ? lineItems : customLineItems;
      const one = all.length === 0 ? undefined : this.#pick(all);
      const key = this.key();
      const names = one === undefined || this.#is(0.03) ? this.#pick([{}, of(nobody, true)]) : of(one.id, isLine);
      return {
        ...(key !== undefined && { key }),
        quantity: this.#is(0.95) ? this.#random.integer(1, Math.max(1, one?.quantity ?? 1)) : this.#pick([0, 9]),
        ...names,
        shipmentState: this.#mostly(['Advised', 'Returned', 'Returned'], ['Unusable']),
        ...(this.#is(0.2) && { comment: 'broken' }),
      };
    };
    return {
      items: Array.from({ length: this.#is(0.97) ? this.#random.integer(1, 2) : 0 }, item),
      ...(this.#is(0.5) && { returnTrackingId: 'R-1' }),
      ...(this.#is(0.3) && { returnDate: moment }),
    };
  }

  returns(): ReturnInput[] {
    return Array.from({ length: this.#random.integer(0, 2) }, () => this.newReturn());
  }

  details(noun: 'lineItem' | 'customLineItem'): object {
    const items = noun === 'lineItem' ? this.#order.lineItems : this.#order.customLineItems;
    const item = items.length === 0 ? undefined : this.#pick(items);
    const quantity = Math.max(1, item?.quantity ?? 1) + (this.#is(0.93) ? 0 : 1);
    const isSeveral = this.#order.shippingMode === 'Multiple';
    const method = this.#mostly<string | undefined>(isSeveral ? ['by-post', 'courier'] : [undefined], [
      undefined,
      'nothing',
    ]);
    const target = (units: number, addressKey = this.addressKey()): object => ({
      addressKey,
      quantity: units,
      ...(method !== undefined && { shippingMethodKey: method }),
    });
    const targets = [target(quantity)];
    return {
      ...this.#name(noun, item === undefined ? [] : [item]),
      ...(this.#is(0.8) && { shippingDetails: { targets } }),
    };
  }

  payment(): Link {
    const own = this.#order.paymentInfo?.payments ?? [];
    if (own.length > 0 && this.#is(0.5)) return { typeId: 'payment', id: this.#pick(own).id };
    return { typeId: 'payment', id: this.#mostly(this.#world.payments, [nobody]) };
  }

  channel(): Link {
    const { id, key } = this.#pick(this.#world.channels.slice(0, this.#is(0.9) ? 2 : undefined));
    return this.#is(0.5) ? { typeId: 'channel', id } : { typeId: 'channel', key };
  }

  /** One of them, or what is none of them. */
  member<T>(name: string, good: readonly T[], bad: readonly (T | undefined)[] = []): object {
    return { [name]: this.#mostly<T | undefined>(good, bad.length > 0 ? bad : good) };
  }
  optionally(name: string, value: () => unknown): object {
    return this.#is(0.75) ? { [name]: value() } : {};
  }
  number(): string {
    return randomNumber(this.#random, this.#world);
  }
  customer(): string {
    return this.#mostly(
      this.#world.customers.map(({ id }) => id),
      [nobody],
    );
  }
  store(): Link {
    return { typeId: 'store', key: this.#mostly(['mine', 'german'], ['nothing']) };
  }
  estimatedDelivery(): object {
    return { from: this.#pick([moment, '2031-01-01T00:00:00.000Z']) };
  }
  isForced(): boolean {
    return this.#is(0.2);
  }
}

type Make = (of: Actions) => object;

const lineItem: Make = (of) => of.lineItem();
const customLineItem: Make = (of) => of.customLineItem();
const delivery: Make = (of) => of.delivery();
const parcel: Make = (of) => of.parcel();
const shipping: Make = (of) => ({ shippingKey: of.shippingKey() });
const addressKey: Make = (of) => ({ addressKey: of.addressKey() });
const nothing: Make = () => ({});

/** By what the custom fields of each part are named. */
const customParts: Readonly<Record<string, Make>> = {
  '': nothing,
  BillingAddress: nothing,
  ShippingAddress: nothing,
  ItemShippingAddress: addressKey,
  LineItem: lineItem,
  CustomLineItem: customLineItem,
  Shipping: shipping,
  Delivery: delivery,
  DeliveryAddress: delivery,
  Parcel: parcel,
  ReturnItem: (of) => of.returnItem(),
};

const makes: Readonly<Record<string, Make>> = {
  changeOrderState: (of) =>
    of.member('orderState', ['Open', 'Confirmed', 'Complete', 'Cancelled'], ['Lost', undefined]),
  changePaymentState: (of) => of.member('paymentState', ['Paid', 'Pending', 'Failed'], ['Open', undefined]),
  changeShipmentState: (of) => of.member('shipmentState', ['Shipped', 'Ready', 'Canceled'], ['Cancelled', undefined]),
  transitionState: (of) => ({
    ...of.optionally('force', () => of.isForced()),
    state: of.state('OrderState'),
  }),
  setOrderNumber: (of) => of.optionally('orderNumber', () => of.number()),
  setPurchaseOrderNumber: (of) => of.optionally('purchaseOrderNumber', () => 'PO'),
  setCustomerId: (of) => of.optionally('customerId', () => of.customer()),
  setCustomerEmail: (of) => of.optionally('email', () => 'jane@example.org'),
  setStore: (of) => of.optionally('store', () => of.store()),
  setLocale: (of) => of.member('locale', ['de', 'en', undefined], ['fr']),
  setBillingAddress: (of) => of.optionally('address', () => of.address()),
  setShippingAddress: (of) => of.optionally('address', () => of.address()),
  addItemShippingAddress: (of) => ({ address: of.itemAddress(true) }),
  updateItemShippingAddress: (of) => ({ address: of.itemAddress(false) }),
  removeItemShippingAddress: addressKey,
  setLineItemShippingDetails: (of) => of.details('lineItem'),
  setCustomLineItemShippingDetails: (of) => of.details('customLineItem'),
  transitionLineItemState: (of) => of.transition('lineItem'),
  transitionCustomLineItemState: (of) => of.transition('customLineItem'),
  importLineItemState: (of) => of.importedStates('lineItem'),
  importCustomLineItemState: (of) => of.importedStates('customLineItem'),
  addPayment: (of) => ({ payment: of.payment() }),
  removePayment: (of) => ({ payment: of.payment() }),
  updateSyncInfo: (of) => ({
    channel: of.channel(),
    ...of.optionally('externalId', () => 'E-1'),
    ...of.optionally('syncedAt', () => moment),
  }),
  setEstimatedDelivery: (of) => ({
    ...shipping(of),
    ...of.optionally('estimatedDelivery', () => of.estimatedDelivery()),
  }),
  addDelivery: (of) => of.newDelivery(),
  removeDelivery: delivery,
  setDeliveryItems: (of) => ({ ...of.delivery(), items: of.items() }),
  setDeliveryAddress: (of) => ({ ...of.delivery(), ...of.optionally('address', () => of.address()) }),
  addParcelToDelivery: (of) => of.newParcel(),
  removeParcelFromDelivery: parcel,
  setParcelItems: (of) => ({ ...of.parcel(), items: of.items() }),
  setParcelMeasurements: (of) => ({ ...of.parcel(), ...of.optionally('measurements', () => of.measurements()) }),
  setParcelTrackingData: (of) => ({ ...of.parcel(), ...of.optionally('trackingData', () => of.trackingData()) }),
  addReturnInfo: (of) => of.newReturn(),
  setReturnInfo: (of) => of.optionally('items', () => of.returns()),
  setReturnShipmentState: (of) => ({
    ...of.returnItem(),
    ...of.member('shipmentState', ['BackInStock', 'Unusable', 'Returned'], ['Lost', undefined]),
  }),
  setReturnPaymentState: (of) => ({
    ...of.returnItem(),
    ...of.member('paymentState', ['Refunded', 'NotRefunded', 'Initial'], ['Lost', undefined]),
  }),
};

export function randomAction(random: Random, asked: Asked): Input {
  const { action } = asked;
  const of = new Actions(random, asked);
  const [, part, sort] = /^set(.*)Custom(Type|Field)$/.exec(action) ?? [];
  const made =
    part === undefined
      ? makes[action]!(of)
      : { ...customParts[part]!(of), ...(sort === 'Type' ? of.setType() : of.setField()) };
  // What is undefined is not sent, and is no member of what the model gets either.
  return JSON.parse(JSON.stringify({ action, ...made })) as Input;
}

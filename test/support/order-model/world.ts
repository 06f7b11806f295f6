/**
 * What a shop with orders is to the model: plain values, changed in place, and nothing shared with the platform. What the
 * server chooses, ids and moments, stands in it as an unknown (`?1`) until an answer has shown it.
 */

export type Link = { typeId: string; id?: string | undefined; key?: string | undefined };

export interface Custom {
  type: Link;
  fields: Record<string, unknown>;
}

export interface Address {
  key?: string;
  country: string;
  custom?: Custom;
}

export interface Target {
  addressKey: string;
  quantity: number;
  shippingMethodKey?: string;
}

export interface Item {
  id: string;
  key?: string;
  quantity: number;
  state: { quantity: number; state: Link }[];
  shippingDetails?: { targets: Target[]; valid: boolean };
  custom?: Custom;
}

export interface Line extends Item {
  variant: { sku?: string };
  price: { value: { centAmount: number } };
  inventoryMode?: string;
  supplyChannel?: Link;
}

export interface ShippedItem {
  id: string;
  quantity: number;
}

export interface Parcel {
  id: string;
  key?: string;
  createdAt: string;
  measurements?: object;
  trackingData?: object;
  items: ShippedItem[];
  custom?: Custom;
}

export interface Delivery {
  id: string;
  key?: string;
  createdAt: string;
  items: ShippedItem[];
  parcels: Parcel[];
  address?: Address;
  custom?: Custom;
}

export interface ShippingInfo {
  deliveries: Delivery[];
  estimatedDelivery?: object;
}

export interface ReturnItem {
  type: string;
  id: string;
  key?: string;
  quantity: number;
  lineItemId?: string;
  customLineItemId?: string;
  comment?: string;
  shipmentState: string;
  paymentState: string;
  custom?: Custom;
  lastModifiedAt: string;
  createdAt: string;
}

export interface ReturnInfo {
  items: ReturnItem[];
  returnTrackingId?: string;
  returnDate: string;
}

/** What carts and orders have alike. */
interface Bought {
  id: string;
  version: number;
  createdAt: string;
  lastModifiedAt: string;
  customerId?: string;
  customerGroup?: Link;
  anonymousId?: string;
  store?: Link;
  country?: string;
  inventoryMode: string;
  shippingMode: string;
  lineItems: Line[];
  customLineItems: Item[];
  shippingAddress?: Address;
  billingAddress?: Address;
  itemShippingAddresses: Address[];
  shippingInfo?: ShippingInfo;
  shipping: { shippingKey: string; shippingInfo: ShippingInfo; shippingCustomFields?: Custom }[];
  shippingCustomFields?: Custom;
  discountCodes: { discountCode: { id: string }; state: string }[];
  paymentInfo?: { payments: Link[] };
  purchaseOrderNumber?: string;
  custom?: Custom;
}

export interface CartDocument extends Bought {
  cartState: string;
}

export interface OrderDocument extends Bought {
  orderNumber?: string;
  orderState: string;
  paymentState?: string;
  shipmentState?: string;
  state?: Link;
  locale?: string;
  customerEmail?: string;
  syncInfo: { channel: Link; externalId?: string; syncedAt: string }[];
  returnInfo: ReturnInfo[];
  lastMessageSequenceNumber: number;
}

export interface Stock {
  id: string;
  version: number;
  sku: string;
  supplyChannel?: Link;
  quantityOnStock: number;
  availableQuantity: number;
  restockableInDays?: number;
  stockLevels?: { reorderPoint?: number; safetyStock?: number };
  messageCount: number;
}

export interface Code {
  id: string;
  code: string;
  isActive: boolean;
  maxApplications?: number;
  maxApplicationsPerCustomer?: number;
  uses: number;
  usesByCustomer: Map<string, number>;
}

export interface State {
  id: string;
  key: string;
  type: string;
  initial: boolean;
  /** Undefined: to any. */
  transitions?: readonly string[];
}

export interface Customer {
  id: string;
  customerGroup?: Link;
}

/** A message, but for what the server chooses alone. */
export interface ModelMessage {
  type: string;
  sequenceNumber: number;
  resource: Link;
  resourceVersion: number;
  createdAt: string;
  resourceUserProvidedIdentifiers?: object;
  [member: string]: unknown;
}

export interface World {
  /** By whom everything is made. */
  by: object;
  carts: CartDocument[];
  orders: OrderDocument[];
  stocks: Stock[];
  codes: Code[];
  states: readonly State[];
  channels: readonly { id: string; key: string; roles: readonly string[] }[];
  stores: readonly { key: string; countries: readonly string[] }[];
  customers: Customer[];
  payments: readonly string[];
  languages: readonly string[];
  /** The ids of the types `note`, of a field of that name, and `other`, of none. */
  typeId: string;
  otherTypeId: string;
  /** What a unit costs by now, in cents. */
  prices: Map<string, number>;
  /** How products show in lines of orders that are imported. */
  products: ReadonlyMap<string, object>;
  unknowns: number;
}

/** A value that the server chooses. */
export function unknownIn(world: World): string {
  world.unknowns += 1;
  return `?${world.unknowns}`;
}

export interface ModelError {
  code: string;
  [member: string]: unknown;
}

/** What refuses a request: all errors of a phase. */
export class Refused extends Error {
  readonly status: number;
  readonly errors: readonly ModelError[];

  constructor(status: number, errors: readonly ModelError[]) {
    super(JSON.stringify({ status, errors }));
    this.status = status;
    this.errors = errors;
  }
}

export function refuse(code: string, members: object = {}): never {
  throw new Refused(400, [{ code, ...members }]);
}

/** Throws what there is. */
export function settle(errors: readonly ModelError[]): void {
  if (errors.length > 0) throw new Refused(400, errors);
}

/** The one with the id or the key that a link has. */
export function linked<T extends { id: string; key?: string }>(all: readonly T[], { id, key }: Link): T | undefined {
  return all.find((one) => (id === undefined ? one.key !== undefined && one.key === key : one.id === id));
}

/** Who holds a payment: an order, or a cart that has not become one. */
export function holderOf({ orders, carts }: World, payment: string): string | undefined {
  const holders = [...orders, ...carts.filter(({ cartState }) => cartState === 'Active' || cartState === 'Frozen')];
  return holders.find(({ paymentInfo }) => paymentInfo?.payments.some(({ id }) => id === payment))?.id;
}

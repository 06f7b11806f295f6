/** How the model imports orders (orders 19). */
import { tell, type Telling } from './messages.ts';
import { numberFaults, sell, shortages } from './ordering.ts';
import {
  holderOf,
  type Line,
  type Link,
  linked,
  type ModelError,
  type OrderDocument,
  refuse,
  settle,
  unknownIn,
  type World,
} from './world.ts';

const io: ModelError = { code: 'InvalidOperation' };

export interface ImportDraft {
  orderNumber?: string;
  totalPrice: object;
  inventoryMode?: string;
  country?: string;
  store?: Link;
  customerId?: string;
  state?: Link;
  paymentInfo?: { payments: Link[] };
  itemShippingAddresses?: { key: string; country: string }[];
  completedAt?: string;
  lineItems?: {
    key: string;
    sku: string;
    quantity: number;
    cents: number;
    supplyChannel?: Link;
    inventoryMode?: string;
    state?: { quantity: number; state: Link }[];
    targets?: { addressKey: string; quantity: number }[];
  }[];
  customLineItems?: { key: string; slug: string; quantity: number; cents: number }[];
}

const euros = (centAmount: number): object => ({
  type: 'centPrecision',
  currencyCode: 'EUR',
  centAmount,
  fractionDigits: 2,
});

/** The order that is made of what is known of one. */
export function importOrder(world: World, draft: ImportDraft): Telling {
  const { lineItems = [], customLineItems = [], itemShippingAddresses = [] } = draft;
  const { orderNumber } = draft;
  if (orderNumber !== undefined && (orderNumber.length < 1 || orderNumber.length > 256))
    refuse('InvalidField', { field: 'orderNumber' });
  settle(importReferenceFaults(world, draft));
  if (lineItems.length + customLineItems.length === 0) refuse('InvalidInput');
  settle(
    lineItems.flatMap(({ sku }) =>
      world.products.has(sku) ? [] : [{ code: 'ReferencedResourceNotFound', typeId: 'product' }],
    ),
  );
  const now = unknownIn(world);
  const initial = linked(world.states, { typeId: 'state', key: 'Initial' })!;
  const faults: ModelError[] = [];
  const itemOf = (quantity: number, state: { quantity: number; state: Link }[] | undefined) => {
    const given = state ?? [{ quantity, state: { typeId: 'state', id: initial.id } }];
    const sum = given.reduce((all, one) => all + one.quantity, 0);
    const hasOther = given.some((one) => one.quantity !== 0 && Math.sign(one.quantity) !== Math.sign(quantity));
    if (sum !== quantity || hasOther) faults.push(io);
    return {
      id: unknownIn(world),
      quantity,
      state: given.filter((one) => one.quantity !== 0),
      discountedPricePerQuantity: [],
      perMethodTaxRate: [],
      taxedPricePortions: [],
    };
  };
  const addressKeys = itemShippingAddresses.map(({ key }) => key);
  const lines = lineItems.map((line) => {
    const item = {
      ...itemOf(line.quantity, line.state),
      ...world.products.get(line.sku),
      key: line.key,
      name: { en: 'Imported' },
      price: importedPrice(world, line.cents),
      totalPrice: euros(line.cents * line.quantity),
      priceMode: 'Platform',
      lineItemMode: 'Standard',
      addedAt: now,
      lastModifiedAt: now,
      ...(line.inventoryMode !== undefined && { inventoryMode: line.inventoryMode }),
      ...(line.supplyChannel !== undefined && { supplyChannel: line.supplyChannel }),
      ...(line.targets !== undefined && { shippingDetails: { targets: line.targets, valid: true } }),
    };
    if (line.targets !== undefined) {
      const lost = line.targets.filter(({ addressKey }) => !addressKeys.includes(addressKey));
      const sum = line.targets.reduce((all, one) => all + one.quantity, 0);
      if (lost.length > 0) faults.push(...lost.map(() => io));
      else if (sum !== line.quantity)
        faults.push({ code: 'InvalidItemShippingDetails', subject: 'LineItem', itemId: item.id });
    }
    return item as unknown as Line;
  });
  const customItems = customLineItems.map(({ key, slug, quantity, cents }) => ({
    ...itemOf(quantity, undefined),
    key,
    slug,
    name: { en: 'Imported' },
    money: euros(cents),
    totalPrice: euros(cents * quantity),
    priceMode: 'Standard',
  }));
  const store = draft.store && world.stores.find(({ key }) => key === draft.store!.key);
  if (store !== undefined && draft.country !== undefined && store.countries.length > 0)
    if (!store.countries.includes(draft.country))
      faults.push({ code: 'CountryNotConfiguredInStore', storeCountries: store.countries, country: draft.country });
  settle(faults);
  const { inventoryMode = 'None' } = draft;
  const held = (draft.paymentInfo?.payments ?? []).filter(({ id }) => holderOf(world, id!) !== undefined);
  const taken = [...numberFaults(world, orderNumber), ...held.slice(0, 1).map(() => io)];
  const short = shortages(world, { lineItems: lines, inventoryMode });
  // What alone is taken the database finds out, which tells of the first that it meets.
  settle(short.length > 0 ? [...short, ...taken] : taken.slice(0, 1));
  const { lineItems: _, customLineItems: _c, state, ...given } = draft;
  const order = {
    ...given,
    ...(state !== undefined && { state: { typeId: 'state', id: linked(world.states, state)!.id } }),
    id: unknownIn(world),
    version: 1,
    createdAt: now,
    lastModifiedAt: now,
    createdBy: world.by,
    lastModifiedBy: world.by,
    lineItems: lines,
    customLineItems: customItems,
    itemShippingAddresses,
    inventoryMode,
    orderState: 'Open',
    origin: 'Customer',
    taxMode: 'Platform',
    taxCalculationMode: 'LineItemLevel',
    priceRoundingMode: 'HalfEven',
    taxRoundingMode: 'HalfEven',
    shippingMode: 'Single',
    shipping: [],
    discountCodes: [],
    directDiscounts: [],
    refusedGifts: [],
    syncInfo: [],
    returnInfo: [],
    lastMessageSequenceNumber: 0,
    totalPrice: draft.totalPrice,
  } as unknown as OrderDocument;
  const telling: Telling = { world, order, now, told: [] };
  sell(world, order, telling);
  world.orders.push(order);
  tell(telling, 'OrderImported', (made) => ({ order: made }));
  return telling;
}

function importedPrice(world: World, cents: number): object {
  return { id: unknownIn(world), value: euros(cents) };
}

function importReferenceFaults(world: World, { customerId, state, paymentInfo, store, lineItems = [] }: ImportDraft) {
  const faults: ModelError[] = [];
  const missing = (link: Link): void => void faults.push({ code: 'ReferencedResourceNotFound', ...link });
  const stateFault = (link: Link, type: string): void => {
    const found = linked(world.states, link);
    if (found === undefined) missing(link);
    else if (found.type !== type) faults.push(io);
  };
  if (customerId !== undefined && !world.customers.some(({ id }) => id === customerId))
    missing({ typeId: 'customer', id: customerId });
  if (state !== undefined) stateFault(state, 'OrderState');
  for (const payment of paymentInfo?.payments ?? []) if (!world.payments.includes(payment.id!)) missing(payment);
  if (store !== undefined && !world.stores.some(({ key }) => key === store.key)) missing(store);
  for (const line of lineItems) for (const entry of line.state ?? []) stateFault(entry.state, 'LineItemState');
  return faults;
}

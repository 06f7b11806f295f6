/** How the model makes orders of carts, deletes them, and has a customer take them over (orders 1 to 18, 20). */
import { tell, type Telling } from './messages.ts';
import {
  type CartDocument,
  type Code,
  type Custom,
  type Line,
  type Link,
  linked,
  type ModelError,
  type OrderDocument,
  Refused,
  refuse,
  settle,
  type State,
  type Stock,
  unknownIn,
  type World,
} from './world.ts';

export interface OrderDraft {
  id?: string;
  cart?: Link;
  version?: number;
  orderNumber?: string;
  purchaseOrderNumber?: string;
  orderState?: string;
  paymentState?: string;
  shipmentState?: string;
  state?: Link;
  custom?: Custom;
}

const io: ModelError = { code: 'InvalidOperation' };

/** The order that is made of a cart, which is ordered then. */
export function orderFromCart(world: World, draft: OrderDraft): Telling {
  const shape: ModelError[] = [];
  const { orderNumber } = draft;
  if (orderNumber !== undefined && (orderNumber.length < 1 || orderNumber.length > 256))
    shape.push({ code: 'InvalidField', field: 'orderNumber' });
  if (draft.version === undefined) shape.push({ code: 'RequiredField', field: 'version' });
  settle(shape);
  if (draft.cart === undefined && draft.id === undefined) refuse('RequiredField', { field: 'cart' });
  const missing: ModelError[] = [];
  const links: Link[] = [];
  if (draft.cart !== undefined) links.push(draft.cart);
  if (draft.id !== undefined) links.push({ typeId: 'cart', id: draft.id });
  const carts = links.map((link) => {
    const cart = linked(world.carts, link);
    if (cart === undefined) missing.push({ code: 'ReferencedResourceNotFound', ...link });
    return cart;
  });
  const state = draft.state && linked(world.states, draft.state);
  if (draft.state !== undefined && state === undefined)
    missing.push({ code: 'ReferencedResourceNotFound', ...draft.state });
  // A state of another type is found together with those that are not there.
  if (state !== undefined && state.type !== 'OrderState') missing.push(io);
  if (draft.custom !== undefined && draft.custom.type.key !== 'note' && draft.custom.type.key !== 'other')
    missing.push({ code: 'ReferencedResourceNotFound', ...draft.custom.type });
  settle(missing);
  const cart = carts[0]!;
  if (carts.some((one) => one !== cart)) refuse('InvalidInput');
  if (draft.version !== cart.version)
    throw new Refused(409, [{ code: 'ConcurrentModification', currentVersion: cart.version }]);
  if (cart.cartState === 'Ordered') refuse('InvalidOperation');
  const faults = faultsOf(world, cart);
  // The fields of the cart are all of the type `note`.
  if (cart.custom !== undefined && draft.custom !== undefined && draft.custom.type.key !== 'note') faults.push(io);
  settle(faults);
  const raced = [...numberFaults(world, orderNumber), ...shortages(world, cart)];
  settle(raced);
  return become(world, { cart, draft, ...(state !== undefined && { state }) });
}

/** All that does not hold of the cart any more. */
function faultsOf(world: World, cart: CartDocument): ModelError[] {
  const faults: ModelError[] = [];
  // Each of several methods has an address of its own.
  const isPlaced = cart.shippingMode === 'Multiple' ? cart.shipping.length > 0 : cart.shippingAddress !== undefined;
  if (!isPlaced) faults.push(io);
  if (cart.lineItems.length + cart.customLineItems.length === 0) faults.push(io);
  for (const item of [...cart.lineItems, ...cart.customLineItems]) {
    const isWhole = item.shippingDetails === undefined ? cart.shippingMode === 'Single' : item.shippingDetails.valid;
    const subject = 'variant' in item ? 'LineItem' : 'CustomLineItem';
    if (!isWhole) faults.push({ code: 'InvalidItemShippingDetails', subject, itemId: item.id });
  }
  const dearer = cart.lineItems.filter(
    ({ variant, price }) => world.prices.get(variant.sku!) !== price.value.centAmount,
  );
  if (dearer.length > 0 && cart.cartState !== 'Frozen')
    faults.push({ code: 'PriceChanged', lineItems: dearer.map(({ id }) => id), shipping: false });
  for (const { discountCode } of cart.discountCodes) {
    const { id } = discountCode;
    const code = world.codes.find((one) => one.id === id)!;
    if (!isInEffect(code, cart.customerId))
      faults.push({
        code: 'DiscountCodeNonApplicable',
        discountCode: code.code,
        discountCodeId: id,
        dicountCodeId: id,
      });
  }
  const store = cart.store && world.stores.find(({ key }) => key === cart.store!.key);
  if (store !== undefined && cart.country !== undefined && store.countries.length > 0)
    if (!store.countries.includes(cart.country))
      faults.push({
        code: 'CountryNotConfiguredInStore',
        storeCountries: store.countries,
        country: cart.country,
      });
  return faults;
}

function isInEffect(code: Code, customerId: string | undefined): boolean {
  const byCustomer = customerId === undefined ? -Infinity : (code.usesByCustomer.get(customerId) ?? 0);
  return (
    code.isActive &&
    code.uses < (code.maxApplications ?? Infinity) &&
    byCustomer < (code.maxApplicationsPerCustomer ?? Infinity)
  );
}

export function numberFaults(world: World, orderNumber: string | undefined): ModelError[] {
  if (orderNumber === undefined || !world.orders.some((order) => order.orderNumber === orderNumber)) return [];
  return [{ code: 'DuplicateField', field: 'orderNumber', duplicateValue: orderNumber }];
}

type Selling = Pick<CartDocument, 'lineItems' | 'inventoryMode'>;

function modeOf({ inventoryMode }: Selling, line: Line): string {
  return line.inventoryMode ?? inventoryMode;
}

function stockOf(world: World, line: Line): Stock | undefined {
  return world.stocks.find(
    ({ sku, supplyChannel }) => sku === line.variant.sku && supplyChannel?.id === line.supplyChannel?.id,
  );
}

export function shortages(world: World, cart: Selling): ModelError[] {
  const tracked = cart.lineItems.filter((line) => modeOf(cart, line) !== 'None');
  const short = tracked.filter((line) => {
    const stock = stockOf(world, line);
    if (stock === undefined) return true;
    if (modeOf(cart, line) !== 'ReserveOnOrder' || stock.restockableInDays !== undefined) return false;
    const sum = tracked.filter((one) => stockOf(world, one) === stock).reduce((all, one) => all + one.quantity, 0);
    return stock.availableQuantity < sum;
  });
  if (short.length === 0) return [];
  const skus = [...new Set(short.map(({ variant }) => variant.sku))];
  return [{ code: 'OutOfStock', lineItems: short.map(({ id }) => id), skus }];
}

/** Takes what is sold, and tells of what comes to an end. */
export function sell(world: World, cart: Selling, { told, now }: Pick<Telling, 'told' | 'now'>): void {
  for (const stock of world.stocks) {
    const lines = cart.lineItems.filter((line) => modeOf(cart, line) !== 'None' && stockOf(world, line) === stock);
    if (lines.length === 0) continue;
    const { availableQuantity: available, quantityOnStock: onStock } = stock;
    const sum = lines.reduce((all, { quantity }) => all + quantity, 0);
    stock.availableQuantity -= sum;
    stock.quantityOnStock -= sum;
    stock.version += 1;
    const { sku, supplyChannel, stockLevels = {} } = stock;
    const of = { sku, ...(supplyChannel !== undefined && { supplyChannel }) };
    const tells = (type: string, payload: object): void => {
      stock.messageCount += 1;
      told.push({
        type,
        ...payload,
        sequenceNumber: stock.messageCount,
        resource: { typeId: 'inventory-entry', id: stock.id },
        resourceVersion: stock.version,
        createdAt: now,
        resourceUserProvidedIdentifiers: { sku },
      });
    };
    if (available > 0 && stock.availableQuantity <= 0) tells('InventoryEntryOutOfStock', of);
    const quantityOnStock = stock.quantityOnStock;
    const isReached = (level = -Infinity): boolean => onStock > level && quantityOnStock <= level;
    if (isReached(stockLevels.reorderPoint)) tells('InventoryEntryReorderPoint', { ...of, quantityOnStock });
    if (isReached(stockLevels.safetyStock)) tells('InventoryEntrySafetyStock', { ...of, quantityOnStock });
  }
}

/** What an order does not have of its cart. */
const ofCartsAlone = ['key', 'cartState', 'freezeStrategy', 'lock', 'totalLineItemQuantity', 'warnings'];

function become(
  world: World,
  { cart, draft, state }: { readonly cart: CartDocument; readonly draft: OrderDraft; readonly state?: State },
): Telling {
  const now = unknownIn(world);
  const copy: Record<string, unknown> = structuredClone({ ...cart });
  for (const name of [...ofCartsAlone, 'deleteDaysAfterLastModification']) delete copy[name];
  const order = Object.assign(copy as unknown as OrderDocument, {
    id: unknownIn(world),
    version: 1,
    createdAt: now,
    lastModifiedAt: now,
    createdBy: world.by,
    lastModifiedBy: world.by,
    cart: { typeId: 'cart', id: cart.id },
    orderState: draft.orderState ?? 'Open',
    syncInfo: [],
    returnInfo: [],
    lastMessageSequenceNumber: 0,
  });
  const { orderNumber, paymentState, shipmentState, purchaseOrderNumber } = draft;
  for (const [name, value] of Object.entries({ orderNumber, paymentState, shipmentState, purchaseOrderNumber }))
    if (value !== undefined) Object.assign(order, { [name]: value });
  if (state !== undefined) order.state = { typeId: 'state', id: state.id };
  if (draft.custom !== undefined)
    order.custom = {
      type: cart.custom?.type ?? {
        typeId: 'type',
        id: draft.custom.type.key === 'note' ? world.typeId : world.otherTypeId,
      },
      fields: { ...cart.custom?.fields, ...draft.custom.fields },
    };
  const initial = linked(world.states, { typeId: 'state', key: 'Initial' })!;
  for (const item of [...order.lineItems, ...order.customLineItems])
    item.state = [{ quantity: item.quantity, state: { typeId: 'state', id: initial.id } }];
  const telling: Telling = { world, order, now, told: [] };
  sell(world, cart, telling);
  for (const { discountCode, state } of cart.discountCodes) {
    if (state !== 'MatchesCart') continue;
    const code = world.codes.find(({ id }) => id === discountCode.id)!;
    code.uses += 1;
    if (cart.customerId !== undefined)
      code.usesByCustomer.set(cart.customerId, (code.usesByCustomer.get(cart.customerId) ?? 0) + 1);
  }
  cart.cartState = 'Ordered';
  cart.version += 1;
  world.orders.push(order);
  tell(telling, 'OrderCreated', (made) => ({ order: made }));
  return telling;
}

/** Deletes an order: cart and payments stay, and nothing is restocked. */
export function deleteOrder(world: World, id: string, version: number): Telling {
  const order = world.orders.find((one) => one.id === id);
  if (order === undefined) throw new Refused(404, [{ code: 'ResourceNotFound' }]);
  if (order.version !== version)
    throw new Refused(409, [{ code: 'ConcurrentModification', currentVersion: order.version }]);
  world.orders.splice(world.orders.indexOf(order), 1);
  const last = structuredClone(order);
  const telling: Telling = { world, order, now: unknownIn(world), told: [] };
  tell(telling, 'OrderDeleted', () => ({ order: last }));
  return telling;
}

/** The orders of a visitor who has signed up become the customer's. */
export function takeOver(world: World, anonymousId: string, customer: string): readonly OrderDocument[] {
  const taken = world.orders.filter((order) => order.anonymousId === anonymousId);
  for (const order of taken) {
    delete order.anonymousId;
    order.customerId = customer;
    order.version += 1;
    order.lastModifiedAt = unknownIn(world);
  }
  return taken;
}

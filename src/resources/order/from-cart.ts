/**
 * Orders are made of carts (orders 1 to 17). What is wrong is told phase by phase: what was sent, what it names, the version
 * of the cart, its state, what would not hold of the order any more; and last, by the commit, what others came before to.
 */
import { ApiError, apiError } from '../../errors/api-error.ts';
import type { CustomFields } from '../../fields/custom-fields.ts';
import { isObject, parseObject } from '../../fields/object.ts';
import { Parsing } from '../../fields/parsing.ts';
import { invalidOperation } from '../../engine/actions.ts';
import { leaveUndefined } from '../../engine/describe.ts';
import type { Document } from '../../engine/document.ts';
import { largeTurn } from '../../engine/heavy-turns.ts';
import { copyOf, documentOf, type Json, lengthOf } from '../../engine/json.ts';
import { load, notFound } from '../../engine/load.ts';
import { anewWhileOutdated, commit, conflict, goingWith } from '../../engine/operations/commit.ts';
import { planExtendedInsertion } from '../../engine/operations/extend.ts';
import { replacementOf } from '../../engine/operations/plan.ts';
import { representAs } from '../../engine/operations/represent.ts';
import { holdsFor } from '../../engine/operations/write.ts';
import { isInPlace } from '../../engine/place.ts';
import type { CreateRequest, CreateWith, Engine, Planned, Resource } from '../../engine/resource.ts';
import type { Replacement } from '../../engine/store.ts';
import { requireKeyOf } from '../cart/actions/states.ts';
import type { Cart } from '../cart/fields.ts';
import { initialIdIn } from '../state/offers.ts';
import { requireHolding } from './checks.ts';
import { type Order, type OrderDraft, shared } from './fields.ts';
import { planSold } from './sold.ts';

export const fromCart: CreateWith = async (engine, request) => {
  const { context, resource, expand } = request;
  const json = await anewWhileOutdated(() => ordered(engine, request));
  return (await representAs(engine, { context, resource, paths: expand }, [json]))[0]!;
};

async function ordered(engine: Engine, request: CreateRequest): Promise<Json> {
  const { context, resource } = request;
  const { draft, cart } = await read(engine, request);
  requireOrderable(engine, request, { draft, cart });
  // Orders may have been relieved already of what its cart is still to lose.
  await leaveUndefined(engine, context.project.key, {
    resource: cartOf(engine),
    document: cart as unknown as Document,
  });
  await largeTurn(context, lengthOf(cart));
  await requireHolding(engine, context, { cart, custom: draft.custom });
  const body = orderOf(cart, { draft, initialId: await initialIdIn(engine, context.project.key) });
  const order = await planExtendedInsertion(engine, { context, resource, body, copied: cart as unknown as Document });
  const planned = goingWith(order, () => planSold(engine, context, { orderNumber: draft.orderNumber, cart }));
  await commit(engine, context, [planned, orderedCart(engine, context, cart)]);
  return order.write.json;
}

function cartOf({ registry }: Engine): Resource {
  return registry.byKind.get('cart')!;
}

interface Asked {
  readonly draft: OrderDraft;
  readonly cart: Cart;
}

/** Carts of another place are as unknown as those that are not there. */
async function read(engine: Engine, { context, resource, draft: given, ...place }: CreateRequest): Promise<Asked> {
  const parsing = new Parsing();
  const draft = parseObject(resource.draft, given, parsing) as OrderDraft | undefined;
  const since = parsing.faultCount;
  // Shoppers have only the id, which they have to give.
  const isEither = Object.hasOwn(resource.draft, 'cart');
  if (isEither && isObject(given) && (given['cart'] ?? given['id'] ?? undefined) === undefined) parsing.missing();
  parsing.within('cart', since);
  parsing.settle();
  // One of the two is there.
  const named = draft!.cart ?? { id: draft!.id! };
  const cartResource = cartOf(engine);
  const carts = new Map<string, Cart>();
  await load(engine, context, {
    parsing,
    sees: (kind) => kind !== 'cart' || ((document) => isInPlace(cartResource, document, placeIn(place))),
    note: (kind, stored) => {
      if (kind === 'cart') carts.set(stored.id, documentOf<Cart>(stored.json));
    },
  });
  if (carts.size > 1) throw apiError('InvalidInput', "The fields 'id' and 'cart' name different carts.");
  const [cart] = carts.values();
  // Both name it by then.
  if (cart === undefined) throw new ApiError([notFound({ typeId: 'cart', ...named })]);
  return { draft: draft!, cart };
}

function placeIn({
  storeKey,
  owner,
}: Pick<CreateRequest, 'storeKey' | 'owner'>): Pick<CreateRequest, 'storeKey' | 'owner'> {
  return { ...(storeKey !== undefined && { storeKey }), ...(owner !== undefined && { owner }) };
}

function requireOrderable(
  engine: Engine,
  { context }: Pick<CreateRequest, 'context'>,
  { draft: { version }, cart }: Asked,
): void {
  const { id, cartState, lock } = cart;
  if (cart.version !== version) throw conflict(cartOf(engine), { id, expected: version, current: cart.version });
  if (cartState === 'Ordered' || cartState === 'Merged')
    throw invalidOperation(`The cart '${id}' is ${cartState}, so it cannot be ordered.`);
  requireKeyOf(lock, holdsFor(context));
}

interface Making {
  readonly draft: OrderDraft;
  readonly initialId: string;
}

/** What the cart was computed to be is copied as it is, to the cent (orders 13). */
function orderOf(cart: Cart, { draft, initialId }: Making): Record<string, unknown> {
  const { id: _, cart: _c, version: _v, custom, purchaseOrderNumber, ...given } = draft;
  const copy = copyOf(cart) as unknown as Order;
  const kept = Object.fromEntries(shared.filter((name) => copy[name] !== undefined).map((name) => [name, copy[name]]));
  for (const item of [...copy.lineItems, ...copy.customLineItems])
    item.state = [{ quantity: item.quantity, state: { typeId: 'state', id: initialId } }];
  return {
    ...kept,
    ...given,
    ...(purchaseOrderNumber !== undefined && { purchaseOrderNumber }),
    ...(custom !== undefined && { custom: overlaid(copy.custom, custom) }),
    cart: { typeId: 'cart', id: cart.id },
    syncInfo: [],
    returnInfo: [],
    lastMessageSequenceNumber: 0,
  };
}

/** What the draft says of fields stands above what the cart says (orders 12). Both are of one type by then. */
function overlaid(known: CustomFields | undefined, given: CustomFields): CustomFields {
  return { type: given.type, fields: { ...known?.fields, ...given.fields } };
}

/** Nobody is asked about it, nor is it computed: nothing of it changes but that it was ordered. */
function orderedCart(engine: Engine, context: CreateRequest['context'], cart: Cart): Planned<Replacement> {
  const resource = cartOf(engine);
  const after = { ...copyOf(cart), cartState: 'Ordered' as const };
  // A cart is what the engine keeps as one.
  const [before, next] = [cart, after] as unknown as [Parameters<typeof replacementOf>[0]['before'], never];
  return replacementOf({ context, resource, id: cart.id, before, after: next });
}

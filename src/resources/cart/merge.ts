/** What becomes of a visitor's cart when the visitor is a customer. */
import type { EndpointRequest } from '../../engine/endpoint.ts';
import type { Engine } from '../../engine/engine.ts';
import { documentOf, type Json } from '../../engine/json.ts';
import { existing } from '../../engine/operations/get.ts';
import { query } from '../../engine/operations/query.ts';
import { represent } from '../../engine/operations/represent.ts';
import { lostRace, replace } from '../../engine/operations/update.ts';
import { type Owner, ownerAs, requireInPlace } from '../../engine/place.ts';
import { ApiError, apiError } from '../../errors/api-error.ts';
import type { Reference } from '../../fields/parsing.ts';
import { type Cart, takeOverFault } from './fields.ts';

type Asked = Pick<EndpointRequest, 'context' | 'resource' | 'storeKey' | 'expand'>;

interface Merge {
  readonly customerId: string;
  readonly anonymousCart?: Reference;
  readonly anonymousId?: string;
  readonly mergeMode: 'MergeWithExistingCustomerCart' | 'UseAsNewActiveCustomerCart';
}

/** Times that a merge is begun again when one of the carts was changed meanwhile. */
const triesMax = 5;

/** The active cart of a shopper. Throws ResourceNotFound. */
export async function activeCart(engine: Engine, request: Asked, owner: Owner): Promise<Json> {
  return shown(engine, request, existingOf(await findActive(engine, request, owner), owner));
}

function existingOf(cart: Json | undefined, { member, id }: Owner): Json {
  if (cart !== undefined) return cart;
  throw apiError('ResourceNotFound', `There is no active cart whose ${member} is '${id}'.`);
}

async function shown(engine: Engine, { context, expand }: Asked, cart: Json): Promise<Json> {
  return (await represent(engine, context, [cart], expand))[0]!;
}

/** Ids are taken in any case and stored in lower case. */
export function customerOwner({ resource }: Asked, id: string): Owner {
  return ownerAs(resource.mine!, { kind: 'customer', id: id.toLowerCase() });
}

/** A shopper's active cart: of several the one that was modified last, as the public API has it. */
async function findActive(
  engine: Engine,
  { context, resource, storeKey }: Asked,
  owner: Owner,
): Promise<Json | undefined> {
  const { results } = await query(engine, {
    context,
    resource,
    owner,
    ...(storeKey !== undefined && { storeKey }),
    query: {
      where: ['cartState = "Active"'],
      variables: new Map(),
      sort: ['lastModifiedAt desc'],
      expand: [],
      limit: 1,
      offset: 0,
      withTotal: false,
    },
  });
  return results[0];
}

/**
 * Gives the customer the cart of a visitor: it becomes the active cart of one who has none, or takes its place.
 * Merging copies line items alone, so a cart of custom line items leaves nothing but its state.
 */
export async function mergeCarts(engine: Engine, request: Asked, given: Merge): Promise<Json> {
  const { context, resource } = request;
  const merge = { ...given, customerId: await existingCustomer(engine, request, given.customerId) };
  const owner = customerOwner(request, merge.customerId);
  for (let tries = 1; ; tries += 1) {
    const [visitors, own] = await Promise.all([
      visitorsCart(engine, request, merge),
      findActive(engine, request, owner),
    ]);
    if (visitors === undefined) return shown(engine, request, existingOf(own, owner));
    const isMerged = own !== undefined && merge.mergeMode === 'MergeWithExistingCustomerCart';
    const { anonymousId: _, ...others } = visitors;
    const after: Cart = isMerged ? { ...visitors, cartState: 'Merged' } : { ...others, customerId: merge.customerId };
    const written = await replace(engine, { context, resource, before: visitors, after });
    // One of the two members differs.
    const { outcome, text } = written!;
    if (outcome.isDone) return shown(engine, request, isMerged ? own : text);
    const { id, version } = visitors;
    if (tries === triesMax) throw lostRace(outcome, { resource, identity: { id }, id, expected: version });
  }
}

/** The customer's id as it is stored: it may be given in any case, but whose a cart is goes by the text. */
async function existingCustomer(engine: Engine, { context }: Asked, id: string): Promise<string> {
  const resource = engine.registry.byKind.get('customer')!;
  const [found] = await engine.store.find(context.project.key, [{ kind: resource.kind, id }]);
  return existing(found, { resource, identity: { id } }).id;
}

async function visitorsCart(
  engine: Engine,
  request: Asked,
  { anonymousCart, anonymousId }: Merge,
): Promise<Cart | undefined> {
  const { context, resource } = request;
  if (anonymousCart === undefined) {
    if (anonymousId === undefined) return undefined;
    const found = await findActive(engine, request, ownerAs(resource.mine!, { kind: 'anonymous', id: anonymousId }));
    if (found === undefined) return undefined;
    const cart = documentOf<Cart>(found);
    // The shop may have noted the session on the cart of a customer, who keeps it.
    return takeOverFault(cart) === undefined ? cart : undefined;
  }
  const { id } = anonymousCart;
  const [found] = await engine.store.find(context.project.key, [{ kind: resource.kind, id }]);
  const stored = existing(found, { resource, identity: { id } });
  requireInPlace(resource, stored, request);
  const cart = documentOf<Cart>(stored.json);
  const fault = takeOverFault(cart, anonymousId);
  if (fault !== undefined) throw new ApiError([fault]);
  return cart;
}

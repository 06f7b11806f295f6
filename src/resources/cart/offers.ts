/** What carts offer to other resources: what becomes of a visitor's cart when the visitor is a customer. */
import type { EndpointRequest, Engine, Resource } from '../../engine/resource.ts';
import { documentOf, type Json } from '../../engine/json.ts';
import { tryCommit } from '../../engine/operations/commit.ts';
import { existing } from '../../engine/operations/get.ts';
import { planReplacement } from '../../engine/operations/plan.ts';
import type { Planned } from '../../engine/resource.ts';
import { query } from '../../engine/operations/query.ts';
import type { Owner } from '../../engine/context.ts';
import { ownerAs, requireInPlace } from '../../engine/place.ts';
import type { Replacement } from '../../engine/store.ts';
import { ApiError, apiError } from '../../errors/api-error.ts';
import type { Reference } from '../../fields/parsing.ts';
import { type Cart, takeOverFault } from './fields.ts';

/** The request of somebody whose carts are asked for. */
export type Asked = Pick<EndpointRequest, 'context' | 'storeKey'>;

/** What somebody who signs up or in says of the visit before. A cart that is not named is the active one of the session. */
export interface Visitor {
  readonly anonymousCart?: Reference | undefined;
  readonly anonymousCartId?: string | undefined;
  readonly anonymousId?: string | undefined;
}

export interface Merge extends Visitor {
  readonly customerId: string;
  readonly mergeMode: 'MergeWithExistingCustomerCart' | 'UseAsNewActiveCustomerCart';
}

/** Times that a cart is taken over again when it was changed meanwhile. */
export const takeOversMax = 5;

function resourceOf(engine: Engine): Resource {
  return engine.registry.byKind.get('cart')!;
}

/** Ids are taken in any case and stored in lower case. */
export function customerOwner(engine: Engine, id: string): Owner {
  return ownerAs(resourceOf(engine).mine!, { kind: 'customer', id: id.toLowerCase() });
}

/** A shopper's active cart: of several the one that was modified last, as the public API has it. */
export async function findActive(
  engine: Engine,
  { context, storeKey }: Asked,
  owner: Owner,
): Promise<Json | undefined> {
  const { results } = await query(engine, {
    context,
    resource: resourceOf(engine),
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

/** What a commit is to write for those who take over a cart, and what they have when it is done. */
export interface Plan<Result> {
  readonly planned: readonly Planned[];
  readonly result: Result;
}

interface Taker extends Visitor {
  /** Undefined for who is only signing up. */
  readonly customerId?: string | undefined;
}

interface TakeOver<Result> extends Taker {
  /** What becomes of the visitor's cart, or is done where there is none. It is asked again at each try. */
  plan(cart: Cart | undefined): Promise<Plan<Result>>;
}

/**
 * Commits what is planned for the visitor's cart, which is looked at again when another write came before. Who named no
 * cart goes on without the one that others do not let go; who named it is refused. Throws as `visitorsCart` does.
 */
export async function takeOver<Result>(
  engine: Engine,
  request: Asked,
  { plan, ...taker }: TakeOver<Result>,
): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    const isGivenUp = tries > takeOversMax;
    if (isGivenUp && isNamed(taker))
      throw apiError('OverCapacity', 'The cart is changed all the time. Try again later.');
    const cart = isGivenUp ? undefined : await visitorsCart(engine, request, taker);
    const { planned, result } = await plan(cart);
    if (planned.length === 0 || (await tryCommit(engine, request.context, planned)).isDone) return result;
  }
}

function isNamed({ anonymousCart, anonymousCartId }: Visitor): boolean {
  return anonymousCart !== undefined || anonymousCartId !== undefined;
}

/**
 * The cart of a visitor that a customer may take over; undefined where the session has none, or what the one that is named
 * had is a customer's already. Throws ResourceNotFound and InvalidOperation for one that is named.
 */
async function visitorsCart(
  engine: Engine,
  { context, storeKey }: Asked,
  { anonymousCart, anonymousCartId, anonymousId, customerId }: Taker,
): Promise<Cart | undefined> {
  const resource = resourceOf(engine);
  const id = anonymousCart?.id ?? anonymousCartId;
  if (id === undefined) {
    if (anonymousId === undefined) return undefined;
    const owner = ownerAs(resource.mine!, { kind: 'anonymous', id: anonymousId });
    const found = await findActive(engine, { context, ...(storeKey !== undefined && { storeKey }) }, owner);
    if (found === undefined) return undefined;
    const cart = documentOf<Cart>(found);
    // The shop may have noted the session on the cart of a customer, who keeps it.
    return takeOverFault(cart) === undefined ? cart : undefined;
  }
  const [found] = await engine.store.find(context.project.key, [{ kind: resource.kind, id }]);
  const stored = existing(found, { resource, identity: { id } });
  requireInPlace(resource, stored, storeKey === undefined ? {} : { storeKey });
  const cart = documentOf<Cart>(stored.json);
  if (customerId !== undefined && isTakenOver(cart, customerId)) return undefined;
  const fault = takeOverFault(cart, anonymousId);
  if (fault !== undefined) throw new ApiError([fault]);
  return cart;
}

/**
 * A sign-in that is repeated names the cart that it has taken over. A merged one does not say by whom it was, but nobody
 * gets anything of it.
 */
function isTakenOver(cart: Cart, customerId: string): boolean {
  return cart.cartState === 'Merged' || (cart.cartState === 'Active' && cart.customerId === customerId);
}

/** The visitor's cart as the customer's, who may be planned in the same commit. */
export function planOwned(
  engine: Engine,
  { context }: Pick<Asked, 'context'>,
  { cart, customerId }: { readonly cart: Cart; readonly customerId: string },
): Promise<Planned<Replacement>> {
  const { anonymousId: _, ...others } = cart;
  return planChange(engine, context, { before: cart, after: { ...others, customerId } });
}

/**
 * The customer's active cart with what the visitor had: the visitor's cart becomes the active one of a customer who has
 * none, or takes its place. Merging copies line items alone, so a cart of custom line items leaves nothing but its state.
 * Undefined where neither has a cart.
 */
export function mergedCart(engine: Engine, request: Asked, merge: Merge): Promise<Json | undefined> {
  const { context } = request;
  const owner = customerOwner(engine, merge.customerId);
  const plan = async (cart: Cart | undefined): Promise<Plan<Json | undefined>> => {
    // Not together with the visitor's cart: another sign-in may take that over, and then it is found here.
    const own = await findActive(engine, request, owner);
    if (cart === undefined) return { planned: [], result: own };
    const isMerged = own !== undefined && merge.mergeMode === 'MergeWithExistingCustomerCart';
    const change = isMerged
      ? await planChange(engine, context, { before: cart, after: { ...cart, cartState: 'Merged' } })
      : await planOwned(engine, request, { cart, customerId: owner.id });
    return { planned: [change], result: isMerged ? own : change.write.json };
  };
  return takeOver(engine, request, { ...merge, customerId: owner.id, plan });
}

/** Of a change that there is: the owner or the state differs. */
async function planChange(
  engine: Engine,
  context: Asked['context'],
  change: { readonly before: Cart; readonly after: Cart },
): Promise<Planned<Replacement>> {
  const { id } = change.before;
  return (await planReplacement(engine, { context, resource: resourceOf(engine), id, ...change }))!;
}

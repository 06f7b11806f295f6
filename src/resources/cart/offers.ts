/** What carts offer to other resources: what becomes of a visitor's cart when the visitor is a customer, and what predicates read. */
import type { EndpointRequest, Engine, Resource, Warning } from '../../engine/resource.ts';
import { copyOf, type Json } from '../../engine/json.ts';
import { leaveUndefined } from '../../engine/describe.ts';
import { documentInTurns } from '../../engine/json-slices.ts';
import { tryCommit } from '../../engine/operations/commit.ts';
import { existing } from '../../engine/operations/get.ts';
import { planExtendedReplacement } from '../../engine/operations/extend.ts';
import { withWarnings } from '../../engine/operations/represent.ts';
import { newSharing } from '../../engine/operations/steps.ts';
import { holdsFor } from '../../engine/operations/write.ts';
import type { Planned } from '../../engine/resource.ts';
import { query } from '../../engine/operations/query.ts';
import type { Owner } from '../../engine/context.ts';
import { ownerAs } from '../../engine/place.ts';
import type { Replacement } from '../../engine/store.ts';
import { Readings } from '../../engine/readings.ts';
import { ApiError, apiError } from '../../errors/api-error.ts';
import type { Reference } from '../../fields/parsing.ts';
import { stocksAfter } from '../inventory-entry/offers.ts';
import { requireKeyOf, updatesProductData } from './actions/states.ts';
import { mergeItems } from './copied.ts';
import { type Cart, takeOverFault } from './fields.ts';

export { factsOfStored } from './computation/facts.ts';
export { paymentsOf, paymentTaken } from './rules.ts';

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
  /** The lines of the cart that comes out of it take over what their products have become. */
  readonly updateProductData: boolean;
  readonly whenStuck: WhenStuck;
}

/**
 * What becomes of carts that are to change and cannot: they are locked, or cannot be computed any more, such as for want of a
 * tax rate. Who merges carts is told; who wants to sign in does so, and both carts stay as they are.
 */
export type WhenStuck = 'refuse' | 'leave';

/** Times that a cart is taken over again when it was changed meanwhile. */
export const takeOversMax = 16;

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
  readonly whenStuck?: WhenStuck;
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

export function isNamed({ anonymousCart, anonymousCartId }: Visitor): boolean {
  return anonymousCart !== undefined || anonymousCartId !== undefined;
}

/**
 * The cart of a visitor that a customer may take over; undefined where the session has none, or what the one that is named
 * had is a customer's already. Throws ResourceNotFound and InvalidOperation for one that is named.
 */
async function visitorsCart(
  engine: Engine,
  { context, storeKey }: Asked,
  { anonymousCart, anonymousCartId, anonymousId, customerId, whenStuck }: Taker,
): Promise<Cart | undefined> {
  const resource = resourceOf(engine);
  const id = anonymousCart?.id ?? anonymousCartId;
  if (id === undefined) {
    if (anonymousId === undefined) return undefined;
    const owner = ownerAs(resource.mine!, { kind: 'anonymous', id: anonymousId });
    const found = await findActive(engine, { context, ...(storeKey !== undefined && { storeKey }) }, owner);
    if (found === undefined) return undefined;
    const cart = await documentInTurns<Cart>(found, context);
    // The shop may have noted the session on the cart of a customer, who keeps it.
    return takeOverFault(cart) === undefined ? cart : undefined;
  }
  const [found] = await engine.store.find(context.project.key, [{ kind: resource.kind, id }]);
  const stored = existing(found, { resource, identity: { id }, ...(storeKey !== undefined && { storeKey }) });
  const cart = await documentInTurns<Cart>(stored.json, context);
  if (customerId !== undefined && isTakenOver(cart, customerId)) return undefined;
  // It does not say by whom it was merged. Nobody gets anything of it, so who repeats a sign-in is let in with what is there.
  if (whenStuck === 'leave' && cart.cartState === 'Merged') return undefined;
  const fault = takeOverFault(cart, anonymousId);
  if (fault !== undefined) throw new ApiError([fault]);
  return cart;
}

/** What is repeated names the cart that it has taken over. */
function isTakenOver(cart: Cart, customerId: string): boolean {
  return cart.cartState === 'Active' && cart.customerId === customerId;
}

interface Owning {
  readonly cart: Cart;
  readonly customerId: string;
  readonly said?: ReadonlySet<string>;
}

/** The visitor's cart as the customer's, who may be planned in the same commit. */
export async function planOwned(
  engine: Engine,
  { context }: Pick<Asked, 'context'>,
  { cart, customerId, said }: Owning,
): Promise<Planned<Replacement>> {
  const { anonymousId: _, ...others } = copyOf(cart);
  // The owner differs, so there is a change.
  return (await planChange(engine, context, { before: cart, after: { ...others, customerId }, said }))!;
}

/** Undefined where the carts are stuck and are to be left as they are. */
export async function unlessStuck<T>(whenStuck: WhenStuck, plan: () => Promise<T>): Promise<T | undefined> {
  try {
    return await plan();
  } catch (error) {
    const isLeft = whenStuck === 'leave' && error instanceof ApiError && !error.isFault && error.status !== busy;
    if (isLeft) return undefined;
    throw error;
  }
}

/** The status of what may be tried again. */
const busy = 503;

/**
 * The customer's active cart with what the visitor had: the visitor's cart becomes the active one of a customer who has
 * none, or takes its place; or it is merged, in one commit with the other. Undefined where neither has a cart.
 */
export function mergedCart(engine: Engine, request: Asked, merge: Merge): Promise<Json | undefined> {
  const { updateProductData, whenStuck } = merge;
  const owner = customerOwner(engine, merge.customerId);
  const plan = async (cart: Cart | undefined): Promise<Plan<Json | undefined>> => {
    const said = new Set(updateProductData ? [updatesProductData] : []);
    // Not together with the visitor's cart: another sign-in may take that over, and then it is found here.
    const own = await findActive(engine, request, owner);
    const planned = await unlessStuck(whenStuck, async (): Promise<Plan<Json | undefined>> => {
      if (cart !== undefined && (own === undefined || merge.mergeMode === 'UseAsNewActiveCustomerCart')) {
        const owned = await planOwned(engine, request, { cart, customerId: owner.id, said });
        return { planned: [owned], result: owned.write.json };
      }
      if (own === undefined || (cart === undefined && !updateProductData)) return { planned: [], result: own };
      return planMerge(engine, request, { own, cart, said });
    });
    return planned ?? { planned: [], result: own };
  };
  return takeOver(engine, request, { ...merge, customerId: owner.id, plan });
}

interface Merging {
  readonly own: Json;
  /** The visitor's, where there is one. */
  readonly cart: Cart | undefined;
  readonly said: Set<string>;
}

async function planMerge(
  engine: Engine,
  { context }: Pick<Asked, 'context'>,
  { own, cart, said }: Merging,
): Promise<Plan<Json>> {
  const before = await documentInTurns<Cart>(own, context);
  const after = copyOf(before);
  if (cart !== undefined) {
    const brought = copyOf(cart);
    // One may have been relieved already of what the other is still to lose, and what is alike is to be found.
    for (const document of [after, brought])
      await leaveUndefined(engine, context.project.key, { resource: resourceOf(engine), document });
    mergeItems(after, brought, { now: context.now, said });
  }
  const merged =
    cart &&
    (await planChange(engine, context, {
      before: cart,
      after: { ...copyOf(cart), cartState: 'Merged' },
    }));
  // Units that the visitor's cart gives up are there for the other one in the same commit.
  const found = await stocksAfter(engine, context, merged?.beside ?? []);
  const warnings: Warning[] = [];
  const grown = await planChange(engine, context, { before, after, copied: copyOf(after), said, found, warnings });
  const planned = [grown, merged].filter((change) => change !== undefined);
  return { planned, result: withWarnings(grown?.write.json ?? own, warnings) };
}

interface Change {
  readonly before: Cart;
  readonly after: Cart;
  /** As `after` is with what was copied from another cart. */
  readonly copied?: Cart;
  readonly said?: ReadonlySet<string> | undefined;
  /** What was read for it already. */
  readonly found?: Readings;
  /** Takes what the answer is to say. */
  readonly warnings?: Warning[];
}

/** Undefined where nothing changes. Extensions are asked about it at each try, for it is another cart each time. */
async function planChange(
  engine: Engine,
  context: Asked['context'],
  { before, after, copied, said, found = new Readings(), warnings = [] }: Change,
): Promise<Planned<Replacement> | undefined> {
  const { id, lock } = before;
  requireKeyOf(lock, holdsFor(context));
  const resource = resourceOf(engine);
  const sharing = newSharing({ found, said: new Set(said), warnings });
  // Nothing is kept beside carts that the actions of extensions change.
  const copy = { before, after, changedInternals: () => undefined };
  return planExtendedReplacement(engine, context, {
    resource,
    id,
    copy,
    sharing,
    ...(copied !== undefined && { copied }),
  });
}

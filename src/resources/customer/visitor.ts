import type { EndpointRequest } from '../../engine/endpoint.ts';
import type { Engine } from '../../engine/engine.ts';
import { documentOf, type Json } from '../../engine/json.ts';
import { existing } from '../../engine/operations/get.ts';
import { requireInPlace } from '../../engine/place.ts';
import { ApiError } from '../../errors/api-error.ts';
import type { Reference } from '../../fields/parsing.ts';
import { type Cart, takeOverFault } from '../cart/fields.ts';

/** The request that somebody signs up or in by. */
type Asked = Pick<EndpointRequest, 'context' | 'storeKey'>;

/** What somebody who signs up or in says of the visit before. */
export interface Visitor {
  readonly anonymousCart?: Reference | undefined;
  readonly anonymousCartId?: string | undefined;
  readonly anonymousId?: string | undefined;
}

/** Throws when the visitor names a cart that the customer could not take over. Nothing is written before. */
export async function requireTakeOver(engine: Engine, { context, storeKey }: Asked, visitor: Visitor): Promise<void> {
  const id = cartIdOf(visitor);
  if (id === undefined) return;
  const resource = engine.registry.byKind.get('cart')!;
  const [found] = await engine.store.find(context.project.key, [{ kind: resource.kind, id }]);
  const stored = existing(found, { resource, identity: { id } });
  requireInPlace(resource, stored, storeKey === undefined ? {} : { storeKey });
  const fault = takeOverFault(documentOf<Cart>(stored.json), visitor.anonymousId);
  if (fault !== undefined) throw new ApiError([fault]);
}

/**
 * The active cart of a customer who has signed in, with what the visitor had, by the operation that merges
 * carts. Undefined where neither has one.
 */
export async function takenOver(
  engine: Engine,
  { context, storeKey }: Asked,
  merge: Visitor & { readonly customerId: string; readonly mergeMode: string },
): Promise<Json | undefined> {
  const { resource, byMethod } = engine.registry.endpoints.get('carts/customer-id=/merge')!;
  const { customerId, mergeMode, anonymousId } = merge;
  const id = cartIdOf(merge);
  const request = {
    context,
    resource,
    parameters: { customerId },
    body: {
      mergeMode,
      ...(id !== undefined && { anonymousCart: { typeId: resource.kind, id } }),
      ...(anonymousId !== undefined && { anonymousId }),
    },
    draft: undefined,
    expand: [],
    sort: [],
    ...(storeKey !== undefined && { storeKey }),
  };
  try {
    return await byMethod.get('POST')!.run(engine, request);
  } catch (error) {
    // A cart that was named has been found, so it is the active one that there is not.
    if (id === undefined && error instanceof ApiError && error.errors[0].code === 'ResourceNotFound') return undefined;
    throw error;
  }
}

function cartIdOf({ anonymousCart, anonymousCartId }: Visitor): string | undefined {
  return anonymousCart?.id ?? anonymousCartId;
}

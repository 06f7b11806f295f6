import type { Owner } from '../../engine/context.ts';
import { leaveUndefined } from '../../engine/describe.ts';
import type { Document } from '../../engine/document.ts';
import { endpoint } from '../../engine/endpoint.ts';
import { ownerOf } from '../../engine/access.ts';
import { copyOf, type Json } from '../../engine/json.ts';
import { documentInTurns } from '../../engine/json-slices.ts';
import { notFound } from '../../engine/load.ts';
import { anewWhileOutdated, commit } from '../../engine/operations/commit.ts';
import { planExtendedInsertion } from '../../engine/operations/extend.ts';
import { represent, withWarnings } from '../../engine/operations/represent.ts';
import { isInPlace } from '../../engine/place.ts';
import type { EndpointRequest, Engine, Warning } from '../../engine/resource.ts';
import { ApiError } from '../../errors/api-error.ts';
import { optional, required } from '../../fields/field.ts';
import { identifierInput } from '../../fields/reference.ts';
import { referenceToAny } from '../../fields/reference-to-any.ts';
import type { Reference } from '../../fields/parsing.ts';
import { key } from '../../fields/scalar.ts';
import { replicaOf } from './copied.ts';
import { cartDays } from '../project/fields.ts';
import type { Order } from '../order/fields.ts';
import type { Cart } from './fields.ts';

const input = 'ReferenceInput';

/** What is replicated. */
const source = {
  ...referenceToAny('CartOrOrder', { input, targets: { cart: 'Cart', order: 'Order' }, strength: 'loose' }),
  input: { ...identifierInput, type: input },
};

const reference = { reference: required(source) };

const failures = ['ReferencedResourceNotFound', 'MissingTaxRateForCountry'] as const;

const ofAnybody = endpoint({
  path: 'replicate',
  method: 'POST',
  isInStore: true,
  scopes: ['manage_orders', 'manage_orders:{storeKey}'],
  body: { ...reference, key: optional(key()) },
  answer: 'one',
  status: 201,
  failures,
  mutation: { name: 'replicateCart' },
  run: (engine, request) => replicated(engine, request, request.body),
});

const mine = endpoint({
  path: '/me/carts/replicate',
  method: 'POST',
  scopes: ['manage_my_orders'],
  shoppers: ['customer', 'anonymous'],
  body: reference,
  answer: 'one',
  status: 201,
  failures,
  mutation: { name: 'replicateMyCart' },
  run: (engine, request) =>
    replicated(engine, request, { ...request.body, owner: ownerOf(request.resource.mine!, request.context) }),
});

interface Wanted {
  readonly reference: Reference;
  readonly key?: string | undefined;
  /** The shopper whose cart it has to be. */
  readonly owner?: Owner;
}

/** A cart of another place is as unknown as one that is not there. */
async function replicated(
  engine: Engine,
  { context, resource, storeKey, expand }: Pick<EndpointRequest, 'context' | 'resource' | 'storeKey' | 'expand'>,
  { reference: { typeId, id }, key: newKey, owner }: Wanted,
): Promise<Json> {
  const place = { ...(storeKey !== undefined && { storeKey }), ...(owner !== undefined && { owner }) };
  const [stored] = await engine.store.find(context.project.key, [{ kind: typeId, id }]);
  const cart = stored && (await documentInTurns<Cart | Order>(stored.json, context));
  if (cart === undefined || !isInPlace(resource, cart, place)) throw new ApiError([notFound({ typeId, id })]);
  const days = cartDays(context.project.settings);
  const replica = await anewWhileOutdated(async () => {
    const [said, warnings] = [new Set<string>(), [] as Warning[]];
    // It has the members of a cart, but for those of the write.
    const copied = replicaOf(cart, { now: context.now, said, days }) as unknown as Document;
    await leaveUndefined(engine, context.project.key, { resource, document: copied });
    const body = { ...(newKey !== undefined && { key: newKey }), ...copyOf(copied) };
    const planned = await planExtendedInsertion(engine, { context, resource, body, copied, said, warnings });
    await commit(engine, context, [planned]);
    return withWarnings(planned.write.json, warnings);
  });
  return (await represent(engine, context, [replica], expand))[0]!;
}

export const replications = [ofAnybody, mine];

import { endpoint } from '../../engine/endpoint.ts';
import type { EndpointRequest, Engine } from '../../engine/resource.ts';
import { ownerOf } from '../../engine/access.ts';
import { documentOf, type Json } from '../../engine/json.ts';
import { existing } from '../../engine/operations/get.ts';
import { represent } from '../../engine/operations/represent.ts';
import { storesSight } from '../../engine/scoped-stores.ts';
import type { Owner } from '../../engine/context.ts';
import { apiError } from '../../errors/api-error.ts';
import { defaulted, required } from '../../fields/field.ts';
import { boolean, text } from '../../fields/scalar.ts';
import { cartSignInMode, visitor } from './fields.ts';
import { type Asked, customerOwner, findActive, isNamed, mergedCart, type Visitor } from './offers.ts';
import { replications } from './replicate.ts';

const customerId = { customerId: required(text()) };

const ofCustomer = endpoint({
  path: 'customer-id={customerId}',
  listParameter: 'customerId',
  isInStore: true,
  scopes: ['view_orders', 'view_orders:{storeKey}'],
  parameters: customerId,
  query: { name: 'customerActiveCart', args: { customerId: 'customerId' } },
  answer: 'one',
  run: (engine, request) => activeCart(engine, request, customerOwner(engine, request.parameters.customerId)),
});

const merge = endpoint({
  path: 'customer-id={customerId}/merge',
  method: 'POST',
  isInStore: true,
  scopes: ['manage_orders', 'manage_orders:{storeKey}'],
  parameters: customerId,
  body: {
    ...visitor,
    mergeMode: cartSignInMode('CartMergeMode'),
    updateProductData: defaulted(boolean(), () => false),
  },
  answer: 'one',
  mutation: { name: 'mergeCart', draft: 'MergeCartDraft' },
  run: async (engine, request) => {
    requireVisitor(request.body);
    const id = await existingCustomer(engine, request, request.parameters.customerId);
    const cart = await mergedCart(engine, request, { ...request.body, customerId: id, whenStuck: 'refuse' });
    return shown(engine, request, existingOf(cart, customerOwner(engine, id)));
  },
});

const mine = endpoint({
  path: '/me/active-cart',
  isInStore: true,
  scopes: ['manage_my_orders', 'manage_my_orders:{storeKey}'],
  shoppers: ['customer', 'anonymous'],
  query: { name: 'activeCart', args: {} },
  answer: 'one',
  run: (engine, request) => activeCart(engine, request, ownerOf(request.resource.mine!, request.context)),
});

/** A sign-in may be of somebody who had no visit before; whoever merges carts says which one. */
function requireVisitor(named: Visitor): void {
  if (named.anonymousId !== undefined || isNamed(named)) return;
  throw apiError('RequiredField', "Either 'anonymousCart' or 'anonymousId' is required.", { field: 'anonymousCart' });
}

type Request = Asked & Pick<EndpointRequest, 'expand'>;

/** The active cart of a shopper. Throws ResourceNotFound. */
async function activeCart(engine: Engine, request: Request, owner: Owner): Promise<Json> {
  return shown(engine, request, existingOf(await findActive(engine, request, owner), owner));
}

function existingOf(cart: Json | undefined, { member, id }: Owner): Json {
  if (cart !== undefined) return cart;
  throw apiError('ResourceNotFound', `There is no active cart whose ${member} is '${id}'.`);
}

async function shown(engine: Engine, { context, expand }: Request, cart: Json): Promise<Json> {
  return (await represent(engine, context, [cart], expand))[0]!;
}

/** The customer's id as it is stored: it may be given in any case, but whose a cart is goes by the text. */
async function existingCustomer(
  { store, registry }: Engine,
  { context, resource }: EndpointRequest,
  id: string,
): Promise<string> {
  const customer = registry.byKind.get('customer')!;
  const [found] = await store.find(context.project.key, [{ kind: customer.kind, id }]);
  const isSeen = storesSight(registry, context, resource)(customer.kind);
  const isThere = found !== undefined && (typeof isSeen === 'boolean' ? isSeen : isSeen(documentOf(found.json)));
  return existing(isThere ? found : undefined, { resource: customer, identity: { id } }).id;
}

export const endpoints = [ofCustomer, merge, mine, ...replications];

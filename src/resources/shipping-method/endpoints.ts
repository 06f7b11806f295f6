import { type ApiError, apiError } from '../../errors/api-error.ts';
import { allOf } from '../../engine/collection.ts';
import { derived } from '../../engine/derived.ts';
import type { Document, Fixed } from '../../engine/document.ts';
import { endpoint } from '../../engine/endpoint.ts';
import type { Collection, EndpointRequest, Engine } from '../../engine/resource.ts';
import { documentOf, type Json } from '../../engine/json.ts';
import { documentInTurns } from '../../engine/json-slices.ts';
import { pageJson, query } from '../../engine/operations/query.ts';
import { represent } from '../../engine/operations/represent.ts';
import { optional, required } from '../../fields/field.ts';
import { country, currency, text } from '../../fields/scalar.ts';
import {
  type CartInput,
  type Catalog,
  type Location,
  type MethodMatch,
  withMatching,
  type ZoneInput,
} from '../../pricing/shipping-rate.ts';
import { type Reads, readsAll, readsOf } from '../../predicate/reads.ts';
import { isForThread, parsedCharactersMax, valuesIn } from '../../predicate/steps.ts';
import type { Cart } from '../cart/fields.ts';
import { factsOfStored } from '../cart/offers.ts';
import { orderAsEdited } from '../order-edit/offers.ts';
import {
  type MatchRequest,
  type ShippingCatalog,
  shippingRates,
  type StoredMethod,
} from '../../pricing/shipping-rate-task.ts';
import { compiled, matchesOf, parsed } from './compiled.ts';

const scopes = ['view_orders', 'view_shipping_methods', 'manage_my_orders'];
const locationParameters = { country: required(country()), state: optional(text()) };

/** Each method returned carries exactly one rate with `isMatching` (specification 4.3, behavior 1). */
export const matchingCart = endpoint({
  path: 'matching-cart',
  isInStore: true,
  scopes: [...scopes, 'view_orders:{storeKey}', 'manage_my_orders:{storeKey}'],
  parameters: { cartId: required(text()) },
  query: { name: 'shippingMethodsByCart', args: { id: 'cartId' } },
  run: (engine, request) => matchToCart(engine, request, request.parameters),
});

/** Like matching-cart, for another place than the cart's shipping address: carts with several addresses need it. */
export const matchingCartLocation = endpoint({
  path: 'matching-cart-location',
  scopes,
  parameters: { cartId: required(text()), ...locationParameters },
  run: (engine, request) => {
    const { cartId, ...location } = request.parameters;
    return matchToCart(engine, request, { cartId, location });
  },
});

/** Like matching-cart-location, for the order as an edit would make it. */
export const matchingOrderEdit = endpoint({
  path: 'matching-orderedit',
  scopes: ['view_orders', 'view_shipping_methods'],
  parameters: { orderEditId: required(text()), ...locationParameters },
  // What an edit would make of its order nobody knows beforehand.
  isKept: false,
  failures: ['ResourceNotFound', 'EditPreviewFailed'],
  run: async (engine, request) => {
    const { orderEditId, ...location } = request.parameters;
    const { context } = request;
    const order = await orderAsEdited(engine, context, orderEditId);
    const collection = await catalogOf(engine, context.project.key);
    // Matching reads what carts and orders have alike.
    const part = await partOf(engine, context.project, { cart: order as unknown as Fixed<Cart>, collection });
    return matched(engine, { request, collection, part, location });
  },
});

/** Each method returned carries at least one rate with `isMatching`, and exactly one when a currency is given. */
export const matchingLocation = endpoint({
  path: 'matching-location',
  scopes,
  parameters: { ...locationParameters, currency: optional(currency()) },
  query: { name: 'shippingMethodsByLocation', args: { country: 'country', state: 'state', currency: 'currency' } },
  run: async (engine, request) => {
    const { currency, ...location } = request.parameters;
    const collection = await catalogOf(engine, request.context.project.key);
    const wanted = { location, ...(currency !== undefined && { currencyCode: currency }) };
    return answer(engine, { request, collection, wanted });
  },
});

async function matchToCart(
  engine: Engine,
  request: Omit<EndpointRequest, 'parameters'>,
  { cartId, location }: { readonly cartId: string; readonly location?: Location },
): Promise<Json> {
  const collection = await catalogOf(engine, request.context.project.key);
  const part = await matchedPart(engine, request.context, { cartId, collection });
  // Carts of the project match on a project's path only, and those of a store on either.
  if (request.storeKey !== undefined && part.cart.store?.key !== request.storeKey) throw cartNotFound(cartId);
  return matched(engine, { request, collection, part, ...(location && { location }) });
}

interface Matching extends Pick<Asked, 'request' | 'collection'> {
  readonly part: MatchedPart;
  readonly location?: Location;
}

function matched(engine: Engine, { request, collection, part: { cart, values }, location }: Matching): Promise<Json> {
  const { settings } = request.context.project;
  const tierType = settings.shippingRateInputType?.type;
  const wanted = { cart, ...(location && { location }), ...(tierType !== undefined && { tierType }) };
  return answer(engine, { request, collection, wanted, values });
}

interface MatchedPart {
  readonly cart: CartInput;
  /** That predicates may have to look at. */
  readonly values: number;
}

function cartNotFound(id: string): ApiError {
  return apiError('InvalidInput', `The cart with ID '${id}' was not found.`);
}

/** What matching reads of a cart, and of what the cart names: by the predicates of these methods. */
function matchedPart(
  engine: Engine,
  context: EndpointRequest['context'],
  { cartId, collection }: { readonly cartId: string; readonly collection: Collection },
): Promise<MatchedPart> {
  const { project } = context;
  return derived(engine, context, {
    name: `matched part/${collection.version}/${cartId.toLowerCase()}`,
    make: async (reading) => {
      const [stored] = await reading.store.find(project.key, [{ kind: 'cart', id: cartId }]);
      if (stored === undefined) throw cartNotFound(cartId);
      return partOf(reading, project, { cart: await documentInTurns<Cart>(stored.json, context), collection });
    },
  });
}

async function partOf(
  reading: Engine,
  project: EndpointRequest['context']['project'],
  { cart, collection }: { readonly cart: Fixed<Cart>; readonly collection: Collection },
): Promise<MatchedPart> {
  const { totalPrice, shippingAddress, store, shippingRateInput, lineItems, customLineItems } = cart;
  const reads = readsOfMethods(collection);
  const facts = reads.names.size === 0 ? {} : await factsOfStored(reading, project, { cart, reads });
  const part = {
    totalPrice,
    ...(shippingAddress !== undefined && { shippingAddress }),
    ...(store !== undefined && { store }),
    // Parsed by its kind.
    ...(shippingRateInput !== undefined && {
      shippingRateInput: shippingRateInput as CartInput['shippingRateInput'] & {},
    }),
    lineItems: lineItems.map((line) => ({ totalPrice: line.totalPrice })),
    customLineItems: customLineItems.map((item) => ({ totalPrice: item.totalPrice })),
    facts,
  };
  return { cart: part, values: valuesIn(facts) };
}

const knownReads = new WeakMap<Collection, Reads>();

/** What the predicates of methods read of a cart; of many and long ones nobody knows before a thread has parsed them. */
function readsOfMethods(collection: Collection): Reads {
  let reads = knownReads.get(collection);
  if (reads === undefined) {
    const methods = methodsOf(collection);
    const predicates = methods.flatMap(({ predicate }) => predicate ?? []);
    reads = charactersOf(methods) > parsedCharactersMax ? readsAll : readsOf(predicates.map(parsed));
    knownReads.set(collection, reads);
  }
  return reads;
}

function charactersOf(methods: readonly StoredMethod[]): number {
  return methods.reduce((sum, { predicate = '' }) => sum + predicate.length, 0);
}

function catalogOf(engine: Engine, project: string): Promise<Collection> {
  return allOf(engine, project, ['shipping-method', 'zone']);
}

const knownCatalogs = new WeakMap<Collection, Catalog>();

interface Asked {
  readonly request: Omit<EndpointRequest, 'parameters'>;
  readonly collection: Collection;
  readonly wanted: MatchRequest;
  /** That predicates may have to look at; none speaks of a place. */
  readonly values?: number;
}

async function answer(engine: Engine, { request, collection, wanted, values = 0 }: Asked): Promise<Json> {
  const methods = methodsOf(collection);
  const zones = collection.documents.get('zone')! as readonly (Document & ZoneInput)[];
  const matches = await matchesIn(engine, wanted, { collection, catalog: { methods, zones }, values });
  if (matches === 'address-missing')
    throw apiError('InvalidOperation', 'The cart has no shipping address, which matching needs.');
  const found = matches.map((match) => ({ match, method: methods[match.method]! }));
  const ordered = request.sort.length === 0 ? found : await sorted(engine, request, found);
  const texts = ordered.map(({ match, method }) => matchedText(collection, method, match));
  const results = await represent(engine, request.context, texts, request.expand);
  return pageJson({ limit: results.length, offset: 0, total: results.length, results });
}

/** In a thread where that is worth the way there. */
async function matchesIn(
  { compute }: Pick<Engine, 'compute'>,
  wanted: MatchRequest,
  {
    collection,
    catalog,
    values,
  }: { readonly collection: Collection; readonly catalog: ShippingCatalog; readonly values: number },
): Promise<readonly MethodMatch[] | 'address-missing'> {
  const { methods } = catalog;
  const items = wanted.cart === undefined ? 0 : wanted.cart.lineItems.length + wanted.cart.customLineItems.length;
  const characters = charactersOf(methods);
  const steps = methods.length * Math.max(1, items);
  if (isForThread(compute.stepsMin, { steps, characters, values: () => values }))
    return compute.run(shippingRates, wanted, { version: collection.version, state: catalog });
  let known = knownCatalogs.get(collection);
  if (known === undefined) knownCatalogs.set(collection, (known = compiled(catalog)));
  return matchesOf(known, wanted);
}

/** Stored documents are what the matcher reads. */
type Method = Document & StoredMethod;

function methodsOf({ documents }: Collection): readonly Method[] {
  return documents.get('shipping-method')! as readonly Method[];
}

/** In the order in which a query with these sort expressions gives the methods. */
async function sorted<Found extends { readonly method: Document }>(
  engine: Engine,
  { context, resource, sort }: Omit<EndpointRequest, 'parameters'>,
  found: readonly Found[],
): Promise<readonly Found[]> {
  if (found.length === 0) return found;
  const byId = new Map(found.map((one) => [one.method.id, one]));
  const where = [`id in ("${[...byId.keys()].join('","')}")`];
  const page = { where, variables: new Map(), expand: [], offset: 0, limit: found.length, withTotal: false };
  const { results } = await query(engine, { context, resource, query: { ...page, sort } });
  // One that was deleted meanwhile is left out.
  return results.flatMap((json) => byId.get(documentOf(json).id) ?? []);
}

/** Representations that one collection keeps; carts differ, but few rates of a method do. */
const textsMax = 500;

/** The method with its `isMatching` flags as JSON, kept with the collection that it was made from. */
function matchedText({ derived }: Collection, method: Method, match: MethodMatch): string {
  const name = JSON.stringify(match);
  const known = derived.get(name);
  if (known !== undefined) return known;
  const made = JSON.stringify(withMatching(method, match));
  if (derived.size < textsMax) derived.set(name, made);
  return made;
}

import { apiError } from '../errors/api-error.ts';
import { Parsing } from '../fields/parsing.ts';
import { parseObject } from '../fields/object.ts';
import { endpointScopes, mineScopes, ownerOf, requireShopper } from '../engine/access.ts';
import type { Resource } from '../engine/define.ts';
import type { Endpoint } from '../engine/endpoint.ts';
import type { Engine } from '../engine/engine.ts';
import { load } from '../engine/load.ts';
import { create } from '../engine/operations/create.ts';
import { remove } from '../engine/operations/delete.ts';
import { runEndpoint } from '../engine/operations/endpoint.ts';
import { get, type Identity } from '../engine/operations/get.ts';
import { isEmptyPage, page } from '../engine/operations/query.ts';
import { update } from '../engine/operations/update.ts';
import type { Place } from '../engine/place.ts';
import {
  booleanParameter,
  declaredParameters,
  decodedSegment,
  expandOf,
  integerParameter,
  queryArguments,
} from './parameters.ts';
import { endpointMethods, methodsOf, type Place as OwnPlace, scopesOf } from './operations.ts';
import { type ProjectRequest, readJson, requireScopes, type Target } from './project-request.ts';
import type { Method } from './request.ts';
import { json, type Response } from './response.ts';

const keyPrefix = 'key=';

/** The paths of a resource that a request came by: the project's or a store's own, or those of a shopper. */
interface Mount {
  readonly resource: Resource;
  readonly scopes: (method: Method, place: OwnPlace) => readonly string[];
  /** What the path keeps to. Throws where the token is not a shopper's and has to be. */
  place(request: ProjectRequest): Place;
}

/** What a path of the project leads to: endpoints and resources, on a shopper's paths too. Undefined for others. */
export function resourceTarget(
  engine: Engine,
  segments: readonly string[],
  storeKey: string | undefined,
): Target | undefined {
  if (segments.includes('')) return undefined;
  const isInStore = storeKey !== undefined;
  const endpoints = endpointsTarget(engine, segments, isInStore);
  if (endpoints !== undefined) return endpoints;
  const [path = '', ...items] = segments;
  if (path === 'me') return mineTarget(engine, items, isInStore);
  const resource = engine.registry.byPath.get(path);
  if (resource === undefined || (isInStore && resource.inStore === undefined)) return undefined;
  const scopes: Mount['scopes'] = (method, place) => scopesOf(resource, { method, place, isInStore });
  if (items.length === 0) return listTarget(engine, { resource, scopes, place: storeOf }, isInStore);
  return mountTarget(engine, { resource, scopes, place: storeOf }, { items, isInStore });
}

/** A list, or the endpoint of one that a parameter names: `carts?customerId=…` is `carts/customer-id=…`. */
function listTarget(engine: Engine, mount: Mount, isInStore: boolean): Target {
  const { resource } = mount;
  const handle = (request: ProjectRequest): Promise<Response> => {
    const endpoint = request.method === 'POST' ? undefined : endpointNamed(engine, resource, request.parameters);
    if (endpoint === undefined || (isInStore && !endpoint.isInStore))
      return handleList(engine, { ...mount, within: everywhere }, request);
    return handleEndpoint(engine, { resource, endpoint, given: {} }, request);
  };
  return { methods: methodsOf(resource, 'list', isInStore), handle };
}

/** Beside a predicate the parameter is a variable. */
function endpointNamed(engine: Engine, resource: Resource, parameters: URLSearchParams): Endpoint | undefined {
  if (parameters.size === 0 || parameters.has('where')) return undefined;
  for (const { resource: own, parameter, byMethod } of engine.registry.endpoints.values()) {
    const endpoint = byMethod.get('GET');
    if (own === resource && endpoint !== undefined && parameter !== undefined && parameters.has(parameter))
      return endpoint;
  }
  return undefined;
}

const everywhere: ReadonlyMap<string, string> = new Map();

function mineTarget(engine: Engine, [path = '', ...items]: readonly string[], isInStore: boolean): Target | undefined {
  const mine = engine.registry.mine.get(path);
  if (mine === undefined || (isInStore && mine.resource.inStore === undefined)) return undefined;
  const { resource } = mine;
  const scopes: Mount['scopes'] = () => mineScopes(mine, isInStore);
  if (path === '') {
    const handle = (request: ProjectRequest): Promise<Response> => {
      const identity = { id: ownerOf(mine, request.context).id };
      return handleItem(engine, { resource, scopes, place: storeOf, identity }, request);
    };
    return { methods: methodsOf(resource, 'item', isInStore), handle };
  }
  const place = (request: ProjectRequest): Place => ({
    ...storeOf(request),
    owner: ownerOf(mine, request.context),
  });
  return mountTarget(engine, { resource, scopes, place }, { items, isInStore });
}

/**
 * The paths below a mount: its own, `{id}` and `key={key}`; for a kind whose key has several members
 * `{first}/{second}`, and `{first}` for all that share the first.
 */
function mountTarget(
  engine: Engine,
  mount: Mount,
  { items, isInStore }: { readonly items: readonly string[]; readonly isInStore: boolean },
): Target | undefined {
  const { resource } = mount;
  const { keyMembers } = resource;
  if (items.length === 0 || items.length < keyMembers.length) {
    const within = new Map(items.map((value, index) => [keyMembers[index]!, decodedSegment(value)]));
    const methods = methodsOf(resource, items.length === 0 ? 'list' : 'part', isInStore);
    return { methods, handle: (request) => handleList(engine, { ...mount, within }, request) };
  }
  const identity = identityOf(resource, items);
  if (identity === undefined) return undefined;
  const methods = methodsOf(resource, 'item', isInStore);
  return { methods, handle: (request) => handleItem(engine, { ...mount, identity }, request) };
}

function endpointsTarget(engine: Engine, segments: readonly string[], isInStore: boolean): Target | undefined {
  const path = segments.join('/');
  const { endpoints } = engine.registry;
  // A parameter is what follows the first equals sign of a segment.
  const [named = '', value = ''] = /=([^/]*)/.exec(path) ?? [];
  const group = endpoints.get(path) ?? endpoints.get(path.replace(named, '='));
  if (group === undefined) return undefined;
  const { resource, parameter, byMethod } = group;
  const served = [...byMethod.values()].filter((endpoint) => !isInStore || endpoint.isInStore);
  if (served.length === 0) return undefined;
  const given = parameter === undefined ? {} : { [parameter]: decodedSegment(value) };
  return {
    methods: new Set(served.flatMap((endpoint) => [...endpointMethods(endpoint)])),
    handle: (request) => {
      const endpoint = byMethod.get(request.method === 'POST' ? 'POST' : 'GET')!;
      return handleEndpoint(engine, { resource, endpoint, given }, request);
    },
  };
}

function identityOf({ keyMembers }: Resource, items: readonly string[]): Identity | undefined {
  const texts = items.map(decodedSegment);
  if (keyMembers.length > 1) return texts.length === keyMembers.length ? { key: texts.join('/') } : undefined;
  const [text = '', ...others] = texts;
  if (others.length > 0) return undefined;
  return keyMembers.length === 1 && text.startsWith(keyPrefix) ? { key: text.slice(keyPrefix.length) } : { id: text };
}

async function handleList(
  engine: Engine,
  mount: Mount & { readonly within: ReadonlyMap<string, string> },
  request: ProjectRequest,
): Promise<Response> {
  const { context, method, parameters } = request;
  const { resource, within } = mount;
  requireScopes(request, mount.scopes(method, within.size === 0 ? 'list' : 'part'));
  const place = mount.place(request);
  if (method !== 'POST') {
    const asked = { context, resource, within, query: queryArguments(parameters), ...place };
    const found = await page(engine, asked);
    // Who asks with HEAD asks whether there are any.
    return json(method === 'HEAD' && isEmptyPage(found) ? 404 : 200, found);
  }
  const { value: draft, context: entered } = await readJson(request);
  const asked = { context: entered, resource, draft, expand: expandOf(parameters), ...place };
  const created = await create(engine, asked);
  return json(created.isNew ? 201 : 200, created.json);
}

async function handleItem(
  engine: Engine,
  mount: Mount & { readonly identity: Identity },
  request: ProjectRequest,
): Promise<Response> {
  const { context, method, parameters } = request;
  const { resource, identity } = mount;
  requireScopes(request, mount.scopes(method, 'item'));
  const place = mount.place(request);
  const target = { resource, identity, context, expand: expandOf(parameters), ...place };
  switch (method) {
    case 'POST': {
      const { value, context: entered } = await readJson(request);
      return json(200, await update(engine, { ...target, context: entered, update: value }));
    }
    case 'DELETE':
      // All personal data of a resource is in its row, which goes either way; a value that is no boolean is refused.
      if (resource.holdsPersonalData) booleanParameter(parameters, 'dataErasure');
      return json(200, await remove(engine, { ...target, version: versionOf(resource, parameters) }));
    case 'GET':
    case 'HEAD':
      return json(200, await get(engine, target));
  }
}

/** The store of the path, for operations that keep to it. */
function storeOf({ storeKey }: ProjectRequest): Place {
  return storeKey === undefined ? {} : { storeKey };
}

function versionOf({ lifecycle }: Resource, parameters: URLSearchParams): number | undefined {
  if (lifecycle === 'fixed') return undefined;
  const version = integerParameter(parameters, 'version');
  if (version === undefined && lifecycle === 'versioned')
    throw apiError('InvalidInput', "The parameter 'version' is required.");
  return version;
}

interface EndpointCall {
  readonly resource: Resource;
  readonly endpoint: Endpoint;
  /** The parameter of the path. */
  readonly given: Readonly<Record<string, string>>;
}

async function handleEndpoint(
  engine: Engine,
  { resource, endpoint, given }: EndpointCall,
  request: ProjectRequest,
): Promise<Response> {
  const { parameters } = request;
  requireScopes(request, endpointScopes(endpoint, request.storeKey !== undefined));
  if (endpoint.shoppers !== undefined) requireShopper(request.context, endpoint.shoppers);
  const parsing = new Parsing();
  const parsed = parseObject(
    endpoint.parameters,
    { ...declaredParameters(endpoint.parameters, parameters), ...given },
    parsing,
  );
  const { value: draft, context } =
    endpoint.method === 'POST' ? await readJson(request) : { value: {}, context: request.context };
  const body = parseObject(endpoint.body, draft, parsing);
  parsing.settle();
  await load(engine, context.project.key, { parsing });
  const asked = {
    context,
    resource,
    parameters: parsed!,
    body: body!,
    draft,
    expand: expandOf(parameters),
    sort: parameters.getAll('sort'),
    ...storeOf(request),
  };
  return json(endpoint.status, await runEndpoint(engine, endpoint, asked));
}

import { apiError } from '../errors/api-error.ts';
import { Parsing } from '../fields/parsing.ts';
import { parseObject } from '../fields/object.ts';
import type { Endpoint, Resource } from '../engine/define.ts';
import type { Engine } from '../engine/engine.ts';
import { create } from '../engine/operations/create.ts';
import { remove } from '../engine/operations/delete.ts';
import { get, type Identity } from '../engine/operations/get.ts';
import { query, type PagedResult } from '../engine/operations/query.ts';
import { update } from '../engine/operations/update.ts';
import { upsert } from '../engine/operations/upsert.ts';
import { booleanParameter, decodedSegment, integerParameter, queryArguments } from './parameters.ts';
import { endpointScopes, methodsOf, readMethods, scopesOf } from './operations.ts';
import { type ProjectRequest, requireScopes, type Target } from './project-request.ts';
import { parseJson } from './request.ts';
import { json, type Response } from './response.ts';

const keyPrefix = 'key=';

/**
 * The paths of a resource: `{path}`, `{path}/{endpoint}`, `{path}/{id}` and `{path}/key={key}`; for a kind whose key has
 * several members `{path}/{first}/{second}`, and `{path}/{first}` for all that share the first. Undefined for others.
 */
export function resourceTarget(
  engine: Engine,
  segments: readonly string[],
  storeKey: string | undefined,
): Target | undefined {
  const [path = '', ...items] = segments;
  const resource = engine.registry.byPath.get(path);
  if (resource === undefined || items.includes('')) return undefined;
  const [item, ...others] = items;
  const endpoint = resource.endpoints.find((candidate) => candidate.path === item);
  if (endpoint !== undefined && others.length === 0) return endpointTarget(engine, { resource, endpoint }, storeKey);
  if (storeKey !== undefined && resource.inStore === undefined) return undefined;
  const isInStore = storeKey !== undefined;
  if (item === undefined) {
    const within = new Map<string, string>();
    const methods = methodsOf(resource, 'list', isInStore);
    return { methods, handle: (request) => handleList(engine, { resource, within }, request) };
  }
  const { keyMembers } = resource;
  if (keyMembers.length > 1 && items.length < keyMembers.length) {
    const within = new Map(items.map((value, index) => [keyMembers[index]!, decodedSegment(value)]));
    const methods = methodsOf(resource, 'part', isInStore);
    return { methods, handle: (request) => handleList(engine, { resource, within }, request) };
  }
  const identity = identityOf(resource, items);
  if (identity === undefined) return undefined;
  const methods = methodsOf(resource, 'item', isInStore);
  return { methods, handle: (request) => handleItem(engine, { resource, identity }, request) };
}

interface ResourceEndpoint {
  readonly resource: Resource;
  readonly endpoint: Endpoint;
}

function endpointTarget(engine: Engine, asked: ResourceEndpoint, storeKey: string | undefined): Target | undefined {
  if (storeKey !== undefined && !asked.endpoint.isInStore) return undefined;
  return { methods: readMethods, handle: (request) => runEndpoint(engine, asked, request) };
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
  { resource, within }: { readonly resource: Resource; readonly within: ReadonlyMap<string, string> },
  request: ProjectRequest,
): Promise<Response> {
  const { context, exchange, parameters } = request;
  const place = placeOf(request);
  requireResourceScopes(request, resource);
  if (exchange.head.method !== 'POST') {
    const asked = { context, resource, within, query: queryArguments(parameters), ...place };
    return json(200, pagedBody(await query(engine, asked)));
  }
  const draft = parseJson(exchange.body);
  const asked = { context, resource, draft, expand: parameters.getAll('expand'), ...place };
  if (resource.createWith !== undefined) return json(201, await resource.createWith(engine, asked));
  if (resource.lifecycle !== 'upserted') return json(201, await create(engine, asked));
  const { text, isNew } = await upsert(engine, asked);
  return json(isNew ? 201 : 200, text);
}

async function handleItem(
  engine: Engine,
  named: { readonly resource: Resource; readonly identity: Identity },
  request: ProjectRequest,
): Promise<Response> {
  const { context, exchange, parameters } = request;
  const { resource } = named;
  requireResourceScopes(request, resource);
  const target = { ...named, context, expand: parameters.getAll('expand'), ...placeOf(request) };
  switch (exchange.head.method) {
    case 'POST':
      return json(200, await update(engine, { ...target, update: parseJson(exchange.body) }));
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
function placeOf({ storeKey }: ProjectRequest): { readonly storeKey?: string } {
  return storeKey === undefined ? {} : { storeKey };
}

function requireResourceScopes(request: ProjectRequest, resource: Resource): void {
  requireScopes(request, scopesOf(resource, request.exchange.head.method, request.storeKey !== undefined));
}

function versionOf({ lifecycle }: Resource, parameters: URLSearchParams): number | undefined {
  if (lifecycle === 'fixed') return undefined;
  const version = integerParameter(parameters, 'version');
  if (version === undefined && lifecycle === 'versioned')
    throw apiError('InvalidInput', "The parameter 'version' is required.");
  return version;
}

async function runEndpoint(
  engine: Engine,
  { resource, endpoint }: ResourceEndpoint,
  request: ProjectRequest,
): Promise<Response> {
  const { context, parameters } = request;
  requireScopes(request, endpointScopes(endpoint, request.storeKey !== undefined));
  const parsing = new Parsing();
  const parsed = parseObject(endpoint.parameters, Object.fromEntries(parameters), parsing);
  parsing.settle();
  const body = await endpoint.run(engine, {
    context,
    resource,
    parameters: parsed!,
    expand: parameters.getAll('expand'),
    sort: parameters.getAll('sort'),
    ...placeOf(request),
  });
  return json(200, body);
}

/** A PagedQueryResult; the representations are JSON already. */
function pagedBody({ limit, offset, total, results }: PagedResult): string {
  const count = `"limit":${limit},"offset":${offset},"count":${results.length}`;
  return `{${count}${total === undefined ? '' : `,"total":${total}`},"results":[${results.join(',')}]}`;
}

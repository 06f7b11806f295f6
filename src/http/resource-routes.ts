import { apiError } from '../errors/api-error.ts';
import { Parsing } from '../fields/parsing.ts';
import { parseObject } from '../fields/object.ts';
import type { Endpoint, EndpointRequest, Engine, FileBody, Resource } from '../engine/resource.ts';
import { isAnswerList } from '../engine/endpoint.ts';
import { load } from '../engine/load.ts';
import { create } from '../engine/operations/create.ts';
import { type DeleteRequest, remove } from '../engine/operations/delete.ts';
import { runEndpoint } from '../engine/operations/endpoint.ts';
import { get, type Identity } from '../engine/operations/get.ts';
import { isEmptyPage, page } from '../engine/operations/query.ts';
import { update } from '../engine/operations/update.ts';
import type { Place } from '../engine/context.ts';
import { formType } from './description.ts';
import {
  booleanParameter,
  declaredParameters,
  expandOf,
  filled,
  integerParameter,
  parametersOf,
  queryArguments,
} from './parameters.ts';
import { type Operation, operationsOf } from './operations.ts';
import { type ProjectRequest, readFile, readJson, requireScopes, type Target } from './project-request.ts';
import type { Method } from './request.ts';
import { json, type Response } from './response.ts';

/** Forms are parsed at once, so they are smaller than other bodies. */
const form: FileBody = { mediaTypes: [formType], bytesMax: 1024 * 1024 };

/** What the paths of resources lead to, as their operations say. */
export function resourceTargets(engine: Engine): ReadonlyMap<string, Target> {
  const operations = engine.registry.resources.flatMap(operationsOf);
  const byPath = new Map<string, Map<Method, Operation>>();
  for (const operation of operations) {
    const { path, method } = operation;
    const byMethod = byPath.get(path) ?? new Map<Method, Operation>();
    if (byMethod.has(method)) throw new Error(`Two operations are ${method} ${path}`);
    byPath.set(path, byMethod.set(method, operation));
  }
  return new Map(
    [...byPath].map(([path, byMethod]): [string, Target] => {
      const handle: Target['handle'] = (request) => {
        const operation = byMethod.get(request.method)!;
        return handleOperation(engine, insteadOf(operation, request) ?? operation, request);
      };
      return [path, { methods: new Set(byMethod.keys()), handle }];
    }),
  );
}

function insteadOf({ byParameter }: Operation, { parameters }: ProjectRequest): Operation | undefined {
  // Beside a predicate the parameter is a variable.
  if (byParameter.size === 0 || filled(parameters, 'where').length > 0) return undefined;
  return [...byParameter].find(([name]) => filled(parameters, name).length > 0)?.[1];
}

function handleOperation(engine: Engine, operation: Operation, request: ProjectRequest): Promise<Response> {
  switch (operation.extent) {
    case 'item':
      return handleItem(engine, operation, request);
    case 'endpoint':
      return handleEndpoint(engine, operation, request);
    default:
      return handleList(engine, operation, request);
  }
}

async function handleList(engine: Engine, operation: Operation, request: ProjectRequest): Promise<Response> {
  const { context, method, parameters, path } = request;
  const { resource } = operation;
  requireScopes(request, operation.scopes);
  const place = placeOf(operation, request);
  if (method !== 'POST') {
    const shared = operation.extent === 'part' ? resource.keyMembers.filter((name) => Object.hasOwn(path, name)) : [];
    const within = new Map(shared.map((name) => [name, path[name]!]));
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

async function handleItem(engine: Engine, operation: Operation, request: ProjectRequest): Promise<Response> {
  const { context, method, parameters } = request;
  const { resource } = operation;
  requireScopes(request, operation.scopes);
  const { identity, ...place } = itemOf(operation, request);
  const target = { resource, identity, context, expand: expandOf(parameters), ...place };
  switch (method) {
    case 'POST': {
      const { value, context: entered } = await readJson(request);
      return json(200, await update(engine, { ...target, context: entered, update: value }));
    }
    case 'DELETE':
      return json(200, await remove(engine, { ...target, ...removalOf(resource, parameters) }));
    case 'GET':
    case 'HEAD':
      return json(200, await get(engine, target));
  }
}

/** A shopper's own path names no more than the shopper. */
function itemOf(operation: Operation, request: ProjectRequest): Place & { readonly identity: Identity } {
  const { isOne, resource } = operation;
  const place = placeOf(operation, request);
  if (isOne) {
    const { owner, ...others } = place;
    return { ...others, identity: { id: owner!.id } };
  }
  const { ID: id, ...others } = request.path;
  if (id !== undefined) return { ...place, identity: { id } };
  return { ...place, identity: { key: resource.keyMembers.map((name) => others[name]).join('/') } };
}

/** Throws what is wrong with the parameters that the operation has of its own, as most have none. */
function placeOf(operation: Operation, { context, storeKey, parameters }: ProjectRequest): Place {
  if (parameters.size === 0 || Object.keys(operation.parameters).length === 0)
    return operation.place(context, storeKey, {});
  const parsing = new Parsing();
  const given = parseObject(operation.parameters, declaredParameters(operation.parameters, parameters), parsing);
  parsing.settle();
  return operation.place(context, storeKey, given!);
}

/** All personal data of a resource is in its row, which goes either way, and in its messages. */
function removalOf(resource: Resource, parameters: URLSearchParams): Pick<DeleteRequest, 'version' | 'erases'> {
  const erases = resource.holdsPersonalData && booleanParameter(parameters, 'dataErasure') === true;
  return { version: versionOf(resource, parameters), erases };
}

function versionOf({ lifecycle }: Resource, parameters: URLSearchParams): number | undefined {
  if (lifecycle === 'fixed') return undefined;
  const version = integerParameter(parameters, 'version');
  if (version === undefined && lifecycle === 'versioned')
    throw apiError('InvalidInput', "The parameter 'version' is required.");
  return version;
}

async function handleEndpoint(engine: Engine, operation: Operation, request: ProjectRequest): Promise<Response> {
  const { path, storeKey } = request;
  const { resource, scopes } = operation;
  const endpoint = operation.endpoint!;
  requireScopes(request, scopes);
  const place = operation.place(request.context, storeKey);
  const parsing = new Parsing();
  const { draft, file, context, parameters } = await givenTo(endpoint, request);
  const parsed = parseObject(
    endpoint.parameters,
    { ...declaredParameters(endpoint.parameters, parameters), ...path },
    parsing,
  );
  const body = parseObject(endpoint.body, draft, parsing);
  parsing.settle();
  await load(engine, context, { parsing });
  const asked = {
    context,
    resource,
    parameters: parsed!,
    body: body!,
    draft,
    file,
    expand: expandOf(parameters),
    sort: parameters.getAll('sort'),
    ...(isAnswerList(endpoint.answer) && { query: queryArguments(parameters, { withTotal: false }) }),
    ...place,
  };
  return json(endpoint.status, await runEndpoint(engine, endpoint, asked));
}

interface Given extends Pick<EndpointRequest, 'draft' | 'file' | 'context'> {
  readonly parameters: URLSearchParams;
}

/** The body that an endpoint takes, and the context as of when it was here. */
async function givenTo({ method, file: taken, takesForm }: Endpoint, request: ProjectRequest): Promise<Given> {
  const { parameters, context } = request;
  const none = { draft: {}, file: undefined, parameters };
  if (method !== 'POST') return { ...none, context };
  if (taken !== undefined) return { ...none, ...(await readFile(request, taken)) };
  if (takesForm) return { ...none, ...(await readForm(request)) };
  const { value, context: entered } = await readJson(request);
  return { ...none, draft: value, context: entered };
}

/** The parameters of a form, and of the query behind them. */
async function readForm(request: ProjectRequest): Promise<Pick<Given, 'parameters' | 'context'>> {
  const { file, context } = await readFile(request, form);
  const text = Buffer.from(file.bytes).toString();
  // Clients that send JSON by themselves do so under this content type as well.
  if (/^\s*[{["]/.test(text))
    throw apiError('InvalidInput', 'The body is JSON, but a form is expected, such as limit=20&sort=price+asc.');
  const given = parametersOf(text);
  return { parameters: new URLSearchParams([...given, ...request.parameters]), context };
}

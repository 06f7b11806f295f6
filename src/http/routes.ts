import { apiError } from '../errors/api-error.ts';
import type { Authenticator } from '../auth/token-cache.ts';
import { requireScope } from '../auth/scopes.ts';
import { Parsing } from '../fields/parsing.ts';
import { parseObject } from '../fields/object.ts';
import type { Fence } from '../engine/coherence.ts';
import type { RequestContext } from '../engine/context.ts';
import type { Endpoint, Resource } from '../engine/define.ts';
import type { Engine } from '../engine/engine.ts';
import { create } from '../engine/operations/create.ts';
import { remove } from '../engine/operations/delete.ts';
import { get, type Identity } from '../engine/operations/get.ts';
import { query, type PagedResult } from '../engine/operations/query.ts';
import { update } from '../engine/operations/update.ts';
import type { Projects } from '../engine/projects.ts';
import { decodedSegment, integerParameter, queryArguments } from './parameters.ts';
import { type Head, parseJson } from './request.ts';
import { json, type Response } from './response.ts';
import type { Exchange, Handler } from './server.ts';

/** A request below `/{projectKey}`, with its token checked. */
export interface ProjectRequest {
  readonly context: RequestContext;
  readonly exchange: Exchange;
  readonly parameters: URLSearchParams;
  readonly storeKey: string | undefined;
}

/** A path of the project that is not a resource's, such as `graphql`. */
export interface ProjectRoute {
  /** Segments below the project, joined by slashes. */
  readonly path: string;
  readonly methods: ReadonlySet<string>;
  handle(request: ProjectRequest): Promise<Response>;
}

/** A path without project, such as `/healthz`. */
export interface PlainRoute {
  readonly path: string;
  readonly methods: ReadonlySet<string>;
  handle(exchange: Exchange): Promise<Response> | Response;
}

export interface Routes {
  readonly engine: Engine;
  /** Passed once by every request of a project, before anything is read from a cache. */
  readonly fence: Fence;
  readonly projects: Projects;
  readonly authenticator: Authenticator;
  readonly plainRoutes: readonly PlainRoute[];
  readonly projectRoutes: readonly ProjectRoute[];
}

/** The handler of all requests: finds the route, checks token and scope, and calls the operation. */
export function createHandler(routes: Routes): Handler {
  const plain = new Map(routes.plainRoutes.map((route) => [route.path, route]));
  const ofProject = new Map(routes.projectRoutes.map((route) => [route.path, route]));
  return (exchange) => {
    const { head } = exchange;
    const plainRoute = plain.get(head.path);
    if (plainRoute !== undefined) {
      requireMethod(head, plainRoute.methods);
      return plainRoute.handle(exchange);
    }
    return handleInProject(routes, ofProject, exchange);
  };
}

async function handleInProject(
  routes: Routes,
  ofProject: ReadonlyMap<string, ProjectRoute>,
  exchange: Exchange,
): Promise<Response> {
  const { head } = exchange;
  const [, projectKey = '', ...rest] = head.path.split('/');
  const { storeKey, segments } = storeOf(rest);
  const projectRoute = storeKey === undefined ? ofProject.get(segments.join('/')) : undefined;
  const target = projectRoute ?? resourceTarget(routes.engine, segments, storeKey);
  if (target === undefined) throw apiError('ResourceNotFound', `The path '${head.path.slice(0, 200)}' does not exist.`);
  requireMethod(head, target.methods);
  const token = bearerToken(head.authorization);
  await routes.fence.pass();
  // Both are read at once, but what the token lacks is said first: who may not enter does not learn what is there.
  const reading = routes.projects.get(projectKey);
  reading.catch(() => {});
  const principal = await routes.authenticator.authenticate(projectKey, token);
  const project = await reading;
  const context = { project, principal, correlationId: head.correlationId, externalUserId: head.externalUserId };
  return target.handle({ context, exchange, parameters: new URLSearchParams(head.query), storeKey });
}

const storePrefix = 'key=';

/** Takes `in-store/key={storeKey}` off the front. */
function storeOf(segments: readonly string[]): { storeKey: string | undefined; segments: readonly string[] } {
  if (segments[0] !== 'in-store' || segments[1]?.startsWith(storePrefix) !== true)
    return { storeKey: undefined, segments };
  return { storeKey: decodedSegment(segments[1].slice(storePrefix.length)), segments: segments.slice(2) };
}

function bearerToken(authorization: string): string {
  const space = authorization.indexOf(' ');
  if (space < 0 || authorization.slice(0, space).toLowerCase() !== 'bearer') {
    throw apiError(
      'access_denied',
      'The request needs an access token in the header Authorization, as a Bearer token.',
    );
  }
  return authorization.slice(space + 1).trim();
}

function requireMethod({ method, path }: Head, allowed: ReadonlySet<string>): void {
  if (allowed.has(method) || (method === 'HEAD' && allowed.has('GET'))) return;
  throw apiError(
    'MethodNotAllowed',
    `The method ${method} is not allowed for '${path.slice(0, 200)}'. Allowed: ${[...allowed].join(', ')}.`,
  );
}

interface Target {
  readonly methods: ReadonlySet<string>;
  handle(request: ProjectRequest): Promise<Response>;
}

const listMethods = new Set(['GET', 'HEAD', 'POST']);
const itemMethods = new Set(['GET', 'HEAD', 'POST', 'DELETE']);
const readMethods = new Set(['GET', 'HEAD']);

/** `{path}`, `{path}/{endpoint}`, `{path}/{id}` and `{path}/key={key}` of a resource. */
function resourceTarget(engine: Engine, segments: readonly string[], storeKey: string | undefined): Target | undefined {
  const [path = '', item, ...others] = segments;
  const resource = engine.registry.byPath.get(path);
  if (resource === undefined || others.length > 0 || item === '') return undefined;
  const endpoint = resource.endpoints.find(
    (candidate) => candidate.path === item && (storeKey === undefined || candidate.isInStore),
  );
  if (endpoint !== undefined)
    return { methods: readMethods, handle: (request) => runEndpoint(engine, endpoint, request) };
  if (storeKey !== undefined) return undefined;
  if (item === undefined) return { methods: listMethods, handle: (request) => handleList(engine, resource, request) };
  const identity = identityOf(item);
  return { methods: itemMethods, handle: (request) => handleItem(engine, { resource, identity }, request) };
}

function identityOf(segment: string): Identity {
  const text = decodedSegment(segment);
  return text.startsWith(storePrefix) ? { key: text.slice(storePrefix.length) } : { id: text };
}

async function handleList(engine: Engine, resource: Resource, request: ProjectRequest): Promise<Response> {
  const { context, exchange, parameters } = request;
  if (exchange.head.method === 'POST') {
    requireScopes(request, resource.scopes.manage);
    const draft = parseJson(exchange.body);
    return json(201, await create(engine, { context, resource, draft, expand: parameters.getAll('expand') }));
  }
  requireScopes(request, resource.scopes.view);
  return json(200, pagedBody(await query(engine, { context, resource, query: queryArguments(parameters) })));
}

async function handleItem(
  engine: Engine,
  named: { resource: Resource; identity: Identity },
  request: ProjectRequest,
): Promise<Response> {
  const { context, exchange, parameters } = request;
  const { resource } = named;
  const target = { ...named, context, expand: parameters.getAll('expand') };
  switch (exchange.head.method) {
    case 'POST':
      requireScopes(request, resource.scopes.manage);
      return json(200, await update(engine, { ...target, update: parseJson(exchange.body) }));
    case 'DELETE':
      requireScopes(request, resource.scopes.manage);
      return json(200, await remove(engine, { ...target, version: versionParameter(parameters) }));
    case 'GET':
    case 'HEAD':
      requireScopes(request, resource.scopes.view);
      return json(200, await get(engine, target));
  }
}

function versionParameter(parameters: URLSearchParams): number {
  const version = integerParameter(parameters, 'version');
  if (version === undefined) throw apiError('InvalidInput', "The parameter 'version' is required.");
  return version;
}

async function runEndpoint(engine: Engine, endpoint: Endpoint, request: ProjectRequest): Promise<Response> {
  const { context, parameters, storeKey } = request;
  requireScopes(request, endpoint.scopes);
  const parsing = new Parsing();
  const parsed = parseObject(endpoint.parameters, Object.fromEntries(parameters), parsing);
  parsing.settle();
  const body = await endpoint.run(engine, {
    context,
    parameters: parsed!,
    expand: parameters.getAll('expand'),
    ...(storeKey !== undefined && { storeKey }),
  });
  return json(200, body);
}

function requireScopes({ context, storeKey }: ProjectRequest, scopes: readonly string[]): void {
  requireScope(context.principal, scopes, { projectKey: context.project.key, storeKey });
}

/** A PagedQueryResult; the representations are JSON already. */
function pagedBody({ limit, offset, total, results }: PagedResult): string {
  const count = `"limit":${limit},"offset":${offset},"count":${results.length}`;
  return `{${count}${total === undefined ? '' : `,"total":${total}`},"results":[${results.join(',')}]}`;
}

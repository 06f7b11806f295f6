import { apiError } from '../errors/api-error.ts';
import type { Authenticator } from '../auth/token-cache.ts';
import type { Fence } from '../engine/coherence.ts';
import type { RequestContext } from '../engine/context.ts';
import type { Engine } from '../engine/resource.ts';
import type { FairQueue } from '../engine/fair-queue.ts';
import type { Projects } from '../engine/projects.ts';
import type { RouteOperations } from './description.ts';
import { parametersOf } from './parameters.ts';
import { type PathParameters, PathTable } from './path-table.ts';
import type { ProjectRequest, Target } from './project-request.ts';
import type { Lifetime } from './lifetime.ts';
import type { Head } from './request.ts';
import { resourceTargets } from './resource-routes.ts';
import type { Response } from './response.ts';
import type { Exchange, Handler } from './server.ts';

/** A path of the project that is not a resource's, such as `graphql`. */
export interface ProjectRoute {
  /** Segments below the project, joined by slashes. */
  readonly path: string;
  readonly operations: RouteOperations;
  handle(request: ProjectRequest): Promise<Response>;
}

/** A path that is not below a project, such as `/healthz`. */
export interface PlainRoute {
  /** With parameters in braces, each within a segment: `/oauth/{projectKey}/anonymous/token`. */
  readonly path: string;
  readonly operations: RouteOperations;
  handle(exchange: Exchange, parameters: PathParameters): Promise<Response> | Response;
}

export interface Routes {
  readonly engine: Engine;
  /** Passed once by every request of a project, before anything is read from a cache. */
  readonly fence: Fence;
  readonly projects: Projects;
  readonly authenticator: Authenticator;
  /** Where large bodies wait to be parsed. */
  readonly largeBodies: FairQueue;
  readonly plainRoutes: readonly PlainRoute[];
  readonly projectRoutes: readonly ProjectRoute[];
}

/** What a path leads to: something of a project, or what is not below one. */
type Destination =
  | { readonly methods: ReadonlySet<string>; readonly target: Target }
  | { readonly methods: ReadonlySet<string>; readonly plain: PlainRoute };

/** The handler of all requests: finds what the path leads to, and checks the token of a request below a project. */
export function createHandler(routes: Routes): Handler {
  const table = new PathTable<Destination>();
  for (const plain of routes.plainRoutes) table.add(plain.path, { methods: methodsOf(plain), plain });
  for (const route of routes.projectRoutes) {
    const methods = methodsOf(route);
    const target: Target = { methods, handle: (request) => route.handle(request) };
    table.add(route.path === '' ? '/{projectKey}' : `/{projectKey}/${route.path}`, { methods, target });
  }
  for (const [path, target] of resourceTargets(routes.engine)) table.add(path, { methods: target.methods, target });
  return (exchange) => {
    const { head } = exchange;
    const found = table.find(withoutSlash(head.path));
    if (found === undefined)
      throw apiError('ResourceNotFound', `The path '${head.path.slice(0, 200)}' does not exist.`);
    const { value, parameters } = found;
    requireMethod(head, value.methods);
    if ('plain' in value) return value.plain.handle(exchange, parameters);
    return handleInProject(routes, value.target, { ...exchange, path: parameters });
  };
}

/** A path with a slash at its end is the one without. */
function withoutSlash(path: string): string {
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
}

function methodsOf({ operations }: { readonly operations: RouteOperations }): ReadonlySet<string> {
  return new Set(Object.keys(operations));
}

async function handleInProject(
  routes: Routes,
  target: Target,
  { head, body, lifetime, path }: Exchange & { readonly path: PathParameters },
): Promise<Response> {
  const projectKey = path['projectKey']!;
  const token = bearerToken(head.authorization);
  const entering = (): Promise<RequestContext> => enter(routes, head, { projectKey, token, lifetime });
  return target.handle({
    context: await entering(),
    method: head.method,
    contentType: head.contentType,
    body,
    enterAgain: entering,
    parameters: parametersOf(head.query),
    path,
    storeKey: path['storeKey'],
    largeBodies: routes.largeBodies,
  });
}

/** Checks the token, before anything of the body is asked for. */
async function enter(
  { fence, projects, authenticator }: Routes,
  { correlationId, externalUserId }: Head,
  { projectKey, token, lifetime }: { readonly projectKey: string; readonly token: string; readonly lifetime: Lifetime },
): Promise<RequestContext> {
  await fence.pass();
  // Both are read at once, but what the token lacks is said first: who may not enter does not learn what is there.
  const reading = projects.get(projectKey);
  reading.catch(() => {});
  const principal = await authenticator.authenticate(projectKey, token, {
    project: () => reading.catch(() => undefined),
    correlationId,
  });
  const context: RequestContext = {
    project: await reading,
    principal,
    correlationId,
    now: new Date().toISOString(),
    externalUserId,
    // Few requests listen.
    get signal() {
      return lifetime.signal;
    },
  };
  lifetime.isOf(context);
  return context;
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
  const allowedMethods = allowed.has('GET') ? [...new Set([...allowed, 'HEAD'])] : [...allowed];
  throw apiError(
    'MethodNotAllowed',
    `The method ${method} is not allowed for '${path.slice(0, 200)}'. Allowed: ${allowedMethods.join(', ')}.`,
    { allowedMethods },
  );
}

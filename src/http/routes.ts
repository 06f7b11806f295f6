import { apiError } from '../errors/api-error.ts';
import type { Authenticator } from '../auth/token-cache.ts';
import type { Fence } from '../engine/coherence.ts';
import type { RequestContext } from '../engine/context.ts';
import type { Engine } from '../engine/engine.ts';
import type { FairQueue } from '../engine/fair-queue.ts';
import type { Projects } from '../engine/projects.ts';
import type { RouteOperations } from './description.ts';
import { decodedSegment, parametersOf } from './parameters.ts';
import type { ProjectRequest, Target } from './project-request.ts';
import type { Lifetime } from './lifetime.ts';
import type { Head } from './request.ts';
import { resourceTarget } from './resource-routes.ts';
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

export type PathParameters = Readonly<Record<string, string>>;

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

/** The handler of all requests: finds the route, checks token and scope, and calls the operation. */
export function createHandler(routes: Routes): Handler {
  const findPlain = createPlainFinder(routes.plainRoutes);
  const ofProject = new Map(
    routes.projectRoutes.map((route): [string, Target] => {
      return [route.path, { methods: methodsOf(route), handle: (request) => route.handle(request) }];
    }),
  );
  return (exchange) => {
    const { head } = exchange;
    const path = withoutSlash(head.path);
    const found = findPlain(path);
    if (found !== undefined) {
      requireMethod(head, found.methods);
      return found.route.handle(exchange, found.parameters);
    }
    return handleInProject(routes, ofProject, { ...exchange, path });
  };
}

/** A path with a slash at its end is the one without. */
function withoutSlash(path: string): string {
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
}

interface FoundPlain {
  readonly route: PlainRoute;
  readonly methods: ReadonlySet<string>;
  readonly parameters: PathParameters;
}

/** Paths with parameters share a first segment that is no project's key: only what begins with one is matched. */
function createPlainFinder(plainRoutes: readonly PlainRoute[]): (path: string) => FoundPlain | undefined {
  const known = plainRoutes.map((route) => ({ route, methods: methodsOf(route), parameters: {} }));
  const fixed = new Map(known.map((found) => [found.route.path, found]));
  const patterns = known
    .filter(({ route }) => route.path.includes('{'))
    .map((found) => ({ found, pattern: patternOf(found.route.path) }));
  const prefixes = [...new Set(patterns.map(({ found }) => found.route.path.slice(0, found.route.path.indexOf('{'))))];
  return (path) => {
    const exact = fixed.get(path);
    if (exact !== undefined || !prefixes.some((prefix) => path.startsWith(prefix))) return exact;
    for (const { found, pattern } of patterns) {
      const match = pattern.exec(path);
      if (match === null) continue;
      const given = Object.entries(match.groups ?? {}).map(([name, text]) => [name, decodedSegment(text)]);
      return { ...found, parameters: Object.fromEntries(given) as PathParameters };
    }
    return undefined;
  };
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`);
}

function methodsOf({ operations }: { readonly operations: RouteOperations }): ReadonlySet<string> {
  return new Set(Object.keys(operations));
}

async function handleInProject(
  routes: Routes,
  ofProject: ReadonlyMap<string, Target>,
  { head, body, lifetime, path }: Exchange & { readonly path: string },
): Promise<Response> {
  const [, projectKey = '', ...rest] = path.split('/');
  const { storeKey, segments } = storeOf(rest);
  const isPlain = storeKey === undefined && projectKey !== '' && !segments.includes('');
  const projectRoute = isPlain ? ofProject.get(segments.join('/')) : undefined;
  const target = projectRoute ?? resourceTarget(routes.engine, segments, storeKey);
  if (target === undefined) throw apiError('ResourceNotFound', `The path '${head.path.slice(0, 200)}' does not exist.`);
  requireMethod(head, target.methods);
  const token = bearerToken(head.authorization);
  const entering = (): Promise<RequestContext> => enter(routes, head, { projectKey, token, lifetime });
  return target.handle({
    context: await entering(),
    method: head.method,
    body,
    enterAgain: entering,
    parameters: parametersOf(head.query),
    storeKey,
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
  const allowedMethods = allowed.has('GET') ? [...new Set([...allowed, 'HEAD'])] : [...allowed];
  throw apiError(
    'MethodNotAllowed',
    `The method ${method} is not allowed for '${path.slice(0, 200)}'. Allowed: ${allowedMethods.join(', ')}.`,
    { allowedMethods },
  );
}

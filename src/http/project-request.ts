import { requireScope } from '../auth/scopes.ts';
import type { RequestContext } from '../engine/context.ts';
import { FairQueue } from '../engine/fair-queue.ts';
import { parseJson, smallBytesMax } from './json-body.ts';
import { parseInSlices } from './json-slices.ts';
import type { Method } from './request.ts';
import type { Response } from './response.ts';

/** A request below `/{projectKey}`, with its token checked. */
export interface ProjectRequest {
  readonly context: RequestContext;
  readonly method: Method;
  /** Empty for methods without one. */
  readonly body: Buffer;
  readonly parameters: URLSearchParams;
  readonly storeKey: string | undefined;
  readonly largeBodies: FairQueue;
}

/** What a path leads to. */
export interface Target {
  readonly methods: ReadonlySet<string>;
  handle(request: ProjectRequest): Promise<Response>;
}

export function requireScopes({ context, storeKey }: ProjectRequest, scopes: readonly string[]): void {
  requireScope(context.principal, scopes, { projectKey: context.project.key, storeKey });
}

/** Large bodies of a client and of a project that are parsed or wait for it at a time. */
const largeOfClientMax = 8;
const largeOfProjectMax = 12;

/** Places for large bodies, which are parsed one at a time: what follows takes the event loop for long. */
export function createLargeBodies(): FairQueue {
  return new FairQueue({
    runningMax: 1,
    waitingMax: 16,
    refusal: 'The server has too many large requests at a time. Try again later.',
  });
}

/** The value of the body. Throws InvalidJsonInput, and OverCapacity where too many large ones come at a time. */
export async function readJson({ body, context, largeBodies }: ProjectRequest): Promise<unknown> {
  if (body.length <= smallBytesMax) return parseJson(body);
  const { project, principal } = context;
  const leave = await largeBodies.enter([
    { name: `${project.key} client ${principal.clientId}`, entriesMax: largeOfClientMax },
    { name: project.key, entriesMax: largeOfProjectMax },
  ]);
  try {
    return await parseInSlices(body);
  } finally {
    // After what is done with the value at once.
    setImmediate(leave);
  }
}

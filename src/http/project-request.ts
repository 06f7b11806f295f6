import { requireScope } from '../auth/scopes.ts';
import type { RequestContext } from '../engine/context.ts';
import { claimsOf, clientName, FairQueue, type SharesMax } from '../engine/fair-queue.ts';
import { parseJson, smallBytesMax, withoutMark } from '../engine/json-body.ts';
import { parseInSlices } from '../engine/json-slices.ts';
import type { File, FileBody } from '../engine/resource.ts';
import { apiError } from '../errors/api-error.ts';
import type { PathParameters } from './path-table.ts';
import { type IncomingBody, type OwnLimit, tooLarge, tooManyBodies } from './request-body.ts';
import type { Method } from './request.ts';
import type { Response } from './response.ts';

/** A request below `/{projectKey}`, with its token checked. */
export interface ProjectRequest {
  readonly context: RequestContext;
  readonly method: Method;
  /** As sent; empty where it was not. */
  readonly contentType: string;
  /** Asked for by `readJson`, when the request is known to be allowed. */
  readonly body: IncomingBody;
  /** The context anew, with the token checked again. */
  enterAgain(): Promise<RequestContext>;
  readonly parameters: URLSearchParams;
  readonly path: PathParameters;
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
const largeBodiesMax: SharesMax = { ofClient: 8, ofProject: 12 };

/** Places for large bodies, which are parsed one at a time: what follows takes the event loop for long. */
export function createLargeBodies(): FairQueue {
  return new FairQueue({
    runningMax: 1,
    waitingMax: 16,
    refusal: tooManyBodies,
  });
}

/** Bytes of bodies of a client and of a project whose requests are not answered. */
const bytesOfClientMax = 64 * 1024 * 1024;
const bytesOfProjectMax = 128 * 1024 * 1024;

/** A body, and the context as of when all of it was here, as if it had been sent at once. */
export interface ReadBody {
  readonly value: unknown;
  readonly bytes: number;
  readonly context: RequestContext;
}

/**
 * Reads the body, of whoever may do what the request asks for. Throws InvalidJsonInput, and OverCapacity where a client or
 * a project sends too much, or too many large ones, at a time.
 */
export async function readJson(request: ProjectRequest, own?: OwnLimit): Promise<ReadBody> {
  const { bytes: sent, context } = await readBytes(request, own);
  const body = withoutMark(sent);
  if (body.length <= smallBytesMax) return { value: parseJson(body), bytes: body.length, context };
  const leave = await request.largeBodies.enter(claimsOf(context, largeBodiesMax));
  try {
    return { value: await parseInSlices(body, context), bytes: body.length, context };
  } finally {
    // After what is done with the value at once.
    setImmediate(leave);
  }
}

/** Reads a body that is no JSON. Throws InvalidInput for one of another type, before anything of it is read. */
export async function readFile(
  request: ProjectRequest,
  { mediaTypes, bytesMax }: FileBody,
): Promise<{ readonly file: File; readonly context: RequestContext }> {
  const mediaType = request.contentType.split(';')[0]!.trim().toLowerCase();
  if (!mediaTypes.includes(mediaType)) {
    const given = mediaType === '' ? 'missing' : `'${mediaType.slice(0, 80)}'`;
    throw apiError('InvalidInput', `The content type is ${given}, but one of ${mediaTypes.join(', ')} is expected.`);
  }
  const { bytes, context } = await readBytes(request, { bytesMax, refusal: () => tooLarge(bytesMax) });
  return { file: { mediaType, bytes }, context };
}

async function readBytes(
  request: ProjectRequest,
  own: OwnLimit | undefined,
): Promise<{ readonly bytes: Buffer; readonly context: RequestContext }> {
  const { isWhole } = request.body;
  const { project } = request.context;
  const owners = [
    { name: clientName(request.context), bytesMax: bytesOfClientMax },
    { name: project.key, bytesMax: bytesOfProjectMax },
  ];
  const bytes = await request.body.read({ owners, ...(own !== undefined && { own }) });
  return { bytes, context: isWhole ? request.context : await request.enterAgain() };
}

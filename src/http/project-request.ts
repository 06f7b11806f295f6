import { requireScope } from '../auth/scopes.ts';
import type { Principal, RequestContext } from '../engine/context.ts';
import type { Shopper } from '../engine/define.ts';
import { apiError } from '../errors/api-error.ts';
import type { Response } from './response.ts';
import type { Exchange } from './server.ts';

/** A request below `/{projectKey}`, with its token checked. */
export interface ProjectRequest {
  readonly context: RequestContext;
  readonly exchange: Exchange;
  readonly parameters: URLSearchParams;
  readonly storeKey: string | undefined;
}

/** What a path leads to. */
export interface Target {
  readonly methods: ReadonlySet<string>;
  handle(request: ProjectRequest): Promise<Response>;
}

export function requireScopes({ context, storeKey }: ProjectRequest, scopes: readonly string[]): void {
  requireScope(context.principal, scopes, { projectKey: context.project.key, storeKey });
}

/** The shopper whose token it is. Throws insufficient_scope where the token is none of these. */
export function requireShopper(
  { context }: ProjectRequest,
  shoppers: readonly Shopper[],
): NonNullable<Principal['shopper']> {
  const { shopper } = context.principal;
  if (shopper !== undefined && shoppers.includes(shopper.kind)) return shopper;
  const wanted = shoppers.map((kind) => (kind === 'customer' ? 'a customer' : 'an anonymous session'));
  throw apiError('insufficient_scope', `Insufficient scope. A token of ${wanted.join(' or ')} is needed.`);
}

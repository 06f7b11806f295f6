import { requireScope } from '../auth/scopes.ts';
import type { RequestContext } from '../engine/context.ts';
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
}

/** What a path leads to. */
export interface Target {
  readonly methods: ReadonlySet<string>;
  handle(request: ProjectRequest): Promise<Response>;
}

export function requireScopes({ context, storeKey }: ProjectRequest, scopes: readonly string[]): void {
  requireScope(context.principal, scopes, { projectKey: context.project.key, storeKey });
}

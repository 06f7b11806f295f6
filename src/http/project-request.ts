import { requireScope } from '../auth/scopes.ts';
import type { RequestContext } from '../engine/context.ts';
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

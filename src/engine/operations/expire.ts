import { ApiError } from '../../errors/api-error.ts';
import type { RequestContext } from '../context.ts';
import type { Engine, Resource } from '../resource.ts';
import { documentOf } from '../json.ts';
import type { StoredVersion } from '../store.ts';
import { tryCommit } from './commit.ts';
import { planRemoval, planUnreadRemoval } from './plan.ts';

/**
 * Deletes a resource whose time is over, as a client would. One that somebody has changed since, or that others refer to,
 * stays. Says whether it has gone.
 */
export async function expire(
  engine: Engine,
  { context, resource, id, version }: StoredVersion & { readonly context: RequestContext; readonly resource: Resource },
): Promise<boolean> {
  const [stored] = await engine.store.find(context.project.key, [{ kind: resource.kind, id }]);
  if (stored === undefined || stored.version !== version) return false;
  try {
    await tryCommit(engine, context, [planRemoval(engine, context, { resource, stored, version })]);
    return true;
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'ReferenceExists')) throw error;
    return false;
  }
}

/** Deletes resources that nothing refers to, in one commit; where one of them has gone meanwhile, each by itself. */
export async function expireTogether(
  engine: Engine,
  {
    context,
    resource,
    some,
  }: { readonly context: RequestContext; readonly resource: Resource; readonly some: readonly StoredVersion[] },
): Promise<void> {
  const planned = some.map((seen) => planUnreadRemoval(engine, { resource, seen, version: seen.version }));
  if ((await tryCommit(engine, context, planned)).isDone) return;
  for (const { id, version } of some) await expire(engine, { context, resource, id, version });
}

/** Carries out what a kind says of resources that end by the clock. One that somebody has changed since stays as it is, for another look. */
export async function endOne(
  engine: Engine,
  { context, resource, id, version }: StoredVersion & { readonly context: RequestContext; readonly resource: Resource },
): Promise<void> {
  const [stored] = await engine.store.find(context.project.key, [{ kind: resource.kind, id }]);
  if (stored?.version !== version) return;
  const document = documentOf(stored.json);
  const planned = (await resource.expiry?.plan(engine, context, { resource, document })) ?? [];
  if (planned.length > 0) await tryCommit(engine, context, planned);
}

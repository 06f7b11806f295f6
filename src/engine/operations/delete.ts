import { ApiError } from '../../errors/api-error.ts';
import type { Place, RequestContext } from '../context.ts';
import type { Engine, Resource } from '../resource.ts';
import { largeTurn } from '../heavy-turns.ts';
import type { Json } from '../json.ts';
import { documentInTurns } from '../json-slices.ts';
import { shownAfterWrite } from '../lens.ts';
import { commit, conflict } from './commit.ts';
import { existing, lookupOf, type Identity } from './get.ts';
import { erase } from './erase.ts';
import { planRemoval } from './plan.ts';
import { representAs } from './represent.ts';
import { holdsFor } from './write.ts';

export interface DeleteRequest extends Place {
  readonly context: RequestContext;
  readonly resource: Resource;
  readonly identity: Identity;
  /** Undefined deletes whatever the version is, where the kind's lifecycle has that. */
  readonly version: number | undefined;
  /** Messages that tell of it are to go as well. */
  readonly erases: boolean;
  readonly expand: readonly string[];
}

/** Deletes a resource and gives its last representation. */
export async function remove(engine: Engine, request: DeleteRequest): Promise<Json> {
  const { context, resource, identity, version } = request;
  const project = context.project.key;
  const [found] = await engine.store.find(project, [lookupOf(resource, identity)]);
  const stored = existing(found, request);
  if (version !== undefined && stored.version !== version)
    throw conflict(resource, { id: stored.id, expected: version, current: stored.version });
  const fault = resource.removalFault?.(await documentInTurns(stored.json, context), { holds: holdsFor(context) });
  if (fault !== undefined) throw new ApiError([fault]);
  await largeTurn(context, stored.json.length);
  const shown = await shownAfterWrite(engine, request, stored);
  const [json] = await representAs(engine, { context, resource, paths: request.expand }, [shown]);
  // What tells of it counts for one version, and what goes along follows from it.
  const isAnyVersion = resource.telling === undefined && resource.alongRemoval === undefined;
  const removed = { resource, stored, version: isAnyVersion ? version : stored.version };
  if (request.erases) await erase(engine, context, removed);
  else await commit(engine, context, [planRemoval(engine, context, removed)]);
  return json!;
}

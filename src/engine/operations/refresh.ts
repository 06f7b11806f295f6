import type { RequestContext } from '../context.ts';
import { leaveUndefined } from '../describe.ts';
import type { Document } from '../document.ts';
import { largeTurn } from '../heavy-turns.ts';
import { copyOf, isSameJson } from '../json.ts';
import { documentInTurns } from '../json-slices.ts';
import type { Engine, Resource } from '../resource.ts';
import { tooManyRivals, tryCommit } from './commit.ts';
import { planRemoval, planReplacement, replacementOf } from './plan.ts';
import { workingCopy } from './working-copy.ts';

export interface RefreshRequest {
  readonly context: RequestContext;
  readonly resource: Resource;
  readonly id: string;
  /** What else becomes of it. */
  change?(document: Document): void;
}

/** Times that it is begun again while others write the resource. */
const attemptsMax = 16;

/** Has a resource follow what others have become. One that is the same then is not written. */
export async function refresh(engine: Engine, { context, resource, id, change }: RefreshRequest): Promise<void> {
  for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
    const [stored] = await engine.store.find(context.project.key, [{ kind: resource.kind, id }]);
    if (stored === undefined) return;
    const copy = await workingCopy(engine, context, { resource, stored });
    const { before, after, found } = copy;
    change?.(after);
    const internals = copy.changedInternals();
    const planned = await planReplacement(engine, {
      context,
      resource,
      id: stored.id,
      before,
      after,
      found,
      isFollowing: true,
      kept: copy.internals,
      ...(internals !== undefined && { internals }),
    });
    if (planned === undefined || (await tryCommit(engine, context, [planned])).isDone) return;
  }
  throw tooManyRivals();
}

/**
 * Has parts of a resource lose what those who describe them do not define any more. It is no less valid then, so nothing is
 * checked, and nothing that follows from others is made anew: one that breaks a rule for another reason loses it, too.
 */
export async function refreshParts(
  engine: Engine,
  { context, resource, id }: Omit<RefreshRequest, 'change'>,
): Promise<void> {
  const project = context.project.key;
  for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
    const [stored] = await engine.store.find(project, [{ kind: resource.kind, id }]);
    if (stored === undefined) return;
    const before = await documentInTurns(stored.json, context);
    const after = copyOf(before);
    await leaveUndefined(engine, project, { resource, document: after });
    await largeTurn(context, stored.json.length);
    if (isSameJson(before, after)) return;
    resource.derive(after);
    const planned = replacementOf({ context, resource, id: stored.id, before, after, isFollowing: true });
    if ((await tryCommit(engine, context, [planned])).isDone) return;
  }
  throw tooManyRivals();
}

/** Has a resource go with what it followed. */
export async function removeFollower(
  engine: Engine,
  { context, resource, id }: Omit<RefreshRequest, 'change'>,
): Promise<void> {
  for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
    const [stored] = await engine.store.find(context.project.key, [{ kind: resource.kind, id }]);
    if (stored === undefined) return;
    const planned = planRemoval(engine, context, { resource, stored, version: stored.version });
    if ((await tryCommit(engine, context, [planned])).isDone) return;
  }
  throw tooManyRivals();
}

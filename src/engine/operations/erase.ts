import { parsePredicate } from '../../predicate/parser.ts';
import type { RequestContext } from '../context.ts';
import type { Engine, Planned, Resource } from '../resource.ts';
import type { Removal, Stored } from '../store.ts';
import { anewWhileOutdated, commit, tooManyRivals, tryCommit } from './commit.ts';
import { planRemoval } from './plan.ts';
import { queriedKind } from './query.ts';

/** Messages that go in one commit, which has 2,500 writes at most. */
const togetherMax = 2000;
/** Commits for what is more than that. */
const earlierMax = 10_000;

interface Erased {
  readonly resource: Resource;
  readonly stored: Stored;
  readonly version: number | undefined;
}

/**
 * Deletes a resource and all messages that tell of it: with it as many as one commit takes, and before it what is more, so
 * that none is left when it has gone. Who is broken off finds the resource still there, and erases it again. The removal
 * names the version that the messages count for, so that no rival adds one.
 */
export async function erase(engine: Engine, context: RequestContext, erased: Erased): Promise<void> {
  const removal = planRemoval(engine, context, { ...erased, isErased: true });
  const kind = engine.registry.messages;
  if (erased.resource.telling === undefined || kind === undefined) return commit(engine, context, [removal]);
  for (let count = 0; count < earlierMax; count += 1) {
    const messages = await removalsOfMessages(engine, context, { ...erased, kind });
    if (messages.length < togetherMax) {
      // One that has gone meanwhile makes the rest outdated.
      return anewWhileOutdated(async () => {
        const beside = await removalsOfMessages(engine, context, { ...erased, kind });
        await commit(engine, context, [{ ...removal, beside }]);
      });
    }
    await tryCommit(engine, context, messages);
  }
  throw tooManyRivals();
}

async function removalsOfMessages(
  engine: Engine,
  context: RequestContext,
  { resource, stored, kind }: Erased & { readonly kind: Resource },
): Promise<readonly Planned<Removal>[]> {
  // Kinds and ids have no quotes.
  const predicate = parsePredicate(`resource(typeId = "${resource.kind}" and id = "${stored.id}")`, kind.shape);
  const query = { ...queriedKind(engine, kind), where: [predicate], sort: [], limit: togetherMax, offset: 0 };
  const found = await engine.store.queryVersions(context.project.key, query);
  return found.map(({ id, version }) =>
    planRemoval(engine, context, { resource: kind, stored: { id, json: '{}' }, version }),
  );
}

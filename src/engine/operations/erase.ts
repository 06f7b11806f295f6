import { parsePredicate } from '../../predicate/parser.ts';
import type { RequestContext } from '../context.ts';
import type { Engine, Planned, Resource } from '../resource.ts';
import type { Removal, Stored } from '../store.ts';
import { anewWhileOutdated, commit, tooManyRivals, tryCommit } from './commit.ts';
import { planRemoval, planUnreadRemoval } from './plan.ts';
import { queriedKind } from './query.ts';

/** Resources that go in one commit with the one that is erased; a commit has 2,500 writes at most. */
const togetherMax = 2000;
/** Commits for what is more than that. */
const earlierMax = 10_000;

interface Erased {
  readonly resource: Resource;
  readonly stored: Stored;
  readonly version: number | undefined;
}

/**
 * Deletes a resource and all that is `erasedWith` it, such as the messages that tell of it: with it as many as one commit
 * takes, and before it what is more, so that none is left when it has gone. Who is broken off finds the resource still there,
 * and erases it again. The removal names the version that the messages count for, so that no rival adds one.
 */
export async function erase(engine: Engine, context: RequestContext, erased: Erased): Promise<void> {
  const removal = planRemoval(engine, context, { ...erased, isErased: true });
  const kinds = engine.registry.resources.filter((kind) => goesWith(kind, erased.resource));
  if (kinds.length === 0) return commit(engine, context, [removal]);
  for (let count = 0; count < earlierMax; count += 1) {
    const others = await removalsWith(engine, context, { ...erased, kinds });
    if (others.length < togetherMax) {
      // One that has gone meanwhile makes the rest outdated.
      return anewWhileOutdated(async () => {
        const beside = await removalsWith(engine, context, { ...erased, kinds });
        await commit(engine, context, [{ ...removal, beside }]);
      });
    }
    await tryCommit(engine, context, others);
  }
  throw tooManyRivals();
}

/** Of resources that tell nothing there are no messages. */
function goesWith({ erasedWith }: Resource, { kind, telling }: Resource): boolean {
  if (erasedWith === undefined) return false;
  return erasedWith.kind === undefined ? telling !== undefined : erasedWith.kind === kind;
}

/** At most as many as go together. */
async function removalsWith(
  engine: Engine,
  context: RequestContext,
  { resource, stored, kinds }: Erased & { readonly kinds: readonly Resource[] },
): Promise<readonly Planned<Removal>[]> {
  const removals = await Promise.all(
    kinds.map(async (kind) => {
      const { member, byId = {} } = kind.erasedWith!;
      const other = byId[resource.kind];
      // Kinds and ids have no quotes.
      const referring = `${member}(typeId = "${resource.kind}" and id = "${stored.id}")`;
      const where = other === undefined ? referring : `${referring} or ${other} = "${stored.id}"`;
      const predicates = [parsePredicate(where, kind.shape)];
      const query = { ...queriedKind(engine, kind), where: predicates, sort: [], limit: togetherMax, offset: 0 };
      const found = await engine.store.queryVersions(context.project.key, query);
      return found.map((seen) =>
        // Whatever has become of it.
        planUnreadRemoval(engine, { resource: kind, seen, version: undefined, isErased: true }),
      );
    }),
  );
  return removals.flat().slice(0, togetherMax);
}

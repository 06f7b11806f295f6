/** What reviews make of the ratings of their targets, in the same commit, so that no rating counts twice or is lost. */
import type { RequestContext } from '../../engine/context.ts';
import type { Document, Fixed } from '../../engine/document.ts';
import { documentOf } from '../../engine/json.ts';
import { planReplacement } from '../../engine/operations/plan.ts';
import type { Along, AlongRemoval, Engine, Planned } from '../../engine/resource.ts';
import type { ReviewRatingStatistics } from './fields.ts';

/** A rating that counts, and what it is of. */
interface Rating {
  readonly typeId: string;
  readonly id: string;
  readonly rating: number;
}

/** A rating comes to a target, or leaves it. */
interface Change extends Rating {
  readonly by: 1 | -1;
}

export const statisticsOfTargets: Along = (engine, context, { before, after }) =>
  planTargets(engine, context, { was: ratingOf(before), is: ratingOf(after) });

export const statisticsWithoutReview: AlongRemoval = (engine, context, gone) =>
  planTargets(engine, context, { was: ratingOf(gone), is: undefined });

async function planTargets(
  engine: Engine,
  context: RequestContext,
  { was, is }: { readonly was: Rating | undefined; readonly is: Rating | undefined },
): Promise<readonly Planned[]> {
  if (was?.id === is?.id && was?.rating === is?.rating) return [];
  const changes: readonly Change[] = [
    ...(was === undefined ? [] : [{ ...was, by: -1 as const }]),
    ...(is === undefined ? [] : [{ ...is, by: 1 as const }]),
  ];
  const targets = new Set(changes.map(({ id }) => id));
  const planned = await Promise.all(
    [...targets].map((target) =>
      planTarget(
        engine,
        context,
        changes.filter(({ id }) => id === target),
      ),
    ),
  );
  return planned.filter((each) => each !== undefined);
}

function ratingOf(document: Fixed<Document> | undefined): Rating | undefined {
  // Stored reviews were parsed by their kind.
  const { includedInStatistics, rating, target } = (document ?? {}) as {
    readonly includedInStatistics?: boolean;
    readonly rating?: number;
    readonly target?: { readonly typeId: string; readonly id: string };
  };
  if (includedInStatistics !== true || rating === undefined || target === undefined) return undefined;
  return { typeId: target.typeId, id: target.id, rating };
}

/** Undefined for a target that has gone. */
async function planTarget(
  engine: Engine,
  context: RequestContext,
  changes: readonly Change[],
): Promise<Planned | undefined> {
  const { typeId, id } = changes[0]!;
  const [stored] = await engine.store.find(context.project.key, [{ kind: typeId, id }]);
  if (stored === undefined) return undefined;
  const [before, after] = [documentOf(stored.json), documentOf(stored.json)];
  const distribution = new Map(
    Object.entries((before['reviewRatingStatistics'] as ReviewRatingStatistics | undefined)?.ratingsDistribution ?? {}),
  );
  for (const { rating, by } of changes) {
    const count = (distribution.get(String(rating)) ?? 0) + by;
    if (count > 0) distribution.set(String(rating), count);
    else distribution.delete(String(rating));
  }
  const statistics = statisticsOf(distribution);
  if (statistics === undefined) delete after['reviewRatingStatistics'];
  else after['reviewRatingStatistics'] = statistics;
  const resource = engine.registry.byKind.get(typeId)!;
  return planReplacement(engine, { context, resource, id: stored.id, before, after, isFollowing: true });
}

/** Of the numbers of reviews by their rating; undefined without any. An average has five decimals. */
function statisticsOf(distribution: ReadonlyMap<string, number>): ReviewRatingStatistics | undefined {
  const ratings = [...distribution].map(([rating, count]) => ({ rating: Number(rating), count }));
  if (ratings.length === 0) return undefined;
  const count = ratings.reduce((sum, each) => sum + each.count, 0);
  const sum = ratings.reduce((total, each) => total + each.rating * each.count, 0);
  const values = ratings.map(({ rating }) => rating);
  return {
    averageRating: Number((sum / count).toFixed(5)),
    highestRating: Math.max(...values),
    lowestRating: Math.min(...values),
    count,
    ratingsDistribution: Object.fromEntries(distribution),
  };
}

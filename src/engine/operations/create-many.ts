import type { RequestContext } from '../context.ts';
import { Readings } from '../readings.ts';
import type { Engine, Resource } from '../resource.ts';
import { commit } from './commit.ts';
import { create } from './create.ts';
import { parsedDraft } from './draft.ts';
import { planInsertion } from './plan.ts';

export interface CreateManyRequest {
  readonly context: RequestContext;
  readonly resource: Resource;
  /** Each with a key of its own. */
  readonly drafts: readonly Readonly<Record<string, unknown>>[];
}

/**
 * Creates those of the resources whose keys nobody has, in one commit: all of them or none, so that whoever was broken off
 * does the same again. A kind whose writes have others go along is created one by one, for two may change the same.
 */
export async function createMany(engine: Engine, { context, resource, drafts }: CreateManyRequest): Promise<void> {
  const lookups = drafts.map(({ key }) => ({ kind: resource.kind, key: String(key) }));
  const known = await engine.store.find(context.project.key, lookups);
  const missing = drafts.filter((_, index) => known[index] === undefined);
  if (resource.along !== undefined || resource.createWith !== undefined || resource.lifecycle === 'upserted') {
    for (const draft of missing) await create(engine, { context, resource, draft, expand: [] });
    return;
  }
  const planned = await Promise.all(
    missing.map(async (draft) => {
      const found = new Readings();
      const made = await parsedDraft(engine, { context, resource, draft, expand: [] }, found);
      return planInsertion(engine, { context, resource, ...made, found });
    }),
  );
  if (planned.length > 0) await commit(engine, context, planned);
}

import type { RequestContext } from '../context.ts';
import type { CreateRequest, Engine, Resource } from '../resource.ts';
import { commit } from './commit.ts';
import { create, planCreation } from './create.ts';

export interface CreateManyRequest {
  readonly context: RequestContext;
  readonly resource: Resource;
  /** Each with a key of its own. */
  readonly drafts: readonly Readonly<Record<string, unknown>>[];
}

/**
 * Creates those of the resources whose keys nobody has, in one commit: all of them or none, so that whoever was broken off
 * does the same again. Those that others go along with are created one by one, for two may change the same.
 */
export async function createMany(engine: Engine, { context, resource, drafts }: CreateManyRequest): Promise<void> {
  const lookups = drafts.map(({ key }) => ({ kind: resource.kind, key: String(key) }));
  const known = await engine.store.find(context.project.key, lookups);
  const missing = drafts.filter((_, index) => known[index] === undefined);
  const requestFor = (draft: CreateRequest['draft']): CreateRequest => ({ context, resource, draft, expand: [] });
  const isPlannable = resource.createWith === undefined && resource.lifecycle !== 'upserted';
  const planned = isPlannable ? await Promise.all(missing.map((draft) => planCreation(engine, requestFor(draft)))) : [];
  const along = (await Promise.all(planned.map(async (each) => (await each.along?.()) ?? []))).flat();
  if (isPlannable && along.length === 0) {
    if (planned.length > 0) await commit(engine, context, planned);
    return;
  }
  for (const draft of missing) await create(engine, requestFor(draft));
}

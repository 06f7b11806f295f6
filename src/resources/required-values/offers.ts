/**
 * Has a value of a required enumeration either stay or be used by no product, though who removes it and who begins to use it
 * at one moment do not see each other. A product that takes such a value says so with the same commit: it counts one more
 * use, which any number of them may do at a time. Who removes values has the count begin anew, at a version at which no
 * product was found to use them. So whoever comes too late begins again, and finds the value gone, or used.
 */
import type { RequestContext } from '../../engine/context.ts';
import { planInsertion, planRemoval } from '../../engine/operations/plan.ts';
import type { Engine, Planned } from '../../engine/resource.ts';
import type { Stored } from '../../engine/store.ts';
import { heldBy } from './fields.ts';
import { requiredValues as resource } from './resource.ts';

/** The write that goes with a product that takes values. `requireThere` throws where the type has them no more. */
export async function planUse(
  engine: Engine,
  context: RequestContext,
  { productType, requireThere }: { readonly productType: string; requireThere(): Promise<void> },
): Promise<Planned> {
  const stored = await countOf(engine, context, productType);
  // Read after the count, so that it shows what was removed before that began.
  await requireThere();
  if (stored === undefined) return planCount(engine, context, productType, 1);
  const { id } = stored;
  const { kind } = resource;
  return { resource, write: { type: 'increment', kind, id, member: 'uses', by: 1, now: context.now } };
}

/** The write that goes with the removal of values. `requireUnused` throws where a product has one. */
export async function planRemoved(
  engine: Engine,
  context: RequestContext,
  { productType, requireUnused }: { readonly productType: string; requireUnused(): Promise<void> },
): Promise<Planned> {
  const stored = await countOf(engine, context, productType);
  // Read after the count, so that it shows all who are counted at this version.
  await requireUnused();
  if (stored === undefined) return planCount(engine, context, productType, 0);
  return planRemoval(engine, context, { resource, stored, version: stored.version });
}

async function countOf(engine: Engine, { project }: RequestContext, productType: string): Promise<Stored | undefined> {
  const [stored] = await engine.store.findHolders(project.key, [{ kind: resource.kind, unique: heldBy(productType) }]);
  return stored;
}

function planCount(engine: Engine, context: RequestContext, productType: string, uses: number): Promise<Planned> {
  return planInsertion(engine, { context, resource, body: { productType, uses } });
}

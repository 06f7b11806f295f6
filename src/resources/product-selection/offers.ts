/** What product selections do for other resources. */
import type { AlongRemoval, Engine, Planned } from '../../engine/resource.ts';
import type { Document, Fixed } from '../../engine/document.ts';
import { documentOf } from '../../engine/json.ts';
import type { RequestContext } from '../../engine/context.ts';
import { planReplacement } from '../../engine/operations/plan.ts';
import { isInclusion, type Variants } from '../product-selection-assignment/fields.ts';
import { type Assignment, assignmentsOfProducts, planUnassignment } from '../product-selection-assignment/offers.ts';
import { invalidOperation } from '../../engine/actions.ts';
import type { Mode, ProductSelection } from './fields.ts';
import { productSelection as resource } from './resource.ts';

export { selectionLists } from './endpoints.ts';

/** Each takes two writes of a commit, which has 1,000, and the product one. */
const assignmentsMax = 499;

/** With a product that goes its assignments go, and are not counted any more. */
export const withoutProduct: AlongRemoval = async (engine, context, { id }) => {
  const project = context.project.key;
  const assigned = await assignmentsOfProducts(engine.store, project, [id]);
  if (assigned.length > assignmentsMax)
    throw invalidOperation(
      `The product is in ${assigned.length} product selections. Take it out of some: it may go with ${assignmentsMax} at most.`,
    );
  const lookups = assigned.map(({ productSelection: { id } }) => ({ kind: resource.kind, id }));
  const selections = lookups.length === 0 ? [] : await engine.store.find(project, lookups);
  // A selection may have gone before its assignments.
  const counted = await Promise.all(
    selections.flatMap((stored) => (stored === undefined ? [] : planFewer(engine, context, documentOf(stored.json)))),
  );
  return [...assigned.map((each) => planUnassignment(engine, each)), ...counted.flat()];
};

async function planFewer(engine: Engine, context: RequestContext, before: Document): Promise<readonly Planned[]> {
  // Stored selections were parsed by their kind.
  const { productCount } = before as unknown as ProductSelection;
  const after = { ...before, productCount: productCount - 1 };
  const planned = await planReplacement(engine, { context, resource, id: before.id, before, after, isFollowing: true });
  return planned === undefined ? [] : [planned];
}

/** A predicate on the SKUs of a product: whether a store shows the variant. */
type ShowsVariant = (sku: string | undefined) => boolean;

/**
 * Which variants of a product are available in a store, by the modes of its active selections and what the product is to them; the product
 * is where one of its variants is. Without active selections all are. A variant that a selection excludes is not. Of the
 * others those are that are in a selection, where one of `Individual` mode is active, and otherwise all. The public texts
 * say this in parts.
 */
export function availabilityIn(
  modesOfActive: ReadonlyMap<string, Mode>,
  assignmentsOfProduct: readonly Fixed<Pick<Assignment, 'productSelection' | keyof Variants>>[],
): ShowsVariant {
  const ofMode = (mode: Mode): readonly Fixed<Variants>[] =>
    assignmentsOfProduct.filter((each) => modesOfActive.get(each.productSelection.id) === mode);
  const [included, excluded] = [ofMode('Individual'), ofMode('IndividualExclusion')];
  const isChosen = [...modesOfActive.values()].includes('Individual');
  return (sku) => {
    if (excluded.some((each) => isExcluded(each, sku))) return false;
    return !isChosen || included.some((each) => isIncluded(each, sku));
  };
}

function isIncluded({ variantSelection }: Fixed<Variants>, sku: string | undefined): boolean {
  if (variantSelection === undefined) return true;
  const isNamed = sku !== undefined && variantSelection.skus.includes(sku);
  return isNamed === isInclusion(variantSelection);
}

function isExcluded({ variantExclusion }: Fixed<Variants>, sku: string | undefined): boolean {
  return variantExclusion === undefined || (sku !== undefined && variantExclusion.skus.includes(sku));
}

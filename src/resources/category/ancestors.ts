import { invalidOperation } from '../../engine/actions.ts';
import type { Along, Computation, Planned } from '../../engine/resource.ts';
import { documentOf } from '../../engine/json.ts';
import type { Category } from './fields.ts';

/** The ancestors of the parent, and the parent. Those of its descendants follow when it has been moved. */
export const ancestorsOfParent: Computation<Category> = {
  reads: { category: ['parent.id'] },
  readsAll: [],
  compute: (category, found) => {
    const { parent } = category;
    // Stored categories were parsed by their kind.
    const above = parent && (found.one('category', parent.id) as Pick<Category, 'ancestors'> | undefined);
    category.ancestors = parent === undefined ? [] : [...(above?.ancestors ?? []), { ...parent }];
  },
};

/** Levels of categories above one that is made or moved; more is no order that anyone finds through. */
const levelsMax = 500;

/**
 * A category is moved below another only as long as none of those above that has moved itself, for two that move at once
 * would otherwise come to stand below each other. The parents themselves are followed: the ancestors of a category that was
 * just moved may not be written yet. A new category has none below it.
 */
export const notBelowItself: Along = async ({ store, registry }, { project }, { before, after }) => {
  // Of the kind that declares this.
  const { parent: is, ancestors } = after as unknown as Category;
  if (before === undefined) {
    if (ancestors.length > levelsMax)
      throw invalidOperation(`A category has at most ${levelsMax} categories above it, but '${is!.id}' has as many.`);
    return [];
  }
  const was = (before as unknown as Category).parent;
  if (is === undefined || is.id === was?.id) return [];
  const resource = registry.byKind.get('category')!;
  const asserted: Planned[] = [];
  let above: Category['parent'] = is;
  while (above !== undefined) {
    if (above.id === after.id) throw refusal(`The category '${is.id}' is '${after.id}', or one below it.`);
    if (asserted.length === levelsMax)
      throw refusal(`The category '${is.id}' has more than ${levelsMax} categories above it.`);
    const [stored] = await store.find(project.key, [{ kind: 'category', id: above.id }]);
    if (stored === undefined) break;
    const { id, version: expectedVersion } = stored;
    asserted.push({ resource, write: { type: 'assertion', kind: 'category', id, expectedVersion } });
    above = documentOf<Category>(stored.json).parent;
  }
  return asserted;
};

function refusal(reason: string): Error {
  return invalidOperation(`The category cannot be moved there. ${reason}`);
}

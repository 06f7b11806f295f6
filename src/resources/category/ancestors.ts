import type { Computation, Check } from '../../engine/resource.ts';
import { documentOf } from '../../engine/json.ts';
import type { ErrorElement } from '../../errors/api-error.ts';
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

/** Levels of categories above one that is moved; more is no order that anyone finds through. */
const levelsMax = 1000;

/**
 * A new category has none below it. Of another the parents themselves are followed: the ancestors of a category that was just moved may not be written yet.
 */
export const notBelowItself: Check = async ({ store }, { project, before, after }) => {
  if (before === undefined) return undefined;
  // Of the kind that has this check.
  const [was, is] = [before, after].map((category) => (category as unknown as Category).parent);
  if (is === undefined || is.id === was?.id) return undefined;
  let above: Category['parent'] = is;
  for (let level = 0; above !== undefined; level += 1) {
    if (above.id === after.id) return refusal(`The category '${is.id}' is '${after.id}', or one below it.`);
    if (level === levelsMax) return refusal(`The category '${is.id}' has more than ${levelsMax} categories above it.`);
    const [stored] = await store.find(project, [{ kind: 'category', id: above.id }]);
    above = stored && documentOf<Category>(stored.json).parent;
  }
  return undefined;
};

function refusal(reason: string): ErrorElement {
  return { code: 'InvalidOperation', message: `The category cannot be moved there. ${reason}` };
}

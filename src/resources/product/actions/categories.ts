import { action, invalidOperation } from '../../../engine/actions.ts';
import { foundIn } from '../../../engine/parts.ts';
import { isSameReference } from '../../../engine/references.ts';
import { optional, required } from '../../../fields/field.ts';
import { categoryId, orderHint } from '../category-order-hints.ts';
import { category, type Product, type ProductData } from '../fields.ts';
import { sidesOf, staged } from '../sides.ts';

function setHint({ categoryOrderHints }: ProductData, id: string, hint: string | undefined): void {
  if (hint === undefined) delete categoryOrderHints[id];
  else categoryOrderHints[id] = hint;
}

export const categoryActions = {
  /** Once more changes the order hint alone. */
  addToCategory: action(
    { category: required(category), orderHint: optional(orderHint), staged },
    (product: Product, { category, orderHint, staged }) => {
      for (const data of sidesOf(product, staged)) {
        if (!data.categories.some((other) => isSameReference(other, category))) data.categories.push({ ...category });
        setHint(data, category.id, orderHint);
      }
    },
  ),
  /** A category that the product is not in changes nothing. */
  removeFromCategory: action({ category: required(category), staged }, (product: Product, { category, staged }) => {
    for (const data of sidesOf(product, staged)) {
      data.categories = data.categories.filter((other) => !isSameReference(other, category));
      setHint(data, category.id, undefined);
    }
  }),
  /** To take a hint away from a category that the product is not in changes nothing, as it does where there is none. */
  setCategoryOrderHint: action(
    { categoryId: required(categoryId), orderHint: optional(orderHint), staged },
    (product: Product, { categoryId, orderHint, staged }) => {
      const found = foundIn(
        sidesOf(product, staged),
        (data) => (orderHint === undefined || data.categories.some(({ id }) => id === categoryId) ? data : undefined),
        () => invalidOperation(`The product is not in the category '${categoryId}'.`),
      );
      for (const data of found) setHint(data, categoryId, orderHint);
    },
  ),
};

/** What GraphQL says of a category that others hold: the categories below it, and the products in it. */
import type { OutputField } from '../../fields/field.ts';

const among = (id: unknown): string => `masterData(staged(categories(id=${JSON.stringify(id)})))`;
const below = (id: unknown): string => `parent(id=${JSON.stringify(id)})`;

export const countedFields: readonly OutputField[] = [
  {
    name: 'children',
    type: '[Category!]',
    complexity: 10,
    read: () => undefined,
    looksUp: async ({ id }, _, lookups) => lookups.matching('category', below(id), 'orderHint asc'),
  },
  {
    name: 'childCount',
    type: 'Int!',
    complexity: 5,
    read: () => undefined,
    looksUp: async ({ id }, _, lookups) => lookups.count('category', below(id)),
  },
  {
    name: 'stagedProductCount',
    type: 'Int!',
    complexity: 5,
    read: () => undefined,
    looksUp: async ({ id }, _, lookups) => {
      lookups.requireAll('product');
      return lookups.count('product', among(id));
    },
  },
];

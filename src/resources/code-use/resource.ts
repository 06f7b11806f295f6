import { defineResource } from '../../engine/define.ts';
import { fields } from './fields.ts';
import { useUnique } from './offers.ts';

/** How often a customer has used a discount code. It has no paths of its own, and is written with orders alone. */
export const codeUse = defineResource({
  kind: 'code-use',
  typeName: 'CodeUse',
  path: 'code-uses',
  scopes: { view: [], manage: [] },
  keyMembers: [],
  fields,
  actions: {},
  uniqueValues: (use) => [useUnique(use)],
});

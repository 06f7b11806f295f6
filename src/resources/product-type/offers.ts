/** What product types do for other resources. */
export type { Attribute } from './attribute-type.ts';
export {
  attributesOf,
  definitionsOf,
  nestedTypeOf,
  nestedTypes,
  type ProductAttributes,
  requiredEnumerations,
} from './attributes.ts';
export { type AttributeChange, changesAfter, loggedChanges } from './changes.ts';
export type { ChangedValues, ConstraintHistory } from './constraint-history.ts';
export { type Followed, followChanges } from './follow.ts';

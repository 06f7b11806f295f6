import type { DocumentOf } from '../../engine/document.ts';
import { defaulted, optional, refined, required } from '../../fields/field.ts';
import { list } from '../../fields/list.ts';
import { object } from '../../fields/object.ts';
import { reference } from '../../fields/reference.ts';
import { boolean, enumeration, integer, key, text } from '../../fields/scalar.ts';
import { setOf } from '../../fields/set.ts';
import { textCheckedBy } from '../../fields/text-checked-by.ts';
import { expansionPaths } from '../../predicate/expand.ts';
import { destination } from './destination.ts';

/** What an extension may take for its answer, and what it may take where it says nothing. */
const timeoutMsMax = 10_000;
export const defaultTimeoutMs = 2000;
const expansionPathsMax = 3;

/** Of the public API's, those that this platform has or will have. */
const extensibleKinds = ['cart', 'order', 'payment', 'customer', 'customer-group', 'shopping-list'] as const;

const trigger = object(
  'Trigger',
  {
    resourceTypeId: required({
      ...enumeration('ExtensionResourceTypeId', extensibleKinds, 'String'),
      examples: ['cart', 'customer'],
    }),
    actions: required(setOf(enumeration('ActionType', ['Create', 'Update']))),
    /** A predicate on the resource. */
    condition: optional({ ...text(), examples: ['version > 0'] }),
  },
  { input: 'TriggerInput' },
);

const paths = refined(
  list(textCheckedBy((path) => expansionPaths([path]), { format: 'expansion-path', examples: ['customerGroup'] })),
  (values, parsing) =>
    values.length <= expansionPathsMax
      ? values
      : parsing.wrongValue(values, `an array of at most ${expansionPathsMax} paths`),
);

export const fields = {
  key: optional(key()),
  destination: required(destination),
  triggers: required(list(trigger)),
  timeoutInMs: optional(integer({ min: 1, max: timeoutMsMax, type: 'Int' })),
  /** Extensions whose actions are applied before this one is asked. */
  dependencies: defaulted(setOf(reference('extension', 'Extension')), () => []),
  expansionPaths: defaulted(paths, () => []),
  additionalContext: optional(
    object(
      'ExtensionAdditionalContext',
      { includeOldResource: defaulted(boolean(), () => false) },
      { input: 'ExtensionAdditionalContextInput' },
    ),
  ),
};

export type Extension = DocumentOf<typeof fields>;

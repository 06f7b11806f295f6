/** What an edit of an order is: what is to be done, and what came, or would come, of it. */
import type { DocumentOf } from '../../engine/document.ts';
import { customFields } from '../../fields/custom-fields.ts';
import { assigned, defaulted, optional, refined, required } from '../../fields/field.ts';
import { list } from '../../fields/list.ts';
import { givenById, reference } from '../../fields/reference.ts';
import { boolean, key, text } from '../../fields/scalar.ts';
import { result } from './result-fields.ts';
import { type StagedAction, stagedAction } from './staged-action.ts';

/** As many as one update of an order holds. */
export const stagedActionsMax = 500;

export const stagedActions = refined(list(stagedAction), (value: StagedAction[], parsing) =>
  value.length <= stagedActionsMax
    ? value
    : parsing.wrongValue(value.length, `at most ${stagedActionsMax} staged actions`),
);

/** Orders outlive nothing of theirs: their edits stay, and say so (orders 18). Stock was counted when they were placed. */
const edited = reference('order', 'Order', {
  strength: 'loose',
  lacks: ({ id, inventoryMode, lineItems }) =>
    [{ inventoryMode }, ...(lineItems as { inventoryMode?: unknown }[])].every(
      (each) => (each.inventoryMode ?? 'None') === 'None',
    )
      ? undefined
      : {
          code: 'InvalidOperation',
          message: `The order '${String(id)}' counts with stock, so it cannot be edited.`,
        },
});

export const fields = {
  key: optional(key()),
  resource: required(givenById(edited)),
  stagedActions: defaulted(stagedActions, () => []),
  result: assigned(result, () => ({ type: 'NotProcessed' })),
  comment: optional(text()),
  custom: optional(customFields('order-edit')),
};

const { result: _, ...given } = fields;

export const draft = { ...given, dryRun: optional({ ...boolean(), examples: [false] }) };

export type OrderEdit = DocumentOf<typeof fields>;

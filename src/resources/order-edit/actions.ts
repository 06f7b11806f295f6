import { action, invalidOperation } from '../../engine/actions.ts';
import { required } from '../../fields/field.ts';
import { type OrderEdit, stagedActions, stagedActionsMax } from './fields.ts';
import { stagedAction } from './staged-action.ts';

function requireUnapplied({ result }: OrderEdit): void {
  if (result.type === 'Applied') throw invalidOperation('The edit has been applied, so its actions cannot be changed.');
}

export const setStagedActions = action({ stagedActions: required(stagedActions) }, (edit: OrderEdit, input) => {
  requireUnapplied(edit);
  edit.stagedActions = input.stagedActions;
});

export const addStagedAction = action({ stagedAction: required(stagedAction) }, (edit: OrderEdit, input) => {
  requireUnapplied(edit);
  if (edit.stagedActions.length >= stagedActionsMax)
    throw invalidOperation(`An edit has at most ${stagedActionsMax} staged actions.`);
  edit.stagedActions.push(input.stagedAction);
});

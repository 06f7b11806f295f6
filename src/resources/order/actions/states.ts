/** The state of an order as a whole. */
import { action } from '../../../engine/actions.ts';
import { defaulted, required } from '../../../fields/field.ts';
import { boolean } from '../../../fields/scalar.ts';
import { requireTransition } from '../../state/offers.ts';
import { type Order, state } from '../fields.ts';

export const transitionState = action(
  { state: required(state), force: defaulted(boolean(), () => false) },
  (order: Order, { state: next, force }, { found }) => {
    if (!force) requireTransition(found, { before: order.state, next });
    order.state = next;
  },
);

import { action } from '../../../engine/actions.ts';
import { defaulted, optional } from '../../../fields/field.ts';
import { boolean } from '../../../fields/scalar.ts';
import { requireTransition } from '../../state/offers.ts';
import { type Product, state } from '../fields.ts';

/** By force any state may follow any other (catalog 29). Without a state the product has none from then on. */
export const transitionState = action(
  { state: optional(state), force: defaulted(boolean(), () => false) },
  (product: Product, { state: next, force }, { found }) => {
    const { state: before } = product;
    if (next === undefined) {
      delete product.state;
      return;
    }
    if (!force) requireTransition(found, { before, next });
    product.state = next;
  },
);

import { action, invalidOperation } from '../../../engine/actions.ts';
import { defaulted, optional } from '../../../fields/field.ts';
import type { Reference } from '../../../fields/parsing.ts';
import { boolean } from '../../../fields/scalar.ts';
import { type Product, state } from '../fields.ts';

/** As far as it says which states may follow it. */
interface State {
  readonly initial: boolean;
  readonly transitions?: readonly Reference[];
}

/** By force any state may follow any other (catalog 29). Without a state the product has none from then on. */
export const transitionState = action(
  { state: optional(state), force: defaulted(boolean(), () => false) },
  (product: Product, { state: next, force }, { found }) => {
    const before = product.state;
    if (next === undefined) {
      delete product.state;
      return;
    }
    product.state = next;
    if (force || before?.id === next.id) return;
    // The request names the one, and the product the other. States are stored with these members.
    const stateOf = ({ id }: Reference): State | undefined => found.one('state', id) as State | undefined;
    if (before === undefined) {
      if (stateOf(next)?.initial !== true)
        throw invalidOperation(`The state '${next.id}' is no initial one, and the product has none yet.`);
      return;
    }
    const { transitions } = stateOf(before) ?? {};
    if (transitions !== undefined && !transitions.some(({ id }) => id === next.id))
      throw invalidOperation(`The state '${before.id}' has no transition to the state '${next.id}'.`);
  },
);

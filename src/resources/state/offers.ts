/** What states do for the resources that are in them. */
import { invalidOperation } from '../../engine/actions.ts';
import { keptIfThere } from '../../engine/descriptions.ts';
import type { DocumentOf, Fixed } from '../../engine/document.ts';
import { wholeOf } from '../../engine/lens.ts';
import type { Engine, Found } from '../../engine/resource.ts';
import type { FieldKind } from '../../fields/field.ts';
import type { Reference } from '../../fields/parsing.ts';
import { reference } from '../../fields/reference.ts';
import { initialKey } from './built-in.ts';
import type { fields } from './fields.ts';

type State = DocumentOf<typeof fields>;

/** The examples of states, by their types. */
const exampleKeys = {
  LineItemState: 'example-state-line-item',
  OrderState: 'example-state-order',
  PaymentState: 'example-state-payment',
  ProductState: 'example-state-product',
  ReviewState: 'example-state-review',
} as const;

/** A reference to a state of this type alone. */
export function stateOfType(
  type: keyof typeof exampleKeys,
  { strength = 'strong' }: { readonly strength?: 'strong' | 'loose' } = {},
): FieldKind<Reference> {
  const kind = reference('state', 'State', {
    strength,
    lacks: ({ id, type: given }) => {
      if (given === type) return undefined;
      const message = `The state with ID '${String(id)}' is a ${String(given)}, but a ${type} is needed.`;
      return { code: 'InvalidOperation', message };
    },
  });
  return { ...kind, examples: [{ typeId: 'state', key: exampleKeys[type] }] };
}

/** One that was read with the resource. */
export function stateOf(found: Pick<Found, 'one'>, { id }: Reference): Fixed<State> | undefined {
  // Stored states were parsed by their kind.
  return found.one('state', id) as Fixed<State> | undefined;
}

/**
 * Who has no state begins with an initial one. From a state that names its transitions one of them leads on, to the same
 * state too: one that names none is final.
 */
export function requireTransition(
  found: Pick<Found, 'one'>,
  { before, next }: { readonly before: Reference | undefined; readonly next: Reference },
): void {
  if (before === undefined) {
    if (stateOf(found, next)?.initial === true) return;
    throw invalidOperation(`The state '${next.id}' is not initial, and there is no state before it.`);
  }
  const transitions = stateOf(found, before)?.transitions;
  if (transitions === undefined || transitions.some(({ id }) => id === next.id)) return;
  throw invalidOperation(`There is no transition from the state '${before.id}' to '${next.id}'.`);
}

/** The state that all units of new orders are in. */
export async function initialIdIn(engine: Engine, project: string): Promise<string> {
  const whole = { ...engine, store: wholeOf(engine.store) };
  const state = await keptIfThere(whole, project, { typeId: 'state', key: initialKey });
  if (state === undefined) throw new Error(`The project '${project}' has no built-in state`);
  return state.id;
}

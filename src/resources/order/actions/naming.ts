/** How actions name parts of an order: in one way, and a shipping method where there are several (orders 21, 30). */
import { invalidOperation, type Plain } from '../../../engine/actions.ts';
import type { Action } from '../../../engine/resource.ts';
import { apiError } from '../../../errors/api-error.ts';
import type { Order } from '../fields.ts';

type Input = Readonly<Record<string, unknown>>;

/** The actions, of which each first looks how its input names what it changes. */
export function named(actions: Readonly<Record<string, Action | Plain>>): Record<string, Action | Plain> {
  return Object.fromEntries(
    Object.entries(actions).map(([name, declared]) => [name, 'plain' in declared ? declared : namedAction(declared)]),
  );
}

const nouns = ['lineItem', 'customLineItem', 'delivery', 'parcel', 'returnItem'];

function namedAction(declared: Action): Action {
  const has = (member: string): boolean => Object.hasOwn(declared.fields, member);
  // What is added to an order gets a key and has no id yet.
  const named = nouns.filter((noun) => has(`${noun}Id`) && has(`${noun}Key`));
  const isOfMethod = has('shippingKey');
  if (named.length === 0 && !isOfMethod) return declared;
  return {
    ...declared,
    apply: (document, input, context) => {
      for (const noun of named) requireOneName(noun, input);
      // The engine calls it with orders.
      if (isOfMethod) requireMethod(document as unknown as Order, input);
      declared.apply(document, input, context);
    },
  };
}

function requireOneName(noun: string, { [`${noun}Id`]: id, [`${noun}Key`]: key }: Input): void {
  if ((id === undefined) !== (key === undefined)) return;
  throw apiError('InvalidInput', `The ${noun} has to be named by either ${noun}Id or ${noun}Key.`);
}

function requireMethod({ shippingMode }: Order, { shippingKey }: Input): void {
  if ((shippingMode === 'Multiple') === (shippingKey !== undefined)) return;
  throw invalidOperation(
    shippingKey === undefined
      ? 'An order with the shippingMode Multiple needs the shippingKey of one of its shipping methods.'
      : 'A shippingKey needs the shippingMode Multiple, but the order has Single.',
  );
}

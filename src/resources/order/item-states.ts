/** In which states the units of an item are: one entry for each state, and as many units together as the item has. */
import { invalidOperation } from '../../engine/actions.ts';
import type { LineItem } from '../cart/item-fields.ts';

export type ItemStates = LineItem['state'];

/** Entries of one state become one, and those without units vanish (orders 23). */
export function mergedStates(states: Readonly<ItemStates>): ItemStates {
  const byState = new Map<string, ItemStates[number]>();
  for (const { quantity, state } of states) {
    const known = byState.get(state.id);
    byState.set(state.id, { quantity: (known?.quantity ?? 0) + quantity, state });
  }
  return [...byState.values()].filter(({ quantity }) => quantity !== 0);
}

export interface Move {
  readonly quantity: number;
  readonly from: ItemStates[number]['state'];
  readonly to: ItemStates[number]['state'];
}

/** The states when these units have moved. Throws InvalidOperation where fewer are in the state that they leave. */
export function movedStates(states: Readonly<ItemStates>, { quantity, from, to }: Move): ItemStates {
  const there = states.find(({ state }) => state.id === from.id)?.quantity ?? 0;
  if (there < quantity)
    throw invalidOperation(`${quantity} units are to leave the state '${from.id}', in which there are ${there}.`);
  return mergedStates([...states, { quantity: -quantity, state: from }, { quantity, state: to }]);
}

/** Why an item of so many units cannot be in these states. An item may have fewer units than none, as those of a refund. */
export function statesFault(states: Readonly<ItemStates>, quantity: number): string | undefined {
  const sum = states.reduce((total, entry) => total + entry.quantity, 0);
  if (sum !== quantity) return `${sum} units are in states, but the item has ${quantity}.`;
  const against = states.find((entry) => entry.quantity * quantity < 0);
  return against && `${against.quantity} units are in the state '${against.state.id}' of an item that has ${quantity}.`;
}

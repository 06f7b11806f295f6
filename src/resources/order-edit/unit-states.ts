import { type ItemStates, mergedStates } from '../order/item-states.ts';

/**
 * In which states the units of an item are when it has another number of them: those that come are in the initial state, and
 * those that go leave from there first, and then from the states that were entered last.
 */
export function statesFor(
  { quantity, state }: { readonly quantity: number; readonly state: ItemStates },
  initialId: string,
): ItemStates {
  const there = state.reduce((sum, each) => sum + each.quantity, 0);
  const initial = { typeId: 'state', id: initialId };
  if (quantity >= there) return mergedStates([...state, { quantity: quantity - there, state: initial }]);
  let surplus = there - quantity;
  const lastFirst = state.toReversed();
  const order = [
    ...lastFirst.filter((each) => each.state.id === initialId),
    ...lastFirst.filter((each) => each.state.id !== initialId),
  ];
  const left = new Map(state.map((each) => [each.state.id, each.quantity]));
  for (const each of order) {
    const gone = Math.min(surplus, each.quantity);
    left.set(each.state.id, each.quantity - gone);
    surplus -= gone;
  }
  return mergedStates(state.map((each) => ({ ...each, quantity: left.get(each.state.id)! })));
}

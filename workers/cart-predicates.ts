import { cartPredicates } from '../src/pricing/cart/predicates-task.ts';
import { onCarts } from '../src/resources/cart/compiled.ts';
import { serving } from '../src/threads/protocol.ts';

export const run = serving(cartPredicates, ({ facts, predicates }) =>
  predicates.map((predicate) => onCarts(predicate)(facts)),
);

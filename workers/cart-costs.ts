import { cartCosts, costsOf, sentCosts } from '../src/pricing/cart/cart-task.ts';
import { readyDiscount } from '../src/pricing/cart/stored-discounts.ts';
import { cartMatchers } from '../src/resources/cart/compiled.ts';
import { servingOnParts } from '../src/threads/protocol.ts';

/** Discounts that a thread keeps ready, by their versions: one that changes leaves the others alone. */
const keptMax = 20_000;

export const run = servingOnParts(
  cartCosts,
  { keptMax, make: (discount) => readyDiscount(discount, cartMatchers) },
  (discounts, request) => sentCosts(costsOf(request, (name) => discounts.get(name)!)),
);

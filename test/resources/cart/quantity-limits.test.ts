import t from 'tap';
import type { ApiError } from '../../../src/errors/api-error.ts';
import { requireWithinLimits } from '../../../src/resources/cart/computation/quantity-limits.ts';

type Lines = Parameters<typeof requireWithinLimits>[0];
type Limits = Parameters<typeof requireWithinLimits>[1]['limits'];

/** A cart of one line, by whose stock a cart takes no fewer and no more units than these. */
function outcome(quantity: number, limits: { readonly minCartQuantity?: number; readonly maxCartQuantity?: number }) {
  try {
    // Nothing else is read of lines and of stocks.
    const lineItems = [{ id: 'line', quantity }] as unknown as Lines['lineItems'];
    requireWithinLimits({ lineItems } as Lines, { limits: new Map([['line', limits]]) as unknown as Limits });
    return 'taken';
  } catch (error) {
    return (error as ApiError).code;
  }
}

t.test('a line has at least and at most the quantities that its stock says', async (t) => {
  const limits = { minCartQuantity: 2, maxCartQuantity: 4 };
  t.strictSame(
    [1, 2, 4, 5].map((quantity) => outcome(quantity, limits)),
    ['LineItemQuantityBelowLimit', 'taken', 'taken', 'LineItemQuantityAboveLimit'],
  );
  t.equal(outcome(1, { maxCartQuantity: 4 }), 'taken', 'one limit needs no other');
  t.equal(outcome(1000, { minCartQuantity: 2 }), 'taken');
});

/** Lines of a visitor's cart that meet those of the customer's cart. */
import t from 'tap';
import type { Fixed } from '../../../src/engine/document.ts';
import { mergeItems } from '../../../src/resources/cart/copied.ts';
import type { Cart } from '../../../src/resources/cart/fields.ts';

const count = 200;
let reads = 0;

/** All of one variant, which custom fields tell apart. */
function cartOf(quantityOf: (index: number) => number): Cart {
  const line = (index: number): object => ({
    id: `line-${index}`,
    productId: 'lamp',
    variant: { id: 1 },
    lineItemMode: 'Standard',
    priceMode: 'Platform',
    quantity: quantityOf(index),
    custom: {
      type: { typeId: 'type', id: 'engraved' },
      fields: Object.defineProperty({}, 'text', {
        enumerable: true,
        get: () => {
          reads += 1;
          return String(index);
        },
      }),
    },
  });
  return {
    lineItems: Array.from({ length: count }, (_, index) => line(index)),
    customLineItems: [],
  } as unknown as Cart;
}

t.test('each goes to the one with its custom fields, and is read a few times, however many there are', async (t) => {
  const [target, visitors] = [cartOf(() => 2), cartOf((index) => index)];
  visitors.lineItems.reverse();
  mergeItems(target, visitors as Fixed<Cart>, { now: '2026-06-01T00:00:00.000Z', said: new Set() });
  t.strictSame(
    target.lineItems.map(({ quantity }) => quantity),
    Array.from({ length: count }, (_, index) => Math.max(2, index)),
  );
  t.ok(reads <= 4 * count, `${reads} reads`);
});

t.test('without one it goes to the first of the same variant', async (t) => {
  const [target, visitors] = [cartOf(() => 1), cartOf(() => 3)];
  delete visitors.lineItems[1]!.custom;
  visitors.lineItems = [visitors.lineItems[1]!];
  mergeItems(target, visitors as Fixed<Cart>, { now: '2026-06-01T00:00:00.000Z', said: new Set() });
  t.strictSame(
    target.lineItems.flatMap(({ id, quantity }) => (quantity === 1 ? [] : [[id, quantity]])),
    [['line-0', 3]],
  );
});

t.test('there is no more of what has a price that was given', async (t) => {
  for (const priceMode of ['ExternalPrice', 'ExternalTotal'] as const) {
    const target = cartOf(() => 1);
    for (const line of target.lineItems) line.priceMode = priceMode;
    mergeItems(target, cartOf(() => 3) as Fixed<Cart>, { now: '2026-06-01T00:00:00.000Z', said: new Set() });
    t.ok(target.lineItems.every(({ quantity }) => quantity === 1));
  }
});

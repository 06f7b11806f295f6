/**
 * What the platform computes of carts is what the model does, which was written from the rules alone: on random carts in
 * random worlds, each changed by random requests. TEST_CASES says on how many; 100,000 take some minutes.
 */
import t from 'tap';
import type { Cart } from '../../../src/resources/cart/fields.ts';
import { differences } from '../../support/cart-model/cart-differences.ts';
import type { ModelCart } from '../../support/cart-model/cart-shapes.ts';
import {
  createPlatformCart,
  type PlatformResult,
  updatePlatformCart,
} from '../../support/cart-model/platform-carts.ts';
import { randomCart, withIdsOf } from '../../support/cart-model/random-carts.ts';
import { storedWorld } from '../../support/cart-model/stored-world.ts';

// Who asks for many has the time.
t.setTimeout(0);

const cartCount = Number(process.env['TEST_CASES'] ?? 1500);
/** Where requests begin to go wrong the rest says little more. */
const faultsMax = 5;

/** Faults that the platform looks for in another order: of a request that has several, each is a good answer. */
const together: ReadonlySet<string> = new Set([
  'DiscountCodeNonApplicable',
  'InvalidField',
  'InvalidInput',
  'InvalidOperation',
  'MatchingPriceNotFound',
  'MissingTaxRateForCountry',
  'MoneyOverflow',
  'ReferencedResourceNotFound',
]);

const counts = { requests: 0, refused: 0, refusedOtherwise: 0 };
t.test('the platform computes carts as the model does', async (t) => {
  const faults: string[] = [];
  for (let seed = 1; seed <= cartCount && faults.length < faultsMax; seed += 1) {
    const fault = await faultOf(seed);
    if (fault !== undefined) faults.push(`seed ${seed}, ${fault}`);
  }
  t.strictSame(faults, []);
});

t.test('most requests are not refused, and those that are have the same error but for a few', async (t) => {
  const { requests, refused, refusedOtherwise } = counts;
  t.ok(requests > 2 * cartCount, `${requests} requests`);
  t.ok(refused > requests / 10 && refused < requests / 3, `${refused} are refused`);
  t.ok(refusedOtherwise < refused / 50, `${refusedOtherwise} with another error`);
});

/** What is wrong with the first request that the two do not answer alike. */
async function faultOf(seed: number): Promise<string | undefined> {
  const random = randomCart(seed);
  const before: { platform?: Cart; model?: ModelCart } = {};
  for (const [index, request] of [random, ...random.requests].entries()) {
    const { world, result } = request;
    const { platform, model } = before;
    const stored = storedWorld(world);
    const own =
      'draft' in request
        ? await createPlatformCart(stored, request.draft)
        : await updatePlatformCart(stored, platform!, withIdsOf(request.actions, model!, platform!));
    counts.requests += 1;
    const fault = compared(own, result);
    if (fault !== undefined) return `request ${index}: ${fault}`;
    if ('cart' in own && 'cart' in result) Object.assign(before, { platform: own.cart, model: result.cart });
  }
  return undefined;
}

function compared(own: PlatformResult, expected: { cart: ModelCart } | { error: string }): string | undefined {
  if ('cart' in own && 'cart' in expected) {
    const [first] = differences(own.cart, expected.cart);
    return first && JSON.stringify(first);
  }
  if ('cart' in own) return `it should be refused with ${'error' in expected ? expected.error : ''}`;
  if ('cart' in expected) return `it is refused with ${own.error}: ${own.message}`;
  counts.refused += 1;
  if (own.error === expected.error) return undefined;
  counts.refusedOtherwise += 1;
  const isKnown = together.has(own.error) && together.has(expected.error);
  return isKnown ? undefined : `it is refused with ${own.error} instead of ${expected.error}`;
}

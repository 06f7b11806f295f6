import { isDeepStrictEqual } from 'node:util';
import t from 'tap';
import { factsOf, noOthers, ofOthers } from '../../../src/resources/cart/computation/facts.ts';
import { gatherNamed } from '../../../src/resources/cart/computation/gather.ts';
import { plainCosts } from '../../../src/resources/cart/computation/priced.ts';
import { createPlatformCart } from '../../support/cart-model/platform-carts.ts';
import { randomCart } from '../../support/cart-model/random-carts.ts';
import { storedWorld } from '../../support/cart-model/stored-world.ts';

/** The names on the way to each value that differs. */
function differing(one: unknown, other: unknown, names: readonly string[] = []): readonly (readonly string[])[] {
  if (isDeepStrictEqual(one, other)) return [];
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return [names];
  const members = new Set([...Object.keys(one), ...Object.keys(other)]);
  const of = (value: object, name: string): unknown => (value as Readonly<Record<string, unknown>>)[name];
  return [...members].flatMap((name) => differing(of(one, name), of(other, name), [...names, name]));
}

t.test('what facts tell of others than the cart stands below the members that are named for it', async (t) => {
  const needed = new Set<string>();
  for (let seed = 1; seed <= 300; seed += 1) {
    const { world, draft } = randomCart(seed);
    const stored = storedWorld(world);
    const made = await createPlatformCart(stored, draft);
    if (!('cart' in made)) continue;
    const { cart } = made;
    const { engine, project, found } = stored;
    const gathered = await gatherNamed({ engine, project: project.key, found }, cart);
    const plain = plainCosts(cart, project.settings.shippingRateInputType?.type);
    for (const names of differing(factsOf(cart, { gathered, found, plain }), factsOf(cart, { ...noOthers, plain }))) {
      const own = ofOthers.filter((name) => names.includes(name));
      t.ok(own.length > 0, names.join('.'));
      if (own.length === 1) needed.add(own[0]!);
    }
  }
  t.strictSame([...needed].toSorted(), [...ofOthers].toSorted(), 'each of them is needed');
});

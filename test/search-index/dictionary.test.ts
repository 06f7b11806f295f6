import t from 'tap';
import { Bits } from '../../src/search-index/bits.ts';
import { compareScalars, Dictionary, inOrder } from '../../src/search-index/dictionary.ts';
import { choicesOf } from '../support/random.ts';
import { words } from './random-shop.ts';

// U+FF21 is one unit of UTF-16 that is larger than the first of the two of 💡, and smaller as a point.
const values = inOrder(['lamp', '💡', 'Ａ', 10, 'la', true, -1.5, false, 'lamps', 2, '']);
const dictionary = Dictionary.of(values);

t.test('values stand in one order: false, true, numbers, and texts by their points', async (t) => {
  t.strictSame(values, [false, true, -1.5, 2, 10, '', 'la', 'lamp', 'lamps', 'Ａ', '💡']);
  t.strictSame(values.toSorted(compareScalars), values);
  t.equal(dictionary.size, values.length);
  t.strictSame(dictionary.texts, [5, 11]);
  for (const [ordinal, value] of values.entries()) {
    t.equal(dictionary.at(ordinal), value);
    t.equal(dictionary.find(value), ordinal);
  }
  for (const value of ['lam', 'lampss', '1', 1, 11]) t.equal(dictionary.find(value), undefined, String(value));
  t.equal(Dictionary.of([1]).find(true), undefined);
});

t.test('bounds hold for values of their type', async (t) => {
  const within = (bounds: Parameters<Dictionary['within']>[0]) => values.slice(...dictionary.within(bounds));
  for (const [bounds, found] of [
    [{}, values],
    [{ gte: 2 }, [2, 10]],
    [{ gt: 2 }, [10]],
    [{ lt: 2 }, [-1.5]],
    [{ lte: 2 }, [-1.5, 2]],
    [{ gte: 3, lte: 9 }, []],
    [{ gt: 10, lt: 0 }, []],
    [{ gte: 'lamp' }, ['lamp', 'lamps', 'Ａ', '💡']],
    [{ gt: 'Ａ' }, ['💡']],
    [{ gte: 2, lt: 'lamp' }, []],
    [{ gte: false }, []],
  ] as const)
    t.strictSame(within(bounds), found, JSON.stringify(bounds));
});

t.test('texts that begin alike stand together', async (t) => {
  for (const [prefix, found] of [
    ['', ['', 'la', 'lamp', 'lamps', 'Ａ', '💡']],
    ['la', ['la', 'lamp', 'lamps']],
    ['lamp', ['lamp', 'lamps']],
    ['lampx', []],
    ['💡', ['💡']],
    ['z', []],
  ] as const)
    t.strictSame(values.slice(...dictionary.startingWith(prefix)), found, prefix);
});

t.test('several become one that has of each what was chosen, and tells where it is', async (t) => {
  const random = choicesOf(11);
  const pool = inOrder([false, true, ...Array.from({ length: 40 }, (_, index) => (index - 20) / 4), ...words]);
  for (let round = 0; round < 200; round += 1) {
    const parts = Array.from({ length: random.below(6) }, () => {
      const held = pool.filter(() => random.chance(1 / 3));
      const ordinals = new Bits(held.length);
      for (const ordinal of held.keys()) if (random.chance(3 / 4)) ordinals.add(ordinal);
      return { held, dictionary: Dictionary.of(held), ordinals };
    });
    const chosen = parts.map(({ held, ordinals }) => held.filter((_, ordinal) => ordinals.has(ordinal)));
    const merging = Dictionary.merged(parts);
    let step = merging.next();
    while (step.done !== true) step = merging.next();
    const { dictionary, places } = step.value;
    const merged = Array.from({ length: dictionary.size }, (_, ordinal) => dictionary.at(ordinal));
    t.strictSame(merged, inOrder(new Set(chosen.flat())));
    for (const [index, { held, ordinals }] of parts.entries())
      ordinals.each((ordinal) => t.equal(merged[places[index]![ordinal]!], held[ordinal]));
  }
});

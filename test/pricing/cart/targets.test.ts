import t from 'tap';
import {
  type Candidate,
  type Component,
  type ItemKind,
  type ItemTarget,
  occurrencesOf,
  patternSteps,
} from '../../../src/pricing/cart/targets.ts';
import { choicesOf } from '../../support/cart-model/random-choices.ts';

interface Named extends Candidate {
  readonly name: string;
}

/** Items as `name quantity x price`, with further prices behind commas; those of custom items begin with `c`. */
function items(...texts: readonly string[]): readonly Named[] {
  return texts.map((text) => {
    const [name, ...units] = text.split(/[ ,]+/);
    const parts = units.map((unit) => {
      const [quantity, price] = unit.split('x').map(Number);
      return { quantity: quantity!, price: price!, portions: [] };
    });
    const kind: ItemKind = name!.startsWith('c') ? 'customLineItem' : 'lineItem';
    return { name: name!, kind, isOpen: !name!.endsWith('-'), facts: { name }, fractionDigits: 2, parts };
  });
}

const any = (): boolean => true;
const only =
  (...names: readonly string[]) =>
  (facts: object): boolean =>
    names.includes((facts as Named).name);

/** The units of each occurrence as `name quantity x price`, those that are discounted before those that it only uses up. */
function shown(target: ItemTarget, given: readonly Named[]): readonly (readonly string[])[] {
  const textOf = ({ item, part, quantity }: { item: object; part: number; quantity: number }): string => {
    const { name, parts } = item as Named;
    return `${name} ${quantity}x${parts[part]!.price}`;
  };
  return occurrencesOf(target, given, patternSteps()).flatMap(({ targets, spreadOver, times }) => {
    const discounted = targets.map(textOf);
    const others = spreadOver.map(textOf);
    const all = target.type === 'pattern' ? [...discounted, '|', ...others] : discounted;
    return Array.from({ length: times }, () => all);
  });
}

const multiBuy = {
  type: 'multiBuy',
  kind: 'lineItem',
  matches: any,
  triggerQuantity: 2,
  discountedQuantity: 1,
  maxOccurrence: Infinity,
  selectionMode: 'Cheapest',
} as const;

function component(members: Partial<Component> = {}): Component {
  return { kind: 'lineItem', matches: any, minCount: 1, maxCount: 1, excludeCount: 0, ...members };
}

const pattern = {
  type: 'pattern',
  triggers: [component()],
  targets: [component()],
  maxOccurrence: Infinity,
  selectionMode: 'Cheapest',
} as const;

t.test('all units of open items that match are meant', async (t) => {
  const given = items('a 2x100', 'b- 1x50', 'c 1x10', 'd 3x7,1x5');
  t.strictSame(shown({ type: 'all', kind: 'lineItem', matches: any }, given), [['a 2x100', 'd 3x7', 'd 1x5']]);
  t.strictSame(shown({ type: 'all', kind: 'customLineItem', matches: any }, given), [['c 1x10']]);
  t.strictSame(shown({ type: 'all', kind: 'lineItem', matches: only('d') }, given), [['d 3x7', 'd 1x5']]);
  t.strictSame(shown({ type: 'all', kind: 'lineItem', matches: only('b-') }, given), []);
});

t.test('for each full set so many units are discounted, from one end of their prices', async (t) => {
  const given = items('a 3x100', 'b 2x50', 'd 1x100');
  const cases: readonly (readonly [string, Partial<typeof multiBuy | object>, readonly string[]])[] = [
    ['three sets', {}, ['a 1x100', 'b 2x50']],
    ['the dearest', { selectionMode: 'MostExpensive' }, ['a 3x100']],
    [
      'ties in the order of the cart',
      { selectionMode: 'MostExpensive', discountedQuantity: 2 },
      ['a 3x100', 'b 2x50', 'd 1x100'],
    ],
    ['an incomplete set', { triggerQuantity: 4 }, ['b 1x50']],
    ['two of three', { triggerQuantity: 3, discountedQuantity: 2 }, ['a 2x100', 'b 2x50']],
    ['once at most', { maxOccurrence: 1 }, ['b 1x50']],
    ['those that match', { matches: only('a', 'd') }, ['a 2x100']],
  ];
  for (const [name, members, expected] of cases)
    t.strictSame(shown({ ...multiBuy, ...members }, given), [expected], name);
  t.strictSame(shown({ ...multiBuy, triggerQuantity: 7 }, given), [], 'too few');
});

t.test('prices of different precision have one order', async (t) => {
  const [a, b] = items('a 1x100', 'b 1x9999');
  const fine: Named = { ...b!, fractionDigits: 4 };
  t.strictSame(shown({ ...multiBuy }, [a!, fine]), [['b 1x9999']]);
  t.strictSame(shown({ ...multiBuy, selectionMode: 'MostExpensive' }, [a!, fine]), [['a 1x100']]);
});

t.test('a pattern takes targets from one end, triggers from the other, and uses both up', async (t) => {
  const given = items('a 1x10', 'b 1x20', 'd 1x30', 'e 1x40');
  t.strictSame(shown(pattern, given), [
    ['a 1x10', '|', 'a 1x10', 'e 1x40'],
    ['b 1x20', '|', 'b 1x20', 'd 1x30'],
  ]);
  t.strictSame(shown({ ...pattern, selectionMode: 'MostExpensive', maxOccurrence: 1 }, given), [
    ['e 1x40', '|', 'a 1x10', 'e 1x40'],
  ]);
});

t.test('of equal prices targets take the first units of the cart, and triggers the last', async (t) => {
  const given = items('a 1x10', 'b 1x10', 'd 1x10');
  for (const selectionMode of ['Cheapest', 'MostExpensive'] as const)
    t.strictSame(shown({ ...pattern, selectionMode }, given), [['a 1x10', '|', 'a 1x10', 'd 1x10']], selectionMode);
});

t.test('components take at least and at most so many units', async (t) => {
  const given = items('a 2x10', 'b 3x20');
  const cases: readonly (readonly [string, Partial<typeof pattern | object>, readonly (readonly string[])[]])[] = [
    [
      'no trigger',
      { triggers: [], targets: [component({ maxCount: 2 })] },
      [
        ['a 2x10', '|', 'a 2x10'],
        ['b 2x20', '|', 'b 2x20'],
        ['b 1x20', '|', 'b 1x20'],
      ],
    ],
    [
      'as many as there are',
      { triggers: [], targets: [component({ maxCount: Infinity })] },
      [['a 2x10', 'b 3x20', '|', 'a 2x10', 'b 3x20']],
    ],
    ['too few triggers', { triggers: [component({ minCount: 6, maxCount: 9 })] }, []],
    ['too few targets', { targets: [component({ minCount: 5, maxCount: 5 })] }, []],
    ['targets that need none', { triggers: [], targets: [component({ matches: only('x'), minCount: 0 })] }, []],
    [
      'a trigger that needs none',
      { triggers: [component({ matches: only('x'), minCount: 0 })], maxOccurrence: 1 },
      [['a 1x10', '|', 'a 1x10']],
    ],
    [
      'several components',
      {
        triggers: [],
        targets: [component({ matches: only('b') }), component({ matches: only('a') })],
        maxOccurrence: 1,
      },
      [['a 1x10', 'b 1x20', '|', 'a 1x10', 'b 1x20']],
    ],
  ];
  for (const [name, members, expected] of cases) t.strictSame(shown({ ...pattern, ...members }, given), expected, name);
});

t.test('what a component excludes is used up, and neither discounted nor counted', async (t) => {
  const given = items('a 5x10');
  const targets = [component({ excludeCount: 1 })];
  t.strictSame(shown({ ...pattern, triggers: [], targets }, given), [
    ['a 1x10', '|', 'a 1x10'],
    ['a 1x10', '|', 'a 1x10'],
  ]);
  t.strictSame(shown({ ...pattern, triggers: [component({ excludeCount: 3 })] }, given), [
    ['a 1x10', '|', 'a 1x10', 'a 1x10'],
  ]);
  t.strictSame(shown({ ...pattern, triggers: [component({ excludeCount: 4 })] }, given), []);
});

t.test('patterns speak of both kinds of items', async (t) => {
  const given = items('a 1x10', 'c 1x5', 'e- 1x1');
  const triggers = [component({ kind: 'customLineItem' })];
  t.strictSame(shown({ ...pattern, triggers }, given), [['a 1x10', '|', 'a 1x10', 'c 1x5']]);
});

t.test('occurrences that are alike are looked at once', async (t) => {
  const given = items('a 300000x1,200000x2', 'b 7x3');
  const steps = patternSteps();
  const before = steps.left;
  const times = (members: Partial<typeof pattern>): readonly number[] =>
    occurrencesOf({ ...pattern, triggers: [], ...members }, given, steps).map((occurrence) => occurrence.times);
  t.strictSame(times({}), [300_000, 200_000, 7]);
  t.strictSame(times({ maxOccurrence: 300_001 }), [300_000, 1]);
  t.strictSame(times({ targets: [component({ maxCount: 7 })] }), [42_857, 1, 28_570, 1, 1]);
  t.strictSame(times({ targets: [component({ maxCount: 7, minCount: 7 })] }), [42_857, 1, 28_570, 1]);
  t.strictSame(times({ triggers: [component()] }), [7, 200_000, 49_996]);
  t.ok(before - steps.left < 100, `${before - steps.left} steps`);
});

t.test('occurrences are what they are one by one', async (t) => {
  const faults: unknown[] = [];
  for (let seed = 1; seed <= 1000 && faults.length === 0; seed += 1) {
    const { given, target } = randomPattern(seed);
    const found = shown(target, given).map((occurrence) => occurrence.slice(0, occurrence.indexOf('|')));
    const expected = oneByOne(target, given);
    if (JSON.stringify(found) !== JSON.stringify(expected)) faults.push({ seed, found, expected });
  }
  t.strictSame(faults, []);
});

type PatternTarget = ItemTarget & { readonly type: 'pattern' };

function randomPattern(seed: number): { readonly given: readonly Named[]; readonly target: PatternTarget } {
  const { below, pick, some } = choicesOf(seed);
  const names = ['a', 'b', 'd'];
  const part = (price: number): string => `${1 + below(20)}x${price + 2 * below(3)}`;
  const given = items(...names.map((name) => `${name} ${part(1)},${part(2)}`));
  const components = (min: number): readonly Component[] =>
    Array.from({ length: min + below(3 - min) }, () => {
      const minCount = below(3);
      const maxCount = pick([Math.max(1, minCount), minCount + 2, Infinity]);
      return component({ minCount, maxCount, excludeCount: below(3), matches: only(...some(names, 1, 3)) });
    });
  const maxOccurrence = pick([1, 2, 5, Infinity]);
  const selectionMode = pick(['Cheapest', 'MostExpensive'] as const);
  return {
    given,
    target: { type: 'pattern', triggers: components(0), targets: components(1), maxOccurrence, selectionMode },
  };
}

/** What each occurrence discounts, found unit by unit. */
function oneByOne(
  { triggers, targets, maxOccurrence, selectionMode }: PatternTarget,
  given: readonly Named[],
): readonly (readonly string[])[] {
  const units = given.flatMap((item) =>
    item.parts.flatMap(({ quantity, price }) =>
      Array.from({ length: quantity }, () => ({ name: item.name, price, place: `${item.name} ${price}` })),
    ),
  );
  const sign = selectionMode === 'Cheapest' ? 1 : -1;
  let open = units.toSorted((one, other) => sign * (one.price - other.price));
  const taken = (
    { matches, excludeCount, minCount, maxCount }: Component,
    fromEnd: boolean,
  ): typeof units | undefined => {
    const matching = (fromEnd ? open.toReversed() : open).filter((unit) => matches(unit));
    const counted = matching.slice(excludeCount, excludeCount + maxCount);
    const used = new Set(matching.slice(0, excludeCount + maxCount));
    open = open.filter((unit) => !used.has(unit));
    return counted.length < minCount ? undefined : counted;
  };
  const occurrences: string[][] = [];
  while (occurrences.length < maxOccurrence) {
    if (triggers.some((each) => taken(each, true) === undefined)) break;
    const byComponent: (typeof units)[] = [];
    const isWhole = targets.every((each) => {
      const counted = taken(each, false);
      byComponent.push(counted ?? []);
      return counted !== undefined;
    });
    if (!isWhole || byComponent.flat().length === 0) break;
    const places = [...new Set(units.map(({ place }) => place))];
    const counts = places.flatMap((place) =>
      byComponent.map((counted) => ({ place, count: counted.filter((unit) => unit.place === place).length })),
    );
    occurrences.push(
      counts.filter(({ count }) => count > 0).map(({ place, count }) => place.replace(' ', ` ${count}x`)),
    );
  }
  return occurrences;
}

t.test('patterns of all discounts together look at so many units', async (t) => {
  const given = items(...Array.from({ length: 1000 }, (_, index) => `i${index} 1x1`));
  const steps = patternSteps();
  const hundred: ItemTarget = { ...pattern, maxOccurrence: 1, targets: Array.from({ length: 100 }, () => component()) };
  const looked = (): number => occurrencesOf(hundred, given, steps).length;
  t.equal(looked(), 1);
  t.throws(() => Array.from({ length: 10 }, looked), { code: 'InvalidOperation' });
});

t.test('what a pattern looks at for each of its occurrences counts', async (t) => {
  const names = Array.from({ length: 20 }, (_, index) => `i${index}`);
  // None of them runs out of units of one price when another does.
  const given = items(...names.map((name, index) => `${name} ${index + 1}x1${',20x1'.repeat(999)}`));
  const targets = names.map((name) => component({ matches: only(name) }));
  const looked = (maxOccurrence: number): number =>
    occurrencesOf({ ...pattern, triggers: [], targets, maxOccurrence }, given, patternSteps()).length;
  t.equal(looked(1000), 1000);
  t.throws(() => looked(Infinity), { code: 'InvalidOperation' });
});

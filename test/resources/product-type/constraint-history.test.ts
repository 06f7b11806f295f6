import t from 'tap';
import { Random } from '../../../src/demo/random.ts';
import type { Attribute, AttributeType } from '../../../src/resources/product-type/attribute-type.ts';
import {
  changedValuesMax,
  ConstraintHistory,
  type ConstrainedVariant,
} from '../../../src/resources/product-type/constraint-history.ts';
import { requireConstraints } from '../../../src/resources/product-type/constraints.ts';
import type { AttributeDefinition } from '../../../src/resources/product-type/fields.ts';
import { definition, sizes } from '../../support/attribute-values.ts';

type Constraint = AttributeDefinition['attributeConstraint'];

const text: AttributeType = { name: 'text' };

function definitionsOf(constraints: Readonly<Record<string, Constraint>>): ReadonlyMap<string, AttributeDefinition> {
  return new Map(
    Object.entries(constraints).map(([name, attributeConstraint]) => [
      name,
      definition(name, name === 'size' ? { name: 'enum', values: sizes } : text, { attributeConstraint }),
    ]),
  );
}

/** What is thrown; undefined for nothing. */
function refusal(check: () => void): unknown {
  try {
    check();
    return undefined;
  } catch (error) {
    return (error as { errors: unknown }).errors;
  }
}

const definitions = definitionsOf({
  brand: 'SameForAll',
  maker: 'SameForAll',
  code: 'Unique',
  color: 'CombinationUnique',
  size: 'CombinationUnique',
  note: 'None',
});
const names = [...definitions.keys()];

function valueOf(name: string, random: Random): unknown {
  // Another label is no other value.
  return name === 'size' ? { ...random.pick(sizes), label: String(random.next()) } : random.pick(['a', 'b', 'c']);
}

/** What an action may make of the variants: of one of them, of all, or of which there are. */
function changed(variants: readonly ConstrainedVariant[], random: Random): readonly ConstrainedVariant[] {
  const name = random.pick(names);
  const attribute = random.chance(0.7) ? { name, value: valueOf(name, random) } : undefined;
  const set = ({ id, attributes }: ConstrainedVariant, to: Attribute | undefined): ConstrainedVariant => {
    const others = attributes.filter((each) => each.name !== name);
    return { id, attributes: to === undefined ? others : [...others, to] };
  };
  const at = random.integer(0, Math.max(0, variants.length - 1));
  switch (random.integer(0, 5)) {
    case 0:
      return variants.map((variant) => set(variant, attribute));
    case 1: {
      const attributes = names.flatMap((each) =>
        random.chance(0.6) ? [{ name: each, value: valueOf(each, random) }] : [],
      );
      return [...variants, { id: Math.max(0, ...variants.map(({ id }) => id)) + 1, attributes }];
    }
    case 2:
      return variants.filter((_, index) => index !== at);
    case 3:
      // Another master variant, and lists that are copies.
      return variants.toReversed().map(({ id, attributes }) => ({ id, attributes: [...attributes] }));
    default:
      return variants.map((variant, index) => (index === at ? set(variant, attribute) : variant));
  }
}

t.test('after each of many actions it says what looking at everything says', async (t) => {
  const random = new Random(7);
  let [kept, broken] = [0, 0];
  for (let round = 0; round < 300; round += 1) {
    const history = new ConstraintHistory(definitions);
    let variants: readonly ConstrainedVariant[] = [];
    const checks: (readonly [said: () => void, expected: unknown])[] = [];
    for (let action = 0; action < 25; action += 1) {
      variants = changed(variants, random);
      // Some actions are checked when several have been applied.
      if (random.chance(0.2)) continue;
      const [at] = [variants];
      checks.push([history.after(at), refusal(() => requireConstraints(definitions, at))]);
    }
    for (const [said, expected] of checks) {
      if (expected === undefined) kept += 1;
      else broken += 1;
      const is = JSON.stringify(refusal(said));
      if (is !== JSON.stringify(expected)) t.equal(is, JSON.stringify(expected), `round ${round}`);
    }
  }
  t.ok(kept > 500 && broken > 500, `${kept} kept, ${broken} broken`);
});

/** A value that tells how often it was looked at. */
function counting(value: string, looks: { count: number }): unknown {
  return {
    toJSON: () => {
      looks.count += 1;
      return value;
    },
  };
}

t.test('an action costs what it changes, however large the product is', async (t) => {
  const count = { variants: 50, definitions: 100, actions: 200 };
  const constrained = definitionsOf(
    Object.fromEntries(
      Array.from({ length: count.definitions }, (_, index) => [
        `attribute-${index}`,
        index % 2 === 0 ? ('Unique' as const) : ('CombinationUnique' as const),
      ]),
    ),
  );
  const looks = { count: 0 };
  const changedValues = { count: 0 };
  const history = new ConstraintHistory(constrained, changedValues);
  let variants: readonly ConstrainedVariant[] = Array.from({ length: count.variants }, (_, id) => ({
    id,
    attributes: [...constrained.keys()].map((name) => ({ name, value: counting(`${name} of ${id}`, looks) })),
  }));
  const checks = [history.after(variants)];
  for (let action = 0; action < count.actions; action += 1) {
    const attribute = { name: `attribute-${action % count.definitions}`, value: counting(`new ${action}`, looks) };
    variants = variants.map(({ id, attributes }) =>
      id === action % count.variants
        ? { id, attributes: attributes.with(action % count.definitions, attribute) }
        : { id, attributes },
    );
    checks.push(history.after(variants));
  }
  for (const check of checks) check();
  const all = count.variants * count.definitions;
  t.ok(looks.count <= all + count.actions, `${looks.count} looks at values`);
  t.ok(changedValues.count <= all + 2 * count.actions, `${changedValues.count} changes`);
});

t.test('more values than may come and go are refused', async (t) => {
  const constrained = definitionsOf({ brand: 'SameForAll' });
  const listOf = (value: string) => Array.from({ length: 10_000 }, (_, index) => ({ name: `other-${index}`, value }));
  const lists = [listOf('a'), listOf('b')];
  // Both sides of a product share the count.
  const changedValues = { count: 0 };
  const histories = [
    new ConstraintHistory(constrained, changedValues),
    new ConstraintHistory(constrained, changedValues),
  ];
  const act = (action: number) => histories[action % 2]!.after([{ id: 1, attributes: lists[(action >> 1) % 2]! }]);
  // What is there at first comes, and then as much comes as goes.
  const actions = changedValuesMax / 20_000 + 1;
  for (let action = 0; action < actions; action += 1) act(action);
  t.equal(changedValues.count, changedValuesMax);
  t.throws(() => act(actions), { code: 'InvalidOperation', message: /too many values/ });
});

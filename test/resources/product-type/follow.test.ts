import fc from 'fast-check';
import t from 'tap';
import {
  alsoCalled,
  changesMax,
  droppedUpTo,
  logChange,
  removedEnumValues,
} from '../../../src/resources/product-type/changes.ts';
import {
  type Attribute,
  type AttributeChange,
  changesAfter,
  type Followed,
  followChanges,
} from '../../../src/resources/product-type/offers.ts';
import { colors, definition, productType, sizes } from '../../support/attribute-values.ts';

const [small, large] = sizes;

function after(
  attributes: readonly Attribute[],
  changes: Readonly<Record<string, readonly AttributeChange[]>>,
): readonly Attribute[] {
  const nested = { name: 'nested', typeReference: { typeId: 'product-type', id: 'part' } };
  const types = [
    productType('lamp', [
      definition('part', nested),
      definition('parts', { name: 'set', elementType: { name: 'set', elementType: nested } }),
    ]),
    productType('part', [definition('inner', nested)]),
  ];
  const followed = new Map<string, Followed>(types.map((type) => [type.id, { type, changes: changes[type.id] ?? [] }]));
  return followChanges(attributes, 'lamp', (id) => followed.get(id));
}

t.test('values follow what becomes of their attributes, in the order of the changes', async (t) => {
  const attributes = [
    { name: 'color', value: 'x' },
    { name: 'size', value: small },
    { name: 'sizes', value: [small, large] },
  ];
  t.strictSame(
    after(attributes, {
      lamp: [
        { change: 'attributeRemoved', name: 'color' },
        { change: 'attributeRenamed', name: 'size', to: 'color' },
        { change: 'enumKeyRenamed', name: 'color', key: 'small', to: 'tiny' },
        { change: 'enumLabelChanged', name: 'color', value: { key: 'tiny', label: 'Tiny' } },
        { change: 'enumValuesRemoved', name: 'sizes', keys: ['small', 'unknown'] },
        { change: 'enumLabelChanged', name: 'sizes', value: { key: 'large', label: 'L' } },
      ],
    }),
    [
      { name: 'color', value: { key: 'tiny', label: 'Tiny' } },
      { name: 'sizes', value: [{ key: 'large', label: 'L' }] },
    ],
  );
});

t.test('a removed value takes its attribute with it, and the last of a set does too', async (t) => {
  const removal: AttributeChange = { change: 'enumValuesRemoved', name: 'size', keys: ['small', 'large'] };
  t.strictSame(after([{ name: 'size', value: small }], { lamp: [removal] }), []);
  t.strictSame(after([{ name: 'size', value: [small, large] }], { lamp: [removal] }), []);
  const empty = [{ name: 'size', value: [] }];
  t.equal(after(empty, { lamp: [removal] }), empty, 'a set that was empty before stays');
});

t.test('what is nested follows the type that describes it, however deep', async (t) => {
  const part = (name: string): readonly Attribute[] => [{ name, value: colors[0] }];
  const attributes = [
    { name: 'color', value: 'of the lamp' },
    { name: 'part', value: [...part('color'), { name: 'inner', value: part('color') }] },
    { name: 'parts', value: [[part('color'), []]] },
  ];
  t.strictSame(after(attributes, { part: [{ change: 'attributeRenamed', name: 'color', to: 'shade' }] }), [
    { name: 'color', value: 'of the lamp' },
    { name: 'part', value: [...part('shade'), { name: 'inner', value: part('shade') }] },
    { name: 'parts', value: [[part('shade'), []]] },
  ]);
});

t.test('nested attributes are found by the names that they have come to have', async (t) => {
  const changes = {
    lamp: [{ change: 'attributeRenamed', name: 'piece', to: 'part' }],
    part: [{ change: 'attributeRemoved', name: 'color' }],
  } as const;
  t.strictSame(after([{ name: 'piece', value: [{ name: 'color', value: 'x' }] }], changes), [
    { name: 'part', value: [] },
  ]);
});

t.test('attributes that nothing happens to are the same, and none is changed in place', async () => {
  const values = fc.array(
    fc.record({
      name: fc.constantFrom('color', 'size', 'part', 'parts'),
      value: fc.oneof(fc.constantFrom(small, large, 'x', 1), fc.array(fc.constantFrom(small, large))),
    }),
    { maxLength: 5 },
  );
  const changes = fc.constantFrom<AttributeChange>(
    { change: 'attributeRenamed', name: 'size', to: 'shape' },
    { change: 'enumKeyRenamed', name: 'size', key: 'small', to: 'tiny' },
    { change: 'enumValuesRemoved', name: 'size', keys: ['large'] },
    { change: 'enumLabelChanged', name: 'size', value: { key: 'small', label: 'S' } },
  );
  fc.assert(
    fc.property(values, fc.array(changes), (given, lamp) => {
      const attributes = given.filter(({ name }) => !name.startsWith('part'));
      const text = JSON.stringify(attributes);
      const following = after(attributes, { lamp });
      const isTouched = attributes.some(({ name }) => name === 'size');
      return (
        JSON.stringify(attributes) === text &&
        (isTouched || following === attributes) &&
        !(lamp.length === 0 && following !== attributes)
      );
    }),
    { seed: 14 },
  );
});

t.test('a log holds the changes of later versions, the last that it has room for', async (t) => {
  const internals: Record<string, unknown> = {};
  const log = (version: number, name: string): void =>
    logChange({ version }, { change: 'attributeRemoved', name }, internals);
  log(1, 'first');
  log(2, 'second');
  log(2, 'third');
  t.strictSame(
    changesAfter(internals, 2).map(({ name, revision }) => [name, revision]),
    [
      ['second', 3],
      ['third', 3],
    ],
  );
  t.strictSame(changesAfter(internals, 3), []);
  t.equal(droppedUpTo(internals), 0);
  for (let version = 3; version < 3 + changesMax; version += 1) log(version, `more-${version}`);
  t.equal(changesAfter(internals, 0).length, changesMax);
  t.equal(changesAfter(internals, 0)[0]!.revision, 4);
  t.equal(droppedUpTo(internals), 3, 'and says up to where it may lack some');
});

t.test('a log leaves out what makes no difference any more', async (t) => {
  const label = (name: string, key: string, text = ''): AttributeChange => ({
    change: 'enumLabelChanged',
    name,
    value: { key, label: text },
  });
  const renamed = (name: string, to: string): AttributeChange => ({ change: 'attributeRenamed', name, to });
  const removed = (name: string): AttributeChange => ({ change: 'attributeRemoved', name });
  const keyRenamed: AttributeChange = { change: 'enumKeyRenamed', name: 'size', key: 's', to: 't' };
  const gone = (...keys: readonly string[]): AttributeChange => ({ change: 'enumValuesRemoved', name: 'size', keys });
  const cases: [string, readonly AttributeChange[], readonly number[]][] = [
    ['labels before the last of a value', [label('size', 's'), label('size', 'l'), label('size', 's')], [1, 2]],
    ['not those of another attribute', [label('size', 's'), label('form', 's')], [0, 1]],
    ['nor before it had its name', [label('size', 's'), renamed('size', 'form'), label('size', 's')], [0, 1, 2]],
    ['nor of the one that had it', [label('size', 's'), renamed('form', 'size'), label('size', 's')], [0, 1, 2]],
    ['nor of the value that had its key', [label('size', 's'), keyRenamed, label('size', 's')], [0, 1, 2]],
    ['nor of the key that it takes', [label('size', 't'), keyRenamed, label('size', 't')], [0, 1, 2]],
    ['labels of a value that goes', [label('size', 's'), label('size', 'l'), gone('s', 'm')], [1, 2]],
    ['not the labels of one that went before', [label('size', 's'), gone('s'), gone('s')], [1, 2]],
    ['all of an attribute that goes', [label('size', 's'), keyRenamed, gone('m'), removed('size')], [3]],
    ['not what it was called', [renamed('form', 'size'), label('size', 's'), removed('size')], [0, 2]],
    ['what went before it, too', [removed('size'), label('form', 's'), removed('size')], [1, 2]],
  ];
  for (const [name, changes, left] of cases) {
    const internals: Record<string, unknown> = {};
    for (const [version, change] of changes.entries()) logChange({ version }, change, internals);
    t.strictSame(
      changesAfter(internals, 0),
      left.map((index) => ({ ...changes[index], revision: index + 1 })),
      name,
    );
  }
  const internals: Record<string, unknown> = {};
  for (const change of [gone('s'), removed('size')]) logChange({ version: 1 }, change, internals);
  t.equal(changesAfter(internals, 0).length, 2, 'what the update itself removes is asked for by its checks');
});

t.test('what a log leaves out is missed by no product, whatever version it has followed', async () => {
  const names = fc.constantFrom('size', 'form');
  const keys = fc.constantFrom('small', 'large', 'tiny');
  const changes = fc.oneof(
    fc.record({ change: fc.constant('attributeRenamed' as const), name: names, to: names }),
    fc.record({ change: fc.constant('attributeRemoved' as const), name: names }),
    fc.record({ change: fc.constant('enumKeyRenamed' as const), name: names, key: keys, to: keys }),
    fc.record({
      change: fc.constant('enumValuesRemoved' as const),
      name: names,
      keys: fc.array(keys, { maxLength: 2 }),
    }),
    fc.record({
      change: fc.constant('enumLabelChanged' as const),
      name: names,
      value: fc.record({ key: keys, label: fc.constantFrom('A', 'B') }),
    }),
  );
  const attributes = [
    { name: 'size', value: small },
    { name: 'form', value: [small, large] },
  ];
  fc.assert(
    fc.property(fc.array(changes, { maxLength: 12 }), fc.nat({ max: 12 }), (given, since) => {
      const internals: Record<string, unknown> = {};
      for (const [version, change] of given.entries()) logChange({ version }, change, internals);
      const all = given.slice(since);
      const following = (lamp: readonly AttributeChange[]) => JSON.stringify(after(attributes, { lamp }));
      return following(changesAfter(internals, since)) === following(all);
    }),
    { seed: 21, numRuns: 5000 },
  );
});

t.test('removed values are called as products still call them', async (t) => {
  const removed = (...changes: readonly AttributeChange[]): unknown =>
    removedEnumValues(
      changes.map((change) => ({ ...change, revision: 2 })),
      2,
    );
  const gone: AttributeChange = { change: 'enumValuesRemoved', name: 'size', keys: ['tiny', 'large'] };
  const renamedKey: AttributeChange = { change: 'enumKeyRenamed', name: 'size', key: 'small', to: 'tiny' };
  t.strictSame(removed(gone), [{ name: 'size', keys: ['tiny', 'large'] }]);
  t.strictSame(removed(renamedKey, gone), [{ name: 'size', keys: ['small', 'large'] }]);
  t.strictSame(removed({ change: 'attributeRenamed', name: 'measure', to: 'size' }, renamedKey, gone), [
    { name: 'measure', keys: ['small', 'large'] },
  ]);
  t.strictSame(removed({ change: 'attributeRemoved', name: 'size' }, gone), [], 'an attribute of the update itself');
  t.strictSame(removed(gone, gone), [{ name: 'size', keys: ['tiny', 'large'] }], 'none is removed twice');
  t.strictSame(removedEnumValues([{ ...gone, revision: 1 }], 2), [], 'of an update before');
});

t.test('values are also called as they were since the version that is followed', (t) => {
  const log: readonly AttributeChange[] = [
    { change: 'enumKeyRenamed', name: 'measure', key: 'xs', to: 'small' },
    { change: 'attributeRenamed', name: 'measure', to: 'size' },
    { change: 'enumKeyRenamed', name: 'size', key: 'small', to: 'tiny' },
    { change: 'enumKeyRenamed', name: 'other', key: 'wee', to: 'tiny' },
  ];
  const changes = log.map((change, index) => ({ ...change, revision: index + 2 }));
  const called = (followed: number, ...later: readonly AttributeChange[]): unknown => {
    const all = [...changes, ...later.map((change, index) => ({ ...change, revision: index + 6 }))];
    const version = 5 + later.length;
    // What comes after the version is not looked at.
    const last = { change: 'attributeRenamed', name: 'size', to: 'extent', revision: version + 1 } as const;
    return alsoCalled([...all, last], { name: 'size', keys: ['tiny', 'large'] }, { followed, version }).map(
      ({ name, keys }) => [name, ...keys].join(' '),
    );
  };
  t.strictSame(called(5), ['size tiny large']);
  t.strictSame(called(3), ['size tiny large', 'size small large']);
  t.strictSame(called(1), ['size tiny large', 'size small large', 'measure small large', 'measure xs large']);
  t.strictSame(called(1, { change: 'attributeRenamed', name: 'size', to: 'bulk' }), ['size tiny large'], 'another one');
  t.strictSame(called(1, { change: 'attributeRemoved', name: 'size' }), ['size tiny large'], 'nor one that went');
  t.strictSame(
    called(1, { change: 'enumKeyRenamed', name: 'size', key: 'tiny', to: 'little' }),
    ['size tiny large', 'measure large'],
    'the key was that of another value',
  );
  t.strictSame(
    called(1, { change: 'enumValuesRemoved', name: 'size', keys: ['tiny', 'large'] }),
    ['size tiny large'],
    'the values have come again',
  );
  t.end();
});

import fc from 'fast-check';
import { isDeepStrictEqual } from 'node:util';
import t from 'tap';
import { customFields } from '../../src/fields/custom-fields.ts';
import { type FieldKind, optional, type OutputType, required } from '../../src/fields/field.ts';
import { list } from '../../src/fields/list.ts';
import { localizedString } from '../../src/fields/localized-string.ts';
import { oneOf } from '../../src/fields/one-of.ts';
import { Parsing, type StrongReference } from '../../src/fields/parsing.ts';
import { keyReference, reference } from '../../src/fields/reference.ts';
import { integer, text } from '../../src/fields/scalar.ts';
import { mismatches } from '../support/json-schema.ts';
import { faultsOf } from '../support/faults.ts';

const point = { typeName: 'Point', fields: {} };
const shape = oneOf('Shape', {
  Circle: {
    typeName: 'Circle',
    fields: {
      radius: required(integer()),
      zone: optional(reference('zone', 'Zone')),
      name: optional(localizedString()),
    },
    check: ({ radius }, parsing) => {
      if (radius === 13) parsing.wrongValue(radius, 'luck');
    },
    examples: [{ radius: 1 }],
  },
  Group: {
    typeName: 'Group',
    fields: {
      shapes: required(list(oneOf('Shape', { Point: point }, { isPart: true }))),
      store: optional(keyReference('store', 'Store')),
      custom: optional(customFields('shape')),
    },
    input: 'ShapeGroup',
  },
  Point: point,
});
const named = oneOf('Named', { Text: { typeName: 'TextForm', fields: { type: required(text()) } } }, { tag: 'name' });

interface Parsed {
  readonly value: unknown;
  /** Codes, and the fields that they are about. */
  readonly faults: readonly string[];
}

function parsed(kind: FieldKind<object>, input: unknown): Parsed {
  const parsing = new Parsing();
  const value = kind.parse(input, parsing);
  parsing.within('it', 0);
  return { value, faults: faultsOf(parsing) };
}

t.test('a value has the members of its form, and the tag before them', async (t) => {
  const { value } = parsed(shape, { side: 4, radius: 2, shapes: 'of another form', type: 'Circle', name: { en: 'C' } });
  t.equal(JSON.stringify(value), '{"type":"Circle","radius":2,"name":{"en":"C"}}');
  t.strictSame(parsed(shape, { type: 'Point', radius: 'x' }), { value: { type: 'Point' }, faults: [] });
  t.strictSame(parsed(named, { type: 'bold', name: 'Text' }), { value: { name: 'Text', type: 'bold' }, faults: [] });
});

t.test('what names no form is refused with the forms that there are', async (t) => {
  t.strictSame(parsed(shape, { radius: 1 }), { value: undefined, faults: ['RequiredField it.type'] });
  t.strictSame(parsed(named, { type: 'Text' }), { value: undefined, faults: ['RequiredField it.name'] });
  for (const type of ['circle', '', 'Square', 'toString', '__proto__', 'constructor', 1, true, {}, ['Circle']])
    t.strictSame(
      parsed(shape, { type, radius: 1 }),
      { value: undefined, faults: ['InvalidField it.type'] },
      JSON.stringify(type),
    );
  for (const input of ['Circle', null, undefined, 1, [{ type: 'Circle' }]])
    t.match(parsed(shape, input), { value: undefined, faults: [/^InvalidJsonInput .*an object is expected/] });
  const parsing = new Parsing();
  shape.parse({ type: 'Square' }, parsing);
  t.throws(() => parsing.settle(), /"Square".*Circle or Group or Point is expected/);
});

t.test('all faults of a form are told together, and what looks at the whole is asked without any', async (t) => {
  t.strictSame(parsed(shape, { type: 'Circle', zone: {}, name: { nowhere: 'x' } }).faults.toSorted(), [
    'InvalidField it.name',
    "InvalidInput Field 'it.zone' needs either an id or a key, as a string.",
    'RequiredField it.radius',
  ]);
  t.strictSame(parsed(shape, { type: 'Group', shapes: [{ type: 'Point' }, {}, { type: 'Circle' }] }).faults, [
    'RequiredField it.shapes[1].type',
    'InvalidField it.shapes[2].type',
  ]);
  t.strictSame(parsed(shape, { type: 'Circle', radius: 13 }), { value: undefined, faults: ['InvalidField it'] });
  t.strictSame(parsed(shape, { type: 'Circle', radius: 13, zone: {} }).faults.length, 1);
});

t.test('the references of a value are those of its form', async (t) => {
  const found = (value: object): readonly StrongReference[] => {
    const references: StrongReference[] = [];
    shape.references!(value as never, (each) => references.push(each));
    return references;
  };
  const [zone, store] = [
    { typeId: 'zone', id: 'a' },
    { typeId: 'store', key: 'b' },
  ];
  const custom = { type: { typeId: 'type', id: 'c' }, fields: {} };
  t.strictSame(found({ type: 'Circle', radius: 1, zone, store }), [zone]);
  t.strictSame(found({ type: 'Group', shapes: [], zone, store, custom }), [store, custom.type]);
  t.strictSame(found({ type: 'Point', zone, store }), []);
  t.strictSame(found({ type: 'Forgotten', zone, store }), []);
});

t.test('what other resources describe is found in its form, with the path to it', async (t) => {
  const found = (value: object): readonly string[] => {
    const paths: string[] = [];
    shape.described!(value as never, { path: 'shape', name: 'shape' }, ({ by }, { path }) =>
      paths.push(`${path} ${by.id}`),
    );
    return paths;
  };
  const custom = { type: { typeId: 'type', id: 'c' }, fields: {} };
  t.strictSame(found({ type: 'Group', shapes: [], custom }), ['shape.custom c']);
  t.strictSame(found({ type: 'Point', custom }), []);
  t.equal(named.described, undefined, 'a kind whose forms have none says so');
});

t.test('a value that was made and not parsed is checked by its form', async (t) => {
  const faults = (value: object): readonly string[] => {
    const parsing = new Parsing();
    shape.check!(value as never, parsing);
    return faultsOf(parsing);
  };
  const shapes = Array.from({ length: 10_001 }, () => ({ type: 'Point' }));
  t.strictSame(faults({ type: 'Group', shapes }), ['InvalidField shapes']);
  t.strictSame(faults({ type: 'Circle', radius: 1, shapes }), []);
});

const plain = { noNullPrototype: true };
const texts = fc.dictionary(fc.constantFrom('en', 'de'), fc.string({ unit: 'grapheme-ascii' }), plain);
const points = fc.array(fc.constant({ type: 'Point' }), { maxLength: 3 });
const value = fc.oneof(
  fc.record(
    { type: fc.constant('Circle'), radius: fc.integer({ min: 14 }), name: texts },
    { ...plain, requiredKeys: ['type', 'radius'] },
  ),
  fc.record({ type: fc.constant('Group'), shapes: points }, plain),
  fc.constant({ type: 'Point' }),
);

/** A value as GraphQL takes it: its form as the one member, and texts by locale as a list. */
function given({ type, ...members }: { readonly type: string; readonly [member: string]: unknown }): object {
  const { name, shapes } = members;
  return {
    [type]: {
      ...members,
      ...(name !== undefined && {
        name: Object.entries(name as object).map(([locale, text]) => ({ locale, value: text as unknown })),
      }),
      ...(shapes !== undefined && { shapes: (shapes as (typeof members & { type: string })[]).map(given) }),
      ...(type === 'Point' && { dummy: 'x' }),
    },
    ...(type !== 'Point' && { Point: null }),
  };
}

t.test('what GraphQL is given becomes the value that REST has', async (t) => {
  fc.assert(
    fc.property(value, (each) => {
      const read = shape.input!.read!(given(each));
      return isDeepStrictEqual(parsed(shape, read), { value: each, faults: [] });
    }),
  );
  t.pass();
});

t.test('GraphQL takes exactly one form', async (t) => {
  for (const input of [{}, { Circle: null }, { Circle: { radius: 1 }, Point: {} }, 'Circle', null])
    t.throws(() => shape.input!.read!(input), {
      code: 'InvalidInput',
      message: 'The input ShapeDraft takes exactly one of Circle, Group, Point.',
    });
});

t.test('the inputs of GraphQL have a member for each form, and none is empty', async (t) => {
  const types = new Map(
    shape
      .input!.types()
      .map((type) => [type.name, 'fields' in type ? type.fields.map((field) => `${field.name}: ${field.type}`) : []]),
  );
  t.equal(shape.input!.type, 'ShapeDraft');
  t.strictSame(types.get('CircleDraft'), [
    'radius: Long!',
    'zone: ResourceIdentifierInput',
    'name: [LocalizedStringItemInputType!]',
  ]);
  t.strictSame(types.get('PointDraft'), ['dummy: String']);
  t.match(types.get('ShapeGroup'), [
    'shapes: [ShapeDraft!]!',
    'store: ResourceIdentifierInput',
    'custom: CustomFieldsDraft',
  ]);
  t.ok(types.has('LocalizedStringItemInputType') && types.has('CustomFieldsDraft'), 'with the types of their members');
});

t.test('GraphQL gives an interface with the tag, and each form what its members give', async (t) => {
  const interfaceOf = (kind: FieldKind<never>) =>
    kind.output.types().find((type): type is Extract<OutputType, { type: 'interface' }> => type.type === 'interface')!;
  const { name, fields, formOf, members } = interfaceOf(shape as FieldKind<never>);
  t.equal(name, 'Shape');
  t.strictSame(
    fields.map((field) => `${field.name}: ${field.type}`),
    ['type: String!'],
  );
  const circle = { type: 'Circle', radius: 2, name: { en: 'C' } };
  t.equal(formOf(circle), 'Circle');
  t.match(members, {
    Circle: { name: 'Circle' },
    Point: { name: 'Point' },
    Group: { name: 'Group' },
  });
  t.strictSame(
    Object.fromEntries(members['Circle']!.fields.map((field) => [field.name, field.read(circle, { locale: 'en' })])),
    {
      type: 'Circle',
      radius: 2,
      zone: undefined,
      zoneRef: undefined,
      name: 'C',
      nameAllLocales: [{ locale: 'en', value: 'C' }],
    },
  );
  t.strictSame(
    members['Point']!.fields.map((field) => field.read({ type: 'Point' }, {})),
    ['Point'],
  );
  const volume = { name: 'volume', type: 'Long!', complexity: 1, read: () => 8 };
  const sized = interfaceOf(
    oneOf(
      'Size',
      { Small: point, Large: { ...point, output: [volume] } },
      { formOf: ({ radius }) => (Number(radius) > 9 ? 'Large' : 'Small') },
    ) as FieldKind<never>,
  );
  t.equal(sized.formOf({ type: 'Small', radius: 10 }), 'Large', 'where the tag alone does not tell the form');
  t.strictSame(
    sized.members['Large']!.fields.map((field) => field.name),
    ['type', 'volume'],
    'where the members are others',
  );
  t.strictSame(oneOf('Part', { Point: point }, { isPart: true }).output.types(), []);
});

t.test('the examples and their values are what the schema says, and nothing between two forms is', async (t) => {
  const { draft, value: valueSchema } = shape.schema;
  t.match(shape.examples, [{ type: 'Circle', zone: undefined }, { type: 'Group', shapes: [{}] }, { type: 'Point' }]);
  for (const example of shape.examples) t.strictSame(mismatches(draft, example), [], JSON.stringify(example));
  t.strictSame(mismatches(valueSchema, { type: 'Circle', radius: 1 }), []);
  for (const wrong of [{ type: 'Circle' }, { radius: 1 }, { type: 'Square' }, { type: 'Group', radius: 1 }])
    t.not(mismatches(draft, wrong).length, 0, JSON.stringify(wrong));
});

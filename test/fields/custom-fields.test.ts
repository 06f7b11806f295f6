import fc from 'fast-check';
import { isDeepStrictEqual } from 'node:util';
import t from 'tap';
import { type CustomFields, customFields, readCustomFields } from '../../src/fields/custom-fields.ts';
import { ApiError } from '../../src/errors/api-error.ts';
import type { Described, OutputType } from '../../src/fields/field.ts';
import { Parsing, type StrongReference } from '../../src/fields/parsing.ts';
import { faultsOf } from '../support/faults.ts';

const kind = customFields('channel');

/** The value of a draft, and what is wrong with it. */
function parsed(input: unknown): { readonly value: CustomFields | undefined; readonly faults: readonly string[] } {
  const parsing = new Parsing();
  const value = kind.parse(input, parsing);
  parsing.within('custom', 0);
  return { value, faults: faultsOf(parsing) };
}

interface Definition {
  readonly name: string;
  readonly type: object;
  readonly required: boolean;
}

function definition(name: string, type: string | object, required = false): Definition {
  return { name, type: typeof type === 'string' ? { name: type } : type, required };
}

function typeOf(...fieldDefinitions: readonly Definition[]): Readonly<Record<string, unknown>> {
  return { resourceTypeIds: ['store', 'channel'], fieldDefinitions };
}

const values = ['small', 'large'].map((key) => ({ key, label: key }));

/** What a resource has of these fields once its type has been looked up, and what is wrong with it. */
function checked(
  fields: object,
  type: Readonly<Record<string, unknown>>,
  before?: object,
): { readonly fields: unknown; readonly faults: readonly string[]; readonly looked: readonly string[] } {
  const value: CustomFields = { type: { typeId: 'type', id: 't' }, fields: { ...fields } };
  const described: Described[] = [];
  kind.described!(value, { path: 'custom', name: 'custom' }, (each) => described.push(each));
  const parsing = new Parsing();
  const old = before && { type: value.type, fields: before };
  for (const each of described) each.check(type, old, parsing);
  const looked = parsing.identifiers.map(({ typeId, id, key }) => `${typeId} ${id ?? key}`);
  // Whoever has a key is the resource with that id here.
  for (const { target, id, key } of parsing.identifiers) target.id = (id ?? key)!;
  for (const completion of parsing.completions()) completion();
  return { fields: value.fields, faults: faultsOf(parsing), looked };
}

t.test('a draft names a type and gives free values, of which null says that there is none', async (t) => {
  const parsing = new Parsing();
  const fields = { note: 'x', none: null, list: [null, 1], toString: { deep: null } };
  const value = kind.parse({ type: { key: 'k' }, fields, more: 1 }, parsing);
  t.strictSame(value, {
    type: { typeId: 'type', id: '' },
    fields: { note: 'x', list: [null, 1], toString: { deep: null } },
  });
  t.match(parsing.identifiers, [{ typeId: 'type', key: 'k', target: value!.type, wants: 'id' }]);
  for (const without of [{ type: { id: 'i' } }, { type: { id: 'i' }, fields: null }])
    t.strictSame(kind.parse(without, parsing)?.fields, {});
});

t.test('a draft without a type, or with no object of fields, is refused with all that is wrong', async (t) => {
  t.strictSame(parsed({ fields: { note: 'a\0' } }), {
    value: undefined,
    faults: ['RequiredField custom.type', 'InvalidField custom.fields'],
  });
  const wrong = { type: { typeId: 'zone', id: 'i' }, fields: ['note'] };
  t.match(parsed(wrong).faults, ['InvalidField custom.type', /'custom.fields' is .* an object of names and values/]);
  t.match(parsed('note').faults, [/'custom' is "note", but an object is expected/]);
});

t.test('values become what the type of their field says', async (t) => {
  const money = { type: 'centPrecision', currencyCode: 'EUR', centAmount: 490, fractionDigits: 2 };
  const cases: readonly (readonly [string | object, unknown, unknown])[] = [
    ['Boolean', false, false],
    ['String', '', ''],
    ['LocalizedString', { 'de-AT': 'x' }, { 'de-AT': 'x' }],
    ['Number', -1.5, -1.5],
    ['Money', { currencyCode: 'EUR', centAmount: 490 }, money],
    ['Date', '2030-01-31', '2030-01-31'],
    ['Time', '14:30:00', '14:30:00.000'],
    ['DateTime', '2030-01-31T12:00:00+01:00', '2030-01-31T11:00:00.000Z'],
    [{ name: 'Enum', values }, 'small', 'small'],
    [{ name: 'LocalizedEnum', values }, 'large', 'large'],
    [{ name: 'Reference', referenceTypeId: 'zone' }, { key: 'europe' }, { typeId: 'zone', id: 'europe' }],
    [
      { name: 'Set', elementType: { name: 'Time' } },
      ['14:30:00', '14:30:00.000', '01:00:00'],
      ['14:30:00.000', '01:00:00.000'],
    ],
    [
      { name: 'Set', elementType: { name: 'LocalizedString' } },
      [
        { en: 'a', de: 'b' },
        { de: 'b', en: 'a' },
      ],
      [{ en: 'a', de: 'b' }],
    ],
  ];
  for (const [type, given, stored] of cases) {
    const { fields, faults } = checked({ field: given }, typeOf(definition('field', type)));
    t.strictSame(faults, [], JSON.stringify(type));
    t.strictSame(fields, { field: stored }, JSON.stringify(type));
    t.strictSame(checked({}, typeOf(definition('field', type))).fields, {}, 'and stay away where they are not given');
  }
});

t.test('a value of another type than its field is refused', async (t) => {
  const cases: readonly (readonly [string | object, unknown])[] = [
    ['Boolean', 'true'],
    ['String', 1],
    ['LocalizedString', 'x'],
    ['Number', '1'],
    ['Money', { currencyCode: 'EUR', centAmount: 1.5 }],
    ['Date', '2030-02-30'],
    ['Time', '25:00:00'],
    ['DateTime', '2030-01-31'],
    [{ name: 'Enum', values }, 'Small'],
    [{ name: 'LocalizedEnum', values }, 'toString'],
    [
      { name: 'Reference', referenceTypeId: 'zone' },
      { typeId: 'store', id: 'a' },
    ],
    [{ name: 'Set', elementType: { name: 'Number' } }, 1],
  ];
  for (const [type, given] of cases)
    t.match(
      checked({ field: given }, typeOf(definition('field', type))).faults,
      [/^InvalidField fields\.field|^InvalidJsonInput .*'fields\.field'/],
      JSON.stringify(type),
    );
});

t.test('all faults of one value are told together, with the path to each', async (t) => {
  const type = typeOf(
    definition('needed', 'String', true),
    definition('sizes', { name: 'Set', elementType: { name: 'Enum', values } }),
    definition('price', 'Money', true),
    definition('note', 'String'),
  );
  const fields = {
    note: 'x',
    other: 1,
    toString: 'x',
    sizes: ['small', 'huge', 'tiny'],
    price: { currencyCode: 'EUR' },
  };
  t.strictSame(checked(fields, type).faults, [
    'InvalidField fields.other',
    'InvalidField fields.toString',
    'RequiredField fields.needed',
    'InvalidField fields.sizes[1]',
    'InvalidField fields.sizes[2]',
    'RequiredField fields.price.centAmount',
  ]);
  const parsing = new Parsing();
  kind.described!({ type: { typeId: 'type', id: 't' }, fields: { other: 1 } }, { path: '', name: '' }, (each) =>
    each.check(typeOf(definition('note', 'String'), definition('size', 'String')), undefined, parsing),
  );
  t.throws(() => parsing.settle(), /a field that the type defines \(note, size\)/);
});

t.test('of thousands of values or fields that there are messages name the first', async (t) => {
  const messagesFor = (fields: object, ...defined: readonly Definition[]): readonly string[] => {
    const parsing = new Parsing();
    kind.described!({ type: { typeId: 'type', id: 't' }, fields: { ...fields } }, { path: '', name: '' }, (each) =>
      each.check(typeOf(...defined), undefined, parsing),
    );
    try {
      parsing.settle();
    } catch (error) {
      if (error instanceof ApiError) return error.errors.map(({ message }) => message);
    }
    return [];
  };
  const numbers = Array.from({ length: 5000 }, (_, index) => index);
  const keys = numbers.map((index) => ({ key: `key-${index}-${'x'.repeat(50)}`, label: 'l' }));
  const sizes = definition('sizes', { name: 'Set', elementType: { name: 'Enum', values: keys } });
  const wrong = messagesFor({ sizes: ['tiny', 'huge'] }, sizes);
  t.match(wrong, [/sizes\[0\].*Allowed values: key-0-x+, key-1-x+,.{1500,2000}…\.$/, /sizes\[1\]/]);
  const unknown = messagesFor({ other: 1 }, ...numbers.map((index) => definition(`field-${index}`, 'String')));
  t.match(unknown, [/\(field-0, field-1, .{1500,2000}…\) is expected\.$/]);
  const longName = messagesFor({ ['n'.repeat(10_000)]: 1 });
  t.match(longName, [/^.{300,500}$/], 'and of a long name its begin');
  const longKey = definition('size', { name: 'Enum', values: [{ key: 'k'.repeat(3000), label: 'l' }] });
  t.match(messagesFor({ size: 'x' }, longKey), [/Allowed values: k{2000}…\.$/]);
});

t.test('a field may have a name that every object inherits', async (t) => {
  const type = typeOf(definition('constructor', 'String'), definition('toString', 'String', true));
  t.strictSame(checked({}, type).faults, ['RequiredField fields.toString']);
  t.strictSame(checked({ toString: 'x' }, type), { fields: { toString: 'x' }, faults: [], looked: [] });
});

t.test('a type for other resources is refused, whatever the values are', async (t) => {
  const type = { ...typeOf(definition('needed', 'String', true)), resourceTypeIds: ['store', 'category'] };
  t.strictSame(checked({ other: 1 }, type).faults, ['InvalidField type']);
});

t.test('what is left of a field that the type has given up goes, unless it is given anew', async (t) => {
  const type = typeOf(definition('note', 'String'));
  const old = { deep: [{ a: 1 }] };
  t.strictSame(checked({ note: 'x', gone: structuredClone(old) }, type, { gone: old }), {
    fields: { note: 'x' },
    faults: [],
    looked: [],
  });
  t.strictSame(checked({ gone: { deep: [] } }, type, { gone: old }).faults, ['InvalidField fields.gone']);
  t.strictSame(checked({ gone: old }, type).faults, ['InvalidField fields.gone'], 'nor where nothing stood before');
  t.strictSame(checked({ note: 'x' }, type, { note: 'x' }).fields, { note: 'x' }, 'what has a definition stays');
});

t.test('the targets of values are looked up, and equal ones stand in a set once', async (t) => {
  const zone = { name: 'Reference', referenceTypeId: 'zone' };
  const { fields, looked } = checked(
    { one: { id: 'a' }, all: [{ key: 'b' }, { typeId: 'zone', id: 'b' }, { id: 'a' }] },
    typeOf(definition('one', zone), definition('all', { name: 'Set', elementType: zone })),
  );
  t.strictSame(looked, ['zone a', 'zone b', 'zone b', 'zone a']);
  const [a, b] = ['a', 'b'].map((id) => ({ typeId: 'zone', id }));
  t.strictSame(fields, { one: a, all: [b, a] });
});

t.test('of what a value refers to, its type alone may not be deleted', async (t) => {
  const references: StrongReference[] = [];
  const type = { typeId: 'type', id: 't' };
  kind.references!({ type, fields: { zone: { typeId: 'zone', id: 'z' } } }, (each) => references.push(each));
  t.strictSame(references, [type]);
});

t.test('a value is described by its type, where it stands', async (t) => {
  const value = { type: { typeId: 'type', id: 't' }, fields: { note: 'x' } };
  const place = { path: 'items[0].custom', name: 'items[#a].custom' };
  kind.described!(value, place, (described, at) => {
    t.strictSame(at, { ...place, name: `channel ${place.name}` });
    t.strictSame([described.by, described.value], [value.type, value]);
  });
  t.plan(2);
});

const objectOf = (name: string) =>
  kind.output
    .types()
    .flatMap((type: OutputType) => (type.type === 'object' && type.object.name === name ? [type.object] : []))[0]!;

/** What a field of GraphQL says of a value. */
function read(object: string, field: string, parent: object, args: Readonly<Record<string, unknown>> = {}): unknown {
  const found = objectOf(object).fields.find(({ name }) => name === field)!;
  return found.read(parent as Readonly<Record<string, unknown>>, args);
}

t.test('what GraphQL gives of a value makes the same value when it is given back', async (t) => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue(), { noNullPrototype: true }), (fields) => {
      const value = { type: { typeId: 'type', id: 't' }, fields };
      const raw = read('CustomFieldsType', 'customFieldsRaw', value) as { name: string; value: unknown }[];
      const given = {
        type: read('CustomFieldsType', 'typeRef', value),
        fields: raw.map(({ name, value: each }) => ({ name, value: JSON.stringify(each) })),
      };
      return isDeepStrictEqual(readCustomFields(given), JSON.parse(JSON.stringify(value)));
    }),
  );
  t.pass();
});

t.test('GraphQL gives the fields whose names are asked for, and the targets of those that have any', async (t) => {
  const [one, other] = ['a', 'b'].map((id) => ({ typeId: 'zone', id }));
  const value = { fields: { note: 'x', one, all: [one, other] } };
  const names = (args: Readonly<Record<string, unknown>>): unknown =>
    (read('CustomFieldsType', 'customFieldsRaw', value, args) as { name: string }[]).map(({ name }) => name);
  const cases: readonly (readonly [Readonly<Record<string, unknown>>, readonly string[]])[] = [
    [{}, ['note', 'one', 'all']],
    [{ includeNames: null, excludeNames: null }, ['note', 'one', 'all']],
    [{ includeNames: ['all', 'none', 'note'] }, ['note', 'all']],
    [{ includeNames: [] }, []],
    [{ excludeNames: ['note'] }, ['one', 'all']],
    [{ includeNames: ['note', 'one'], excludeNames: ['note'] }, ['one']],
  ];
  for (const [args, expected] of cases) t.strictSame(names(args), expected, JSON.stringify(args));
  t.strictSame(read('CustomFieldsType', 'customFieldsRaw', {}), [], 'none where there are no fields');
  const raw = { name: 'all', value: value.fields.all };
  t.equal(read('RawCustomField', 'referencedResource', raw), undefined);
  t.strictSame(read('RawCustomField', 'referencedResourceSet', raw), [one, other]);
  t.strictSame(read('RawCustomField', 'referencedResource', { name: 'one', value: one }), one);
  t.strictSame(read('RawCustomField', 'referencedResourceSet', { name: 'one', value: one }), []);
});

t.test('GraphQL names the type in three ways, and takes nothing that is not there', async (t) => {
  const cases: readonly (readonly [unknown, unknown])[] = [
    [{ type: { typeId: 'type', key: 'k' }, typeId: 'other' }, { type: { typeId: 'type', key: 'k' } }],
    [{ typeId: 'i' }, { type: { typeId: 'type', id: 'i', key: undefined } }],
    [{ typeKey: 'k', typeId: null, type: null }, { type: { typeId: 'type', id: undefined, key: 'k' } }],
    [{ fields: null, type: null }, {}],
    [{ fields: [] }, { fields: {} }],
    [
      {
        fields: [
          { name: 'a', value: '[1]' },
          { name: 'a', value: '"2"' },
        ],
      },
      { fields: { a: '2' } },
    ],
    [null, null],
  ];
  for (const [given, expected] of cases) t.strictSame(readCustomFields(given), expected, JSON.stringify(given));
});

t.test('a value that is no JSON is refused with the name of its field, as much as is worth telling', async (t) => {
  const refusing = (name: string, value: string, told: string): void =>
    void t.throws(
      () =>
        readCustomFields({
          fields: [
            { name: 'good', value: '1' },
            { name, value },
          ],
        }),
      {
        code: 'InvalidInput',
        message: `The value of the custom field '${told}' is not valid JSON.`,
      },
    );
  refusing('note', 'text', 'note');
  refusing('note', '', 'note');
  refusing('n'.repeat(101), '{', 'n'.repeat(100));
});

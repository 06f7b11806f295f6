import fc from 'fast-check';
import { isDeepStrictEqual } from 'node:util';
import t from 'tap';
import type { ApiError } from '../../../src/errors/api-error.ts';
import { Parsing } from '../../../src/fields/parsing.ts';
import type { AttributeType } from '../../../src/resources/product-type/attribute-type.ts';
import type { ConstrainedVariant } from '../../../src/resources/product-type/constraint-history.ts';
import type { AttributeDefinition } from '../../../src/resources/product-type/fields.ts';
import {
  type Attribute,
  attributesOf,
  nestedTypes,
  type ProductAttributes,
} from '../../../src/resources/product-type/offers.ts';
import { colors, definition, plainValues, productType, setsOf, sizes } from '../../support/attribute-values.ts';
import { faultsOf } from '../../support/faults.ts';

const dimensions = productType('dimensions', [
  definition('width', { name: 'number' }, { isRequired: true }),
  definition('unit', { name: 'enum', values: sizes }, { level: 'Product' }),
  definition('inner', { name: 'nested', typeReference: { typeId: 'product-type', id: 'dimensions' } }),
]);

const nested: AttributeType = { name: 'nested', typeReference: { typeId: 'product-type', id: 'dimensions' } };

function setOf(elementType: AttributeType): AttributeType {
  return { name: 'set', elementType };
}

interface Outcome {
  readonly value: unknown;
  readonly faults: readonly string[];
}

/** What becomes of one value of an attribute of a type, once what it names is found. */
function parsed(type: AttributeType, value: unknown): Outcome {
  const attributes: ProductAttributes = attributesOf(productType('own', [definition('attribute', type)]), (id) =>
    id === 'dimensions' ? dimensions : undefined,
  );
  const parsing = new Parsing();
  const attribute = attributes.parse({ name: 'attribute', value }, 'Variant', parsing);
  // Whoever has a key is the resource with that id here.
  for (const { target, id, key } of parsing.identifiers) target.id = (id ?? key)!;
  for (const completion of parsing.completions()) completion();
  return { value: attribute?.value, faults: faultsOf(parsing) };
}

t.test('values of every type are stored as they read, and parsing what is stored changes nothing', async (t) => {
  for (const [type, values] of plainValues) {
    for (const [name, form, given] of [
      ['', type, values],
      ['set of ', setOf(type), setsOf(values)],
    ] as const) {
      fc.assert(
        fc.property(given, (sent) => {
          const { value, faults } = parsed(form, sent.given);
          return (
            faults.length === 0 &&
            isDeepStrictEqual(value, sent.stored) &&
            isDeepStrictEqual(parsed(form, value).value, value)
          );
        }),
        { seed: 14 },
      );
      t.pass(`${name}${type.name}`);
    }
  }
});

t.test('nested attributes are values of the type that they nest, in sets and in each other', async (t) => {
  const given = [
    { name: 'width', value: 3 },
    { name: 'unit', value: 'small' },
    { name: 'inner', value: [{ name: 'unit', value: { key: 'large' } }] },
  ];
  const stored = [
    { name: 'width', value: 3 },
    { name: 'unit', value: sizes[0] },
    { name: 'inner', value: [{ name: 'unit', value: sizes[1] }] },
  ];
  t.strictSame(parsed(nested, given), { value: stored, faults: [] });
  t.strictSame(parsed(setOf(nested), [given, given, []]), { value: [stored, []], faults: [] });
  t.strictSame(parsed(setOf(setOf(nested)), [[given], [given]]), { value: [[stored]], faults: [] });
  t.strictSame(parsed(nested, [{ name: 'width', value: null }, { name: 'unit' }]), { value: [], faults: [] });
});

t.test('what the type does not take is an InvalidField of the attribute, however deep it stands', async (t) => {
  const cases: readonly (readonly [AttributeType, unknown])[] = [
    [{ name: 'boolean' }, 'true'],
    [{ name: 'text' }, 1],
    [{ name: 'text' }, 'a\0'],
    [{ name: 'ltext' }, 'x'],
    [{ name: 'ltext' }, { english: 'x' }],
    [{ name: 'number' }, '1'],
    [{ name: 'number' }, 2 ** 53],
    [{ name: 'money' }, 5],
    [{ name: 'money' }, { currencyCode: 'EUR' }],
    [{ name: 'date' }, '2030-02-30'],
    [{ name: 'time' }, '25:00:00'],
    [{ name: 'datetime' }, '2030-01-31'],
    [{ name: 'enum', values: sizes }, 'Small'],
    [{ name: 'enum', values: sizes }, 'constructor'],
    [{ name: 'enum', values: sizes }, { label: 'SMALL' }],
    [{ name: 'lenum', values: colors }, 3],
    [{ name: 'reference', referenceTypeId: 'category' }, 'shoes'],
    [
      { name: 'reference', referenceTypeId: 'category' },
      { typeId: 'product', id: 'x' },
    ],
    [{ name: 'reference', referenceTypeId: 'category' }, { typeId: 'category' }],
    [setOf({ name: 'number' }), 1],
    [setOf({ name: 'number' }), [1, null]],
    [nested, { name: 'width', value: 1 }],
    [nested, [{ name: 'width', value: '1' }]],
    [nested, [{ name: 'depth', value: 1 }]],
    [nested, [{ value: 1 }]],
    [nested, ['width']],
    [
      nested,
      [
        { name: 'width', value: 1 },
        { name: 'width', value: 1 },
      ],
    ],
    [setOf(nested), [[{ name: 'inner', value: [{ name: 'unit', value: 'tiny' }] }]]],
  ];
  for (const [type, value] of cases)
    t.strictSame(
      parsed(type, value),
      { value: undefined, faults: ['InvalidField attribute'] },
      JSON.stringify([type, value]),
    );
});

t.test('a refusal says what was sent, where it stands, and what an enumeration takes', async (t) => {
  const attributes = attributesOf(
    productType('own', [definition('sizes', setOf({ name: 'enum', values: sizes }))]),
    () => {
      throw new Error('It nests none.');
    },
  );
  const parsing = new Parsing();
  t.equal(attributes.parse({ name: 'sizes', value: ['small', 'tiny', 7] }, 'Variant', parsing), undefined);
  const allowedValues = ['small', 'large', 'toString'];
  t.throws(() => parsing.settle(), {
    errors: [
      { code: 'InvalidField', field: 'sizes', invalidValue: 'tiny', allowedValues, message: /'sizes\[1\]'/ },
      { code: 'InvalidField', field: 'sizes', invalidValue: 7, allowedValues, message: /'sizes\[2\]'/ },
    ],
  });
});

t.test('of thousands of values that are allowed the first are told', (t) => {
  const values = Array.from({ length: 5000 }, (_, index) => ({ key: `key-${index}-${'x'.repeat(90)}`, label: 'l' }));
  const attributes = attributesOf(productType('own', [definition('sizes', setOf({ name: 'enum', values }))]), () => {
    throw new Error('It nests none.');
  });
  const parsing = new Parsing();
  const wrong = Array.from({ length: 200 }, (_, index) => `wrong ${index}`);
  attributes.parse({ name: 'sizes', value: wrong }, 'Variant', parsing);
  try {
    parsing.settle();
    t.fail('It is refused.');
  } catch (error) {
    const { errors } = error as ApiError;
    t.equal(errors.length, 100);
    for (const { message, allowedValues } of errors as unknown as readonly {
      message: string;
      allowedValues: string[];
    }[]) {
      t.match(message, /^.{1900,2200}…\.$/);
      t.strictSame(
        allowedValues,
        values.slice(0, allowedValues.length).map(({ key }) => key),
      );
      t.ok(allowedValues.length > 90 && allowedValues.join('').length <= 10_000);
    }
  }
  t.end();
});

t.test('attributes that are not defined, or belong to another level, are refused', async (t) => {
  const type = productType('own', [
    definition('brand', { name: 'text' }, { level: 'Product' }),
    definition('color', { name: 'text' }),
  ]);
  const attributes = attributesOf(type, () => undefined);
  const faults = (name: string, level: 'Product' | 'Variant'): readonly string[] => {
    const parsing = new Parsing();
    const parsedAs = attributes.parse({ name, value: 'x' }, level, parsing);
    const found = faultsOf(parsing);
    t.equal(parsedAs === undefined, found.length > 0, `${name} of the level ${level}`);
    return found;
  };
  t.strictSame(faults('brand', 'Product'), []);
  t.strictSame(faults('color', 'Variant'), []);
  t.match(faults('brand', 'Variant'), [/^InvalidOperation /]);
  t.match(faults('color', 'Product'), [/^InvalidOperation /]);
  for (const name of ['shade', 'toString', '__proto__'])
    t.strictSame(faults(name, 'Variant'), [`InvalidField ${name}`], name);
});

t.test('required attributes of a level have to be there', async (t) => {
  const type = productType('own', [
    definition('brand', { name: 'text' }, { level: 'Product', isRequired: true }),
    definition('color', { name: 'text' }, { isRequired: true }),
    definition('weight', { name: 'number' }),
  ]);
  const attributes = attributesOf(type, () => undefined);
  const missing = (given: readonly Attribute[], level: 'Product' | 'Variant'): readonly string[] => {
    const parsing = new Parsing();
    attributes.requirePresent(given, level, parsing);
    return faultsOf(parsing);
  };
  t.strictSame(missing([], 'Product'), ['RequiredField brand']);
  t.strictSame(missing([], 'Variant'), ['RequiredField color']);
  t.strictSame(missing([{ name: 'color', value: '' }], 'Variant'), []);
});

t.test('a type says which others it nests, each once', async (t) => {
  const type = productType('own', [
    definition('part', nested),
    definition('parts', setOf(setOf(nested))),
    definition('color', { name: 'text' }),
  ]);
  t.strictSame(nestedTypes(type), ['dimensions']);
});

function constrained(name: string, constraint: AttributeDefinition['attributeConstraint'], type: AttributeType) {
  return definition(name, type, { attributeConstraint: constraint });
}

/** The refusal of variants with these values of `name`; undefined stands for none. */
function refusalOf(definitions: readonly AttributeDefinition[], rows: readonly (readonly unknown[])[]): unknown {
  const attributes = attributesOf(productType('own', definitions), () => undefined);
  const variants = rows.map((row, id) => ({
    id,
    attributes: row.flatMap((value, index) => (value === undefined ? [] : [{ name: definitions[index]!.name, value }])),
  }));
  try {
    attributes.constraints().after(variants)();
    return undefined;
  } catch (error) {
    const [{ message: _, ...first }] = (error as { errors: readonly [{ message: string }] }).errors;
    return first;
  }
}

t.test('SameForAll takes equal values, absence included', async (t) => {
  const brand = [constrained('brand', 'SameForAll', { name: 'text' })];
  t.equal(refusalOf(brand, [['a'], ['a'], ['a']]), undefined);
  t.equal(refusalOf(brand, [[undefined], [undefined]]), undefined);
  t.equal(refusalOf(brand, [['a']]), undefined);
  t.equal(refusalOf(brand, []), undefined);
  t.strictSame(refusalOf(brand, [['a'], ['a'], ['b']]), {
    code: 'InvalidField',
    field: 'brand',
    invalidValue: 'b',
    allowedValues: ['a'],
  });
  t.match(refusalOf(brand, [['a'], [undefined]]), { code: 'InvalidField', invalidValue: null, allowedValues: ['a'] });
  t.strictSame(refusalOf(brand, [[undefined], ['a']]), { code: 'InvalidField', field: 'brand', invalidValue: 'a' });
});

t.test('Unique takes different values, and any number of variants without one', async (t) => {
  const code = [constrained('code', 'Unique', { name: 'number' })];
  t.equal(refusalOf(code, [[1], [2], [undefined], [undefined]]), undefined);
  t.strictSame(refusalOf(code, [[1], [2], [1]]), {
    code: 'DuplicateAttributeValue',
    attribute: { name: 'code', value: 1 },
  });
});

t.test('CombinationUnique takes different tuples, and any number of variants without all', async (t) => {
  const both = [
    constrained('color', 'CombinationUnique', { name: 'text' }),
    constrained('size', 'CombinationUnique', { name: 'enum', values: sizes }),
  ];
  t.equal(
    refusalOf(both, [
      ['a', sizes[0]],
      ['a', sizes[1]],
      ['b', sizes[0]],
      ['a', undefined],
    ]),
    undefined,
  );
  t.equal(
    refusalOf(both, [
      [undefined, undefined],
      [undefined, undefined],
    ]),
    undefined,
  );
  t.strictSame(
    refusalOf(both, [
      ['a', sizes[0]],
      ['a', { ...sizes[0], label: 'stale' }],
    ]),
    {
      code: 'DuplicateAttributeValues',
      attributes: [
        { name: 'color', value: 'a' },
        { name: 'size', value: { ...sizes[0], label: 'stale' } },
      ],
    },
  );
  t.match(
    refusalOf(both, [
      ['a', undefined],
      ['a', undefined],
    ]),
    { attributes: [{ name: 'color', value: 'a' }] },
  );
});

t.test('equality is deep: texts in any order of locales, sets in any order, enumerations by key', async (t) => {
  const cases: readonly (readonly [AttributeType, unknown, unknown])[] = [
    [{ name: 'ltext' }, { en: 'a', de: 'b' }, { de: 'b', en: 'a' }],
    [setOf({ name: 'number' }), [1, 2], [2, 1]],
    [{ name: 'lenum', values: colors }, colors[0], { key: 'red', label: {} }],
    [setOf({ name: 'enum', values: sizes }), [sizes[0], sizes[1]], [sizes[1], { key: 'small', label: 'S' }]],
  ];
  for (const [type, one, other] of cases) {
    t.match(refusalOf([constrained('it', 'Unique', type)], [[one], [other]]), { code: 'DuplicateAttributeValue' });
    t.equal(refusalOf([constrained('it', 'SameForAll', type)], [[one], [other]]), undefined);
  }
});

t.test('all constraints that are broken are told together', async (t) => {
  const definitions = [
    constrained('brand', 'SameForAll', { name: 'text' }),
    constrained('code', 'Unique', { name: 'number' }),
  ];
  const attributes = attributesOf(productType('own', definitions), () => undefined);
  const variant = (id: number, brand: string): ConstrainedVariant => ({
    id,
    attributes: [
      { name: 'brand', value: brand },
      { name: 'code', value: 1 },
    ],
  });
  t.throws(() => attributes.constraints().after([variant(1, 'a'), variant(2, 'b')])(), {
    errors: [{ code: 'InvalidField' }, { code: 'DuplicateAttributeValue' }],
  });
});

/** Random product types and values of their attributes, as clients send them and as they are stored. */
import fc from 'fast-check';
import type { Fixed } from '../../src/engine/document.ts';
import type { AttributeType } from '../../src/resources/product-type/attribute-type.ts';
import type { AttributeDefinition, ProductType } from '../../src/resources/product-type/fields.ts';

export function definition(
  name: string,
  type: AttributeType,
  rest: Partial<AttributeDefinition> = {},
): AttributeDefinition {
  return {
    name,
    type,
    label: { en: name },
    isRequired: false,
    level: 'Variant',
    isSearchable: true,
    attributeConstraint: 'None',
    inputHint: 'SingleLine',
    ...rest,
  };
}

export function productType(id: string, attributes: readonly AttributeDefinition[]): Fixed<ProductType> {
  const moment = '2030-01-31T12:00:00.000Z';
  return {
    id,
    version: 1,
    createdAt: moment,
    lastModifiedAt: moment,
    name: `Type ${id}`,
    description: '',
    attributes: [...attributes],
  };
}

export const sizes = ['small', 'large', 'toString'].map((key) => ({ key, label: key.toUpperCase() }));
export const colors = ['red', 'blue'].map((key) => ({ key, label: { en: key, de: `${key}-de` } }));

/** A value as it is sent, and as it is stored. */
export interface Sent {
  readonly given: unknown;
  readonly stored: unknown;
}

function same(values: fc.Arbitrary<unknown>): fc.Arbitrary<Sent> {
  return values.map((value) => ({ given: value, stored: value }));
}

const letters = fc.string({ minLength: 0, maxLength: 20, unit: 'grapheme-ascii' });
const moments = fc.date({ min: new Date('1980-01-01'), max: new Date('2090-01-01'), noInvalidDate: true });

function enumerated(values: readonly { readonly key: string; readonly label: unknown }[]): fc.Arbitrary<Sent> {
  return fc.tuple(fc.constantFrom(...values), fc.constantFrom('key', 'object', 'whole')).map(([value, form]) => ({
    given: form === 'key' ? value.key : form === 'object' ? { key: value.key, label: 'stale' } : value,
    stored: value,
  }));
}

/** Attribute types that nest no others, with their values. */
export const plainValues: readonly (readonly [AttributeType, fc.Arbitrary<Sent>])[] = [
  [{ name: 'boolean' }, same(fc.boolean())],
  [{ name: 'text' }, same(letters)],
  [{ name: 'ltext' }, same(fc.dictionary(fc.constantFrom('en', 'de', 'de-AT'), letters, { noNullPrototype: true }))],
  [{ name: 'enum', values: sizes }, enumerated(sizes)],
  [{ name: 'lenum', values: colors }, enumerated(colors)],
  [{ name: 'number' }, same(fc.oneof(fc.maxSafeInteger(), fc.double({ noNaN: true, min: -1e6, max: 1e6 })))],
  [
    { name: 'money' },
    fc
      .tuple(fc.constantFrom(['EUR', 2], ['JPY', 0]), fc.maxSafeInteger())
      .map(([[currencyCode, digits], centAmount]) => ({
        given: { currencyCode, centAmount },
        stored: { type: 'centPrecision', currencyCode, centAmount, fractionDigits: digits },
      })),
  ],
  [{ name: 'date' }, same(moments.map((moment) => moment.toISOString().slice(0, 10)))],
  [
    { name: 'time' },
    moments.map((moment) => {
      const time = moment.toISOString().slice(11, 19);
      return { given: time, stored: `${time}.000` };
    }),
  ],
  [
    { name: 'datetime' },
    moments.map((moment) => ({
      given: moment.toISOString().replace('Z', '+00:00'),
      stored: moment.toISOString(),
    })),
  ],
  [
    { name: 'reference', referenceTypeId: 'category' },
    fc.constantFrom('shoes', 'hats', 'coats').map((key) => ({
      given: { typeId: 'category', key },
      stored: { typeId: 'category', id: key },
    })),
  ],
];

/** A set of such values: equal ones are stored once, where the first of them stood. */
export function setsOf(values: fc.Arbitrary<Sent>): fc.Arbitrary<Sent> {
  return fc.array(values, { maxLength: 8 }).map((elements) => {
    const stored = new Map(elements.map((element) => [JSON.stringify(sorted(element.stored)), element.stored]));
    return { given: elements.map(({ given }) => given), stored: [...stored.values()] };
  });
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .map(([name, member]) => [name, sorted(member)])
    .toSorted(([one], [other]) => (String(one) < String(other) ? -1 : 1));
}

import { apiError } from '../../errors/api-error.ts';
import { type FieldKind, type OutputField, plainInput, required, type ValueOf } from '../../fields/field.ts';
import { json } from '../../fields/json.ts';
import { list } from '../../fields/list.ts';
import { isObject, object, outputObject } from '../../fields/object.ts';
import { pickedByName } from '../../fields/picking.ts';
import { describe } from '../../fields/parsing.ts';
import { text } from '../../fields/scalar.ts';
import { attributeDefinition, attributesOfPart, attributesWithin } from './attribute-definition.ts';

const attributeFields = { name: required(text(['color'])), value: required(json()) };

/** A value by the name of its definition in the product type, which says what it may be. */
export type Attribute = ValueOf<typeof attributeFields>;

/** Only links have this form; where other values are looked up, there is nothing. */
function isLink(value: unknown): boolean {
  return isObject(value) && typeof value['typeId'] === 'string' && typeof value['id'] === 'string';
}

function isAttribute(value: unknown): boolean {
  return isObject(value) && typeof value['name'] === 'string' && Object.hasOwn(value, 'value');
}

/** What GraphQL shows of a nested value, of which attributes have this type again. */
export function nestedAttributes(typeName: string): OutputField {
  return {
    name: 'attributesRaw',
    type: `[${typeName}!]`,
    complexity: 1,
    read: (parent) => {
      const { value } = parent;
      const isNested = Array.isArray(value) && value.length > 0 && value.every(isAttribute);
      return isNested ? attributesWithin(parent, value as readonly Attribute[]) : undefined;
    },
  };
}

/** What GraphQL shows of an attribute, wherever it stands. */
export const rawAttributeFields: readonly OutputField[] = [
  ...outputObject('RawProductAttribute', attributeFields).fields,
  {
    name: 'referencedResource',
    type: 'ReferenceExpandable',
    complexity: 5,
    expands: true,
    read: ({ value }) => (isLink(value) ? value : undefined),
  },
  {
    name: 'referencedResourceSet',
    type: '[ReferenceExpandable!]!',
    complexity: 5,
    expands: true,
    // All values of a set are of one type.
    read: ({ value }) => (Array.isArray(value) && isLink(value[0]) ? value : []),
  },
];

const attribute: FieldKind<Attribute> = {
  ...object('RawProductAttribute', attributeFields, {
    output: [...rawAttributeFields, nestedAttributes('RawProductAttribute'), attributeDefinition],
  }),
  input: {
    type: 'ProductAttributeInput',
    types: () => [
      {
        name: 'ProductAttributeInput',
        fields: [
          { name: 'name', type: 'String!' },
          { name: 'value', type: 'String!' },
        ],
      },
    ],
    read: (given) => {
      // The schema has typed the members; the value is a JSON text.
      const { name, value } = given as { name: string; value: string };
      return { name, value: parsedText(value) };
    },
  },
};

/** A value that an action sets, in GraphQL as a JSON text. */
export const attributeValue: FieldKind<unknown> = {
  ...json(),
  // The schema has typed the value.
  input: { ...plainInput('String'), read: (given) => parsedText(given as string) },
};

function parsedText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw apiError('InvalidInput', `The value of an attribute is not valid JSON: ${describe(text)}.`);
  }
}

/** GraphQL names them `attributesRaw`; of those of variants a query picks some by name. */
function attributeList(
  output: Pick<OutputField, 'args' | 'read'>,
  example: readonly Attribute[],
): FieldKind<Attribute[]> {
  const plain = list(attribute);
  return {
    ...plain,
    output: {
      ...plain.output,
      fields: () => [{ name: 'attributesRaw', type: '[RawProductAttribute!]!', complexity: 1, ...output }],
    },
    examples: [example],
  };
}

/** Stored values were parsed by the kind. */
function storedIn({ attributes = [] }: Readonly<Record<string, unknown>>): readonly Attribute[] {
  return attributes as readonly Attribute[];
}

function attributesIn(parent: Readonly<Record<string, unknown>>): readonly Attribute[] {
  return attributesOfPart(parent, storedIn(parent));
}

/** The examples are of the attributes that the example of a product type defines. */
export const productAttributes = attributeList({ read: attributesIn }, [
  { name: 'size', value: { key: 'small', label: 'small' } },
]);

export const variantAttributes = attributeList(
  pickedByName(attributesIn, (parent) => storedIn(parent).length),
  [
    { name: 'color', value: 'red' },
    { name: 'finish', value: [{ key: 'blue', label: { en: 'blue' } }] },
  ],
);

/** The attributes of variants as the API's description and GraphQL have them, beside `variant-attributes.ts`. */
import {
  type JsonSchema,
  type Output,
  type OutputField,
  type OutputObject,
  plainOutput,
  sameSchema,
  type Schema,
} from '../../fields/field.ts';
import { localizedString } from '../../fields/localized-string.ts';
import { nestedAttributes, rawAttributeFields } from './attribute.ts';
import { plainFields, plainObject } from './search/plain-types.ts';

const label = localizedString();

/** Of REST, where channels are members by their ids. */
interface Availability {
  readonly isOnStock?: boolean;
  readonly channels?: Readonly<Record<string, unknown>>;
}

const availability: OutputObject = {
  name: 'VariantAttributeAvailability',
  fields: [
    {
      name: 'noChannel',
      type: 'VariantAttributeSimpleAvailability',
      complexity: 1,
      read: (parent) => ((parent as Availability).isOnStock === undefined ? undefined : parent),
    },
    {
      name: 'channels',
      type: '[VariantAttributeChannelAvailability!]!',
      complexity: 1,
      read: (parent) =>
        Object.entries((parent as Availability).channels ?? {}).map(([id, stock]) => ({
          channelRef: { typeId: 'channel', id },
          availability: stock,
        })),
    },
  ],
};

const attributes: OutputField = {
  name: 'attributesRaw',
  type: '[RawAttribute!]!',
  complexity: 1,
  read: (parent) => parent['attributes'],
};

const objects: readonly OutputObject[] = [
  {
    name: 'ProductProjectionVariantAttributes',
    fields: plainFields({
      productId: 'String!',
      productKey: 'String',
      attributes: '[VariantAttributeDefinition!]!',
      variants: '[VariantAttributeVariant!]!',
    }),
  },
  {
    name: 'VariantAttributeDefinition',
    fields: [...plainFields({ name: 'String!', type: 'String!' }), ...label.output.fields('label', true)],
  },
  {
    name: 'VariantAttributeVariant',
    fields: [
      ...plainFields({ id: 'String!', sku: 'String', key: 'String', availability: 'VariantAttributeAvailability' }),
      attributes,
    ],
  },
  availability,
  plainObject('VariantAttributeSimpleAvailability', { isOnStock: 'Boolean!', availableQuantity: 'Long!' }),
  plainObject('VariantAttributeChannelAvailability', {
    channelRef: 'Reference!',
    availability: 'VariantAttributeSimpleAvailability!',
  }),
  { name: 'RawAttribute', fields: [...rawAttributeFields, nestedAttributes('RawAttribute')] },
];

export const variantAttributesOutput: Output = plainOutput('ProductProjectionVariantAttributes', 1, () => [
  ...objects.map((object) => ({ type: 'object', object }) as const),
  ...label.output.types(),
]);

const stock = { isOnStock: { type: 'boolean' }, availableQuantity: { type: 'integer' } };

function object(
  title: string,
  properties: Readonly<Record<string, JsonSchema>>,
  required: readonly string[],
): JsonSchema {
  return { title, type: 'object', properties, ...(required.length > 0 && { required }) };
}

const text: JsonSchema = { type: 'string' };

const definition = object('VariantAttributesAttributeMetadata', { name: text, label: label.schema.value, type: text }, [
  'name',
  'label',
  'type',
]);

const ofVariant = object(
  'VariantAttributesVariant',
  {
    id: text,
    sku: text,
    key: text,
    availability: object(
      'VariantAttributesAvailability',
      {
        ...stock,
        channels: { type: 'object', additionalProperties: object('VariantAttributesChannelAvailability', stock, []) },
      },
      [],
    ),
    attributes: {
      type: 'array',
      items: { type: 'object', properties: { name: text, value: {} }, required: ['name', 'value'] },
    },
  },
  ['id', 'attributes'],
);

export const variantAttributesSchema: Schema = sameSchema(
  object(
    'VariantAttributes',
    {
      productId: text,
      productKey: text,
      attributes: { type: 'array', items: definition },
      variants: { type: 'array', items: ofVariant },
    },
    ['productId', 'attributes', 'variants'],
  ),
);

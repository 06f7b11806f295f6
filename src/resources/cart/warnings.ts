/** What an answer says of a request that was carried out otherwise than it asked for. Nothing of it is stored. */
import type { FieldKind, OutputField } from '../../fields/field.ts';

const codes = [
  'CannotChangeReservationExpiry',
  'CannotCreateReservation',
  'CannotUpdateReservation',
  'DefaultVariantDeleted',
  'General',
  'ImageProcessingOngoing',
] as const;

const typeNames = new Map<string, string>(codes.map((code) => [code, `${code}TypedWarning`]));

function plain(name: string, type: string): OutputField {
  return { name, type, complexity: 1, read: (parent) => parent[name] };
}

const common = [plain('code', 'TypedWarningCode!'), plain('message', 'String!')];
const ofAll: readonly OutputField[] = [
  ...common,
  { name: 'type', type: 'String!', complexity: 1, read: ({ code }) => typeNames.get(String(code)) },
];

const place: readonly OutputField[] = [
  plain('productId', 'String!'),
  plain('sku', 'String'),
  {
    name: 'supplyChannelRef',
    type: 'Reference',
    complexity: 1,
    read: ({ supplyChannel: id }) => (id === undefined ? undefined : { typeId: 'channel', id }),
  },
];

/** Members of single codes. */
const members: Readonly<Record<string, readonly OutputField[]>> = {
  CannotChangeReservationExpiry: [plain('lineItemId', 'String!')],
  CannotCreateReservation: [...place, plain('quantity', 'Long!')],
  CannotUpdateReservation: [
    plain('lineItemId', 'String!'),
    plain('requestedQuantity', 'Long!'),
    plain('reservedQuantity', 'Long!'),
    ...place,
  ],
};

const text = { type: 'string' };
const quantity = { type: 'integer' };

const schema = {
  type: 'array',
  items: {
    title: 'WarningObject',
    type: 'object',
    properties: {
      code: { type: 'string', enum: Object.keys(members) },
      message: text,
      lineItemId: text,
      productId: text,
      sku: text,
      supplyChannel: text,
      quantity,
      requestedQuantity: quantity,
      reservedQuantity: quantity,
    },
    required: ['code', 'message'],
  },
};

export const warnings: FieldKind<readonly never[]> = {
  parse: () => undefined,
  shape: { class: 'list', item: { class: 'object', fields: new Map([['code', { class: 'text' }]]) } },
  output: {
    item: '[TypedWarning!]!',
    types: () => [
      { type: 'enum', name: 'TypedWarningCode', values: codes },
      {
        type: 'interface',
        name: 'TypedWarning',
        fields: common,
        formOf: ({ code }) => String(code),
        members: Object.fromEntries(
          codes.map((code) => [code, { name: typeNames.get(code)!, fields: [...ofAll, ...(members[code] ?? [])] }]),
        ),
      },
    ],
    fields: (name) => [{ name, type: '[TypedWarning!]!', complexity: 1, read: (parent) => parent[name] ?? [] }],
  },
  input: undefined,
  schema: { draft: schema, value: schema },
  examples: [],
};

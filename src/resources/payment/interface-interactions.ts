/** What was exchanged with the service that processes a payment: custom fields, of which GraphQL has pages. */
import { limitDefault, limitMax, limitMin } from '../../engine/operations/query.ts';
import { apiError } from '../../errors/api-error.ts';
import { type CustomFields, customFields, isSelected, nameArguments } from '../../fields/custom-fields.ts';
import type { FieldKind, OutputArguments, OutputField, OutputType } from '../../fields/field.ts';
import { list } from '../../fields/list.ts';
import { reference } from '../../fields/reference.ts';

const interaction = customFields('payment-interface-interaction');
const plain = list(interaction);

const interactionFields: readonly OutputField[] = [
  ...reference('type', 'TypeDefinition').output.fields('type', true),
  {
    name: 'fields',
    type: '[RawCustomField!]!',
    args: nameArguments,
    complexity: 1,
    // Stored values were parsed by the kind.
    read: (parent, args) =>
      Object.entries((parent as unknown as CustomFields).fields)
        .filter(([name]) => isSelected(name, args))
        .map(([name, value]) => ({ name, value })),
  },
];

function member(name: string, type: string): OutputField {
  return { name, type, complexity: 1, read: (parent) => parent[name] };
}

const pageTypes: readonly OutputType[] = [
  { type: 'object', object: { name: 'InterfaceInteractionsRaw', fields: interactionFields } },
  {
    type: 'object',
    object: {
      name: 'InterfaceInteractionsRawResult',
      fields: [
        member('limit', 'Int'),
        member('offset', 'Int'),
        member('total', 'Int!'),
        member('results', '[InterfaceInteractionsRaw!]!'),
      ],
    },
  },
];

/** A page of the stored interactions. Throws InvalidInput for bounds that no page has. */
function pageOf(all: readonly CustomFields[], args: OutputArguments): object {
  const limit = within('limit', args['limit'] ?? limitDefault, { min: limitMin, max: limitMax });
  const offset = within('offset', args['offset'] ?? 0, { min: 0, max: Number.MAX_SAFE_INTEGER });
  return { limit, offset, total: all.length, results: all.slice(offset, offset + limit) };
}

function within(name: string, value: unknown, { min, max }: { readonly min: number; readonly max: number }): number {
  // The schema has typed the argument.
  const number = value as number;
  if (number >= min && number <= max) return number;
  throw apiError(
    'InvalidInput',
    `The argument '${name}' is ${number}, but an integer from ${min} to ${max} is expected.`,
  );
}

export const interfaceInteractions: FieldKind<CustomFields[]> = {
  ...plain,
  output: {
    ...plain.output,
    types: () => [...pageTypes, ...interaction.output.types()],
    fields: (name) => [
      {
        name: `${name}Raw`,
        type: 'InterfaceInteractionsRawResult!',
        args: { limit: 'Int', offset: 'Int' },
        complexity: 1,
        read: (parent, args) => pageOf(parent[name] as readonly CustomFields[], args),
      },
    ],
  },
};

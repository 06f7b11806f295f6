/** What was exchanged with the service that processes a payment: custom fields, of which GraphQL has pages. */
import { pageOfList } from '../../engine/list-page.ts';
import { limitDefault, limitMax, limitMin } from '../../engine/operations/query.ts';
import { type CustomFields, customFields, namedFields } from '../../fields/custom-fields.ts';
import type { FieldKind, OutputArguments, OutputField, OutputType } from '../../fields/field.ts';
import { list } from '../../fields/list.ts';
import { pickedByName } from '../../fields/picking.ts';
import { reference } from '../../fields/reference.ts';

const interaction = customFields('payment-interface-interaction');
const plain = list(interaction);

const interactionFields: readonly OutputField[] = [
  ...reference('type', 'TypeDefinition').output.fields('type', true),
  {
    name: 'fields',
    type: '[RawCustomField!]!',
    complexity: 1,
    // Stored values were parsed by the kind.
    ...pickedByName((parent) => namedFields(parent as unknown as CustomFields)),
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
function pageOf(all: readonly CustomFields[], { limit, offset }: OutputArguments): object {
  return pageOfList(all, { limit: limit ?? limitDefault, offset }, { min: limitMin, max: limitMax });
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

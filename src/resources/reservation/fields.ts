import { type DocumentOf, versioned } from '../../engine/document.ts';
import { assigned, type FieldKind } from '../../fields/field.ts';
import { outputObject, outputTypesOf } from '../../fields/object.ts';
import type { Reference } from '../../fields/parsing.ts';
import { reference } from '../../fields/reference.ts';
import { dateTime, enumeration, integer, text } from '../../fields/scalar.ts';

const states = ['Created', 'Updated', 'Released', 'Expired', 'Committed'] as const;

/** Those in which units are held back for a line item. */
export const liveStates: readonly string[] = ['Created', 'Updated'] satisfies readonly (typeof states)[number][];

/** GraphQL knows states between these, in which no reservation of this platform is ever seen. */
const inGraphql = enumeration('ReservationState', [
  ...states,
  'CreationInProgress',
  'UpdateInProgress',
  'CommitInProgress',
]);

export const fields = {
  /** The background takes a minute or two to notice. */
  expiresAt: assigned(dateTime()),
  inventoryEntry: assigned(reference('inventory-entry', 'InventoryEntry', { strength: 'loose' })),
  quantity: assigned(integer()),
  /** The cart. */
  owner: assigned(linkAlone(reference('cart', 'Cart', { strength: 'loose' }))),
  lineItemId: assigned(text()),
  state: assigned({ ...enumeration('ReservationState', states), output: inGraphql.output }),
};

export type Reservation = DocumentOf<typeof fields>;

/** GraphQL gives the link, and no field with what is behind it. */
function linkAlone<Value>(kind: FieldKind<Value>): FieldKind<Value> {
  const { output } = kind;
  return {
    ...kind,
    output: {
      ...output,
      fields: (name, isRequired) => output.fields(name, isRequired).filter(({ expands }) => expands !== true),
    },
  };
}

const typeName = 'Reservation';

const { output, ...link } = reference('reservation', typeName, { strength: 'loose' });

/** How line items name theirs. Reservations have no queries, so their type in GraphQL comes with the links to them. */
export const reservationLink: FieldKind<Reference> = {
  ...link,
  output: {
    ...output,
    types: () => {
      const { name, fields: members } = outputObject(typeName, { ...versioned, ...fields });
      const inventoryMode = { name: 'inventoryMode', type: 'String!', complexity: 1, read: () => 'ReserveOnCart' };
      return [
        ...output.types(),
        ...outputTypesOf({ ...versioned, ...fields }),
        { type: 'object', object: { name, fields: [...members, inventoryMode] }, interfaces: ['Versioned'] },
      ];
    },
  },
  examples: [],
};

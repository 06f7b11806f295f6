import type { MessageType } from '../../engine/messages.ts';
import {
  assigned,
  assignedOptional,
  type Field,
  type FieldKind,
  type Fields,
  hiddenInGraphql,
  shownAs,
  type OutputField,
  type OutputObject,
  type OutputType,
} from '../../fields/field.ts';
import { localizedString } from '../../fields/localized-string.ts';
import { object, outputObject, outputTypesOf } from '../../fields/object.ts';
import { anyReference } from '../../fields/reference.ts';
import { integer, text } from '../../fields/scalar.ts';
import type { Shape } from '../../predicate/shape.ts';

const identifiers = object('UserProvidedIdentifiers', {
  key: assignedOptional(text()),
  externalId: assignedOptional(text()),
  orderNumber: assignedOptional(text()),
  customerNumber: assignedOptional(text()),
  sku: assignedOptional(text()),
  slug: assignedOptional(localizedString()),
  containerAndKey: assignedOptional(
    hiddenInGraphql(object('ContainerAndKey', { key: assigned(text()), container: assigned(text()) })),
  ),
});

/** What all messages have. */
const common = {
  sequenceNumber: assigned(integer()),
  resource: assigned(anyReference()),
  resourceVersion: assigned(integer()),
  resourceUserProvidedIdentifiers: assignedOptional(shownAs('userProvidedIdentifiers', identifiers)),
};

/** Those, and the members of all payloads, which stand beside them. */
export function fieldsOf(types: readonly MessageType[]): Fields {
  const members = new Map<string, Field<unknown>[]>();
  for (const { type, fields } of types) {
    for (const [name, field] of Object.entries(fields)) {
      if (Object.hasOwn(common, name) || name === 'type')
        throw new Error(`${type}: messages of all types have a member ${name}`);
      members.set(name, [...(members.get(name) ?? []), field]);
    }
  }
  const payloads = [...members].map(([name, fields]) => [
    name,
    assignedOptional(anyOf(fields.map(({ kind }) => kind))),
  ]);
  return { ...common, type: assigned(tag(types)), ...Object.fromEntries(payloads) } as Fields;
}

const typeField: OutputField = { name: 'type', type: 'String!', complexity: 1, read: (message) => message['type'] };

/** The member that says the type. GraphQL has the payload beside it, as an object of that type. */
function tag(types: readonly MessageType[]): FieldKind<string> {
  const kind = text();
  return {
    ...kind,
    schema: { ...kind.schema, value: { type: 'string', enum: types.map((one) => one.type) } },
    output: {
      ...kind.output,
      fields: () => [
        typeField,
        { name: 'payload', type: 'MessagePayload!', complexity: 1, read: (message) => message },
      ],
      types: () => payloadTypes('MessagePayload', types),
    },
  };
}

/** GraphQL's interface of the payloads of messages of these types, and what they need. */
export function payloadTypes(name: string, types: readonly MessageType[]): readonly OutputType[] {
  return [
    {
      type: 'interface',
      name,
      fields: [typeField],
      formOf: ({ type }) => String(type),
      members: Object.fromEntries(types.map((one) => [one.type, payloadObject(one)])),
    },
    ...types.flatMap(({ fields }) => outputTypesOf(fields)),
  ];
}

function payloadObject({ type, fields, payloadName: name = type }: MessageType): OutputObject {
  return { name, fields: [typeField, ...outputObject(name, fields).fields] };
}

/** A member that means something else in messages of other types. It stands in GraphQL in the payload alone. */
function anyOf(kinds: readonly FieldKind<unknown>[]): FieldKind<unknown> {
  const [first, ...others] = kinds as [FieldKind<unknown>, ...FieldKind<unknown>[]];
  const schemas = new Map(kinds.map(({ schema }) => [JSON.stringify(schema.value), schema.value]));
  const [one] = schemas.values();
  const schema = schemas.size === 1 ? one! : { anyOf: [...schemas.values()] };
  return hiddenInGraphql({
    ...first,
    shape: others.reduce((shape, other) => merged(shape, other.shape), first.shape),
    schema: { draft: schema, value: schema },
  });
}

/** What predicates may say of a value that has one of two shapes. */
function merged(one: Shape, other: Shape): Shape {
  if (one.class === 'list' && other.class === 'list') return { class: 'list', item: merged(one.item, other.item) };
  if (one.class !== 'object' || other.class !== 'object') return one.class === other.class ? one : { class: 'dynamic' };
  const fields = new Map(one.fields);
  for (const [name, shape] of other.fields) {
    const known = fields.get(name);
    fields.set(name, known === undefined ? shape : merged(known, shape));
  }
  return { class: 'object', fields };
}

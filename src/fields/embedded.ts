import { type FieldKind, type Fields, plainOutput, sameSchema } from './field.ts';

/** A whole resource, or a part of one, as it was at some moment, in the types that its kind declares. The platform alone gives it. */
export function embedded<Value>(typeName: string, fields: Fields, schemaName = typeName): FieldKind<Value> {
  return {
    parse: () => undefined,
    shape: {
      class: 'object',
      fields: new Map(Object.entries(fields).map(([name, { kind }]) => [name, kind.shape])),
    },
    output: plainOutput(typeName),
    input: undefined,
    schema: sameSchema({ $ref: `#/components/schemas/${schemaName}` }),
    examples: [],
  };
}

import { type Field, type FieldKind, noTypes, optional, refined, sameSchema } from './field.ts';

/**
 * Members of a draft that the contract has and this version does not keep. Ignoring one would lose what a client
 * sent, so a value is refused; an empty list says nothing and passes.
 */
export function unavailable<const Name extends string>(
  ...names: readonly Name[]
): Readonly<Record<Name, Field<undefined, 'optional'>>> {
  // Every name gets the one field.
  return Object.fromEntries(names.map((name) => [name, optional(refusal)])) as Record<
    Name,
    Field<undefined, 'optional'>
  >;
}

/** A kind of which this version keeps some values alone; the others are refused by name. */
export function onlyAvailable<Value extends string>(
  kind: FieldKind<Value>,
  ...values: readonly Value[]
): FieldKind<Value> {
  return refined({ ...kind, examples: values }, (value, parsing) => {
    if (values.includes(value)) return value;
    return parsing.fault('InvalidInput', (field) => {
      return `The value '${value}' of field '${field}' is not available in this version. Available: ${values.join(', ')}.`;
    });
  });
}

const refusal: FieldKind<undefined> = {
  parse: (input, parsing) => {
    if (Array.isArray(input) && input.length === 0) return undefined;
    return parsing.fault('InvalidInput', (field) => `'${field}' is not available in this version.`);
  },
  shape: { class: 'dynamic' },
  input: undefined,
  schema: sameSchema({ type: 'array', maxItems: 0, description: 'Not available in this version.' }),
  output: { item: 'Json', fields: () => [], types: noTypes },
  examples: [[]],
};

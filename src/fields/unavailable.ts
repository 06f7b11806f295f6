import { type Field, type FieldKind, noTypes, optional, sameSchema } from './field.ts';

/**
 * Members of a draft, or parameters, that the contract has and this version does not. Ignoring one would lose what a client
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

/** The same kind for members that `who` cannot give: a value is refused. An input that others share stays as it is. */
export function notFor<Value>(who: string, kind: FieldKind<Value>): FieldKind<Value> {
  return {
    ...kind,
    parse: (_, parsing) => parsing.fault('InvalidInput', (field) => `'${field}' cannot be given by ${who}.`),
    examples: [],
  };
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

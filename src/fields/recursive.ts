import type { Shape } from '../predicate/shape.ts';
import { type FieldKind, noTypes, plainOutput } from './field.ts';

/**
 * A kind whose values hold values of the same kind, such as the expressions of a search: `define` makes it from itself. It
 * is a named type of GraphQL and of the API's description, for a type without a name cannot stand within itself. How deep
 * values go is bounded where JSON is parsed. `examples` are values that hold no others.
 */
export function recursive<Value>(
  typeName: string,
  examples: readonly Value[],
  define: (self: FieldKind<Value>) => FieldKind<Value>,
): FieldKind<Value> {
  // Filled in when it is known: whatever is made of it while the kind is defined refers to this object.
  const shape = {} as Shape;
  const inputName = `${typeName}Draft`;
  const kind: FieldKind<Value> = define({
    parse: (input, parsing) => kind.parse(input, parsing),
    shape,
    output: plainOutput(typeName),
    input: { type: inputName, types: noTypes, read: (value) => kind.input?.read?.(value) ?? value },
    schema: { draft: linkTo(inputName), value: linkTo(typeName) },
    check: (value, parsing) => kind.check?.(value, parsing),
    references: (value, visit) => kind.references?.(value, visit),
    described: (value, place, visit) => kind.described?.(value, place, visit),
    examples,
  });
  Object.assign(shape, kind.shape);
  const { output, input, schema } = kind;
  if (output.item !== typeName) throw new Error(`${typeName} is called ${output.item} where it is defined`);
  if (input !== undefined && input.type !== inputName)
    throw new Error(`The input of ${typeName} is called ${input.type}`);
  if (schema.value['title'] !== typeName || schema.draft['title'] !== inputName)
    throw new Error(`${typeName} is described by other names`);
  return { ...kind, shape };
}

function linkTo(name: string): { readonly $ref: string } {
  return { $ref: `#/components/schemas/${name}` };
}

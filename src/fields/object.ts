import {
  type Field,
  type FieldKind,
  type Fields,
  isAlwaysPresent,
  type OutputField,
  type OutputObject,
  type OutputType,
  plainOutput,
  type ValueOf,
} from './field.ts';
import type { Parsing, Reference } from './parsing.ts';

/**
 * An object with named fields; `typeName` is its GraphQL type. Members that are not declared are ignored. `output`
 * gives the GraphQL fields where they differ from what the declared fields derive.
 */
export function object<const F extends Fields>(
  typeName: string,
  fields: F,
  output?: readonly OutputField[],
): FieldKind<ValueOf<F>> {
  return {
    parse: (input, parsing) => parseObject(fields, input, parsing),
    shape: {
      class: 'object',
      fields: new Map(Object.entries(fields).map(([name, field]) => [name, field.kind.shape])),
    },
    output: plainOutput(typeName, 1, () => [
      {
        type: 'object',
        object: output === undefined ? outputObject(typeName, fields) : { name: typeName, fields: output },
      },
      ...outputTypesOf(fields),
    ]),
    references: (value, visit) => visitReferences(fields, value, visit),
    examples: [exampleOf(fields)],
  };
}

/** Parses an object member by member. All faults are recorded; undefined when the input is no object or has faults. */
export function parseObject<const F extends Fields>(
  fields: F,
  input: unknown,
  parsing: Parsing,
): ValueOf<F> | undefined {
  if (!isObject(input)) return parsing.wrongType('an object', input);
  const value: Record<string, unknown> = {};
  const faultCount = parsing.faultCount;
  for (const name in fields) {
    const parsed = parseMember(fields[name]!, input, name, parsing);
    if (parsed !== undefined) value[name] = parsed;
  }
  // Every declared field was parsed by its own kind, and none failed.
  return parsing.faultCount === faultCount ? (value as ValueOf<F>) : undefined;
}

function parseMember(
  field: Field<unknown>,
  input: Readonly<Record<string, unknown>>,
  name: string,
  parsing: Parsing,
): unknown {
  const { presence } = field;
  if (presence === 'assigned' || presence === 'assignedOptional') return field.initial?.();
  const member = Object.hasOwn(input, name) ? input[name] : undefined;
  const faultCount = parsing.faultCount;
  let parsed: unknown;
  if (member !== undefined && member !== null) parsed = field.kind.parse(member, parsing);
  else if (presence === 'required') parsed = parsing.missing();
  else if (presence === 'defaulted') parsed = field.initial!();
  if (parsing.faultCount > faultCount) parsing.within(name, faultCount);
  return parsed;
}

export function isObject(input: unknown): input is Readonly<Record<string, unknown>> {
  return typeof input === 'object' && input !== null && !Array.isArray(input);
}

export function visitReferences(fields: Fields, value: object, visit: (reference: Reference) => void): void {
  for (const name in fields) {
    const { kind } = fields[name]!;
    if (kind.references === undefined) continue;
    // The value was parsed by these fields.
    const member = (value as Record<string, unknown>)[name];
    if (member !== undefined) kind.references(member, visit);
  }
}

export function outputObject(name: string, fields: Fields): OutputObject {
  return {
    name,
    fields: Object.entries(fields).flatMap(([member, field]) =>
      field.kind.output.fields(member, isAlwaysPresent(field)),
    ),
  };
}

export function outputTypesOf(fields: Fields): readonly OutputType[] {
  return Object.values(fields).flatMap((field) => field.kind.output.types());
}

/** A draft with the first example of every field that a draft can set. */
export function exampleOf(fields: Fields): Record<string, unknown> {
  const given = Object.entries(fields).filter(([, field]) => !field.presence.startsWith('assigned'));
  return Object.fromEntries(given.map(([name, field]) => [name, field.kind.examples[0]]));
}

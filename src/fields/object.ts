import {
  type Field,
  type FieldKind,
  type Fields,
  type Input,
  type InputField,
  isAlwaysPresent,
  type JsonSchema,
  namedSchema,
  type OutputField,
  type OutputObject,
  type OutputType,
  plainOutput,
  type Schema,
  type ValueOf,
  type DescribedPlace,
  type VisitDescribed,
} from './field.ts';
import type { Parsing, StrongReference } from './parsing.ts';

/** How an object shows in GraphQL where that does not follow from its name and fields. */
export interface ObjectNames {
  /** Name of the input type; by default the type's name and `Draft`. */
  readonly input?: string;
  readonly output?: readonly OutputField[];
}

/** An object with named fields; `typeName` is its GraphQL type. Members that are not declared are ignored. */
export function object<const F extends Fields>(
  typeName: string,
  fields: F,
  { input = `${typeName}Draft`, output }: ObjectNames = {},
): FieldKind<ValueOf<F>> {
  const isDescribed = Object.values(fields).some(({ kind }) => kind.described !== undefined);
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
    input: objectInput(input, fields),
    schema: namedSchema(typeName, objectSchema(fields)),
    check: (value, parsing) => checkMembers(fields, value, parsing),
    references: (value, visit) => visitReferences(fields, value, visit),
    ...(isDescribed && {
      described: (value: ValueOf<F>, place, visit) => visitDescribed(fields, value, { place, visit }),
    }),
    examples: examplesOf(fields),
  };
}

type ParseObject = (input: unknown, parsing: Parsing) => object | undefined;

const compiled = new WeakMap<Fields, ParseObject>();

/**
 * The parsing of an object with these fields as code of its own, in which every member has its own place: the engine
 * learns there where the member lies in the input and in the value, and which kind parses it. A loop over the fields
 * looks all that up anew, and took two to three times as long for zones and carts (`npm run bench -- drafts`).
 */
function compile(fields: Fields): ParseObject {
  const entries = Object.entries(fields);
  const code = [
    ...entries.map((_, index) => `const field${index} = fields[${index}], kind${index} = field${index}.kind;`),
    'return (input, parsing) => {',
    "if (!isObject(input)) return parsing.wrongType('an object', input);",
    'const value = {};',
    'const start = parsing.faultCount;',
    'let since = start;',
    ...entries.map(([name, field], index) => memberCode(JSON.stringify(name), field, index)),
    'return since === start ? value : undefined;',
    '};',
  ].join('\n');
  // The code is made of the lines above and the names of declared fields, never of anything that a client sent.
  // oxlint-disable-next-line typescript/no-implied-eval
  const make = new Function('fields', 'isObject', code) as (...given: unknown[]) => ParseObject;
  return make(
    entries.map(([, field]) => field),
    isObject,
  );
}

function memberCode(name: string, { presence, initial }: Field<unknown>, index: number): string {
  const fill = initial === undefined ? '' : `value[${name}] = field${index}.initial();`;
  if (presence === 'assigned' || presence === 'assignedOptional') return fill;
  // A member that every object inherits was given by no client.
  const isInherited = JSON.parse(name) in Object.prototype;
  const given = isInherited ? `Object.hasOwn(input, ${name}) ? input[${name}] : undefined` : `input[${name}]`;
  return `
    const given${index} = ${given};
    if (given${index} !== undefined && given${index} !== null) {
      const parsed = kind${index}.parse(given${index}, parsing);
      if (parsed !== undefined) value[${name}] = parsed;
    } else { ${presence === 'required' ? 'parsing.missing();' : fill} }
    if (parsing.faultCount !== since) {
      parsing.within(${name}, since);
      since = parsing.faultCount;
    }`;
}

/** Parses an object member by member. All faults are recorded; undefined when the input is no object or has faults. */
export function parseObject<const F extends Fields>(
  fields: F,
  input: unknown,
  parsing: Parsing,
): ValueOf<F> | undefined {
  let parseMembers = compiled.get(fields);
  if (parseMembers === undefined) {
    parseMembers = compile(fields);
    compiled.set(fields, parseMembers);
  }
  // Every declared field is parsed by its own kind, and undefined given when one fails.
  return parseMembers(input, parsing) as ValueOf<F> | undefined;
}

export function isObject(input: unknown): input is Readonly<Record<string, unknown>> {
  return typeof input === 'object' && input !== null && !Array.isArray(input);
}

/** Records what is wrong with a value of these fields that was made and not parsed. */
export function checkMembers(fields: Fields, value: object, parsing: Parsing): void {
  for (const name in fields) {
    const { kind } = fields[name]!;
    if (kind.check === undefined) continue;
    const member = (value as Record<string, unknown>)[name];
    if (member === undefined) continue;
    const since = parsing.faultCount;
    kind.check(member, parsing);
    if (parsing.faultCount > since) parsing.within(name, since);
  }
}

export function visitReferences(fields: Fields, value: object, visit: (reference: StrongReference) => void): void {
  for (const name in fields) {
    const { kind } = fields[name]!;
    if (kind.references === undefined) continue;
    // The value was parsed by these fields.
    const member = (value as Record<string, unknown>)[name];
    if (member !== undefined) kind.references(member, visit);
  }
}

export function visitDescribed(
  fields: Fields,
  value: object,
  { place: { path, name: placeName }, visit }: { readonly place: DescribedPlace; readonly visit: VisitDescribed },
): void {
  for (const name in fields) {
    const { kind } = fields[name]!;
    if (kind.described === undefined) continue;
    // The value was parsed by these fields.
    const member = (value as Record<string, unknown>)[name];
    if (member === undefined) continue;
    const below = (above: string): string => (above === '' ? name : `${above}.${name}`);
    kind.described(member, { path: below(path), name: below(placeName) }, visit);
  }
}

/** Fields that a draft can set. */
function givenFields(fields: Fields): readonly (readonly [string, Field<unknown>])[] {
  return Object.entries(fields).filter(([, { kind, presence }]) => {
    return presence !== 'assigned' && presence !== 'assignedOptional' && kind.input !== undefined;
  });
}

/** The members of the GraphQL input for these fields. */
export function inputFields(fields: Fields): readonly InputField[] {
  return givenFields(fields).map(([member, { kind, presence }]) => {
    const { name = member, type } = kind.input!;
    return { name, type: presence === 'required' ? `${type}!` : type };
  });
}

export function inputTypesOf(fields: Fields): ReturnType<Input['types']> {
  return givenFields(fields).flatMap(([, { kind }]) => kind.input!.types());
}

/** Turns what GraphQL gives for these fields into what REST has. */
export function readInput(fields: Fields, value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const read: Record<string, unknown> = {};
  const renamed = new Map(
    Object.entries(fields).flatMap(([name, { kind }]) =>
      kind.input?.name === undefined ? [] : [[kind.input.name, name]],
    ),
  );
  for (const [called, given] of Object.entries(value)) {
    const name = renamed.get(called) ?? called;
    const convert = Object.hasOwn(fields, name) ? fields[name]!.kind.input?.read : undefined;
    read[name] = convert === undefined || given === null ? given : convert(given);
  }
  return read;
}

function objectInput(name: string, fields: Fields): Input {
  const converts = givenFields(fields).some(([, { kind }]) => (kind.input!.read ?? kind.input!.name) !== undefined);
  return {
    type: name,
    types: () => [{ name, fields: inputFields(fields) }, ...inputTypesOf(fields)],
    ...(converts && { read: (value) => (isObject(value) ? readInput(fields, value) : value) }),
  };
}

export function objectSchema(fields: Fields): Schema {
  const given = Object.entries(fields).filter(([, { presence }]) => !presence.startsWith('assigned'));
  return {
    draft: schemaOf(
      given,
      (kind) => kind.schema.draft,
      ({ presence }) => presence === 'required',
    ),
    value: schemaOf(Object.entries(fields), (kind) => kind.schema.value, isAlwaysPresent),
  };
}

function schemaOf(
  entries: readonly (readonly [string, Field<unknown>])[],
  schema: (kind: FieldKind<unknown>) => JsonSchema,
  isRequired: (field: Field<unknown>) => boolean,
): JsonSchema {
  const required = entries.filter(([, field]) => isRequired(field)).map(([name]) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(entries.map(([name, { kind }]) => [name, schema(kind)])),
    ...(required.length > 0 && { required }),
  };
}

/** The schema of an object that has these members too, which are always there. */
export function withMembers(schema: JsonSchema, members: Readonly<Record<string, JsonSchema>>): JsonSchema {
  // Schemas of objects are made above.
  const { properties, required = [] } = schema as { properties: object; required?: readonly string[] };
  return {
    type: 'object',
    properties: { ...members, ...properties },
    required: [...Object.keys(members), ...required],
  };
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

/**
 * Drafts with an example of every field that a draft can set, as many as it takes to have each example of each field in
 * one of them.
 */
export function examplesOf(fields: Fields): readonly Record<string, unknown>[] {
  const given = givenFields(fields);
  const count = Math.max(1, ...given.map(([, { kind }]) => kind.examples.length));
  return Array.from({ length: count }, (_, index) =>
    Object.fromEntries(given.map(([name, { kind }]) => [name, kind.examples[index % kind.examples.length]])),
  );
}

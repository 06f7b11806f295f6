import { expansionComplexity, type FieldKind, type Input, namedSchema } from './field.ts';
import { isObject } from './object.ts';
import type { Parsing, Reference } from './parsing.ts';
import { reference, type ReferenceRules } from './reference.ts';

export interface TargetNames extends Pick<ReferenceRules, 'strength'> {
  /** Name of the GraphQL input type. */
  readonly input: string;
  /** GraphQL types of the targets by their kinds. */
  readonly targets: Readonly<Record<string, string>>;
}

/**
 * A Reference to a resource of one of several kinds, which the member `typeId` of the draft tells. `typeName` is the GraphQL
 * interface of the targets.
 */
export function referenceToAny(typeName: string, { input, targets, strength }: TargetNames): FieldKind<Reference> {
  const rules = strength === undefined ? {} : { strength };
  const kinds = new Map(Object.entries(targets).map(([typeId, target]) => [typeId, reference(typeId, target, rules)]));
  const [some] = kinds.values();
  if (some === undefined) throw new Error(`${typeName} has no targets`);
  const { fields, ...output } = some.output;
  const schemas = [...kinds.values()].map(({ schema }) => schema);
  return {
    ...some,
    parse: (given, parsing) => parseAny(kinds, given, parsing),
    output: {
      ...output,
      item: typeName,
      types: () => [...output.types(), { type: 'targets', name: typeName, members: targets }],
      fields: (name, isRequired) =>
        fields(name, isRequired).map((field) =>
          field.expands === true ? { ...field, type: typeName, complexity: expansionComplexity } : field,
        ),
    },
    input: identifierInput(input),
    schema: namedSchema(typeName, {
      draft: { oneOf: schemas.map(({ draft }) => draft) },
      value: { oneOf: schemas.map(({ value }) => value) },
    }),
    examples: [...kinds.values()].flatMap(({ examples }) => examples),
  };
}

function parseAny(
  kinds: ReadonlyMap<string, FieldKind<Reference>>,
  given: unknown,
  parsing: Parsing,
): Reference | undefined {
  if (!isObject(given)) return parsing.wrongType('a resource identifier', given);
  const { typeId } = given;
  const kind = typeof typeId === 'string' ? kinds.get(typeId) : undefined;
  if (kind !== undefined) return kind.parse(given, parsing);
  const since = parsing.faultCount;
  if (typeId === undefined || typeId === null) parsing.missing();
  else parsing.wrongValue(typeId, [...kinds.keys()].join(' or '));
  parsing.within('typeId', since);
  return undefined;
}

function identifierInput(name: string): Input {
  const fields = [
    { name: 'typeId', type: 'String!' },
    { name: 'id', type: 'String' },
    { name: 'key', type: 'String' },
  ];
  return { type: name, types: () => [{ name, fields }] };
}

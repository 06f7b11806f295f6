import type { FieldKind, Fields, OutputField } from './field.ts';
import { exampleOf, isObject, outputObject, outputTypesOf, parseObject, visitReferences } from './object.ts';
import type { Parsing } from './parsing.ts';

/** One form of a tagged object. */
export interface Branch {
  /** GraphQL object type of this form. */
  readonly typeName: string;
  readonly fields: Fields;
  /** Checks what single fields cannot say, after they were parsed. */
  readonly check?: (value: Readonly<Record<string, unknown>>, parsing: Parsing) => void;
  /** Fields of this form as GraphQL gives them, where they differ from what the declared fields derive. */
  readonly output?: readonly OutputField[];
}

/** The value of a tagged object; its branch tells the other members. */
export interface Tagged {
  type: string;
  [member: string]: unknown;
}

/** The GraphQL field every form has beside its own. */
const tagField: OutputField = { name: 'type', type: 'String!', complexity: 1, read: (parent) => parent['type'] };

/** An object whose member `type` tells which branch it follows; `typeName` is its GraphQL interface. */
export function oneOf(typeName: string, branches: Readonly<Record<string, Branch>>): FieldKind<Tagged> {
  const byTag = new Map(Object.entries(branches));
  const members = Object.fromEntries(
    Object.entries(branches).map(([tag, branch]) => {
      const object = outputObject(branch.typeName, branch.fields);
      return [tag, { ...object, fields: [tagField, ...(branch.output ?? object.fields)], implements: typeName }];
    }),
  );
  return {
    parse: (input, parsing) => parseTagged(byTag, input, parsing),
    shape: {
      class: 'object',
      fields: new Map([
        ['type', { class: 'text' }],
        ...Object.values(branches).flatMap((branch) =>
          Object.entries(branch.fields).map(([name, field]) => [name, field.kind.shape] as const),
        ),
      ]),
    },
    output: {
      item: typeName,
      fields: (name, isRequired) => [
        { name, type: isRequired ? `${typeName}!` : typeName, complexity: 1, read: (parent) => parent[name] },
      ],
      types: () => [
        { type: 'interface', name: typeName, fields: [tagField], tagField: 'type', members },
        ...Object.values(branches).flatMap((branch) => outputTypesOf(branch.fields)),
      ],
    },
    references: (value, visit) => {
      const branch = byTag.get(value.type);
      if (branch !== undefined) visitReferences(branch.fields, value, visit);
    },
    examples: Object.entries(branches).map(([tag, branch]) => ({ type: tag, ...exampleOf(branch.fields) })),
  };
}

function parseTagged(byTag: ReadonlyMap<string, Branch>, input: unknown, parsing: Parsing): Tagged | undefined {
  if (!isObject(input)) return parsing.wrongType('an object', input);
  const type = input['type'];
  const branch = typeof type === 'string' ? byTag.get(type) : undefined;
  if (typeof type !== 'string' || branch === undefined) {
    const since = parsing.faultCount;
    if (type === undefined) parsing.missing();
    else parsing.wrongValue(type, [...byTag.keys()].join(' or '));
    parsing.within('type', since);
    return undefined;
  }
  const since = parsing.faultCount;
  const value = parseObject(branch.fields, input, parsing);
  if (value === undefined) return undefined;
  branch.check?.(value, parsing);
  return parsing.faultCount === since ? { type, ...value } : undefined;
}

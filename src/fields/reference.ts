import type { FieldKind, OutputType } from './field.ts';
import { isObject } from './object.ts';
import type { Parsing, Reference } from './parsing.ts';

/** Score of loading another resource, against 1 for a field of the resource at hand. */
const expansionComplexity = 5;

const shape: FieldKind<Reference>['shape'] = {
  class: 'object',
  fields: new Map([
    ['typeId', { class: 'text' }],
    ['id', { class: 'text' }],
  ]),
};

const referenceType: OutputType = {
  type: 'object',
  object: {
    name: 'Reference',
    fields: [
      { name: 'typeId', type: 'String!', complexity: 1, read: (parent) => parent['typeId'] },
      { name: 'id', type: 'String!', complexity: 1, read: (parent) => parent['id'] },
    ],
  },
};

/**
 * A Reference to a resource of kind `typeId`, given in drafts as a ResourceIdentifier (by id or by key). `target` is
 * the target's GraphQL type. While the reference stands, its target cannot be deleted; `loose` lifts that.
 */
export function reference(
  typeId: string,
  target: string,
  strength: 'strong' | 'loose' = 'strong',
): FieldKind<Reference> {
  return {
    parse: (input, parsing) => parseIdentifier(typeId, input, parsing),
    shape,
    output: {
      item: target,
      isReference: true,
      types: () => [referenceType],
      fields: (name, isRequired) => [
        {
          name: `${name}Ref`,
          type: isRequired ? 'Reference!' : 'Reference',
          complexity: 1,
          read: (parent) => parent[name],
        },
        { name, type: target, complexity: expansionComplexity, expands: true, read: (parent) => parent[name] },
      ],
    },
    ...(strength === 'strong' && { references: (value, visit) => visit(value) }),
    examples: [{ typeId, key: `example-${typeId}` }],
  };
}

function parseIdentifier(typeId: string, input: unknown, parsing: Parsing): Reference | undefined {
  if (!isObject(input)) return parsing.wrongType('a resource identifier', input);
  const given = input['typeId'];
  if (given !== undefined && given !== null && given !== typeId) {
    return parsing.fault(
      'InvalidField',
      (field) => {
        return `The typeId of field '${field}' is ${JSON.stringify(given)}, but '${typeId}' is expected.`;
      },
      { invalidValue: given, allowedValues: [typeId] },
    );
  }
  const id = input['id'] ?? undefined;
  const key = input['key'] ?? undefined;
  const target = { typeId, id: '' };
  if (typeof id === 'string') {
    target.id = id;
    parsing.identifiers.push({ target, typeId, id });
    return target;
  }
  if (typeof key === 'string' && id === undefined) {
    parsing.identifiers.push({ target, typeId, key });
    return target;
  }
  return parsing.fault('InvalidInput', (field) => `Field '${field}' needs either an id or a key, as a string.`);
}

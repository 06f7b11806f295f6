import {
  expansionComplexity,
  type FieldKind,
  type Input,
  type Output,
  type OutputObject,
  type Schema,
  sameSchema,
} from './field.ts';
import type { ObjectShape } from '../predicate/shape.ts';
import { isObject } from './object.ts';
import { text } from './scalar.ts';
import {
  describe,
  type KeyReference,
  type Lacks,
  type Parsing,
  type PendingIdentifier,
  type Reference,
} from './parsing.ts';

/** The member by which a stored link names its target. */
type Link = 'id' | 'key';

const linkTypes: Readonly<Record<Link, OutputObject>> = {
  id: linkType('Reference', 'id'),
  key: linkType('KeyReference', 'key'),
};

function linkType(name: string, link: Link): OutputObject {
  const fields = ['typeId', link];
  return {
    name,
    fields: fields.map((field) => ({ name: field, type: 'String!', complexity: 1, read: (parent) => parent[field] })),
  };
}

/** How drafts and actions name another resource. */
export const identifierInput: Input = {
  type: 'ResourceIdentifierInput',
  types: () => [
    {
      name: 'ResourceIdentifierInput',
      fields: ['typeId', 'id', 'key'].map((name) => ({ name, type: 'String' })),
    },
    { name: 'ReferenceInput', fields: ['typeId', 'id'].map((name) => ({ name, type: 'String!' })) },
  ],
};

export interface ReferenceRules {
  /** While a strong reference stands, its target cannot be deleted. */
  readonly strength?: 'strong' | 'loose';
  /** What a target has to have besides its kind. */
  readonly lacks?: Lacks;
  /** What refers loosely names by its id also what has gone, to let go of it. */
  readonly mayBeGone?: boolean;
}

/** The same kind where GraphQL takes it by its id alone. */
export function givenById<Value>(kind: FieldKind<Value>): FieldKind<Value> {
  return { ...kind, input: { ...identifierInput, type: 'ReferenceInput' } };
}

/**
 * A Reference to a resource of kind `typeId`, given in drafts as a ResourceIdentifier (by id or by key). `target` is
 * the target's GraphQL type.
 */
export function reference(
  typeId: string,
  target: string,
  { strength = 'strong', lacks, mayBeGone }: ReferenceRules = {},
): FieldKind<Reference> {
  return {
    ...linkKind(typeId, target, 'id'),
    parse: (input, parsing) => {
      const value = { typeId, id: '' };
      const place: Place = { target: value, wants: 'id', lacks, mayBeGone };
      return recordIdentifier(place, input, parsing) ? value : undefined;
    },
    ...(strength === 'strong' && { references: (value, visit) => visit(value) }),
  };
}

/** A KeyReference to a resource of kind `typeId`, whose keys never change; given in drafts as a ResourceIdentifier. */
export function keyReference(typeId: string, target: string): FieldKind<KeyReference> {
  return {
    ...linkKind(typeId, target, 'key'),
    parse: (input, parsing) => {
      const value = { typeId, key: '' };
      return recordIdentifier({ target: value, wants: 'key' }, input, parsing) ? value : undefined;
    },
    references: (value, visit) => visit(value),
  };
}

/**
 * The id of a resource of kind `typeId` as plain text, in a member whose name ends in `Id`. GraphQL has the resource
 * beside it: `customer` where `customerId` is. Its target may be deleted.
 */
export function resourceId(typeId: string, target: string): FieldKind<string> {
  const plain = text();
  return {
    ...plain,
    parse: (input, parsing) => {
      // The store takes ids in any case; whose things are whose goes by the text.
      const id = plain.parse(input, parsing)?.toLowerCase();
      if (id !== undefined) parsing.identifiers.push({ target: {}, wants: 'id', typeId, id });
      return id;
    },
    output: {
      ...plain.output,
      fields: (name, isRequired) => [
        ...plain.output.fields(name, isRequired),
        {
          name: name.replace(/Id$/, ''),
          type: target,
          complexity: expansionComplexity,
          expands: true,
          read: (parent) => (parent[name] === undefined ? undefined : { typeId, id: parent[name] }),
        },
      ],
    },
    examples: [],
  };
}

/** A Reference to a resource of any kind, which the platform gives. Its target may be gone. */
export function anyReference(): FieldKind<Reference> {
  const text = { type: 'string' };
  const schema = {
    title: linkTypes.id.name,
    type: 'object',
    properties: { typeId: text, id: text },
    required: ['typeId', 'id'],
  };
  return {
    parse: () => undefined,
    shape: { class: 'object', fields: linkShape('id') },
    output: {
      item: 'Reference',
      types: () => [{ type: 'object', object: linkTypes.id }],
      fields: (name, isRequired) => [
        {
          name: `${name}Ref`,
          type: isRequired ? 'Reference!' : 'Reference',
          complexity: 1,
          read: (parent) => parent[name],
        },
      ],
    },
    input: undefined,
    schema: sameSchema(schema),
    examples: [],
  };
}

/** Links that the platform finds, to resources of any kind. GraphQL calls them `<singular>Refs`. */
export function plainReferences(): FieldKind<Reference[]> {
  const text = { type: 'string' };
  const item = {
    title: linkTypes.id.name,
    type: 'object',
    properties: { typeId: text, id: text },
    required: ['typeId', 'id'],
  };
  return {
    parse: () => undefined,
    shape: { class: 'list', item: { class: 'object', fields: linkShape('id') } },
    output: {
      item: '[Reference!]',
      types: () => [{ type: 'object', object: linkTypes.id }],
      fields: (name) => [
        { name: `${name.replace(/s$/, '')}Refs`, type: '[Reference!]!', complexity: 1, read: (parent) => parent[name] },
      ],
    },
    input: undefined,
    schema: sameSchema({ type: 'array', items: item }),
    examples: [[]],
  };
}

function linkShape(link: Link): ObjectShape['fields'] {
  return new Map([
    ['typeId', { class: 'text' }],
    [link, { class: 'text' }],
  ]);
}

function linkKind(typeId: string, target: string, link: Link): Omit<FieldKind<Reference | KeyReference>, 'parse'> {
  return {
    shape: { class: 'object', fields: linkShape(link) },
    output: linkOutput(target, link),
    input: identifierInput,
    schema: linkSchema(typeId, link),
    examples: [{ typeId, key: exampleKey(typeId) }],
  };
}

function linkOutput(target: string, link: Link): Output {
  const { name: reference } = linkTypes[link];
  return {
    item: target,
    reference,
    types: () => [{ type: 'object', object: linkTypes[link] }],
    fields: (name, isRequired) => [
      {
        name: `${name}Ref`,
        type: isRequired ? `${reference}!` : reference,
        complexity: 1,
        read: (parent) => parent[name],
      },
      { name, type: target, complexity: expansionComplexity, expands: true, read: (parent) => parent[name] },
    ],
  };
}

function linkSchema(typeId: string, link: Link): Schema {
  const name = typeId.replace(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase());
  const type = { type: 'string', const: typeId };
  const text = { type: 'string' };
  return {
    draft: {
      title: `${name}ResourceIdentifier`,
      type: 'object',
      properties: { typeId: type, id: text, key: text },
      oneOf: [{ required: ['id'] }, { required: ['key'] }],
    },
    value: {
      title: `${name}${linkTypes[link].name}`,
      type: 'object',
      properties: {
        typeId: type,
        [link]: text,
        ...(link === 'id' && { obj: { type: 'object', description: 'The target, where the request expands it.' } }),
      },
      required: ['typeId', link],
    },
  };
}

/** Key of the resource that the examples of a reference to this kind name. */
function exampleKey(typeId: string): string {
  return `example-${typeId}`;
}

/** Where what is found of an identifier goes, and what it has to be. */
type Place = Pick<PendingIdentifier, 'lacks' | 'mayBeGone'> &
  ({ readonly target: Reference; readonly wants: 'id' } | { readonly target: KeyReference; readonly wants: 'key' });

/** Records what `input` names as an identifier to look up, or its faults. Tells whether it is well formed. */
function recordIdentifier(place: Place, input: unknown, parsing: Parsing): boolean {
  if (!isObject(input)) {
    parsing.wrongType('a resource identifier', input);
    return false;
  }
  const { typeId } = place.target;
  const given = input['typeId'];
  if (given !== undefined && given !== null && given !== typeId) {
    parsing.fault(
      'InvalidField',
      (field) => {
        return `The typeId of field '${field}' is ${describe(given)}, but '${typeId}' is expected.`;
      },
      { invalidValue: given, allowedValues: [typeId] },
    );
    return false;
  }
  const id = input['id'] ?? undefined;
  const key = input['key'] ?? undefined;
  if (typeof id === 'string') parsing.identifiers.push({ ...place, typeId, id });
  else if (typeof key === 'string' && id === undefined) parsing.identifiers.push({ ...place, typeId, key });
  else {
    parsing.fault('InvalidInput', (field) => `Field '${field}' needs either an id or a key, as a string.`);
    return false;
  }
  return true;
}

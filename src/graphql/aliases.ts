/**
 * Names of input types that the specification uses beside those of the schema (decisions.md #59, #60). A variable that
 * is declared with such a name, and stands where the schema has its own type, is declared anew before validation.
 */
import {
  type DocumentNode,
  getNamedType,
  type GraphQLSchema,
  Kind,
  parse,
  TypeInfo,
  type TypeNode,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import type { InputObject } from '../fields/field.ts';

/** The schema's name for each name of the specification. */
const canonicalNames: ReadonlyMap<string, string> = new Map([
  ['LocalizedStringInput', 'LocalizedStringItemInputType'],
  ['LocalizedText', 'LocalizedStringItemInputType'],
  ['ReferenceInput', 'ResourceIdentifierInput'],
]);

/** Input types of the specification that no field of the schema takes. */
export const specifiedInputs: readonly InputObject[] = [
  {
    name: 'LocalizedStringInput',
    fields: [
      { name: 'locale', type: 'Locale!' },
      { name: 'value', type: 'String!' },
    ],
  },
  {
    name: 'LocalizedText',
    fields: [
      { name: 'text', type: 'String!' },
      { name: 'locale', type: 'Locale!' },
    ],
  },
];

/** Parses a text, with the schema's names for the types of its variables. */
export function parseCanonical(schema: GraphQLSchema, text: string, options?: { maxTokens: number }): DocumentNode {
  const document = parse(text, options);
  const isConcerned = [...canonicalNames.keys()].some((name) => text.includes(name));
  return isConcerned ? canonical(schema, document) : document;
}

function canonical(schema: GraphQLSchema, document: DocumentNode): DocumentNode {
  const expected = expectedTypes(schema, document);
  return visit(document, {
    VariableDefinition: (node) => {
      const wanted = expected.get(node.variable.name.value);
      return wanted === undefined ? undefined : { ...node, type: renamed(node.type, wanted) };
    },
  });
}

/** Named types of the places that variables stand in. */
function expectedTypes(schema: GraphQLSchema, document: DocumentNode): ReadonlyMap<string, string> {
  const typeInfo = new TypeInfo(schema);
  const expected = new Map<string, string>();
  visit(
    document,
    visitWithTypeInfo(typeInfo, {
      Variable: ({ name }) => {
        const type = getNamedType(typeInfo.getInputType());
        if (type !== undefined && type !== null) expected.set(name.value, type.name);
      },
    }),
  );
  return expected;
}

/** The type with `wanted` in place of an alias of it; any other type is left for the validation to judge. */
function renamed(type: TypeNode, wanted: string): TypeNode {
  switch (type.kind) {
    case Kind.NAMED_TYPE:
      return canonicalNames.get(type.name.value) === wanted ? { ...type, name: { ...type.name, value: wanted } } : type;
    case Kind.LIST_TYPE:
      return { ...type, type: renamed(type.type, wanted) };
    case Kind.NON_NULL_TYPE:
      // What is renamed keeps its form.
      return { ...type, type: renamed(type.type, wanted) as typeof type.type };
  }
}

import {
  buildSchema,
  type DocumentNode,
  getLocation,
  GraphQLError,
  type GraphQLSchema,
  isNonNullType,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  TypeInfo,
  validate,
  ValidationContext,
} from 'graphql';
import type { Task } from '../tasks/task.ts';
import { parseCanonical } from './aliases.ts';
import { type ArgumentCosts, type FieldCosts, type OperationScore, scoreOperations } from './complexity.ts';
import { introspectionOf } from './introspection-cost.ts';
import { scalars } from './scalars.ts';
import { type FormArguments, type Outline, outlineOf, type ResourceFields } from './outline.ts';
import { fragmentsOf } from './selections.ts';

/** A schema as text, for threads that did not build it. */
export interface SchemaSource {
  readonly sdl: string;
  readonly costs: FieldCosts;
  readonly argumentCosts: ArgumentCosts;
  readonly resourceFields: ResourceFields;
  readonly formArguments: FormArguments;
}

/** An error of a query text: of its grammar, or of its fit to the schema. */
export interface TextError {
  readonly message: string;
  readonly locations: readonly { readonly line: number; readonly column: number }[];
  readonly isSyntax: boolean;
}

/** What a query text is, found in a worker before the event loop spends anything on it. */
export type Analysis =
  | { readonly errors: readonly TextError[] }
  /** By name; the anonymous one is ''. */
  | { readonly operations: Readonly<Record<string, AnalyzedOperation>> };

export interface AnalyzedOperation {
  readonly score: OperationScore;
  /** It changes something, so it runs each time, and one field after the other. */
  readonly isMutation: boolean;
  /** Variables of a type that may be null, where a value is needed: by default they have one, and nobody may take it away. */
  readonly needed: readonly NeededVariable[];
  /** Names of its variables. */
  readonly variables: readonly string[];
  /** It asks for the schema, and nothing else, which takes long. */
  readonly isIntrospection: boolean;
  /** Absent where the operation is not worth to be taken apart. */
  readonly outline?: Outline;
}

export interface NeededVariable {
  readonly name: string;
  /** Of the place where it stands first. */
  readonly type: string;
  readonly locations: TextError['locations'];
}

/** Of a text. */
export const analyzing: Task<string, Analysis, SchemaSource> = { name: 'analysis', threads: 'texts' };

/** Tokens of one text. */
const tokensMax = 5000;
const errorsMax = 20;

/** Parses, validates and scores a text. */
export type Analyzer = (text: string) => Analysis;

/** What is printed of a schema does not say which literals its scalars take. */
function withScalars(schema: GraphQLSchema): GraphQLSchema {
  for (const { name, parseValue, parseLiteral } of scalars)
    Object.assign(schema.getType(name) ?? {}, { parseValue, parseLiteral });
  return schema;
}

/** Works on texts against one schema. */
export function createAnalyzer(source: SchemaSource): Analyzer {
  const schema = withScalars(buildSchema(source.sdl));
  return (text) => {
    try {
      const document = parseCanonical(schema, text, { maxTokens: tokensMax });
      const errors = [
        ...operationErrors(schema, document),
        ...validate(schema, document, undefined, { maxErrors: errorsMax }),
      ];
      return errors.length > 0
        ? { errors: errors.map((error) => textError(error, false)) }
        : { operations: operationsOf({ schema, source, document, text }) };
    } catch (error) {
      if (error instanceof GraphQLError) return { errors: [textError(error, true)] };
      // Selections that are nested too deeply exhaust the stack of the parser, or of the scorer.
      if (error instanceof RangeError)
        return { errors: [{ message: 'The query is nested too deeply.', locations: [], isSyntax: true }] };
      throw error;
    }
  };
}

/** Of operations that the schema does not have, such as subscriptions: validation leaves those to execution. */
function operationErrors(schema: GraphQLSchema, { definitions }: DocumentNode): readonly GraphQLError[] {
  return definitions.flatMap((definition) =>
    definition.kind === Kind.OPERATION_DEFINITION && !schema.getRootType(definition.operation)
      ? [new GraphQLError(`The schema has no operation of the type ${definition.operation}.`, { nodes: definition })]
      : [],
  );
}

interface Given {
  readonly schema: GraphQLSchema;
  readonly source: SchemaSource;
  readonly document: DocumentNode;
  readonly text: string;
}

function operationsOf({ schema, source, document, text }: Given): Record<string, AnalyzedOperation> {
  const scores = scoreOperations(schema, document, source.costs, source.argumentCosts);
  const { resourceFields: fields, formArguments } = source;
  const fragments = fragmentsOf(document);
  const usages = new ValidationContext(schema, document, new TypeInfo(schema), () => {});
  return Object.fromEntries(
    document.definitions
      .filter((definition): definition is OperationDefinitionNode => definition.kind === Kind.OPERATION_DEFINITION)
      .map((definition) => {
        const name = definition.name?.value ?? '';
        const isMutation = definition.operation === OperationTypeNode.MUTATION;
        const isIntrospection = !isMutation && introspectionOf(definition, fragments) === 'all';
        const variables = definition.variableDefinitions?.map(({ variable }) => variable.name.value) ?? [];
        const outline = isMutation
          ? undefined
          : outlineOf({ schema, document, text, fields, formArguments }, definition);
        return [
          name,
          {
            score: scores[name]!,
            isMutation,
            needed: neededVariables(usages, definition),
            variables,
            isIntrospection,
            ...(outline !== undefined && { outline }),
          },
        ];
      }),
  );
}

function neededVariables(usages: ValidationContext, operation: OperationDefinitionNode): readonly NeededVariable[] {
  const { variableDefinitions = [] } = operation;
  const nullable = new Set(
    variableDefinitions.flatMap(({ type, variable }) =>
      type.kind === Kind.NON_NULL_TYPE ? [] : [variable.name.value],
    ),
  );
  if (nullable.size === 0) return [];
  const needed = new Map<string, NeededVariable>();
  for (const { node, type } of usages.getRecursiveVariableUsages(operation)) {
    const name = node.name.value;
    if (!isNonNullType(type) || !nullable.has(name) || needed.has(name)) continue;
    const { line, column } = getLocation(node.loc!.source, node.loc!.start);
    needed.set(name, { name, type: String(type), locations: [{ line, column }] });
  }
  return [...needed.values()];
}

function textError({ message, locations }: GraphQLError, isSyntax: boolean): TextError {
  return { message, locations: (locations ?? []).map(({ line, column }) => ({ line, column })), isSyntax };
}

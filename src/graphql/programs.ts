import {
  type DocumentNode,
  execute,
  type ExecutionResult,
  getNamedType,
  getNullableType,
  getOperationAST,
  type GraphQLInputType,
  type GraphQLSchema,
  type GraphQLType,
  isInputObjectType,
  isScalarType,
  type ListValueNode,
  type ObjectValueNode,
  type NamedTypeNode,
  typeFromAST,
  TypeInfo,
  type ValueNode,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { compileQuery, isCompiledQuery, type CompiledQuery } from 'graphql-jit';
import { LRUCache } from 'lru-cache';
import { parseCanonical } from './aliases.ts';
import { noRoom } from './execution-errors.ts';
import type { QueryContext } from './resolvers.ts';
import { hasVariable } from './scalars.ts';

export interface ProgramSource {
  /** A valid text. */
  readonly text: string;
  /** The operation to run; '' is the anonymous one. */
  readonly operation: string;
  readonly isCompilable: boolean;
}

/** An operation that may run many times. */
export interface Program {
  run(context: QueryContext, variables: Readonly<Record<string, unknown>>): Promise<ExecutionResult>;
}

/** What a text has become. */
interface Form {
  readonly document: DocumentNode;
  /** Absent for one that was not compiled yet; undefined for one that cannot be. */
  readonly compiled?: Compiled | undefined;
}

/** It takes null for false in a condition, where that is an error: who runs it has seen to it that there is none. */
type Compiled = CompiledQuery['query'];

/** In place of what may never come to an end. */
const ended: ExecutionResult = { data: null, errors: [noRoom] };

/** What the forms of a text take for each of its characters: 1 kB a field as a document, 6 kB as compiled code. */
const documentBytes = 100;
const compiledBytes = 600;
/** Whatever takes more than this share of the memory for forms is run uncompiled. */
const compiledShareMax = 1 / 8;

/** Makes programs, and keeps of what their texts have become what is used most. */
export class Programs {
  readonly #schema: GraphQLSchema;
  readonly #compiledLengthMax: number;
  readonly #forms: LRUCache<Program, Form>;

  constructor(schema: GraphQLSchema, { bytesMax }: { readonly bytesMax: number }) {
    this.#schema = schema;
    this.#compiledLengthMax = (bytesMax * compiledShareMax) / (documentBytes + compiledBytes);
    this.#forms = new LRUCache<Program, Form>({ maxSize: bytesMax });
  }

  /** Bytes that are taken now. */
  get bytes(): number {
    return this.#forms.calculatedSize;
  }

  /** First it is run on graphql-js, then as compiled code, for most new texts are used once. */
  create(source: ProgramSource): Program {
    const isCompilable = source.isCompilable && source.text.length <= this.#compiledLengthMax;
    const operationName = source.operation === '' ? undefined : source.operation;
    let isRepeated = false;
    const program: Program = {
      run: (context, variables) => {
        const result = runOnce(context, variables);
        return Promise.race([result, context.size.brokenOff.then(() => ended)]);
      },
    };
    const runOnce: Program['run'] = async (context, variables) => {
      const { document, compiled } = this.#formOf(program, source, isCompilable && isRepeated);
      isRepeated = true;
      const given = {
        schema: this.#schema,
        document,
        variableValues: variables,
        contextValue: context,
        ...(operationName !== undefined && { operationName }),
      };
      if (compiled === undefined) return execute(given);
      const result = await compiled(undefined, context, { ...variables });
      // Variables that do not fit are told of as they were the first time: the compiled code names others than were sent.
      return result.data === undefined ? execute(given) : result;
    };
    return program;
  }

  #formOf(program: Program, { text, operation }: ProgramSource, isToCompile: boolean): Form {
    const known = this.#forms.get(program);
    if (known !== undefined && ('compiled' in known || !isToCompile)) return known;
    const document = known?.document ?? parseCanonical(this.#schema, text);
    const form: Form = { document, ...(isToCompile && { compiled: compiledOf(this.#schema, document, operation) }) };
    const perCharacter = documentBytes + (form.compiled === undefined ? 0 : compiledBytes);
    this.#forms.set(program, form, { size: Math.max(1, text.length * perCharacter) });
    return form;
  }
}

/** Whether values of the type may hold others of a type that is under way. `others` are known not to. */
function reachesItself(
  type: GraphQLType | undefined,
  underWay: readonly GraphQLType[] = [],
  others = new Set<GraphQLType>(),
): boolean {
  const named = type && getNamedType(type);
  if (!isInputObjectType(named) || others.has(named)) return false;
  if (underWay.includes(named)) return true;
  const found = Object.values(named.getFields()).some((field) =>
    reachesItself(field.type, [...underWay, named], others),
  );
  if (!found) others.add(named);
  return found;
}

function compiledOf(schema: GraphQLSchema, document: DocumentNode, name: string): Compiled | undefined {
  const operation = name === '' ? undefined : name;
  const definition = getOperationAST(document, operation)!;
  // Without variables nothing is open.
  const variables = definition.variableDefinitions ?? [];
  if (variables.length > 0 && hasOpenScalar(schema, document)) return undefined;
  // The compiler would write out such an input without an end, and take seconds to find that out.
  if (variables.some(({ type }) => reachesItself(typeFromAST(schema, type as NamedTypeNode)))) return undefined;
  const made = compileQuery(schema, document, operation);
  if (!isCompiledQuery(made)) return undefined;
  return made.query;
}

/** Whether a literal of a scalar holds a variable: the compiler reads such literals once, before there are values. */
function hasOpenScalar(schema: GraphQLSchema, document: DocumentNode): boolean {
  const types = new TypeInfo(schema);
  let isOpen = false;
  const look = (node: ValueNode, type: GraphQLInputType | null | undefined): void => {
    if (isScalarType(getNullableType(type)) && hasVariable(node)) isOpen = true;
  };
  const visitor = {
    ObjectValue: (node: ObjectValueNode) => look(node, types.getInputType()),
    // Inside the list its elements are known already.
    ListValue: (node: ListValueNode) => look(node, types.getParentInputType()),
  };
  visit(document, visitWithTypeInfo(types, visitor));
  return isOpen;
}

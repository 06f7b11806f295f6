import {
  type DirectiveNode,
  type DocumentNode,
  execute,
  type ExecutionResult,
  getNullableType,
  getOperationAST,
  getVariableValues,
  type GraphQLInputType,
  type GraphQLSchema,
  GraphQLSkipDirective,
  isScalarType,
  type ListValueNode,
  type ObjectValueNode,
  type OperationDefinitionNode,
  OperationTypeNode,
  type SelectionNode,
  TypeInfo,
  type ValueNode,
  valueFromASTUntyped,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { compileQuery, isCompiledQuery, type CompiledQuery } from 'graphql-jit';
import { LRUCache } from 'lru-cache';
import { throwIfEnded } from '../engine/context.ts';
import { parseCanonical } from './aliases.ts';
import { compiledSize } from './compiled-size.ts';
import { joinsPaths } from './joined-paths.ts';
import type { QueryContext } from './resolvers.ts';
import { hasVariable } from './scalars.ts';

export interface ProgramSource {
  /** A valid text. */
  readonly text: string;
  /** The operation to run; '' is the anonymous one. */
  readonly operation: string;
}

/** An operation that may run many times. */
export interface Program {
  /** Throws RequestEnded where this request has ended, for others may wait for what it made. */
  run(context: QueryContext, variables: Readonly<Record<string, unknown>>): Promise<ExecutionResult>;
}

/** What a text has become. */
interface Prepared {
  readonly document: DocumentNode;
  /** Undefined as long as nothing was to be compiled, for most new texts are used once, and null where nothing may be. */
  readonly conditions: readonly Condition[] | null | undefined;
  /** By what the conditions are; undefined for what is not compiled. */
  readonly codes: ReadonlyMap<string, Compiled | undefined>;
  /** That it takes. */
  readonly bytes: number;
}

/** A variable that says whether something is selected. */
interface Condition {
  readonly name: string;
  readonly default: unknown;
}

type Compiled = CompiledQuery['query'];

/** Of each character of a text as a document, which takes 1 kB a field. */
const characterBytes = 100;
/** Of each unit of a code's size. */
const unitBytes = 6000;
/** Of a code. Compiling takes 0.1 ms a unit, on the event loop. */
const sizeMax = 1000;
/** What of a text takes more than this share of the memory is run uncompiled. */
const preparedShareMax = 1 / 8;
/** Of one text, each of which selects something else. What more its conditions may be runs uncompiled. */
const codesMax = 4;

/** Of variables. Each quotes all of an object with members that it does not have, which takes up to a tenth of a second. */
const coercionErrorsMax = 5;

/** Makes programs, and keeps of what their texts have become what is used most. */
export class Programs {
  readonly #schema: GraphQLSchema;
  readonly #preparedBytesMax: number;
  readonly #prepared: LRUCache<Program, Prepared>;

  constructor(schema: GraphQLSchema, { bytesMax }: { readonly bytesMax: number }) {
    this.#schema = schema;
    this.#preparedBytesMax = bytesMax * preparedShareMax;
    this.#prepared = new LRUCache<Program, Prepared>({
      maxSize: bytesMax,
      sizeCalculation: ({ bytes }) => Math.max(1, bytes),
    });
  }

  /** Bytes that are taken now. */
  get bytes(): number {
    return this.#prepared.calculatedSize;
  }

  /** First it is run on graphql-js, then as compiled code, for most new texts are used once. */
  create(source: ProgramSource): Program {
    const operationName = source.operation === '' ? undefined : source.operation;
    let isRepeated = false;
    const program: Program = {
      run: async (context, variables) => {
        const brokenOff = context.size.brokenOff.then((error) => ({ data: null, errors: [error] }));
        // What is broken off may never come to an end.
        const result = await Promise.race([executed(context, variables), brokenOff]);
        throwIfEnded(context.request);
        return result;
      },
    };
    const executed: Program['run'] = async (context, variables) => {
      const prepared = this.#preparedOf(program, source);
      const compiled = isRepeated ? this.#codeOf(program, { source, prepared, variables }) : undefined;
      isRepeated = true;
      const given = {
        schema: this.#schema,
        document: prepared.document,
        variableValues: variables,
        contextValue: context,
        options: { maxCoercionErrors: coercionErrorsMax },
        ...(operationName !== undefined && { operationName }),
      };
      // Compiled code tells of each value that does not fit, and quotes all of what has it.
      if (compiled === undefined || !this.#fit(prepared.document, source, variables)) return execute(given);
      const result = await compiled(undefined, context, { ...variables });
      // It tells of variables alone without data, in words of its own.
      return result.data === undefined ? execute(given) : result;
    };
    return program;
  }

  #fit(document: DocumentNode, source: ProgramSource, variables: Readonly<Record<string, unknown>>): boolean {
    const { variableDefinitions = [] } = operationIn(document, source);
    if (variableDefinitions.length === 0) return true;
    const { errors } = getVariableValues(this.#schema, variableDefinitions, variables, { maxErrors: 1 });
    return errors === undefined;
  }

  #preparedOf(program: Program, source: ProgramSource): Prepared {
    const known = this.#prepared.get(program);
    if (known !== undefined) return known;
    const prepared: Prepared = {
      document: parseCanonical(this.#schema, source.text),
      conditions: undefined,
      codes: new Map(),
      bytes: source.text.length * characterBytes,
    };
    this.#prepared.set(program, prepared);
    return prepared;
  }

  #codeOf(program: Program, { source, prepared, variables }: Asked): Compiled | undefined {
    const { document, codes, bytes } = prepared;
    const { conditions = conditionsOf(this.#schema, document, source) } = prepared;
    if (conditions === null) {
      this.#prepared.set(program, { ...prepared, conditions });
      return undefined;
    }
    const values = conditions.map((one) => (Object.hasOwn(variables, one.name) ? variables[one.name] : one.default));
    // It does not fit, which graphql-js tells.
    if (!values.every((value) => typeof value === 'boolean')) return undefined;
    const asked = values.join();
    if (codes.has(asked) || codes.size === codesMax) return codes.get(asked);
    const selected = selectedOf(
      document,
      Object.fromEntries(conditions.map(({ name }, index) => [name, values[index]])),
    );
    const operation = operationIn(selected, source);
    const size = compiledSize(this.#schema, selected, operation);
    const withCode = bytes + size * unitBytes;
    const hasRoom = size <= sizeMax && withCode <= this.#preparedBytesMax;
    const code =
      hasRoom && !joinsPaths(this.#schema, selected, operation) ? this.#compiled(selected, operation) : undefined;
    this.#prepared.set(program, {
      document,
      conditions,
      codes: new Map([...codes, [asked, code]]),
      bytes: code === undefined ? bytes : withCode,
    });
    return code;
  }

  #compiled(document: DocumentNode, { name }: OperationDefinitionNode): Compiled | undefined {
    const made = compileQuery(this.#schema, document, name?.value);
    return isCompiledQuery(made) ? made.query : undefined;
  }
}

/** What is to run, and for which variables. */
interface Asked {
  readonly source: ProgramSource;
  readonly prepared: Prepared;
  readonly variables: Readonly<Record<string, unknown>>;
}

function operationIn(document: DocumentNode, { operation }: ProgramSource): OperationDefinitionNode {
  return getOperationAST(document, operation === '' ? undefined : operation)!;
}

/** Null for what may not be compiled. There are no directives but the two that are conditions. */
function conditionsOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  source: ProgramSource,
): readonly Condition[] | null {
  const { operation, variableDefinitions = [] } = operationIn(document, source);
  // The fields of a mutation are run one after the other.
  if (operation === OperationTypeNode.MUTATION) return null;
  // The compiler writes objects as literals, where `__proto__` names no member.
  if (source.text.includes('__proto__') || hasMark(document)) return null;
  // Without variables nothing is open.
  if (variableDefinitions.length > 0 && hasOpenScalar(schema, document)) return null;
  const names = new Set<string>();
  visit(document, {
    Directive: (node) => {
      visit(node, { Variable: ({ name }) => void names.add(name.value) });
    },
  });
  return variableDefinitions
    .filter(({ variable }) => names.has(variable.name.value))
    .map(({ variable, defaultValue }) => ({
      name: variable.name.value,
      default: defaultValue && valueFromASTUntyped(defaultValue),
    }));
}

/**
 * What is selected where variables are so. The compiler is asked for no conditions: it takes those of one place for others
 * where the same fragment is spread, and shows resolvers what is not selected.
 */
function selectedOf(document: DocumentNode, variables: Readonly<Record<string, unknown>>): DocumentNode {
  const isMet = ({ name, arguments: given = [] }: DirectiveNode): boolean => {
    const value = valueFromASTUntyped(given[0]!.value, variables) === true;
    return name.value === GraphQLSkipDirective.name ? !value : value;
  };
  const select = <N extends SelectionNode>(node: N): N | null | undefined => {
    const { directives = [] } = node;
    if (directives.length === 0) return undefined;
    return directives.every(isMet) ? { ...node, directives: [] } : null;
  };
  return visit(document, { Field: select, InlineFragment: select, FragmentSpread: select });
}

/** In literals the compiler marks values that JSON does not have, and takes what follows for code: whoever wrote it. */
const mark = '__MAGIC_';

function hasMark(document: DocumentNode): boolean {
  let isMarked = false;
  visit(document, {
    enter: (node) => {
      if ('value' in node && typeof node.value === 'string' && node.value.includes(mark)) isMarked = true;
    },
  });
  return isMarked;
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

import { type DocumentNode, execute, type ExecutionResult, type GraphQLSchema } from 'graphql';
import { compileQuery, isCompiledQuery, type CompiledQuery } from 'graphql-jit';
import { parseCanonical } from './aliases.ts';
import type { QueryContext } from './resolvers.ts';

export interface ProgramSource {
  /** A valid text. */
  readonly text: string;
  /** The operation to run; '' is the anonymous one. */
  readonly operation: string;
  readonly isCompilable: boolean;
}

/** An operation that may run many times: first on graphql-js, then as compiled code, for most new texts are used once. */
export class Program {
  readonly #schema: GraphQLSchema;
  readonly #source: ProgramSource;
  #document: DocumentNode | undefined;
  #compiled: CompiledQuery | undefined;

  constructor(schema: GraphQLSchema, source: ProgramSource) {
    this.#schema = schema;
    this.#source = source;
  }

  async run(context: QueryContext, variables: Readonly<Record<string, unknown>>): Promise<ExecutionResult> {
    const { text, operation, isCompilable } = this.#source;
    const isRepeated = this.#document !== undefined;
    this.#document ??= parseCanonical(this.#schema, text);
    const operationName = operation === '' ? undefined : operation;
    const given = {
      schema: this.#schema,
      document: this.#document,
      variableValues: variables,
      contextValue: context,
      ...(operationName !== undefined && { operationName }),
    };
    if (!isRepeated || !isCompilable) return execute(given);
    if (this.#compiled === undefined) {
      const made = compileQuery(this.#schema, this.#document, operationName);
      if (!isCompiledQuery(made)) return made;
      this.#compiled = made;
    }
    const result = await this.#compiled.query(undefined, context, { ...variables });
    // Variables that do not fit are told of as they were the first time: the compiled code names others than were sent.
    return result.data === undefined ? execute(given) : result;
  }
}

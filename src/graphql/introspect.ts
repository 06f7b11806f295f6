import { buildSchema, executeSync } from 'graphql';
import { parseCanonical } from './aliases.ts';
import type { AnalysisRequest } from './analyze.ts';

/** An operation that asks for the schema alone. */
export interface Introspection {
  /** '' is the anonymous one. */
  readonly operation: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

export interface IntrospectionRequest extends AnalysisRequest {
  readonly introspection: Introspection;
}

/** Without an answer the variables do not fit. */
export type IntrospectionResponse = { readonly answer: string | undefined } | 'schema-missing';

/** Answers an operation of a valid text with JSON; with undefined where its variables do not fit. */
export type Introspector = (text: string, introspection: Introspection) => string | undefined;

export function createIntrospector(sdl: string): Introspector {
  const schema = buildSchema(sdl);
  return (text, { operation, variables }) => {
    const document = parseCanonical(schema, text);
    const operationName = operation === '' ? null : operation;
    const { data, errors } = executeSync({ schema, document, variableValues: variables, operationName });
    return errors === undefined ? JSON.stringify({ data }) : undefined;
  };
}

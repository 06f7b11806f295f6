import { buildSchema, executeSync } from 'graphql';
import type { Task } from '../tasks/task.ts';
import { parseCanonical } from './aliases.ts';
import type { SchemaSource } from './analyze.ts';

/** An operation of a valid text that asks for the schema alone. */
export interface Introspection {
  readonly text: string;
  /** '' is the anonymous one. */
  readonly operation: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** JSON; null where the variables do not fit. */
type IntrospectionAnswer = string | null;

export const introspecting: Task<Introspection, IntrospectionAnswer, SchemaSource> = {
  name: 'introspection',
  threads: 'descriptions',
};

export type Introspector = (introspection: Introspection) => IntrospectionAnswer;

export function createIntrospector({ sdl }: Pick<SchemaSource, 'sdl'>): Introspector {
  const schema = buildSchema(sdl);
  return ({ text, operation, variables }) => {
    const document = parseCanonical(schema, text);
    const operationName = operation === '' ? null : operation;
    const { data, errors } = executeSync({ schema, document, variableValues: variables, operationName });
    return errors === undefined ? JSON.stringify({ data }) : null;
  };
}

import type { SchemaSource } from '../src/graphql/analyze.ts';
import { createIntrospector, type Introspection, type Introspector } from '../src/graphql/introspect.ts';
import { batched } from '../src/threads/protocol.ts';

interface Request {
  readonly text: string;
  readonly introspection: Introspection;
  /** Names one schema; the source is sent when the thread does not have it. */
  readonly schemaVersion: string;
  readonly schema?: SchemaSource;
}

type Response = 'schema-missing' | { readonly answer: string | undefined };

let known: { readonly schemaVersion: string; readonly introspect: Introspector } | undefined;

/** The answer to an operation that asks for the schema alone, or that this thread needs the schema first. */
const task = ({ text, introspection, schemaVersion, schema }: Request): Response => {
  if (known?.schemaVersion !== schemaVersion) {
    if (schema === undefined) return 'schema-missing';
    known = { schemaVersion, introspect: createIntrospector(schema.sdl) };
  }
  return { answer: known.introspect(text, introspection) };
};

/** The pool calls it with each batch. */
export const run = batched(task);

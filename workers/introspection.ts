import {
  createIntrospector,
  type IntrospectionRequest,
  type IntrospectionResponse,
  type Introspector,
} from '../src/graphql/introspect.ts';
import { batched } from '../src/threads/protocol.ts';

let known: { readonly schemaVersion: string; readonly introspect: Introspector } | undefined;

/** The answer to an operation that asks for the schema alone, or that this thread needs the schema first. */
const task = ({ text, introspection, schemaVersion, schema }: IntrospectionRequest): IntrospectionResponse => {
  if (known?.schemaVersion !== schemaVersion) {
    if (schema === undefined) return 'schema-missing';
    known = { schemaVersion, introspect: createIntrospector(schema.sdl) };
  }
  return { answer: known.introspect(text, introspection) };
};

/** The pool calls it with each batch. */
export const run = batched(task);

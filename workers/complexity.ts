import {
  type Analysis,
  type Analyzer,
  createAnalyzer,
  type Introspection,
  type SchemaSource,
} from '../src/graphql/analyze.ts';
import { batched } from '../src/threads/protocol.ts';

interface Request {
  readonly text: string;
  /** Names one schema; the source is sent when the thread does not have it. */
  readonly schemaVersion: string;
  readonly schema?: SchemaSource;
  /** Asks for an answer in place of the analysis. */
  readonly introspection?: Introspection;
}

type Response = Analysis | 'schema-missing' | { readonly answer: string | undefined };

let known: { readonly schemaVersion: string; readonly analyzer: Analyzer } | undefined;

/** The analysis of a query text, the answer to an operation of it, or that this thread needs the schema first. */
const task = ({ text, schemaVersion, schema, introspection }: Request): Response => {
  if (known?.schemaVersion !== schemaVersion) {
    if (schema === undefined) return 'schema-missing';
    known = { schemaVersion, analyzer: createAnalyzer(schema) };
  }
  const { analyzer } = known;
  if (introspection === undefined) return analyzer.analyze(text);
  return { answer: analyzer.introspect(text, introspection) };
};

/** The pool calls it with each batch. */
export const run = batched(task);

import { type Analysis, createAnalyzer, type SchemaSource } from '../src/graphql/analyze.ts';
import { batched } from '../src/threads/protocol.ts';

interface Request {
  readonly text: string;
  /** Names one schema; the source is sent when the thread does not have it. */
  readonly schemaVersion: string;
  readonly schema?: SchemaSource;
}

let analyzer: { readonly schemaVersion: string; readonly analyze: (text: string) => Analysis } | undefined;

/** The analysis of a query text, or that this thread needs the schema first. */
const task = ({ text, schemaVersion, schema }: Request): Analysis | 'schema-missing' => {
  if (analyzer?.schemaVersion !== schemaVersion) {
    if (schema === undefined) return 'schema-missing';
    analyzer = { schemaVersion, analyze: createAnalyzer(schema) };
  }
  return analyzer.analyze(text);
};

/** The pool calls it with each batch. */
export const run = batched(task);

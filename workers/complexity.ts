import { type Analysis, type AnalysisRequest, type Analyzer, createAnalyzer } from '../src/graphql/analyze.ts';
import { batched } from '../src/threads/protocol.ts';

let known: { readonly schemaVersion: string; readonly analyze: Analyzer } | undefined;

/** The analysis of a query text, or that this thread needs the schema first. */
const task = ({ text, schemaVersion, schema }: AnalysisRequest): Analysis | 'schema-missing' => {
  if (known?.schemaVersion !== schemaVersion) {
    if (schema === undefined) return 'schema-missing';
    known = { schemaVersion, analyze: createAnalyzer(schema) };
  }
  return known.analyze(text);
};

/** The pool calls it with each batch. */
export const run = batched(task);

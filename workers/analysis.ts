import { analyzing, createAnalyzer } from '../src/graphql/analyze.ts';
import { servingOn } from '../src/threads/protocol.ts';

export const run = servingOn(analyzing, { keptMax: 1, make: createAnalyzer }, (analyze, text) => analyze(text));

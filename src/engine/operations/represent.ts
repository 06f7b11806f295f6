import { expansionPaths } from '../../predicate/expand.ts';
import { AnswerBudget } from '../answer-budget.ts';
import type { RequestContext } from '../context.ts';
import type { Document } from '../document.ts';
import type { Engine, Resource, Warning } from '../resource.ts';
import { expand } from '../expand.ts';
import { bytesTurn } from '../heavy-turns.ts';
import type { Json } from '../json.ts';
import { oneInTurns } from '../json-slices.ts';
import { limitedTo } from '../lens.ts';

/** Resources as clients read them: passed through, or parsed, expanded and written again where `paths` ask for it. */
export function represent(
  engine: Engine,
  context: RequestContext,
  resources: readonly Json[],
  paths: readonly string[],
): Promise<readonly Json[]> {
  return representAs(engine, { context, paths }, resources);
}

/** A resource as the answer to a write has it, which says beside it what became of the request otherwise than it asked for. */
export function withWarnings(json: Json, warnings: readonly Warning[]): Json {
  if (warnings.length === 0) return json;
  const text = String(json);
  return `${text.slice(0, text.lastIndexOf('}'))},"warnings":${JSON.stringify(warnings)}}`;
}

/** What resources are represented for. */
interface Representing {
  readonly context: RequestContext;
  readonly paths: readonly string[];
  /** Their kind; where it is not known, their parts show no more than they have. */
  readonly resource?: Resource;
}

/** The same of a kind whose parts show more where they are expanded. */
export async function representAs(
  engine: Engine,
  { context, paths, resource }: Representing,
  resources: readonly Json[],
): Promise<readonly Json[]> {
  if (paths.length === 0) return resources;
  const budget = new AnswerBudget();
  for (const json of resources) budget.spend(json.length);
  const documents: Document[] = [];
  for (const json of resources) {
    documents.push(await oneInTurns(json, context));
  }
  await expand(limitedTo(engine, context), { context, documents, resource, paths: expansionPaths(paths), budget });
  const written: Json[] = [];
  for (const document of documents) {
    // Nobody knows how much of what was expanded is in which.
    await bytesTurn(context, budget.spent / documents.length);
    written.push(JSON.stringify(document));
  }
  return written;
}

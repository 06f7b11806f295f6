import { expansionPaths } from '../../predicate/expand.ts';
import type { RequestContext } from '../context.ts';
import type { Document } from '../define.ts';
import type { Engine } from '../engine.ts';
import { expand } from '../expand.ts';
import { limitedTo } from '../limited.ts';

/** The texts as clients read them: passed through, or parsed, expanded and written again where `paths` ask for it. */
export async function represent(
  engine: Engine,
  context: RequestContext,
  texts: readonly string[],
  paths: readonly string[],
): Promise<readonly string[]> {
  if (paths.length === 0) return texts;
  // Stored texts are documents.
  const documents = texts.map((text) => JSON.parse(text) as Document);
  await expand(limitedTo(engine, context), context.project.key, documents, expansionPaths(paths));
  return documents.map((document) => JSON.stringify(document));
}

import { apiError } from '../../../errors/api-error.ts';
import type { ProjectSettings } from '../../../engine/context.ts';
import type { Engine } from '../../../engine/resource.ts';

/** How long what a search found is given again. What is searched may be older than that in any case. */
const keptMs = 1000;

export function keepShortly({ sources }: Pick<Engine, 'sources'>): void {
  sources.noteUntil(Date.now() + keptMs);
}

/** What searches projections, or completes their keywords. Throws while those of the project cannot be searched. */
export function requireProjectionSearch<Part>(part: Part | undefined, { searchIndexing }: ProjectSettings): Part {
  const status = searchIndexing?.products?.status ?? 'Deactivated';
  if (status === 'Deactivated')
    throw apiError('SearchDeactivated', 'Product search indexing is not activated for the project.');
  const there = searching(part);
  if (status === 'Indexing')
    throw apiError('SearchIndexingInProgress', 'The products of the project are being indexed. Try again later.');
  return there;
}

/** What searches products (catalog 66). Throws while those of the project cannot be searched. */
export function requireProductSearch<Part>(part: Part | undefined, { searchIndexing }: ProjectSettings): Part {
  const status = searchIndexing?.productsSearch?.status ?? 'Deactivated';
  if (status === 'Deactivated')
    throw apiError('ObjectNotFound', 'Product search of the mode ProductsSearch is not activated for the project.');
  const there = searching(part);
  if (status === 'Indexing')
    throw apiError('SearchNotReady', 'The products of the project are being indexed. Try again later.');
  return there;
}

function searching<Part>(part: Part | undefined): Part {
  if (part !== undefined) return part;
  throw apiError('SearchExecutionFailure', 'This server runs without a search engine.');
}

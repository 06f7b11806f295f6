import { apiError } from '../../../errors/api-error.ts';
import type { ErrorCode } from '../../../errors/codes.ts';
import type { ProjectSettings } from '../../../engine/context.ts';
import type { Engine } from '../../../engine/resource.ts';
import { ProductsUnindexed, type Searcher } from '../../../engine/searcher.ts';

/** How long what a search found is given again. What is searched may be older than that in any case. */
const keptMs = 1000;

export function keepShortly({ sources }: Pick<Engine, 'sources'>): void {
  sources.noteUntil(Date.now() + keptMs);
}

/** What completes the keywords of projections. Throws while those of the project cannot be searched. */
export function requireProjectionSearch<Part>(part: Part | undefined, { searchIndexing }: ProjectSettings): Part {
  const status = searchIndexing?.products?.status ?? 'Deactivated';
  if (status === 'Deactivated')
    throw apiError('SearchDeactivated', 'Product search indexing is not activated for the project.');
  const there = searching(part);
  if (status === 'Indexing') throw unindexed('SearchIndexingInProgress');
  return there;
}

/** What searches projections. Throws while those of the project cannot be searched. */
export function requireProjectionSearcher(searcher: Searcher | undefined, settings: ProjectSettings): Searcher {
  return whereIndexed(requireProjectionSearch(searcher, settings), 'SearchIndexingInProgress');
}

/** What searches products (catalog 66). Throws while those of the project cannot be searched. */
export function requireProductSearcher(searcher: Searcher | undefined, { searchIndexing }: ProjectSettings): Searcher {
  const status = searchIndexing?.productsSearch?.status ?? 'Deactivated';
  if (status === 'Deactivated')
    throw apiError('ObjectNotFound', 'Product search of the mode ProductsSearch is not activated for the project.');
  const there = searching(searcher);
  if (status === 'Indexing') throw unindexed('SearchNotReady');
  return whereIndexed(there, 'SearchNotReady');
}

function searching<Part>(part: Part | undefined): Part {
  if (part !== undefined) return part;
  throw apiError('SearchExecutionFailure', 'This server runs without a search engine.');
}

/** The search process and the settings say one after the other that all is indexed: it is one state, which has one code. */
function whereIndexed(searcher: Searcher, code: ErrorCode): Searcher {
  return {
    search: async (request, query) => {
      try {
        return await searcher.search(request, query);
      } catch (error) {
        throw error instanceof ProductsUnindexed ? unindexed(code) : error;
      }
    },
  };
}

function unindexed(code: ErrorCode): Error {
  return apiError(code, 'The products of the project are being indexed. Try again later.');
}

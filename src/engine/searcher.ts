import type { IndexAnswer, IndexQuery } from '../product-search/index-query.ts';
import type { Requester } from './context.ts';

/** Searches the products of the request's project. */
export interface Searcher {
  /**
   * Throws OverCapacity where too much is asked at once or the index is not there yet, and SearchExecutionFailure where it
   * fails or takes too long.
   */
  search(request: Requester, query: IndexQuery): Promise<IndexAnswer>;
}

import type { IndexAnswer, IndexQuery } from '../product-search/index-query.ts';
import type { Requester } from './context.ts';

/** Documents of some products of the project are still to be made. Each search has a code of its own for it. */
export class ProductsUnindexed extends Error {
  constructor() {
    super('The products of the project are being indexed');
  }
}

/** Searches the products of the request's project. */
export interface Searcher {
  /**
   * Throws OverCapacity where too much is asked at once or the index is not there yet, and SearchExecutionFailure where it
   * fails or takes too long; ProductsUnindexed where there is nothing to search yet.
   */
  search(request: Requester, query: IndexQuery): Promise<IndexAnswer>;
}

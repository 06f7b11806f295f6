import type { IndexAnswer, IndexQuery } from '../product-search/index-query.ts';

/** What an HTTP process asks the search process. */
export interface Question {
  readonly id: number;
  readonly project: string;
  readonly query: IndexQuery;
  /** From when it arrives. */
  readonly timeoutMs: number;
}

/**
 * Why there is no answer: the index is being read, products are being indexed, it took too long, it is too large, or something
 * else.
 */
export type Failure = 'loading' | 'indexing' | 'late' | 'large' | 'failed';

export type Reply =
  | { readonly id: number; readonly answer: IndexAnswer }
  | { readonly id: number; readonly failure: Failure; readonly message: string };

import type { IndexAnswer, IndexQuery } from '../product-search/index-query.ts';

/** What an HTTP process asks the search process. */
export interface Question {
  readonly id: number;
  readonly project: string;
  /** In whose name it waits; projects may know clients by equal names, which are two here. */
  readonly client: string;
  readonly query: IndexQuery;
  /** From when it arrives. */
  readonly timeoutMs: number;
}

/** Nobody waits for the answer to a question any more, and none comes. So it is with all of a socket that is closed. */
export interface Withdrawal {
  readonly withdrawn: Question['id'];
}

/**
 * Why there is no answer: the index is being read, products are being indexed, it took too long, it is too large, or something
 * else.
 */
export type Failure = 'loading' | 'indexing' | 'late' | 'large' | 'failed';

export type Reply =
  | { readonly id: number; readonly answer: IndexAnswer }
  | { readonly id: number; readonly failure: Failure; readonly message: string };

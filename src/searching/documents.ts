/** The documents of product search, as search processes read them. The storage layer implements it. */

export interface SearchProject {
  readonly key: string;
  /** Of the newest row; 0 without any. */
  readonly lastSeq: number;
  /** As `SearchRows` has it. Nothing else may tell of rows that are gone: those that are left may all have been read. */
  readonly prunedSeq: number;
  /** There are documents of all products; those that have changed since may be older. */
  readonly isComplete: boolean;
}

export interface SearchRow {
  readonly seq: number;
  readonly productId: string;
  /** `{"both": …}` or `{"current": …, "staged": …}` as JSON; undefined for a product that is gone, or cannot be indexed. */
  readonly document: string | undefined;
}

export interface SearchRows {
  /**
   * Rows up to this may be missing. Who has read from the beginning when it was P, up to S, has to begin anew where it is
   * greater than both.
   */
  readonly prunedSeq: number;
  readonly rows: readonly SearchRow[];
}

export interface SearchDocuments {
  /** Those with a search that is on, or is to be. */
  projects(): Promise<readonly SearchProject[]>;
  /** The next rows behind one, in order: at most `limit` and as many as can be worked on at once; undefined without a search. */
  after(project: string, seq: number, limit: number): Promise<SearchRows | undefined>;
}

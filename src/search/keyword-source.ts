/** What the search feeder needs of the database. Each call is one statement; the storage layer implements it. */
import type { Backlog, Lease } from '../outbox/outbox.ts';

/** A text that resources offer in a locale, with its encoded candidates in both projections. */
export interface KeywordState {
  readonly locale: string;
  readonly hash: string;
  readonly text: string;
  readonly current: readonly string[];
  readonly staged: readonly string[];
}

export interface OfferedKeyword extends KeywordState {
  readonly resourceId: string;
}

/** A text that one of the search engine's indexes lacks, as of a generation. */
export interface DirtyKeyword extends KeywordState {
  readonly generation: string;
}

/** Keywords by locale, as a resource's two projections hold them. */
export interface KeywordsOfResource {
  readonly id: string;
  readonly current: Readonly<Record<string, readonly unknown[]>>;
  readonly staged: Readonly<Record<string, readonly unknown[]>>;
}

export interface KeywordsRead {
  /** How many of the resources were looked at. */
  readonly count: number;
  readonly resources: readonly KeywordsOfResource[];
}

export interface FilledIndexes {
  readonly settingsVersion: number;
  readonly keywordsCreatedAt: string;
  readonly lexiconCreatedAt: string;
}

export type IndexName = 'keywords' | 'lexicon';

export interface SearchedProject {
  readonly key: string;
  /** Search indexing is on; without, changes are taken off the queue all the same. */
  readonly isIndexed: boolean;
}

export interface KeywordSource {
  projects(): Promise<readonly SearchedProject[]>;
  /** Keys of the projects with texts that the search engine lacks. */
  dirtyProjects(): Promise<readonly string[]>;
  /**
   * What the first of the resources offer, as far as they are there: as many as can be worked on at once, and one at least.
   */
  keywordsOf(project: string, ids: readonly string[]): Promise<KeywordsRead>;
  /**
   * Writes what the changed resources offer now, and marks every text touched as dirty. Throws where the lease is another's,
   * who may have written what is newer.
   */
  offer(lease: Lease, changedIds: readonly string[], offered: readonly OfferedKeyword[]): Promise<void>;
  dirtyKeywords(project: string, index: IndexName): Promise<readonly DirtyKeyword[]>;
  /**
   * The search engine has these texts as they were then. Where the lease is another's, who may have pushed what is newer
   * before, they are marked instead, to be pushed once more.
   */
  clearDirty(lease: Lease, index: IndexName, pushed: readonly DirtyKeyword[]): Promise<void>;
  /** Remembers a text that the search engine refuses. */
  addPoison(project: string, keyword: DirtyKeyword, error: string): Promise<void>;
  filledIndexes(project: string): Promise<FilledIndexes | undefined>;
  /** Marks every text as dirty for new, empty indexes. */
  startFilling(project: string, indexes: FilledIndexes): Promise<void>;
  /** The indexes of the project were dropped. */
  forgetIndexes(project: string): Promise<void>;
  /** The indexes have all that products offer. The search of projections is activated when all else is there as well. */
  markActivated(project: string): Promise<void>;
  /** Texts that the search engine lacks. */
  backlog(): Promise<readonly Backlog[]>;
}

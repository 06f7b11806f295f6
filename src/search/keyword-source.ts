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

export interface DirtyPage {
  readonly after?: Pick<KeywordState, 'locale' | 'hash'> | undefined;
  readonly limit: number;
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

/** Two indexes, by their times of creation: others under the same names were made by somebody else. */
export interface CreatedIndexes {
  readonly keywordsCreatedAt: string;
  readonly lexiconCreatedAt: string;
}

export interface FilledIndexes extends CreatedIndexes {
  readonly settingsVersion: number;
  /** When indexing was enabled. */
  readonly enabledAt: string;
}

/** First all resources are read, then all texts are sent, and then the second indexes take the place of the first. */
export type FillingStage = 'products' | 'texts' | 'swap';

export interface Filling {
  /** Undefined until the second indexes are there. */
  readonly indexes: FilledIndexes | undefined;
  readonly stage: FillingStage;
  /** What is done ends here; undefined at the beginning of a stage. */
  readonly cursor: readonly string[] | undefined;
  readonly done: number;
  readonly total: number;
}

export interface IndexingState {
  readonly filled: FilledIndexes | undefined;
  readonly filling: Filling | undefined;
}

export interface FillingStep {
  readonly stage: FillingStage;
  readonly cursor: readonly string[] | undefined;
  /** Of the stage, since the last step. */
  readonly count: number;
  /** Of a stage that begins. */
  readonly total?: number;
  /** No index is fed with changes yet, and all texts are still to be sent: none has to be marked as dirty. */
  readonly clearsDirty?: boolean;
}

export type IndexName = 'keywords' | 'lexicon';

/** A text that the search engine does not take. */
export interface RefusedKeyword {
  readonly keyword: KeywordState;
  readonly error: string;
}

/** What became of texts that were sent. */
export interface Sent<T extends KeywordState> {
  readonly index: IndexName;
  readonly texts: readonly T[];
  /** Those of them that are set aside. */
  readonly refused: readonly RefusedKeyword[];
}

export interface SearchedProject {
  readonly key: string;
  /** Indexing is on; without, changes are taken off the queue all the same. */
  readonly isIndexed: boolean;
  /** Clients may search. */
  readonly isActivated: boolean;
  /** When indexing was switched last; empty for projects in which it never was. */
  readonly enabledAt: string;
  /** Somebody asks for indexes that are filled anew. */
  readonly isFillingAsked: boolean;
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
   * Writes what the changed resources offer now, and marks every text touched as dirty. Has no effect while indexing is off,
   * which is known as of this statement. Throws where the lease is another's, who may have written what is newer.
   */
  offer(lease: Lease, changedIds: readonly string[], offered: readonly OfferedKeyword[]): Promise<void>;
  /** Texts in their order, of those behind one. */
  dirtyKeywords(project: string, index: IndexName, page: DirtyPage): Promise<readonly DirtyKeyword[]>;
  /**
   * The search engine has these texts as they were then, but for those it refuses, which are noted. Where the lease is
   * another's, who may have pushed what is newer before, they are marked instead, to be pushed once more.
   */
  clearDirty(lease: Lease, sent: Sent<DirtyKeyword>): Promise<void>;
  /** The indexes have all that products offer. The search of projections is activated when all else is there as well. */
  markActivated(project: string): Promise<void>;
  /** Texts that the search engine lacks, those of a filling, and those that it refuses. */
  backlog(): Promise<readonly Backlog[]>;
  readonly fillings: Fillings;
}

/** At most `limit` texts behind one, by its locale and hash. */
export interface TextsPage {
  readonly after: readonly string[] | undefined;
  readonly limit: number;
}

/** The filling of second indexes. What is written is given the lease, and throws where that is another's. */
export interface Fillings {
  state(project: string): Promise<IndexingState>;
  /** Asks for one; a filling that is under way is that one. */
  ask(project: string): Promise<void>;
  /** The second indexes are there, and empty, for this many resources; what was begun before is forgotten. */
  begin(lease: Lease, indexes: FilledIndexes, total: number): Promise<void>;
  /** Ids in their order: of resources, and of those that are gone and whose texts are there. */
  resourceIds(project: string, after: string | undefined): Promise<readonly string[]>;
  countResources(project: string): Promise<number>;
  /** Texts in their order, as they are offered. */
  texts(project: string, page: TextsPage): Promise<readonly KeywordState[]>;
  countTexts(project: string): Promise<number>;
  /**
   * Up to here it is done. Texts are marked as dirty where the lease is another's, who may have sent what is newer before.
   */
  advance(lease: Lease, step: FillingStep, sent?: readonly Sent<KeywordState>[]): Promise<void>;
  /** The indexes have taken the place of the first. */
  finish(lease: Lease): Promise<void>;
  /** The indexes were dropped. Forgets some of the texts, and tells whether those were the last; then all is forgotten. */
  forget(lease: Lease): Promise<boolean>;
}

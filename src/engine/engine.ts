import type { Compute } from '../tasks/task.ts';
import type { Accounts } from './accounts.ts';
import type { AccountTokens } from './account-tokens.ts';
import type { CoherentCache, Sources } from './coherence.ts';
import type { Document, Resource } from './define.ts';
import type { Passwords } from './passwords.ts';
import type { Registry } from './registry.ts';
import type { Store, Writes } from './store.ts';
import type { Suggester } from './suggester.ts';

/** All resources of some kinds of a project, with a version that differs whenever any of them may have changed. */
export interface Collection {
  readonly version: string;
  readonly documents: ReadonlyMap<string, readonly Document[]>;
  /** Results derived from this collection, dropped with it. Bounded by what it was made with. */
  readonly derived: Map<string, string>;
}

/** What operations and endpoints work with. One for each process. */
export interface Engine {
  readonly registry: Registry;
  readonly store: Store;
  /** For `operations/commit.ts` alone. */
  readonly writes: Writes;
  readonly passwords: Pick<Passwords, 'hash'>;
  readonly accounts: Accounts;
  readonly accountTokens: AccountTokens;
  readonly compute: Compute;
  /** Undefined where the platform runs without a search engine. */
  readonly suggester: Pick<Suggester, 'suggest'> | undefined;
  /** Resources of a kind that one project may have; undefined without a limit. */
  maxPerProject(resource: Resource): number | undefined;
  readonly collections: CoherentCache<Collection>;
  /** Parsed documents that describe others, by project, kind and id. Shared, so nobody may change one. */
  readonly descriptions: CoherentCache<Document>;
  /** Bodies of answers as ready bytes. */
  readonly answers: CoherentCache<Buffer>;
  /** Where an answer that is being made notes what it reads past the store; the store notes what it gives. */
  readonly sources: Pick<Sources, 'note' | 'noteMore' | 'noteUntil'>;
}

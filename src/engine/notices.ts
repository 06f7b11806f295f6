/**
 * Who hears of writes outside of the platform, as projects have it. Notices are parts of the commit that they tell of: a write
 * that takes place leaves all of them, in the order in which its resource was written, and another one none.
 */
import type { Document, Fixed, Internals } from './document.ts';
import type { Json } from './json.ts';
import type { Insertion, Notice, Write } from './store.ts';

/** A resource as it was last. */
export interface Gone {
  readonly json: Json;
  /** Personal data goes with it, wherever it is. */
  readonly isErased: boolean;
}

/** What one commit is about to write, before its notices are added. */
export interface Happening {
  /** The moment of the request. */
  readonly now: string;
  readonly parts: readonly Write[];
  /** What removals take away, by their ids. */
  readonly gone: ReadonlyMap<string, Gone>;
  /** What the writes tell, whether or not the project keeps messages. */
  readonly messages: readonly Insertion[];
}

/** Those of a project who hear of something. */
export interface Hearing {
  /** Whether one of them hears of messages about resources of this kind. */
  hearsMessagesOf(kind: string): boolean;
  noticesOf(happening: Happening): Promise<readonly Notice[]>;
}

/** One who is to hear of writes, before it is stored. */
export interface Candidate {
  readonly document: Fixed<Document>;
  readonly internals: Internals;
}

export interface Listeners {
  /** Undefined for almost all projects. As of the last passing of the fence. */
  of(project: string): Promise<Hearing | undefined>;
  /** Tells it of itself. Gives why that did not reach it; undefined where it did. */
  tryOut(project: string, candidate: Candidate): Promise<string | undefined>;
}

/**
 * Who hears of writes outside of the platform, as projects have it. Notices are parts of the commit that they tell of: a write
 * that takes place leaves all of them, in the order in which its resource was written, and another one none.
 */
import type { RequestContext } from './context.ts';
import type { Document, Fixed, Internals } from './document.ts';
import type { Engine, Planned } from './resource.ts';
import type { Insertion, Notice, Write } from './store.ts';

/** What one commit is about to write, before its notices are added. */
export interface Happening {
  readonly context: RequestContext;
  readonly writes: readonly Write[];
  /** What the writes were planned as. */
  readonly planned: readonly Planned[];
  /** What they tell, whether or not the project keeps messages. */
  readonly messages: readonly Planned<Insertion>[];
}

/** Those of a project who hear of something. */
export interface Hearing {
  /** Whether one of them hears of messages about resources of this kind. */
  hearsMessagesOf(kind: string): boolean;
  noticesOf(engine: Engine, happening: Happening): readonly Notice[];
}

/** One who is to hear of writes, before it is stored. */
export interface Candidate {
  readonly document: Fixed<Document>;
  readonly internals: Internals;
}

export interface Listeners {
  /** Undefined for almost all projects. */
  of(engine: Engine, project: string): Promise<Hearing | undefined>;
  /** Tells it of itself. Gives why that did not reach it; undefined where it did. */
  tryOut(engine: Engine, project: string, candidate: Candidate): Promise<string | undefined>;
}

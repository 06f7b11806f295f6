/** Where the walks through resources that follow others are kept. The storage layer implements it. */
import type { Backlog, Lease } from '../outbox/outbox.ts';
import type { Sharing } from '../engine/following.ts';
import type { Query } from '../engine/store.ts';

/** Which walk: the resources of `kind` that follow this source, or, where that is empty, all of the kind together. */
export interface PassKey {
  readonly kind: string;
  readonly sourceKind: string;
  readonly sourceId: string;
}

/** A change of a source. Where it has no version, the followers follow anew whatever the source says. */
export interface NotedChange extends PassKey {
  readonly version?: number | undefined;
}

export interface Pass extends PassKey {
  readonly isBegun: boolean;
  /** The moment by which its first followers were judged. */
  readonly begunAt: string | undefined;
  /** The id up to which it is done. */
  readonly cursor: string | undefined;
  readonly done: number;
  /** The version of the last change, once nobody can be writing by what was read before it. */
  readonly restedVersion: number | undefined;
  /** Of a pass that has not begun: a state of the source that all followers follow, and the version that had it. */
  readonly followed: SourceState | undefined;
}

/** A state of a source, and the version that has it. */
export interface SourceState {
  readonly version: number;
  readonly mark: string;
}

/** How a pass begins. */
export interface Beginning {
  readonly sourceId: string;
  /** The source as it is, where followers that are walked through from here on are known to follow this or what is later. */
  readonly state: SourceState | undefined;
  readonly total: number;
}

/** A pass of few followers, which are followed in one step together with those of others. */
export interface SharedPass extends PassKey {
  readonly followerIds: readonly string[];
}

/** Resources of a kind, and how an index finds them. */
export interface Followers extends Pick<Query, 'kind' | 'hasPlainKey' | 'indexed' | 'where'> {
  /** They all refer to this one. */
  readonly referTo?: { readonly kind: string; readonly id: string };
}

/** Followers that are walked through in one step. */
export const followersMax = 200;
/** After so long a step leaves the others to the next one: passes of other kinds and of other projects have theirs before. */
export const stepMsMax = 1000;

export function turnOf({ kind, sourceKind }: Pick<PassKey, 'kind' | 'sourceKind'>): string {
  return `${kind} ${sourceKind}`;
}

/** Each call is one statement. What changes a pass does so under the lease, and tells whether that was held. */
export interface Passes {
  /** Keys of the projects that have something to do. */
  due(): Promise<readonly string[]>;
  /**
   * Sources have changed: their passes begin in a moment, when who read the state before has written. One that changes again
   * meanwhile does not hold up its pass, but has another one after that.
   */
  note(lease: Lease, changes: readonly NotedChange[]): Promise<boolean>;
  /**
   * The one that has waited longest among those of a kind that follows a kind; these take turns. `served` has the names of
   * those that had theirs (`turnOf`), the last one at the end.
   */
  next(project: string, served: readonly string[]): Promise<Pass | undefined>;
  /** Some that are due, have not begun, and are of the same kinds as this one. */
  alike(project: string, pass: PassKey): Promise<readonly Pass[]>;
  begin(
    lease: Lease,
    pass: PassKey,
    beginning: Omit<Beginning, 'sourceId'> & { readonly at: string },
  ): Promise<boolean>;
  /** Begins passes of the same kinds as this one. Those that nothing follows end with that, and some are forgotten then. */
  beginAlike(
    lease: Lease,
    pass: PassKey,
    beginnings: readonly (Beginning & { readonly isForgotten: boolean })[],
  ): Promise<boolean>;
  /** What is behind the cursor is begun with once more, or (by -1) was not. How often it was; undefined without the lease. */
  attempt(lease: Lease, pass: PassKey, by: 1 | -1): Promise<number | undefined>;
  /** `attempts` counts for what is behind the new cursor. */
  advance(
    lease: Lease,
    pass: PassKey,
    step: { readonly cursor: string; readonly count: number; readonly attempts: number },
  ): Promise<boolean>;
  /** A step has failed: other passes of its kinds come before it. */
  postpone(lease: Lease, pass: PassKey): Promise<boolean>;
  /** All followers were walked through. A later moment may be due by the clock. */
  end(lease: Lease, pass: PassKey, nextAt: string | undefined): Promise<boolean>;
  /** Where nothing is due. */
  forget(lease: Lease, pass: PassKey): Promise<boolean>;
  /** There is nothing to follow. */
  drop(lease: Lease, pass: PassKey): Promise<boolean>;
  /**
   * Of this pass and others like it, that are due, have not begun, and are of sources whose values followers name: those
   * that no follower names are forgotten, and some of those that few name begin. Gives these. Leaves those alone whose
   * values are too long for an index.
   */
  beginShared(lease: Lease, pass: PassKey, sharing: Sharing): Promise<readonly SharedPass[]>;
  /** All followers of passes that began so have been followed. */
  endShared(lease: Lease, passes: readonly SharedPass[]): Promise<boolean>;
  /** How many there are. */
  count(project: string, followers: Followers): Promise<number>;
  /** The same for some of one kind, each of them undefined where there are many, or to count them takes long. */
  counts(project: string, followers: readonly Followers[]): Promise<readonly (number | undefined)[]>;
  /** The next ids behind this one, in order: `followersMax`, or the last ones. */
  ids(project: string, followers: Followers, after: string | undefined): Promise<readonly string[]>;
  /** Passes that are due or under way, with what is left of them. */
  backlog(): Promise<readonly Backlog[]>;
}

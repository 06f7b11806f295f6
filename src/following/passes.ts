/** Where the walks through resources that follow others are kept. The storage layer implements it. */
import type { Backlog, Lease } from '../outbox/outbox.ts';
import type { Sharing } from '../engine/resource.ts';
import type { Query } from '../engine/store.ts';

/** Which walk: the resources of `kind` that follow this source, or, where that is empty, all of the kind together. */
export interface PassKey {
  readonly kind: string;
  readonly sourceKind: string;
  readonly sourceId: string;
}

export interface Pass extends PassKey {
  readonly isBegun: boolean;
  /** The id up to which it is done. */
  readonly cursor: string | undefined;
  readonly done: number;
  /** The state of the source when the last one began. */
  readonly mark: string | undefined;
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

/** Each call is one statement. What changes a pass does so under the lease, and tells whether that was held. */
export interface Passes {
  /** Keys of the projects that have something to do. */
  due(): Promise<readonly string[]>;
  /** Sources have changed: their passes begin in a moment, when who read the state before has written. */
  note(lease: Lease, keys: readonly PassKey[]): Promise<boolean>;
  /** The one that has waited longest. */
  next(project: string): Promise<Pass | undefined>;
  begin(
    lease: Lease,
    pass: PassKey,
    state: { readonly mark: string | undefined; readonly total: number },
  ): Promise<boolean>;
  /** What is behind the cursor is begun with once more, or (by -1) was not. How often it was; undefined without the lease. */
  attempt(lease: Lease, pass: PassKey, by: 1 | -1): Promise<number | undefined>;
  /** `attempts` counts for what is behind the new cursor. */
  advance(
    lease: Lease,
    pass: PassKey,
    step: { readonly cursor: string; readonly count: number; readonly attempts: number },
  ): Promise<boolean>;
  /** There is nothing to follow. */
  skip(lease: Lease, pass: PassKey): Promise<boolean>;
  /** A later moment may be due by the clock. */
  end(lease: Lease, pass: PassKey, nextAt: string | undefined): Promise<boolean>;
  /** Where nothing is due. */
  forget(lease: Lease, pass: PassKey): Promise<boolean>;
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
  /** The next ids behind this one, in order. */
  ids(project: string, followers: Followers, after: string | undefined): Promise<readonly string[]>;
  /** Passes that are due or under way, with what is left of them. */
  backlog(): Promise<readonly Backlog[]>;
}

/** The queue on which writes leave word for those who carry them elsewhere. The storage layer implements it. */

/**
 * What one consumer hears of: every write of some kinds. The name of the groups of a kind in place of the kind (such as
 * `inventory-entry by sku`) stands for the groups that a write's resource is in, which are told in place of the resource.
 */
export interface Topic {
  readonly name: string;
  readonly kinds: readonly string[];
}

export interface QueuedChange {
  readonly sequence: string;
  readonly kind: string;
  readonly id: string;
  readonly version: number;
}

/**
 * The right to take what a project has for a topic. One holder has it at a time, for as long as it renews it. Whoever takes it
 * anew is another holder, so that what was begun under a lease that was lost cannot go on under the next.
 */
export interface Lease {
  readonly project: string;
  readonly topic: string;
  readonly holder: string;
}

/** What a project has for a consumer that did not get there yet. */
export interface Backlog {
  readonly project: string;
  readonly topic: string;
  /** What waits, as operators know it. */
  readonly of: string;
  /** Counting stops at 10,000. */
  readonly count: number;
  readonly oldestSeconds: number;
}

/** Changes that are taken at a time. */
export const takenMax = 1000;

export interface Outbox {
  /** Keys of the projects that have changes for the topic. */
  waiting(topic: string): Promise<readonly string[]>;
  /** Takes the lease; false while another holder has it. */
  hold(lease: Lease): Promise<boolean>;
  /** Keeps it; false where another holder has had it since. */
  renew(lease: Lease): Promise<boolean>;
  release(lease: Lease): Promise<void>;
  /** The first `takenMax` changes on the queue, in the order in which they happened to each resource. */
  take(lease: Lease): Promise<readonly QueuedChange[]>;
  /** Takes them off the queue. */
  remove(lease: Lease, changes: readonly QueuedChange[]): Promise<void>;
  backlog(): Promise<readonly Backlog[]>;
}

/** Topics by the kinds that they are about. */
export function topicsByKind(topics: readonly Topic[]): ReadonlyMap<string, readonly string[]> {
  const kinds = new Set(topics.flatMap((topic) => topic.kinds));
  return new Map(
    [...kinds].map((kind) => [kind, topics.filter((topic) => topic.kinds.includes(kind)).map(({ name }) => name)]),
  );
}

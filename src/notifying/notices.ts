/** What waits to be told to those who hear of writes, and who tells it. The storage layer implements the queue. */
import type { Backlog } from '../outbox/outbox.ts';

export interface QueuedNotice {
  readonly sequence: string;
  readonly id: string;
  /** The resource that it is about, of which it waits for what comes before. */
  readonly subject: string;
  /** Of the resource, where the payload does not say it. */
  readonly version: number | undefined;
  readonly payload: string;
  readonly atMs: number;
}

/** Who hears of something, in a project. */
export interface Listener {
  readonly project: string;
  readonly listener: string;
}

/** Notices that are taken at a time. */
export const takenMax = 500;

export interface NoticeQueue {
  /** Keys of the projects that have any. */
  projects(): Promise<readonly string[]>;
  /** Ids of those of a project for whom there are any. */
  listeners(project: string): Promise<readonly string[]>;
  /**
   * The first in the order in which they were put there, without those about these resources, and of no more bytes. One may
   * have more than that alone.
   */
  take(of: Listener, passedOver: readonly string[], bytesMax: number): Promise<readonly QueuedNotice[]>;
  /** Those of them that are still there. */
  among(of: Listener, sequences: readonly string[]): Promise<readonly string[]>;
  /** Whether there is anything about other resources. */
  hasOthers(of: Listener, subject: string): Promise<boolean>;
  /** Takes them off the queue. */
  remove(of: Listener, sequences: readonly string[]): Promise<void>;
  /** Takes off all that were put there before the moment. */
  drop(of: Listener, beforeMs: number): Promise<void>;
  backlog(): Promise<readonly Backlog[]>;
}

/** What came of telling somebody. */
export type Outcome =
  | { readonly isDelivered: true }
  | {
      readonly isDelivered: false;
      /** What has to be set up otherwise does not pass by itself. */
      readonly error: 'ConfigurationError' | 'TemporaryError';
      readonly why: string;
    };

/** How it is with a listener. Of one that has stopped nothing is kept any more. */
export type Health = 'Healthy' | 'ConfigurationError' | 'TemporaryError' | 'ConfigurationErrorDeliveryStopped';

/** One of those who are told. */
export interface Receiver {
  /** As it is known. Healthy again after an error is one that is told elsewhere. */
  readonly isHealthy: boolean;
  /** By when at least it was to be set up otherwise, if it is; undefined when something else is the matter with it. */
  readonly misconfiguredSinceMs: number | undefined;
  send(notice: QueuedNotice, signal: AbortSignal): Promise<Outcome>;
}

export interface Receivers {
  /** Undefined for one who has gone, or hears of nothing any more. */
  of(listener: Listener): Promise<Receiver | undefined>;
  /** Has it be known how it is with one. */
  tell(listener: Listener, health: Health): Promise<void>;
}

/** Sends a notification to its destination, once. What becomes of it then is for whoever sends it. */
import type { CallAnswer, Caller } from '../../calls/caller.ts';
import { CallFailed } from '../../calls/call-failed.ts';
import type { Internals } from '../../engine/document.ts';
import type { Fixed } from '../../engine/document.ts';
import type { Registry } from '../../engine/resource.ts';
import { postedTo } from './destination.ts';
import type { Subscription } from './fields.ts';
import { cloudEventText, platformText, type Waiting } from './notification.ts';

/** All that a delivery may take. */
const timeoutMs = 10_000;
/** Of an answer, which nobody reads. */
const answerBytesMax = 64 * 1024;

/** What came of it: a destination that is to be set up otherwise, or one that may take it the next time. */
export type Outcome = { readonly isDelivered: true } | Failure;

interface Failure {
  readonly isDelivered: false;
  readonly error: 'ConfigurationError' | 'TemporaryError';
  /** Completes a sentence about the destination. */
  readonly why: string;
}

export interface Sending {
  readonly caller: Caller;
  readonly registry: Pick<Registry, 'byKind'>;
  /** Whose connections are used. */
  readonly owner: string;
  readonly signal?: AbortSignal;
}

/** A subscription with what is kept beside it. */
export interface Subscribed {
  readonly subscription: Fixed<Pick<Subscription, 'destination' | 'format'>>;
  readonly internals: Internals;
}

export async function send(
  { caller, registry, owner, signal }: Sending,
  { subscription: { destination, format }, internals }: Subscribed,
  waiting: Waiting,
): Promise<Outcome> {
  const isEvent = format.type === 'CloudEvents';
  const body = isEvent ? cloudEventText(waiting, (kind) => registry.byKind.get(kind)?.path) : platformText(waiting);
  const { url, headers } = postedTo(destination, internals);
  const contentType = `application/${isEvent ? 'cloudevents+json' : 'json'}; charset=utf-8`;
  try {
    const { status }: Pick<CallAnswer, 'status'> = await caller({
      url,
      owner,
      headers: { ...headers, 'Content-Type': contentType },
      body,
      timeoutMs,
      answerBytesMax,
      signal,
    });
    return outcomeOf(status);
  } catch (error) {
    if (!(error instanceof CallFailed)) throw error;
    if (error.failure === 'tooLarge' && error.status !== undefined) return outcomeOf(error.status);
    const isForbidden = error.failure === 'address';
    return {
      isDelivered: false,
      error: isForbidden ? 'ConfigurationError' : 'TemporaryError',
      why: error.message,
    };
  }
}

/** Statuses of errors that pass, below 500. */
const passing: ReadonlySet<number> = new Set([408, 429]);

function outcomeOf(status: number): Outcome {
  if (status >= 200 && status < 300) return { isDelivered: true };
  return {
    isDelivered: false,
    error: status >= 500 || passing.has(status) ? 'TemporaryError' : 'ConfigurationError',
    why: `answered with status ${status}`,
  };
}

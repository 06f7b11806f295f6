/** Sends a notification to its destination, once. What becomes of it then is for whoever sends it. */
import type { CallAnswer, Caller } from '../../calls/caller.ts';
import { CallFailed } from '../../calls/call-failed.ts';
import type { Fixed, Internals } from '../../engine/document.ts';
import type { Registry } from '../../engine/resource.ts';
import type { Tagged } from '../../fields/one-of.ts';
import type { Subscription } from './fields.ts';
import { cloudEventText, platformText, type Waiting } from './notification.ts';
import { type Posting, postingTo } from './posting.ts';

/** All that a delivery may take. */
const timeoutMs = 10_000;
/** Of an answer, of which little is read. */
const answerBytesMax = 64 * 1024;

/** What came of it: a destination that is to be set up otherwise, or one that may take it the next time. */
export type Outcome = { readonly isDelivered: true } | Failure;

interface Failure {
  readonly isDelivered: false;
  readonly error: 'ConfigurationError' | 'TemporaryError';
  /** Completes a sentence about the destination. */
  readonly why: string;
}

/** Who is called. */
export interface Destinations {
  /** Those that projects name. */
  readonly named: Caller;
  /** The Pub/Sub emulator, which the operator names, wherever it is. */
  readonly emulator: { readonly host: string; readonly caller: Caller } | undefined;
}

export interface Sending {
  readonly destinations: Destinations;
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

export async function send(sending: Sending, subscribed: Subscribed, waiting: Waiting): Promise<Outcome> {
  const { destinations, registry, owner, signal } = sending;
  const { subscription, internals } = subscribed;
  // It was parsed by its kind.
  const destination = subscription.destination as Tagged;
  const { emulator } = destinations;
  const isPublished = destination.type === 'GoogleCloudPubSub';
  if (isPublished && emulator === undefined) return failed('ConfigurationError', notReached);
  const isEvent = subscription.format.type === 'CloudEvents';
  const said = {
    text: isEvent ? cloudEventText(waiting, (kind) => registry.byKind.get(kind)?.path) : platformText(waiting),
    mediaType: `application/${isEvent ? 'cloudevents+json' : 'json'}`,
    id: waiting.id,
    subject: waiting.subject,
  };
  const { faultOf, ...posting } = await postingTo(destination, internals, { said, emulatorHost: emulator?.host });
  const caller = isPublished ? emulator!.caller : destinations.named;
  try {
    const answer = await caller({ ...posting, owner, timeoutMs, answerBytesMax, signal });
    return outcomeOf(answer, faultOf);
  } catch (error) {
    if (!(error instanceof CallFailed)) throw error;
    // What else it says counts for nothing.
    if (error.failure === 'tooLarge' && error.status !== undefined)
      return outcomeOf({ status: error.status, body: Buffer.alloc(0) }, faultOf);
    return failed(error.failure === 'address' ? 'ConfigurationError' : 'TemporaryError', error.message);
  }
}

const notReached =
  'is the service of a cloud, which is not reached from here; the operator may name an emulator by PUBSUB_EMULATOR_HOST';

/** Statuses of errors that pass, below 500. */
const passing: ReadonlySet<number> = new Set([408, 429]);

function outcomeOf(answer: CallAnswer, faultOf: Posting['faultOf']): Outcome {
  const { status, body } = answer;
  if (status < 200 || status >= 300) {
    // Some say with a status of 400 or 403 that it was too much at a time.
    const isPassing = status >= 500 || passing.has(status) || body.includes('Throttl');
    return failed(isPassing ? 'TemporaryError' : 'ConfigurationError', `answered with status ${status}`);
  }
  const fault = faultOf?.(answer);
  return fault === undefined ? { isDelivered: true } : failed('TemporaryError', fault);
}

function failed(error: Failure['error'], why: string): Failure {
  return { isDelivered: false, error, why };
}

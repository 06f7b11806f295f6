/** What is posted to each sort of destination, and which answers mean that it was taken. */
import { createHash } from 'node:crypto';
import { AwsV4Signer } from 'aws4fetch';
import type { CallAnswer } from '../../calls/caller.ts';
import type { Internals } from '../../engine/document.ts';
import { secretOf } from '../../fields/http-call.ts';
import type { Tagged } from '../../fields/one-of.ts';
import { storedSecret } from './destination.ts';

/** A notification as it is delivered. */
export interface Said {
  readonly text: string;
  readonly mediaType: string;
  /** Stays the same however often it is delivered. */
  readonly id: string;
  /** What names the resource that it is about, for destinations that keep an order for each. */
  readonly subject: string;
}

export interface Posting {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** What is wrong with an answer whose status says that it was taken. */
  readonly faultOf?: (answer: CallAnswer) => string | undefined;
}

/** `host` is where the Pub/Sub emulator is, which the operator names. */
export async function postingTo(
  destination: Tagged,
  internals: Internals,
  { said, emulatorHost }: { readonly said: Said; readonly emulatorHost: string | undefined },
): Promise<Posting> {
  switch (destination.type) {
    case 'EventGrid': {
      const headers = { 'aeg-sas-key': storedSecret(internals) };
      return { url: String(destination['uri']), headers: { ...headers, ...typeOf(said) }, body: said.text };
    }
    case 'SQS':
      return queued(destination, storedSecret(internals), said);
    case 'GoogleCloudPubSub':
      return published(destination, String(emulatorHost), said);
    default: {
      const authenticated = destination['authentication'] as Tagged | undefined;
      const headers = authenticated === undefined ? {} : { [secretOf(authenticated).header]: storedSecret(internals) };
      return { url: String(destination['url']), headers: { ...headers, ...typeOf(said) }, body: said.text };
    }
  }
}

function typeOf({ mediaType }: Said): Readonly<Record<string, string>> {
  return { 'Content-Type': `${mediaType}; charset=utf-8` };
}

/** SendMessage of the SQS query protocol, version 2012-11-05, with Signature Version 4. */
async function queued(destination: Tagged, secretAccessKey: string, said: Said): Promise<Posting> {
  const url = String(destination['queueUrl']);
  const form = new URLSearchParams({ Action: 'SendMessage', Version: '2012-11-05', MessageBody: said.text });
  if (new URL(url).pathname.endsWith('.fifo')) {
    form.set('MessageGroupId', createHash('sha256').update(said.subject).digest('hex'));
    form.set('MessageDeduplicationId', said.id);
  }
  const body = form.toString();
  const signer = new AwsV4Signer({
    method: 'POST',
    url,
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body,
    accessKeyId: String(destination['accessKey']),
    secretAccessKey,
    service: 'sqs',
    region: String(destination['region']),
  });
  const { headers } = await signer.sign();
  const digest = createHash('md5').update(said.text).digest('hex');
  return {
    url,
    headers: Object.fromEntries(headers),
    body,
    faultOf: ({ body: answer }) =>
      answer.toString().includes(digest) ? undefined : 'answered with another digest than that of the notification',
  };
}

/** `projects.topics.publish` of Pub/Sub, version 1. */
function published(destination: Tagged, host: string, { text, id, subject, mediaType }: Said): Posting {
  const [project, topic] = [destination['projectId'], destination['topic']].map((part) =>
    encodeURIComponent(String(part)),
  );
  const attributes = { id, 'content-type': mediaType };
  const message = { data: Buffer.from(text).toString('base64'), attributes, orderingKey: subject };
  return {
    url: `http://${host}/v1/projects/${project}/topics/${topic}:publish`,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ messages: [message] }),
  };
}

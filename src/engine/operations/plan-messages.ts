/**
 * What a write tells, as documents that are committed with it. Each message has a number of its own for its resource, which
 * counts on in what is kept beside that: it is exact, for the write names the version that was read. Who hears of messages
 * is not known here.
 */
import { randomUUID } from 'node:crypto';
import { type ApiError, apiError } from '../../errors/api-error.ts';
import type { RequestContext } from '../context.ts';
import type { Document, Fixed, Internals } from '../document.ts';
import { bytesTurn } from '../heavy-turns.ts';
import { partOf } from '../indexed.ts';
import type { Told } from '../messages.ts';
import type { Engine, Planned, Resource } from '../resource.ts';
import type { Insertion } from '../store.ts';
import { initiatorOf } from './write.ts';

const identifierNames = ['key', 'externalId', 'orderNumber', 'customerNumber', 'sku', 'slug'];

/** The member of internals that counts the messages of a resource. */
const counter = 'messages';
/** The member of a document that shows the count, where its kind has one. */
export const countMember = 'lastMessageSequenceNumber';

/** The number that the last message of the resource has; 0 where there was none. */
export function messageCount(internals: Internals): number {
  const count = internals[counter];
  return typeof count === 'number' ? count : 0;
}

/** The internals, and in the document the count, of a resource that so many messages more are told of. */
export function counted(
  { fields }: Resource,
  {
    internals,
    document,
    count,
  }: { readonly internals: Internals; readonly document: Document; readonly count: number },
): Internals {
  const last = messageCount(internals) + count;
  if (Object.hasOwn(fields, countMember)) document[countMember] = last;
  return { ...internals, [counter]: last };
}

/** Of one write; no commit takes more. Made of a small action they may be many, each with all that it was done to. */
const messagesMax = 2500;
const messageCharactersMax = 32 * 1024 * 1024;

/** What messages are told of. */
export interface Subject {
  readonly resource: Pick<Resource, 'kind' | 'telling' | 'keyMembers'>;
  /** As it is stored. */
  readonly document: Fixed<Document>;
  readonly told: readonly Told[];
  /** The number of the last message before these. */
  readonly count: number;
}

/** The insertions of messages, which are to be committed with the write that they are told of. */
export async function planMessages(
  engine: Engine,
  context: RequestContext,
  subject: Subject,
): Promise<readonly Planned<Insertion>[]> {
  const messages: Planned<Insertion>[] = [];
  for (const message of messagesOf(engine, context, subject)) {
    messages.push(message);
    await bytesTurn(context, message.write.json.length);
  }
  return messages;
}

/** The same of what tells little, at once. */
export function planFewMessages(
  engine: Engine,
  context: RequestContext,
  subject: Subject,
): readonly Planned<Insertion>[] {
  return [...messagesOf(engine, context, subject)];
}

function* messagesOf(
  { registry }: Engine,
  context: RequestContext,
  { resource, document, told, count }: Subject,
): Generator<Planned<Insertion>, undefined, undefined> {
  if (told.length === 0) return;
  if (told.length > messagesMax) throw tooMuchTold();
  const identifiers = identifiersOf(resource, document);
  let length = 0;
  for (const [index, { type, payload }] of told.entries()) {
    const planned = plannedMessage({ registry }, context, {
      type,
      sequenceNumber: count + index + 1,
      resource: { typeId: resource.kind, id: document.id },
      resourceVersion: document.version,
      ...(identifiers !== undefined && { resourceUserProvidedIdentifiers: identifiers }),
      // Messages are told of documents of their own kind.
      payload: typeof payload === 'function' ? payload(document as never) : payload,
    });
    length += planned.write.json.length;
    if (length > messageCharactersMax) throw tooMuchTold();
    yield planned;
  }
}

function tooMuchTold(): ApiError {
  return apiError(
    'InvalidInput',
    `The request leaves more than ${messagesMax} messages, or too long ones. Change less at a time.`,
  );
}

/** One message, of whatever is said. */
export interface Envelope {
  readonly type: string;
  readonly sequenceNumber: number;
  readonly resource: { readonly typeId: string; readonly id: string };
  readonly resourceVersion: number;
  readonly resourceUserProvidedIdentifiers?: object;
  readonly payload: object;
}

export function plannedMessage(
  { registry }: Pick<Engine, 'registry'>,
  context: RequestContext,
  { payload, ...envelope }: Envelope,
): Planned<Insertion> {
  const kind = registry.messages;
  if (kind === undefined) throw new Error('There is no kind that keeps messages');
  const initiator = initiatorOf(context);
  const id = randomUUID();
  const document = {
    id,
    version: 1,
    createdAt: context.now,
    lastModifiedAt: context.now,
    createdBy: initiator,
    lastModifiedBy: initiator,
    ...envelope,
    ...payload,
  };
  return {
    resource: kind,
    write: {
      type: 'insertion',
      kind: kind.kind,
      id,
      version: 1,
      json: JSON.stringify(document),
      ...(kind.indexed !== undefined && { indexed: JSON.stringify(partOf(document, kind.indexed)) }),
      key: undefined,
      secrets: undefined,
      references: [],
      uniqueValues: [],
      maxPerProject: undefined,
    },
  };
}

/** What clients know the resource by; undefined without anything. */
export function identifiersOf(
  { telling, keyMembers }: Pick<Resource, 'telling' | 'keyMembers'>,
  document: Fixed<Document>,
): Readonly<Record<string, unknown>> | undefined {
  const known = identifierNames.map((name): [string, unknown] => [name, document[name]]);
  const pair =
    keyMembers.length === 2 ? Object.fromEntries(keyMembers.map((name) => [name, document[name]])) : undefined;
  const entries = Object.entries({
    ...Object.fromEntries(known),
    ...telling?.identifiers?.(document),
    ...(pair !== undefined && { key: undefined, containerAndKey: pair }),
  });
  const given = entries.filter(([, value]) => value !== undefined);
  return given.length === 0 ? undefined : Object.fromEntries(given);
}

/** Those that clients can read: a project that has messages disabled keeps none, though their numbers go on. */
export function keptMessages(
  { project }: Pick<RequestContext, 'project'>,
  messages: readonly Planned<Insertion>[],
): readonly Planned<Insertion>[] {
  return project.settings.messages?.enabled === true ? messages : [];
}

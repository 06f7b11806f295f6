/** Who of a project hears of which writes, and that one can be told at all before it is stored. */
import { randomUUID } from 'node:crypto';
import { CoherentCache, dependencyOn, type Fence, type Made } from '../../engine/coherence.ts';
import type { Document, Fixed } from '../../engine/document.ts';
import { documentOf } from '../../engine/json.ts';
import { wholeOf } from '../../engine/lens.ts';
import type { Happening, Hearing, Listeners } from '../../engine/notices.ts';
import { queriedKind } from '../../engine/operations/query.ts';
import type { Engine } from '../../engine/resource.ts';
import { type Increment, type Insertion, noticeKind, type Notice, subjectOf, type Write } from '../../engine/store.ts';
import { ownShareUsed } from '../../errors/api-error.ts';
import type { Subscription } from './fields.ts';
import { changePayload, messagePayload, type ResourceChange } from './notification.ts';
import { type Destinations, send } from './send.ts';

/** Projects whose subscriptions, or the lack of any, are kept. */
const preparedMax = 10_000;
/** Subscriptions that are read, which is more than a project may have. */
const subscriptionsMax = 500;
/** Test notifications of a project that are under way. */
const triesMax = 20;

/** Kinds that change so often that nobody hears of what becomes of them between. */
const untoldKinds: ReadonlySet<string> = new Set(['cart']);

export interface ListenersParts {
  readonly engine: Pick<Engine, 'registry' | 'store' | 'maxPerProject'>;
  readonly destinations: Destinations;
  readonly fence: Fence;
}

interface Prepared {
  readonly hearing: Hearing | undefined;
}

export function createListeners({ engine, destinations, fence }: ListenersParts): Listeners {
  const prepared = new CoherentCache<Prepared>(fence, { entriesMax: preparedMax });
  const tries = new Map<string, number>();
  const { registry } = engine;
  return {
    of: async (project) => (await prepared.get(project, () => prepare(engine, project))).hearing,
    tryOut: async (project, { document, internals }) => {
      const underWay = tries.get(project) ?? 0;
      if (underWay >= triesMax) throw ownShareUsed('Too many destinations of the project are being tried out.');
      tries.set(project, underWay + 1);
      try {
        const resource = registry.byKind.get('subscription')!;
        const { id, lastModifiedAt: modifiedAt } = document;
        const payload = changePayload({ project, type: 'ResourceCreated', resource, id, document, modifiedAt });
        // Only documents of the kind are tried out.
        const subscription = document as unknown as Fixed<Subscription>;
        const subject = subjectOf({ kind: resource.kind, id });
        const waiting = { id: randomUUID(), subject, payload, version: undefined };
        const outcome = await send({ destinations, registry, owner: project }, { subscription, internals }, waiting);
        return outcome.isDelivered ? undefined : outcome.why;
      } finally {
        const left = tries.get(project)! - 1;
        if (left === 0) tries.delete(project);
        else tries.set(project, left);
      }
    },
  };
}

async function prepare(engine: ListenersParts['engine'], project: string): Promise<Made<Prepared>> {
  const resource = engine.registry.byKind.get('subscription')!;
  const stored = await wholeOf(engine.store).query(project, {
    ...queriedKind(engine, resource),
    where: [],
    sort: [],
    limit: subscriptionsMax,
    offset: 0,
  });
  const listening = stored
    .map(({ json }) => documentOf<Subscription>(json))
    .filter(({ status }) => status !== 'ConfigurationErrorDeliveryStopped');
  return {
    value: { hearing: hearingOf(engine, project, listening) },
    dependencies: [dependencyOn({ project, kind: resource.kind })],
  };
}

/** Who hears of a kind's messages: of all types, or of these. */
interface MessageHearer {
  readonly id: string;
  readonly types: ReadonlySet<string> | undefined;
}

function hearingOf(
  engine: ListenersParts['engine'],
  project: string,
  subscriptions: readonly Subscription[],
): Hearing | undefined {
  const ofMessages = new Map<string, MessageHearer[]>();
  const ofChanges = new Map<string, string[]>();
  for (const { id, messages, changes } of subscriptions) {
    for (const { resourceTypeId, types } of messages)
      added(ofMessages, resourceTypeId, { id, types: types.length === 0 ? undefined : new Set(types) });
    for (const kind of new Set(changes.map(({ resourceTypeId }) => resourceTypeId))) added(ofChanges, kind, id);
  }
  if (ofMessages.size + ofChanges.size === 0) return undefined;
  return {
    hearsMessagesOf: (kind) => ofMessages.has(kind),
    noticesOf: async (happening) => [
      ...(ofChanges.size === 0 ? [] : await changeNotices(engine, ofChanges, { project, happening })),
      ...(ofMessages.size === 0 ? [] : happening.messages.flatMap((each) => messageNotices(ofMessages, project, each))),
    ],
  };
}

function added<V>(lists: Map<string, V[]>, name: string, value: V): void {
  const list = lists.get(name);
  if (list === undefined) lists.set(name, [value]);
  else list.push(value);
}

async function changeNotices(
  { registry, store }: ListenersParts['engine'],
  ofChanges: ReadonlyMap<string, readonly string[]>,
  { project, happening }: { readonly project: string; readonly happening: Happening },
): Promise<readonly Notice[]> {
  const heard = happening.parts.filter(({ kind }) => ofChanges.has(kind));
  const counted = heard.filter((write): write is Increment => write.type === 'increment');
  // They alone do not say whom they are about.
  const found = counted.length === 0 ? [] : await store.find(project, counted);
  const documents = new Map<string, Document>();
  for (const each of found) if (each !== undefined) documents.set(each.id, documentOf(each.json));
  return heard.flatMap((write) => {
    const change = changeOf(happening, documents, write);
    if (change === undefined) return [];
    const json = changePayload({ ...change, project, resource: registry.byKind.get(write.kind)!, id: write.id });
    return [noticeOf(ofChanges.get(write.kind)!, write, { json, isCounted: write.type === 'increment' })];
  });
}

/** Undefined for what is no change, or one that nobody hears of. */
function changeOf(
  { now, gone }: Happening,
  counted: ReadonlyMap<string, Document>,
  write: Write,
): Omit<ResourceChange, 'project' | 'resource' | 'id'> | undefined {
  const isTold = !untoldKinds.has(write.kind);
  switch (write.type) {
    case 'insertion': {
      const document = documentOf(write.json);
      return { type: 'ResourceCreated', document, modifiedAt: document.lastModifiedAt };
    }
    case 'replacement': {
      if (!isTold) return undefined;
      const document = documentOf(write.json);
      const { expectedVersion: oldVersion } = write;
      return { type: 'ResourceUpdated', document, oldVersion, modifiedAt: document.lastModifiedAt };
    }
    case 'increment':
      return isTold
        ? { type: 'ResourceUpdated', document: counted.get(write.id), isCounted: true, modifiedAt: write.now }
        : undefined;
    case 'removal': {
      const last = gone.get(write.id);
      const document = last && documentOf(last.json);
      return { type: 'ResourceDeleted', document, modifiedAt: now, ...(last?.isErased && { dataErasure: true }) };
    }
    case 'assertion':
    case 'notice':
      return undefined;
  }
}

function messageNotices(
  ofMessages: ReadonlyMap<string, readonly MessageHearer[]>,
  project: string,
  { json }: Insertion,
): readonly Notice[] {
  const { resource, type } = documentOf<MessageHead>(json);
  const hearers = ofMessages.get(resource.typeId)?.filter(({ types }) => types?.has(type) !== false) ?? [];
  if (hearers.length === 0) return [];
  const listeners = [...new Set(hearers.map(({ id }) => id))];
  const subject = { kind: resource.typeId, id: resource.id };
  return [noticeOf(listeners, subject, { json: messagePayload(project, String(json)), isCounted: false })];
}

interface MessageHead {
  readonly resource: { readonly typeId: string; readonly id: string };
  readonly type: string;
}

function noticeOf(
  listeners: readonly string[],
  subject: Parameters<typeof subjectOf>[0],
  said: Pick<Notice, 'json' | 'isCounted'>,
): Notice {
  return { type: 'notice', kind: noticeKind, id: randomUUID(), listeners, subject: subjectOf(subject), ...said };
}

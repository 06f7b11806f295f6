/** Who of a project hears of which writes, and that one can be told at all before it is stored. */
import { randomUUID } from 'node:crypto';
import type { Caller } from '../../calls/caller.ts';
import { CoherentCache, dependencyOn, type Fence, type Made } from '../../engine/coherence.ts';
import type { Document, Fixed } from '../../engine/document.ts';
import { documentOf } from '../../engine/json.ts';
import { wholeOf } from '../../engine/lens.ts';
import type { Happening, Hearing, Listeners } from '../../engine/notices.ts';
import { queriedKind } from '../../engine/operations/query.ts';
import type { Engine, Gone } from '../../engine/resource.ts';
import { type Insertion, noticeKind, type Notice, subjectOf, type Write } from '../../engine/store.ts';
import { ownShareUsed } from '../../errors/api-error.ts';
import type { Subscription } from './fields.ts';
import { changePayload, messagePayload, type ResourceChange } from './notification.ts';
import { send } from './send.ts';

/** Projects whose subscriptions, or the lack of any, are kept. */
const preparedMax = 10_000;
/** Subscriptions that are read, which is more than a project may have. */
const subscriptionsMax = 500;
/** Test notifications of a project that are under way. */
const triesMax = 20;

/** Kinds that change so often that nobody hears of what becomes of them between. */
const untoldKinds: ReadonlySet<string> = new Set(['cart']);

export interface ListenersParts {
  readonly caller: Caller;
  readonly fence: Fence;
}

export function createListeners({ caller, fence }: ListenersParts): Listeners {
  const prepared = new CoherentCache<{ readonly hearing: Hearing | undefined }>(fence, { entriesMax: preparedMax });
  const tries = new Map<string, number>();
  return {
    of: async (engine, project) => (await prepared.get(project, () => prepare(engine, project))).hearing,
    tryOut: async ({ registry }, project, { document, internals }) => {
      const under = tries.get(project) ?? 0;
      if (under >= triesMax) throw ownShareUsed('Too many destinations of the project are being tried out.');
      tries.set(project, under + 1);
      try {
        const resource = registry.byKind.get('subscription')!;
        const payload = changePayload({
          project,
          type: 'ResourceCreated',
          resource,
          id: document.id,
          document,
          modifiedAt: document.lastModifiedAt,
        });
        // Only documents of the kind are tried out.
        const subscription = document as unknown as Fixed<Subscription>;
        const waiting = { id: randomUUID(), payload, version: undefined };
        const outcome = await send({ caller, registry, project }, { subscription, internals }, waiting);
        return outcome.isDelivered ? undefined : outcome.why;
      } finally {
        const left = (tries.get(project) ?? 1) - 1;
        if (left === 0) tries.delete(project);
        else tries.set(project, left);
      }
    },
  };
}

async function prepare(engine: Engine, project: string): Promise<Made<{ readonly hearing: Hearing | undefined }>> {
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
    value: { hearing: hearingOf(project, listening) },
    dependencies: [dependencyOn({ project, kind: resource.kind })],
  };
}

/** Who hears of a kind's messages: of all types, or of these. */
interface MessageHearer {
  readonly id: string;
  readonly types: ReadonlySet<string> | undefined;
}

/** By kinds. */
interface Hearers {
  readonly ofMessages: ReadonlyMap<string, readonly MessageHearer[]>;
  readonly ofChanges: ReadonlyMap<string, readonly string[]>;
}

function hearingOf(project: string, subscriptions: readonly Subscription[]): Hearing | undefined {
  const ofMessages = new Map<string, MessageHearer[]>();
  const ofChanges = new Map<string, string[]>();
  for (const { id, messages, changes } of subscriptions) {
    for (const { resourceTypeId, types } of messages) {
      const hearer = { id, types: types.length === 0 ? undefined : new Set(types) };
      ofMessages.set(resourceTypeId, [...(ofMessages.get(resourceTypeId) ?? []), hearer]);
    }
    for (const kind of new Set(changes.map(({ resourceTypeId }) => resourceTypeId)))
      ofChanges.set(kind, [...(ofChanges.get(kind) ?? []), id]);
  }
  if (ofMessages.size + ofChanges.size === 0) return undefined;
  const hearers = { ofMessages, ofChanges };
  return {
    hearsMessagesOf: (kind) => ofMessages.has(kind),
    noticesOf: (engine, happening) => [
      ...happening.writes.flatMap((write) => changeNotices(engine, hearers, { project, happening, write })),
      ...happening.messages.flatMap(({ write }) => messageNotices(hearers, project, write)),
    ],
  };
}

function changeNotices(
  engine: Engine,
  { ofChanges }: Hearers,
  { project, happening, write }: { readonly project: string; readonly happening: Happening; readonly write: Write },
): readonly Notice[] {
  const listeners = ofChanges.get(write.kind);
  if (listeners === undefined) return [];
  const change = changeOf(engine, { project, happening, write });
  if (change === undefined) return [];
  const payload = changePayload(change);
  return listeners.map((listener) =>
    noticeOf(listener, write, { json: payload, isCounted: write.type === 'increment' }),
  );
}

/** Undefined for what is no change, or one that nobody hears of. */
function changeOf(
  { registry }: Engine,
  {
    project,
    happening: { context, planned },
    write,
  }: { readonly project: string; readonly happening: Happening; readonly write: Write },
): ResourceChange | undefined {
  const resource = registry.byKind.get(write.kind);
  if (resource === undefined) return undefined;
  const of = { project, resource, id: write.id };
  const isUntold = untoldKinds.has(write.kind);
  switch (write.type) {
    case 'insertion': {
      const document = storedAs(write);
      return { ...of, type: 'ResourceCreated', document, modifiedAt: document.lastModifiedAt };
    }
    case 'replacement': {
      if (isUntold) return undefined;
      const document = storedAs(write);
      const { expectedVersion: oldVersion } = write;
      return { ...of, type: 'ResourceUpdated', document, oldVersion, modifiedAt: document.lastModifiedAt };
    }
    case 'increment':
      // Which version it makes is known when it is written.
      return isUntold ? undefined : { ...of, type: 'ResourceUpdated', document: undefined, modifiedAt: write.now };
    case 'removal': {
      const gone: Gone | undefined = planned.find((each) => each.write === write)?.gone;
      return {
        ...of,
        type: 'ResourceDeleted',
        document: gone && documentOf(gone.json),
        modifiedAt: context.now,
        ...(gone?.isErased && { dataErasure: true }),
      };
    }
    default:
      return undefined;
  }
}

function storedAs({ json }: { readonly json: string }): Fixed<Document> {
  return documentOf(json);
}

function messageNotices({ ofMessages }: Hearers, project: string, { json }: Insertion): readonly Notice[] {
  if (ofMessages.size === 0) return [];
  const { resource, type } = documentOf<MessageHead>(json);
  const hearers = ofMessages.get(resource.typeId)?.filter(({ types }) => types?.has(type) !== false) ?? [];
  if (hearers.length === 0) return [];
  const payload = messagePayload(project, json);
  return hearers.map((hearer) =>
    noticeOf(hearer.id, { kind: resource.typeId, id: resource.id }, { json: payload, isCounted: false }),
  );
}

interface MessageHead {
  readonly resource: { readonly typeId: string; readonly id: string };
  readonly type: string;
}

function noticeOf(
  listener: string,
  subject: Parameters<typeof subjectOf>[0],
  said: Pick<Notice, 'json' | 'isCounted'>,
): Notice {
  return {
    type: 'notice',
    kind: noticeKind,
    id: randomUUID(),
    listener,
    subject: subjectOf(subject),
    ...said,
  };
}

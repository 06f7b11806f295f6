/** What notifications say, in both formats. Nothing here knows who gets them. */
import type { Document, Fixed } from '../../engine/document.ts';
import { commonMembers } from '../../engine/messages.ts';
import { identifiersOf } from '../../engine/operations/plan-messages.ts';
import type { Resource } from '../../engine/resource.ts';

/** Of what is delivered. The public API has this limit; what stands around a payload has some of it. */
const deliveredBytesMax = 256 * 1024;
const envelopeBytesMax = 2048;

/** What became of a resource. */
export interface ResourceChange {
  readonly project: string;
  readonly type: 'ResourceCreated' | 'ResourceUpdated' | 'ResourceDeleted';
  readonly resource: Pick<Resource, 'kind' | 'telling' | 'keyMembers'>;
  readonly id: string;
  /** As it is then, or was last; undefined where it has gone before that was known. */
  readonly document: Fixed<Document> | undefined;
  /** The document was read before a number in it changed, and its version is not that of the change. */
  readonly isCounted?: true;
  /** What is said beside the version, which stands between. */
  readonly oldVersion?: number;
  readonly modifiedAt: string;
  readonly dataErasure?: true;
}

export function changePayload(change: ResourceChange): string {
  const { project, type, resource, id, document, isCounted, oldVersion, modifiedAt, dataErasure } = change;
  const identifiers = document && identifiersOf(resource, document);
  return JSON.stringify({
    notificationType: type,
    projectKey: project,
    resource: { typeId: resource.kind, id },
    ...(identifiers !== undefined && { resourceUserProvidedIdentifiers: identifiers }),
    ...(document !== undefined && isCounted === undefined && { version: document.version }),
    ...(oldVersion !== undefined && { oldVersion }),
    modifiedAt,
    ...(dataErasure && { dataErasure }),
  });
}

/** A message as its document has it. One that is too large goes without what its type has of its own. */
export function messagePayload(project: string, json: string): string {
  const head = `{"notificationType":"Message","projectKey":${JSON.stringify(project)},`;
  const whole = `${head}${json.slice(1)}`;
  if (Buffer.byteLength(whole) <= deliveredBytesMax - envelopeBytesMax) return whole;
  const message = JSON.parse(json) as Record<string, unknown>;
  const common = Object.entries(message).filter(([name]) => name === 'type' || commonMembers.has(name));
  const payloadNotIncluded = { reason: 'The payload is larger than 256 KB.', payloadType: message['type'] };
  return `${head}${JSON.stringify({ ...Object.fromEntries(common), payloadNotIncluded }).slice(1)}`;
}

/** A payload that waits to be delivered. */
export interface Waiting {
  /** Stays the same however often it is delivered. */
  readonly id: string;
  /** What names the resource that it is about. */
  readonly subject: string;
  readonly payload: string;
  /** Of the resource; undefined where the payload has it. */
  readonly version: number | undefined;
}

/** The payload, with the versions that only the write of an increment knew. */
export function platformText({ payload, version }: Waiting): string {
  if (version === undefined) return payload;
  const { modifiedAt, ...said } = JSON.parse(payload) as Record<string, unknown>;
  return JSON.stringify({ ...said, version, oldVersion: version - 1, modifiedAt });
}

/** What of a payload its envelope repeats. */
interface Said {
  readonly notificationType: string;
  readonly projectKey: string;
  readonly resource: { readonly typeId: string; readonly id: string };
  readonly modifiedAt?: string;
  readonly id?: string;
  readonly type?: string;
  readonly createdAt?: string;
  readonly sequenceNumber?: number;
}

/** The same as the data of a CloudEvent of version 1.0. `pathOf` gives the path of a kind, where it is there. */
export function cloudEventText(waiting: Waiting, pathOf: (kind: string) => string | undefined): string {
  const data = platformText(waiting);
  const { notificationType, projectKey, resource, ...said } = JSON.parse(data) as Said;
  const isMessage = notificationType === 'Message';
  const path = pathOf(resource.typeId);
  const attributes = {
    specversion: '1.0',
    id: said.id ?? waiting.id,
    type: isMessage
      ? `com.commercetools.${resource.typeId}.message.${said.type}`
      : `com.commercetools.${resource.typeId}.change.${notificationType}`,
    source: `/${projectKey}/${path ?? resource.typeId}`,
    subject: resource.id,
    time: said.createdAt ?? said.modifiedAt,
    ...(isMessage && {
      sequence: String(said.sequenceNumber),
      sequencetype: 'Integer',
      dataref: `/${projectKey}/messages/${said.id}`,
    }),
  };
  return `${JSON.stringify(attributes).slice(0, -1)},"data":${data}}`;
}

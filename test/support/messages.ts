import type { Test } from 'tap';
import type { Document } from '../../src/engine/document.ts';
import { commonMembers } from '../../src/engine/messages.ts';
import { type Answer, changeSettings, type Platform } from './platform.ts';

export type Message = Document & {
  readonly type: string;
  readonly sequenceNumber: number;
  readonly resourceVersion: number;
};

/** Has the project keep messages. */
export async function keepMessages(platform: Pick<Platform, 'request'>, enabled = true): Promise<void> {
  const action = { action: 'changeMessagesConfiguration', messagesConfiguration: { enabled } };
  const { status, text } = await changeSettings(platform, action);
  if (status !== 200) throw new Error(text);
}

/** All messages of a resource, in their order; of more than 500 the first. */
export async function messagesOf({ request }: Pick<Platform, 'request'>, id: string): Promise<readonly Message[]> {
  const where = encodeURIComponent(`resource(id = "${id}")`);
  const { status, text, body } = await request('GET', `/messages?where=${where}&sort=sequenceNumber+asc&limit=500`);
  if (status !== 200) throw new Error(text);
  return body['results'] as readonly Message[];
}

/** What a message has of its own. */
export function toldIn(message: Message): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(message).filter(([name]) => !commonMembers.has(name)));
}

/** A resource whose messages are looked at one write after the other. */
export interface Teller {
  readonly id: string;
  /** What the last write has made of it. */
  readonly body: Document;
  /** The messages of the creation. */
  readonly created: readonly Readonly<Record<string, unknown>>[];
  /** Applies the actions, and gives what has been told since. */
  tells(...actions: readonly object[]): Promise<readonly Readonly<Record<string, unknown>>[]>;
  /** Deletes it, and gives what has been told since. */
  deleted(query?: string): Promise<readonly Readonly<Record<string, unknown>>[]>;
  /** What has been told since, by whatever. */
  since(): Promise<readonly Readonly<Record<string, unknown>>[]>;
}

/** Creates a resource; each look checks that the numbers go on, that versions are those of the writes, and what stands around. */
export async function tellerOf(
  t: Pick<Test, 'strictSame' | 'equal' | 'match'>,
  platform: Platform,
  { path, typeId, draft }: { readonly path: string; readonly typeId: string; readonly draft: object },
): Promise<Teller> {
  const { request } = platform;
  const bodyOf = ({ status, text, body }: Answer): Document => {
    if (status !== 200 && status !== 201) throw new Error(text);
    return body as Document;
  };
  let body = bodyOf(await request('POST', path, draft));
  body = (body as unknown as Record<string, Document>)[typeId] ?? body;
  const { id } = body;
  let seen = 0;
  const since = async (): Promise<readonly Readonly<Record<string, unknown>>[]> => {
    const all = await messagesOf(platform, id);
    t.strictSame(
      all.map(({ sequenceNumber }) => sequenceNumber),
      all.map((_, index) => index + 1),
    );
    const last = all.slice(seen);
    seen = all.length;
    for (const message of last)
      t.match(message, { version: 1, resource: { typeId, id }, resourceVersion: body.version });
    return last.map(toldIn);
  };
  const created = await since();
  return {
    id,
    get body() {
      return body;
    },
    created,
    tells: async (...actions) => {
      body = bodyOf(await request('POST', `${path}/${id}`, { version: body.version, actions }));
      return since();
    },
    deleted: async (query = '') => {
      body = bodyOf(await request('DELETE', `${path}/${id}?version=${body.version}${query}`));
      return since();
    },
    since: async () => {
      body = bodyOf(await request('GET', `${path}/${id}`));
      return since();
    },
  };
}

/** A type whose custom fields these kinds may have: `note`, a text, and `fee`, an amount. Gives its id. */
export async function customTypeFor({ request }: Platform, ...resourceTypeIds: readonly string[]): Promise<string> {
  const field = (name: string, type: string): object => ({
    name,
    type: { name: type },
    label: { en: name },
    required: false,
  });
  const { status, text, body } = await request('POST', '/types', {
    key: `for-${resourceTypeIds.join('-')}`,
    name: { en: 'Notes' },
    resourceTypeIds,
    fieldDefinitions: [field('note', 'String'), field('fee', 'Money')],
  });
  if (status !== 201) throw new Error(text);
  return String(body['id']);
}

/** How messages of custom fields call what was there. */
interface CustomNames {
  readonly typeId: string;
  readonly value?: string;
  /** What actions name a part by, and what messages do. */
  readonly input?: object;
  readonly part?: object;
  /** The actions that set the type and a field. */
  readonly actions?: readonly [string, string];
}

/** Sets and removes custom fields of the type, and compares what is told of it. There is no custom type before nor after. */
export async function tellsCustomFields(
  t: Pick<Test, 'strictSame'>,
  { tells }: Teller,
  { prefix, type, names }: { readonly prefix: string; readonly type: string; readonly names: CustomNames },
): Promise<void> {
  const {
    typeId,
    value: previous,
    input = {},
    part = {},
    actions: [setType, setField] = ['setCustomType', 'setCustomField'],
  } = names;
  const reference = { typeId: 'type', id: type };
  const field = (name: string, value?: unknown): object => ({ action: setField, ...input, name, value });
  const fee = { type: 'centPrecision', currencyCode: 'EUR', centAmount: 5, fractionDigits: 2 };
  t.strictSame(
    await tells({
      action: setType,
      ...input,
      type: reference,
      fields: { fee: { currencyCode: 'EUR', centAmount: 5 } },
    }),
    [{ type: `${prefix}CustomTypeSet`, ...part, customFields: { type: reference, fields: { fee } } }],
  );
  t.strictSame(await tells(field('note', 'one')), [
    { type: `${prefix}CustomFieldAdded`, ...part, name: 'note', value: 'one' },
  ]);
  t.strictSame(await tells(field('note', 'two')), [
    {
      type: `${prefix}CustomFieldChanged`,
      ...part,
      name: 'note',
      value: 'two',
      ...(previous !== undefined && { [previous]: 'one' }),
    },
  ]);
  t.strictSame(await tells(field('note', 'two')), []);
  t.strictSame(await tells(field('fee', { currencyCode: 'EUR', centAmount: 7 })), [
    {
      type: `${prefix}CustomFieldChanged`,
      ...part,
      name: 'fee',
      value: { ...fee, centAmount: 7 },
      ...(previous !== undefined && { [previous]: fee }),
    },
  ]);
  t.strictSame(await tells(field('note')), [{ type: `${prefix}CustomFieldRemoved`, ...part, name: 'note' }]);
  t.strictSame(await tells({ action: setType, ...input, type: reference }), [
    { type: `${prefix}CustomTypeSet`, ...part, customFields: { type: reference, fields: {} }, [typeId]: type },
  ]);
  t.strictSame(await tells({ action: setType, ...input }), [
    { type: `${prefix}CustomTypeRemoved`, ...part, [typeId]: type },
  ]);
}

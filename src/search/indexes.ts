/** What the feeder does with the search engine's indexes. Each call ends when it took effect, or throws. */
import { Meilisearch, MeilisearchApiError, type Settings } from 'meilisearch';
import type { CreatedIndexes, KeywordState, RefusedKeyword } from './keyword-source.ts';
import {
  firstDocument,
  type IndexNames,
  keywordDocument,
  keywordDocumentId,
  keywordSettings,
  lexiconDocuments,
  lexiconSettings,
} from './product-index.ts';

const taskMsMax = 60_000;
const requestMsMax = 10_000;
const taskPollMs = 10;
/** Indexes of one search engine that are looked through. */
const indexesMax = 10_000;

export function connect({ url, key }: { readonly url: string; readonly key: string | undefined }): Meilisearch {
  return new Meilisearch({ host: url, ...(key !== undefined && { apiKey: key }), timeout: requestMsMax });
}

/** Times of creation of all indexes, by their names. */
export type Created = ReadonlyMap<string, string>;

export async function createdIndexes(client: Meilisearch): Promise<Created> {
  // Asking for one index that is missing is an error; the list is not.
  const { results } = await client.getRawIndexes({ limit: indexesMax });
  return new Map(results.map(({ uid, createdAt }) => [uid, createdAt]));
}

/** Whether these are the indexes that were made then. Times of creation go with what an index holds when names are swapped. */
export function areCreated(created: Created, names: IndexNames, indexes: CreatedIndexes | undefined): boolean {
  return (
    indexes !== undefined &&
    created.get(names.keywords) === indexes.keywordsCreatedAt &&
    created.get(names.lexicon) === indexes.lexiconCreatedAt
  );
}

/** Empty indexes with their settings, in place of what has these names. */
export async function remake(client: Meilisearch, names: IndexNames): Promise<CreatedIndexes> {
  await drop(client, names);
  for (const [name, settings] of [
    [names.keywords, keywordSettings],
    [names.lexicon, lexiconSettings],
  ] as readonly (readonly [string, Settings])[]) {
    await succeeded(client.createIndex(name, { primaryKey: 'id' }));
    await succeeded(client.index(name).updateSettings(settings));
    // In an index without documents every sort fails as one by an unknown attribute.
    await succeeded(client.index(name).addDocuments([firstDocument]));
  }
  const created = await createdIndexes(client);
  const [keywords, lexicon] = [created.get(names.keywords), created.get(names.lexicon)];
  if (keywords === undefined || lexicon === undefined)
    throw new Error(`The index ${names.keywords} or ${names.lexicon} is gone right after it was made`);
  return { keywordsCreatedAt: keywords, lexiconCreatedAt: lexicon };
}

export async function drop(client: Meilisearch, ...pairs: readonly IndexNames[]): Promise<void> {
  const created = await createdIndexes(client);
  for (const name of pairs.flatMap(({ keywords, lexicon }) => [keywords, lexicon]))
    if (created.has(name)) await succeeded(client.deleteIndex(name));
}

/**
 * Gives the names `to` to what has the names `from`, and the other way round where there is anything under `to`: there is
 * no moment without. A swap that is made twice is none, so one that somebody may have sent before is waited for; who called
 * this looks at the times of creation afterwards.
 */
export async function swap(client: Meilisearch, from: IndexNames, to: IndexNames): Promise<void> {
  const { results } = await client.tasks.getTasks({ types: ['indexSwap'], statuses: ['enqueued', 'processing'] });
  for (const { uid } of results) await client.tasks.waitForTask(uid, { timeout: taskMsMax, interval: taskPollMs });
  if (results.length > 0) return;
  const rename = !(await createdIndexes(client)).has(to.keywords);
  await succeeded(
    client.swapIndexes([
      { indexes: [from.keywords, to.keywords], rename },
      { indexes: [from.lexicon, to.lexicon], rename },
    ]),
  );
}

/** Sends texts to an index of keywords, and gives those that are refused. Texts without candidates are removed. */
export function sendKeywords(
  client: Meilisearch,
  name: string,
  batch: readonly KeywordState[],
): Promise<readonly RefusedKeyword[]> {
  const index = client.index(name);
  return sendSplit(client, name, batch, async (part) => {
    const documents = part.map(keywordDocument).filter((document) => document !== undefined);
    const gone = part.filter((keyword) => keywordDocument(keyword) === undefined).map(keywordDocumentId);
    if (documents.length > 0) await succeeded(index.addDocuments(documents));
    if (gone.length > 0) await succeeded(index.deleteDocuments(gone));
  });
}

/** Adds the beginnings of candidates to an index of these, and gives the texts that are refused. */
export function sendLexicon(
  client: Meilisearch,
  name: string,
  batch: readonly KeywordState[],
): Promise<readonly RefusedKeyword[]> {
  return sendSplit(client, name, batch, async (part) => {
    const documents = new Map(part.flatMap(lexiconDocuments).map((document) => [document.id, document]));
    if (documents.size > 0) await succeeded(client.index(name).addDocuments([...documents.values()]));
  });
}

/** Sends a batch; when the search engine refuses it, halves it until the texts that it refuses stand alone. */
async function sendSplit(
  client: Meilisearch,
  name: string,
  batch: readonly KeywordState[],
  send: (part: readonly KeywordState[]) => Promise<void>,
): Promise<readonly RefusedKeyword[]> {
  try {
    await send(batch);
    return [];
  } catch (error) {
    if (!(error instanceof Error) || !isRefusal(error)) throw error;
    if (batch.length > 1) {
      const middle = Math.ceil(batch.length / 2);
      const former = await sendSplit(client, name, batch.slice(0, middle), send);
      return [...former, ...(await sendSplit(client, name, batch.slice(middle), send))];
    }
    // One that can take nothing is in trouble itself, whatever it says of a text.
    await succeeded(client.index(name).addDocuments([firstDocument]));
    return [{ keyword: batch[0]!, error: error.message }];
  }
}

/**
 * Whether it may be for the texts that they were not taken. A search engine whose disk is full says of requests that they
 * are malformed, and of tasks that the failure is its own or that of the system, so these say nothing of the texts.
 */
function isRefusal(error: Error): boolean {
  if (error instanceof MeilisearchApiError) return error.response.status === payloadTooLarge;
  return (
    error instanceof TaskFailure &&
    (error.type === 'invalid_request' || isBug(error)) &&
    error.code !== 'index_not_found'
  );
}

const payloadTooLarge = 413;

/** What fails within the search engine, but not for its disk. */
function isBug({ type, message }: TaskFailure): boolean {
  return type === 'internal' && !/os error|no space|MDB_|disk/i.test(message);
}

/** The search engine took a task and could not do it. */
class TaskFailure extends Error {
  readonly type: string | undefined;
  readonly code: string | undefined;

  constructor(status: string, error: TaskError | null) {
    super(error?.message ?? `The task is ${status}`);
    this.type = error?.type;
    this.code = error?.code;
  }
}

interface TaskError {
  readonly message: string;
  readonly type: string;
  readonly code: string;
}

async function succeeded(task: {
  waitTask(options: { timeout: number; interval: number }): Promise<{ status: string; error: TaskError | null }>;
}): Promise<void> {
  const { status, error } = await task.waitTask({ timeout: taskMsMax, interval: taskPollMs });
  if (status !== 'succeeded') throw new TaskFailure(status, error);
}

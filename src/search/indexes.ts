/** What the feeder does with the search engine's indexes. Each call ends when it took effect, or throws. */
import { setTimeout } from 'node:timers/promises';
import {
  type EnqueuedTask,
  type EnqueuedTaskPromise,
  Meilisearch,
  MeilisearchApiError,
  type Settings,
  type Task,
} from 'meilisearch';
import type { CreatedIndexes, KeywordState, RefusedKeyword } from './keyword-source.ts';
import {
  firstDocument,
  type IndexNames,
  keywordDocument,
  keywordDocumentId,
  keywordSettings,
  lexiconDocuments,
  lexiconSettings,
} from './suggest-indexes.ts';

/** A task of many texts takes minutes in a large index; one of an engine that has gone fails with the next look. */
const taskMsMax = 600_000;
const requestMsMax = 10_000;
/** Looks at a task come after this, and each later than the one before. */
const taskPollMsMin = 10;
const taskPollMsMax = 250;
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
    await succeeded(client, client.createIndex(name, { primaryKey: 'id' }));
    await succeeded(client, client.index(name).updateSettings(settings));
    // In an index without documents every sort fails as one by an unknown attribute.
    await succeeded(client, client.index(name).addDocuments([firstDocument]));
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
    if (created.has(name)) await succeeded(client, client.deleteIndex(name));
}

/**
 * Gives the names `to` to what has the names `from`, and the other way round where there is anything under `to`: there is
 * no moment without. A swap that is made twice is none, so one that somebody may have sent before is waited for; who called
 * this looks at the times of creation afterwards.
 */
export async function swap(client: Meilisearch, from: IndexNames, to: IndexNames): Promise<void> {
  const { results } = await client.tasks.getTasks({ types: ['indexSwap'], statuses: ['enqueued', 'processing'] });
  for (const { uid } of results) await ended(client, uid);
  if (results.length > 0) return;
  const rename = !(await createdIndexes(client)).has(to.keywords);
  await succeeded(
    client,
    client.swapIndexes([
      { indexes: [from.keywords, to.keywords], rename },
      { indexes: [from.lexicon, to.lexicon], rename },
    ]),
  );
}

type Batch = readonly KeywordState[];
type Asked = readonly EnqueuedTask[];

/** Sends texts to an index of keywords, and gives those of each batch that are refused. Texts without candidates are removed. */
export function sendKeywords(
  client: Meilisearch,
  name: string,
  batches: readonly Batch[],
): Promise<readonly (readonly RefusedKeyword[])[]> {
  const index = client.index(name);
  return sendAll(client, { name, batches }, async (batch) => {
    const documents = batch.map(keywordDocument).filter((document) => document !== undefined);
    const gone = batch.filter((keyword) => keywordDocument(keyword) === undefined).map(keywordDocumentId);
    return [
      ...(documents.length > 0 ? [await index.addDocuments(documents)] : []),
      ...(gone.length > 0 ? [await index.deleteDocuments(gone)] : []),
    ];
  });
}

/** Adds the beginnings of candidates to an index of these, and gives the texts of each batch that are refused. */
export function sendLexicon(
  client: Meilisearch,
  name: string,
  batches: readonly Batch[],
): Promise<readonly (readonly RefusedKeyword[])[]> {
  return sendAll(client, { name, batches }, async (batch) => {
    const documents = new Map(batch.flatMap(lexiconDocuments).map((document) => [document.id, document]));
    return documents.size > 0 ? [await client.index(name).addDocuments([...documents.values()])] : [];
  });
}

/** Asks for all batches before it waits for one: the search engine does together what was asked for while it was busy. */
async function sendAll(
  client: Meilisearch,
  { name, batches }: { readonly name: string; readonly batches: readonly Batch[] },
  ask: (batch: Batch) => Promise<Asked>,
): Promise<readonly (readonly RefusedKeyword[])[]> {
  const asked: (Asked | undefined)[] = [];
  for (const batch of batches) asked.push(await unlessRefused(() => ask(batch)));
  const refused: (readonly RefusedKeyword[])[] = [];
  for (const [number, batch] of batches.entries()) {
    const tasks = asked[number];
    const isTaken = tasks !== undefined && (await unlessRefused(() => allTaken(client, tasks)));
    refused.push(isTaken ? [] : await sendSplit(client, name, batch, ask));
  }
  return refused;
}

async function unlessRefused<T>(send: () => Promise<T>): Promise<T | undefined> {
  try {
    return await send();
  } catch (error) {
    if (!(error instanceof Error) || !isRefusal(error)) throw error;
    return undefined;
  }
}

async function allTaken(client: Meilisearch, tasks: Asked): Promise<true> {
  for (const { taskUid } of tasks) requireSucceeded(await ended(client, taskUid));
  return true;
}

/** Sends a batch; when the search engine refuses it, halves it until the texts that it refuses stand alone. */
async function sendSplit(
  client: Meilisearch,
  name: string,
  batch: Batch,
  ask: (batch: Batch) => Promise<Asked>,
): Promise<readonly RefusedKeyword[]> {
  try {
    await allTaken(client, await ask(batch));
    return [];
  } catch (error) {
    if (!(error instanceof Error) || !isRefusal(error)) throw error;
    if (batch.length > 1) {
      const middle = Math.ceil(batch.length / 2);
      const former = await sendSplit(client, name, batch.slice(0, middle), ask);
      return [...former, ...(await sendSplit(client, name, batch.slice(middle), ask))];
    }
    // One that can take nothing is in trouble itself, whatever it says of a text.
    await succeeded(client, client.index(name).addDocuments([firstDocument]));
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

  constructor(status: string, error: Task['error']) {
    super(error?.message ?? `The task is ${status}`);
    this.type = error?.type;
    this.code = error?.code;
  }
}

async function succeeded(client: Meilisearch, asked: EnqueuedTaskPromise): Promise<void> {
  requireSucceeded(await ended(client, (await asked).taskUid));
}

/**
 * The task when it has ended. The client's own wait limits the wait alone and none of its requests, so that one request
 * without an answer takes all of that time.
 */
async function ended(client: Meilisearch, uid: number): Promise<Task> {
  const giveUpAtMs = performance.now() + taskMsMax;
  for (let pauseMs = taskPollMsMin; ; pauseMs = Math.min(1.5 * pauseMs, taskPollMsMax)) {
    const task = await client.tasks.getTask(uid);
    if (task.status !== 'enqueued' && task.status !== 'processing') return task;
    if (performance.now() > giveUpAtMs) throw new Error(`The search engine has not ended its task ${uid} in time`);
    await setTimeout(pauseMs);
  }
}

function requireSucceeded({ status, error }: Pick<Task, 'status' | 'error'>): void {
  if (status !== 'succeeded') throw new TaskFailure(status, error);
}

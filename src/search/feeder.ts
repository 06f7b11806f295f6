import { Meilisearch, type Settings } from 'meilisearch';
import type { Lease, Topic } from '../outbox/outbox.ts';
import type { Consumer } from '../outbox/taker.ts';
import { encode } from './encoding.ts';
import { candidatesOf, type SearchKeyword } from './fold.ts';
import type { DirtyKeyword, IndexName, KeywordsOfResource, KeywordSource, OfferedKeyword } from './keyword-source.ts';
import {
  firstDocument,
  keywordDocument,
  keywordDocumentId,
  keywordIndexName,
  keywordSettings,
  lexiconDocuments,
  lexiconIndexName,
  lexiconSettings,
  settingsVersion,
  textHash,
} from './product-index.ts';

export interface FeederOptions {
  readonly source: KeywordSource;
  /** Without a search engine changes are taken off the queue, and wait for one in suggest_dirty. */
  readonly meilisearch: { readonly url: string; readonly key: string | undefined } | undefined;
}

export const suggestTopic: Topic = { name: 'suggest', kinds: ['product'] };

const taskMsMax = 60_000;
const requestMsMax = 10_000;
/** Indexes of one search engine that are looked through. */
const indexesMax = 10_000;
/** Projects are listed this often. */
const listMs = 5000;
/** The indexes of a project are looked at this often. */
const checkMs = 30_000;
/** A lexicon batch rewrites all values of the index, so batches keep this distance. */
const lexiconMsMin = 500;
const lexiconRestRatio = 10;

/**
 * Carries changes from the outbox to the search engine:
 *
 *   outbox ──▶ suggest_source + suggest_dirty ──▶ keyword index ──▶ (task succeeded) clear the dirty flag
 *                                            └──▶ lexicon index ──▶ (task succeeded) clear the dirty flag
 *
 * Every step reads the present state and is acknowledged only after it took effect, so a crash anywhere repeats a
 * harmless step.
 */
export function createFeeder({ source, meilisearch }: FeederOptions): Consumer {
  const client = meilisearch && connect(meilisearch);
  const feeds = new Map<string, ProjectFeed>();
  let listedAtMs = -Infinity;

  async function listProjects(): Promise<void> {
    const projects = new Map((await source.projects()).map(({ key, isIndexed }) => [key, isIndexed]));
    for (const project of feeds.keys()) if (!projects.has(project)) feeds.delete(project);
    for (const [project, isIndexed] of projects) feedOf(project).expect(isIndexed);
    listedAtMs = performance.now();
  }

  function feedOf(project: string): ProjectFeed {
    const feed = feeds.get(project) ?? new ProjectFeed(project, source, client);
    feeds.set(project, feed);
    return feed;
  }

  return {
    topic: suggestTopic.name,
    consume: async (lease, changes) => {
      const changedIds = [...new Set(changes.map(({ id }) => id))];
      for (let begin = 0; begin < changedIds.length;) {
        const rest = changedIds.slice(begin);
        const { count, resources } = await source.keywordsOf(lease.project, rest);
        await source.offer(lease, rest.slice(0, count), resources.flatMap(offeredBy));
        begin += count;
      }
    },
    further: {
      due: async () => {
        if (performance.now() - listedAtMs > listMs) await listProjects();
        const unsettled = [...feeds].filter(([, feed]) => !feed.isSettled).map(([project]) => project);
        return [...(await source.dirtyProjects()), ...unsettled];
      },
      work: async (lease) => {
        const feed = feedOf(lease.project);
        try {
          return await feed.step(lease);
        } catch (error) {
          listedAtMs = -Infinity;
          feed.recheck();
          throw error;
        }
      },
    },
  };
}

function connect({ url, key }: NonNullable<FeederOptions['meilisearch']>): Meilisearch {
  return new Meilisearch({ host: url, ...(key !== undefined && { apiKey: key }), timeout: requestMsMax });
}

/** The feeding of one project. */
class ProjectFeed {
  readonly #project: string;
  readonly #source: KeywordSource;
  readonly #client: Meilisearch | undefined;
  /** Without, changes are only noted, and the indexes are dropped. */
  #isIndexed = false;
  #checkedAtMs = -Infinity;
  #isActivated = false;
  #lexiconAfterMs = -Infinity;

  constructor(project: string, source: KeywordSource, client: Meilisearch | undefined) {
    this.#project = project;
    this.#source = source;
    this.#client = client;
  }

  /** What the project's settings say. */
  expect(isIndexed: boolean): void {
    if (this.#isIndexed !== isIndexed) this.recheck();
    this.#isIndexed = isIndexed;
  }

  /** The indexes are looked at before the next push: the search engine may have lost them. */
  recheck(): void {
    this.#checkedAtMs = -Infinity;
  }

  /** Whether nothing is left to do unless something changes. */
  get isSettled(): boolean {
    return this.#client === undefined || (this.#isChecked && this.#isActivated === this.#isIndexed);
  }

  get #isChecked(): boolean {
    return performance.now() - this.#checkedAtMs < checkMs;
  }

  /** One pass through the steps; tells whether there was anything to do. */
  async step(lease: Lease): Promise<boolean> {
    const client = this.#client;
    if (client === undefined) return false;
    if (!this.#isIndexed) {
      if (!this.#isChecked) await this.#dropIndexes(client);
      return false;
    }
    if (!this.#isChecked) await this.#checkIndexes(client);
    const hasPushed = await this.#push(client, lease, 'keywords');
    const hasLexicon = performance.now() >= this.#lexiconAfterMs && (await this.#pushLexicon(client, lease));
    if (!hasPushed && !hasLexicon && !this.#isActivated) await this.#activate();
    return hasPushed || hasLexicon;
  }

  /** Missing indexes, and those of other settings or another origin, are made anew with their settings first. */
  async #checkIndexes(client: Meilisearch): Promise<void> {
    const filled = await this.#source.filledIndexes(this.#project);
    const names = [keywordIndexName(this.#project), lexiconIndexName(this.#project)] as const;
    const [keywords, lexicon] = await Promise.all(names.map((name) => createdAt(client, name)));
    const isIntact =
      filled?.settingsVersion === settingsVersion &&
      filled.keywordsCreatedAt === keywords &&
      filled.lexiconCreatedAt === lexicon;
    if (!isIntact) {
      await this.#source.startFilling(this.#project, {
        settingsVersion,
        keywordsCreatedAt: await remake(client, names[0], keywordSettings),
        lexiconCreatedAt: await remake(client, names[1], lexiconSettings),
      });
      this.#isActivated = false;
      this.#lexiconAfterMs = -Infinity;
    }
    this.#checkedAtMs = performance.now();
  }

  /** What is found no more is not kept; when indexing is enabled again, the indexes are filled anew. */
  async #dropIndexes(client: Meilisearch): Promise<void> {
    if ((await this.#source.filledIndexes(this.#project)) !== undefined) {
      for (const name of [keywordIndexName(this.#project), lexiconIndexName(this.#project)]) {
        if ((await createdAt(client, name)) !== undefined) await succeeded(client.deleteIndex(name));
      }
      await this.#source.forgetIndexes(this.#project);
    }
    this.#isActivated = false;
    this.#checkedAtMs = performance.now();
  }

  async #push(client: Meilisearch, lease: Lease, index: IndexName): Promise<boolean> {
    const dirty = await this.#source.dirtyKeywords(this.#project, index);
    if (dirty.length === 0) return false;
    await (index === 'keywords' ? this.#pushKeywords(client, dirty) : this.#addLexicon(client, dirty));
    await this.#source.clearDirty(lease, index, dirty);
    return true;
  }

  async #pushLexicon(client: Meilisearch, lease: Lease): Promise<boolean> {
    const startedAtMs = performance.now();
    const hasPushed = await this.#push(client, lease, 'lexicon');
    const now = performance.now();
    this.#lexiconAfterMs = now + Math.max(lexiconMsMin, lexiconRestRatio * (now - startedAtMs));
    return hasPushed;
  }

  /** Sends a batch; when the search engine refuses it, halves it until the texts that it refuses stand alone. */
  async #pushKeywords(client: Meilisearch, batch: readonly DirtyKeyword[]): Promise<void> {
    const index = client.index(keywordIndexName(this.#project));
    const documents = batch.map(keywordDocument).filter((document) => document !== undefined);
    const gone = batch.filter((keyword) => keywordDocument(keyword) === undefined).map(keywordDocumentId);
    try {
      if (documents.length > 0) await succeeded(index.addDocuments(documents));
      if (gone.length > 0) await succeeded(index.deleteDocuments(gone));
    } catch (error) {
      if (!(error instanceof TaskFailure)) throw error;
      if (batch.length === 1) return this.#source.addPoison(this.#project, batch[0]!, error.message);
      const middle = Math.ceil(batch.length / 2);
      await this.#pushKeywords(client, batch.slice(0, middle));
      await this.#pushKeywords(client, batch.slice(middle));
    }
  }

  async #addLexicon(client: Meilisearch, batch: readonly DirtyKeyword[]): Promise<void> {
    const documents = new Map(batch.flatMap(lexiconDocuments).map((document) => [document.id, document]));
    if (documents.size > 0)
      await succeeded(client.index(lexiconIndexName(this.#project)).addDocuments([...documents.values()]));
  }

  async #activate(): Promise<void> {
    if (
      performance.now() < this.#lexiconAfterMs &&
      (await this.#source.dirtyKeywords(this.#project, 'lexicon')).length > 0
    )
      return;
    await this.#source.markActivated(this.#project);
    this.#isActivated = true;
  }
}

async function createdAt(client: Meilisearch, name: string): Promise<string | undefined> {
  // Asking for one index that is missing is an error; the list is not.
  const { results } = await client.getRawIndexes({ limit: indexesMax });
  return results.find(({ uid }) => uid === name)?.createdAt;
}

/** An empty index with its settings; gives its time of creation. */
async function remake(client: Meilisearch, name: string, settings: Settings): Promise<string> {
  if ((await createdAt(client, name)) !== undefined) await succeeded(client.deleteIndex(name));
  await succeeded(client.createIndex(name, { primaryKey: 'id' }));
  await succeeded(client.index(name).updateSettings(settings));
  // In an index without documents every sort fails as one by an unknown attribute.
  await succeeded(client.index(name).addDocuments([firstDocument]));
  const madeAt = await createdAt(client, name);
  if (madeAt === undefined) throw new Error(`The index ${name} is gone right after it was made`);
  return madeAt;
}

/** The search engine took a task and could not do it. */
class TaskFailure extends Error {}

async function succeeded(task: {
  waitTask(options: {
    timeout: number;
    interval: number;
  }): Promise<{ status: string; error: { message: string } | null }>;
}): Promise<void> {
  const { status, error } = await task.waitTask({ timeout: taskMsMax, interval: 10 });
  if (status !== 'succeeded') throw new TaskFailure(error?.message ?? `The task is ${status}`);
}

/** Every text that a resource offers, with the candidates of both projections. */
function offeredBy({ id, current, staged }: KeywordsOfResource): readonly OfferedKeyword[] {
  const offered = new Map<string, OfferedKeyword & { current: string[]; staged: string[] }>();
  for (const [projection, byLocale] of [
    ['current', current],
    ['staged', staged],
  ] as const) {
    for (const [locale, keywords] of Object.entries(byLocale)) {
      // The product's field kind checked the keywords when they were written.
      for (const keyword of keywords as readonly SearchKeyword[]) {
        const hash = textHash(keyword.text);
        const name = `${locale}/${hash}`;
        const entry = offered.get(name) ?? {
          resourceId: id,
          locale,
          hash,
          text: keyword.text,
          current: [],
          staged: [],
        };
        entry[projection] = [...new Set([...entry[projection], ...candidatesOf(keyword).map(encode)])];
        offered.set(name, entry);
      }
    }
  }
  return [...offered.values()];
}

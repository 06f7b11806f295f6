import type { Meilisearch } from 'meilisearch';
import type { Lease } from '../outbox/outbox.ts';
import { encode } from './encoding.ts';
import { candidatesOf, type SearchKeyword } from './fold.ts';
import { areCreated, createdIndexes, drop, remake, sendKeywords, sendLexicon, swap } from './indexes.ts';
import type {
  DirtyKeyword,
  FillingStep,
  IndexName,
  KeywordSource,
  KeywordsOfResource,
  KeywordState,
  OfferedKeyword,
  RefusedKeyword,
  SearchedProject,
  Sent,
} from './keyword-source.ts';
import { type IndexNames, liveIndexNames, nextIndexNames, settingsVersion, textHash } from './suggest-indexes.ts';

export interface FeedLog {
  warn(details: object, message: string): void;
}

interface ProjectFeedOptions {
  readonly project: string;
  readonly source: KeywordSource;
  readonly client: Meilisearch | undefined;
  readonly log: FeedLog;
}

/** The indexes of a project are looked at this often. */
const checkMs = 30_000;
/** Texts that are read and asked for at a time. */
const batchMax = 5000;
/** The search engine does several batches in little more time than one: while more wait, twice as many are sent together. */
const togetherMax = 16;
/** Of texts that are sent together. */
const charactersMax = 64 * 1024 * 1024;
/** With what is sent the lexicon is rewritten as a whole, so this rests between, and less while much waits. */
const lexiconMsMin = 500;
const lexiconRestRatio = 10;
const backlogRestRatio = 1;
/** However long a push took, for a process that stood still meanwhile takes that time for the push's. */
const lexiconMsMax = 60_000;

/**
 * The feeding of one project. Indexes are filled under other names, from the products, while those that answer go on being
 * fed; complete ones then swap names with these, or get the names where there are none:
 *
 *   products ──▶ suggest_source ──▶ second indexes ──▶ swap ──▶ the old ones are deleted
 *
 * suggest_fillings keeps how far that is. A filling is begun where indexes are missing or not those that were filled, such as
 * after the loss of the search engine's disk, where they are of other settings, and where somebody asks for it.
 */
export class ProjectFeed {
  readonly #project: string;
  readonly #source: KeywordSource;
  readonly #client: Meilisearch | undefined;
  readonly #log: FeedLog;
  readonly #live: IndexNames;
  readonly #next: IndexNames;
  /** Without, the indexes are dropped. */
  #isIndexed = false;
  #isActivated = false;
  #enabledAt = '';
  #checkedAtMs = -Infinity;
  /** Whose check it was: under another lease somebody else may have worked meanwhile. */
  #checkedBy = '';
  /** Whether there are indexes that may answer. */
  #isLive = false;
  #filling: Pick<FillingStep, 'stage' | 'cursor'> | undefined;
  #lexiconAfterMs = -Infinity;
  /** Batches that are sent together the next time. */
  readonly #together: Record<IndexName, number> = { keywords: 1, lexicon: 1 };

  constructor({ project, source, client, log }: ProjectFeedOptions) {
    this.#project = project;
    this.#source = source;
    this.#client = client;
    this.#log = log;
    this.#live = liveIndexNames(project);
    this.#next = nextIndexNames(project);
  }

  /** What the project's settings say. */
  expect({ isIndexed, isActivated, enabledAt, isFillingAsked }: SearchedProject): void {
    if (this.#isIndexed !== isIndexed || this.#enabledAt !== enabledAt || isFillingAsked) this.recheck();
    this.#isIndexed = isIndexed;
    this.#isActivated = isActivated;
    this.#enabledAt = enabledAt;
  }

  /** The indexes are looked at before the next push: the search engine may have lost them. */
  recheck(): void {
    this.#checkedAtMs = -Infinity;
  }

  /** Whether nothing is left to do unless something changes. */
  get isSettled(): boolean {
    if (this.#client === undefined) return true;
    return this.#isChecked && this.#isActivated === this.#isIndexed && this.#filling === undefined;
  }

  get #isChecked(): boolean {
    return performance.now() - this.#checkedAtMs < checkMs;
  }

  /** One pass through the steps; tells whether there was anything to do. */
  async step(lease: Lease): Promise<boolean> {
    const client = this.#client;
    if (client === undefined) return false;
    const isChecked = this.#isChecked && this.#checkedBy === lease.holder;
    if (!this.#isIndexed) return isChecked ? false : this.#forget(client, lease);
    if (!isChecked) await this.#check(client, lease);
    const hasPushed = await this.#push(client, lease, 'keywords');
    const hasLexicon = performance.now() >= this.#lexiconAfterMs && (await this.#pushLexicon(client, lease));
    if (this.#filling !== undefined) return this.#fill(client, lease);
    if (!hasPushed && !hasLexicon && !this.#isActivated) await this.#activate();
    return hasPushed || hasLexicon;
  }

  /** Finds out which indexes there are, ends a filling whose swap has taken place, and begins one where one is needed. */
  async #check(client: Meilisearch, lease: Lease): Promise<void> {
    const { filled, filling } = await this.#source.fillings.state(this.#project);
    const created = await createdIndexes(client);
    this.#filling = undefined;
    if (areCreated(created, this.#live, filling?.indexes)) {
      await this.#source.fillings.finish(lease);
      await drop(client, this.#next);
      return this.#check(client, lease);
    }
    this.#isLive = areCreated(created, this.#live, filled);
    // What is not what was filled is somebody else's, or half of it is gone: no answer is better than one of these.
    if (!this.#isLive) await drop(client, this.#live);
    const wanted = { settingsVersion, enabledAt: this.#enabledAt };
    const isOfWanted = (indexes: typeof filled): boolean =>
      indexes?.settingsVersion === wanted.settingsVersion && indexes.enabledAt === wanted.enabledAt;
    if (filling !== undefined && isOfWanted(filling.indexes) && areCreated(created, this.#next, filling.indexes)) {
      this.#filling = filling;
    } else if (filling !== undefined || !this.#isLive || !isOfWanted(filled)) {
      const indexes = await remake(client, this.#next);
      const total = await this.#source.fillings.countResources(this.#project);
      await this.#source.fillings.begin(lease, { ...wanted, ...indexes }, total);
      this.#filling = { stage: 'products', cursor: undefined };
    } else if (created.has(this.#next.keywords) || created.has(this.#next.lexicon)) {
      await drop(client, this.#next);
    }
    this.#checkedAtMs = performance.now();
    this.#checkedBy = lease.holder;
  }

  /**
   * What is found no more is not kept; when indexing is enabled again, the indexes are filled anew. The indexes go first: a
   * project that is enabled meanwhile is without them, and so filled from its products.
   */
  async #forget(client: Meilisearch, lease: Lease): Promise<boolean> {
    this.#filling = undefined;
    this.#isLive = false;
    await drop(client, this.#live, this.#next);
    if (!(await this.#source.fillings.forget(lease))) return true;
    // Nothing comes until indexing is enabled.
    this.#checkedAtMs = Infinity;
    this.#checkedBy = lease.holder;
    return false;
  }

  /** The indexes that changes go to: a filling sends what there was before, from when it has read all products. */
  get #fed(): readonly IndexNames[] {
    const isNextFed = this.#filling !== undefined && this.#filling.stage !== 'products';
    return [...(this.#isLive ? [this.#live] : []), ...(isNextFed ? [this.#next] : [])];
  }

  async #push(client: Meilisearch, lease: Lease, index: IndexName): Promise<boolean> {
    if (this.#fed.length === 0) return false;
    const batches = await this.#dirty(index);
    const answers: (readonly (readonly RefusedKeyword[])[])[] = [];
    for (const names of this.#fed) answers.push(await this.#send(client, { names, index, batches }));
    for (const [number, texts] of batches.entries())
      await this.#source.clearDirty(lease, { index, texts, refused: answers.flatMap((refused) => refused[number]!) });
    return batches.length > 0;
  }

  /** Batches of what an index lacks. */
  async #dirty(index: IndexName): Promise<readonly (readonly DirtyKeyword[])[]> {
    const together = this.#together[index];
    const batches = await batchesOf(together, (before: DirtyKeyword | undefined) =>
      this.#source.dirtyKeywords(this.#project, index, { after: before, limit: batchMax }),
    );
    const isMore = batches.at(-1)?.length === batchMax;
    this.#together[index] = isMore ? Math.min(togetherMax, 2 * together) : 1;
    return batches;
  }

  async #pushLexicon(client: Meilisearch, lease: Lease): Promise<boolean> {
    const startedAtMs = performance.now();
    const hasPushed = await this.#push(client, lease, 'lexicon');
    const now = performance.now();
    const ratio = this.#together.lexicon > 1 ? backlogRestRatio : lexiconRestRatio;
    this.#lexiconAfterMs = now + Math.min(lexiconMsMax, Math.max(lexiconMsMin, ratio * (now - startedAtMs)));
    return hasPushed;
  }

  /** A piece of the filling. */
  async #fill(client: Meilisearch, lease: Lease): Promise<boolean> {
    const { stage, cursor } = this.#filling!;
    if (stage === 'products') await this.#readProducts(lease, cursor?.[0]);
    else if (stage === 'texts') await this.#sendTexts(client, lease, cursor);
    else {
      const { filling } = await this.#source.fillings.state(this.#project);
      if (areCreated(await createdIndexes(client), this.#next, filling?.indexes))
        await swap(client, this.#next, this.#live);
      // What came of it shows in the times of creation.
      await this.#check(client, lease);
    }
    return true;
  }

  async #readProducts(lease: Lease, after: string | undefined): Promise<void> {
    const ids = await this.#source.fillings.resourceIds(this.#project, after);
    await offerResources(this.#source, lease, ids);
    const last = ids.at(-1);
    if (last !== undefined) return this.#advance(lease, { stage: 'products', cursor: [last], count: ids.length });
    const total = await this.#source.fillings.countTexts(this.#project);
    await this.#advance(lease, { stage: 'texts', cursor: undefined, count: 0, total, clearsDirty: !this.#isLive });
  }

  async #sendTexts(client: Meilisearch, lease: Lease, after: readonly string[] | undefined): Promise<void> {
    const batches = await batchesOf(togetherMax, (before: KeywordState | undefined) =>
      this.#source.fillings.texts(this.#project, {
        after: before === undefined ? after : [before.locale, before.hash],
        limit: batchMax,
      }),
    );
    if (batches.length === 0) return this.#advance(lease, { stage: 'swap', cursor: undefined, count: 0 });
    const keywords = await this.#send(client, { names: this.#next, index: 'keywords', batches });
    const lexicon = await this.#send(client, { names: this.#next, index: 'lexicon', batches });
    for (const [number, texts] of batches.entries()) {
      const { locale, hash } = texts.at(-1)!;
      await this.#advance(lease, { stage: 'texts', cursor: [locale, hash], count: texts.length }, [
        { index: 'keywords', texts, refused: keywords[number]! },
        { index: 'lexicon', texts, refused: lexicon[number]! },
      ]);
    }
  }

  async #advance(lease: Lease, step: FillingStep, sent?: readonly Sent<KeywordState>[]): Promise<void> {
    await this.#source.fillings.advance(lease, step, sent);
    this.#filling = step;
  }

  /** Gives the texts of each batch that were refused, of which the log hears. */
  async #send(
    client: Meilisearch,
    {
      names,
      index,
      batches,
    }: {
      readonly names: IndexNames;
      readonly index: IndexName;
      readonly batches: readonly (readonly KeywordState[])[];
    },
  ): Promise<readonly (readonly RefusedKeyword[])[]> {
    const send = index === 'keywords' ? sendKeywords : sendLexicon;
    const refused = await send(client, names[index], batches);
    for (const { keyword, error } of refused.flat().slice(0, toldMax)) {
      const { locale, text } = keyword;
      const details = { project: this.#project, locale, text: text.slice(0, toldLengthMax), reason: error };
      this.#log.warn(details, 'the search engine refuses a text, which is set aside');
    }
    return refused;
  }

  async #activate(): Promise<void> {
    if (
      performance.now() < this.#lexiconAfterMs &&
      (await this.#source.dirtyKeywords(this.#project, 'lexicon', { limit: 1 })).length > 0
    )
      return;
    await this.#source.markActivated(this.#project);
    this.#isActivated = true;
  }
}

/** Of texts that were refused together; `npm run backlog` counts all. */
const toldMax = 10;
const toldLengthMax = 200;

/** What is read batch by batch, each behind the last text of the one before, until it is enough for one time. */
async function batchesOf<T extends KeywordState>(
  countMax: number,
  read: (before: T | undefined) => Promise<readonly T[]>,
): Promise<readonly (readonly T[])[]> {
  const batches: (readonly T[])[] = [];
  let characters = 0;
  while (batches.length < countMax && characters < charactersMax) {
    const texts = await read(batches.at(-1)?.at(-1));
    if (texts.length === 0) break;
    batches.push(texts);
    characters += charactersOf(texts);
    if (texts.length < batchMax) break;
  }
  return batches;
}

function charactersOf(texts: readonly KeywordState[]): number {
  let sum = 0;
  for (const { text, current, staged } of texts) for (const each of [text, ...current, ...staged]) sum += each.length;
  return sum;
}

/** Writes what the resources offer, in pieces that can be worked on at once. */
export async function offerResources(source: KeywordSource, lease: Lease, ids: readonly string[]): Promise<void> {
  for (let begin = 0; begin < ids.length;) {
    const rest = ids.slice(begin);
    const { count, resources } = await source.keywordsOf(lease.project, rest);
    await source.offer(lease, rest.slice(0, count), resources.flatMap(offeredBy));
    begin += count;
  }
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

import { setImmediate } from 'node:timers/promises';
import { type ProductDocuments, ProductIndex } from '../search-index/product-index.ts';
import type { SearchDocuments, SearchProject, SearchRow } from './documents.ts';

export interface TailOptions {
  readonly documents: SearchDocuments;
  /** What all indexes may take, outside of the heap. */
  readonly bytesMax: number;
  readonly log: { info(details: object, message: string): void; warn(details: object, message: string): void };
}

/** Between looks for what is new. */
const pollMs = 200;
const failureMs = 1000;
const rowsMax = 1000;
/** Characters of documents that are put into an index at once, which nothing else is done meanwhile. */
const putLengthMax = 1_000_000;
/** Once there was no room, what was left out is taken in when no more than this of it is taken. */
const roomyRatio = 0.9;

/** The index of one project, and how far it has read. */
interface Reading {
  index: ProductIndex;
  /** It goes on behind this. */
  seq: number;
  /** How far it ever was. */
  toldSeq: number;
  /** The first row whose product was left out for want of room. */
  leftOutSeq: number | undefined;
  /** Of the newest row when the reading began, and of those that were pruned by then. */
  begunAtSeq: number;
  prunedSeq: number;
  /** It has all that was there when the reading began. */
  isRead: boolean;
  isComplete: boolean;
}

/** Why a project cannot be searched at the moment. */
export type Unready = 'loading' | 'indexing';

/** Reads the documents of all projects into indexes, and goes on to read what is new. */
export class Tail {
  readonly #options: TailOptions;
  readonly #readings = new Map<string, Reading>();
  readonly #closing = new AbortController();
  #isListed = false;
  #loop: Promise<void> = Promise.resolve();
  #endPause = (): void => {};
  #isFull = false;

  constructor(options: TailOptions) {
    this.#options = options;
  }

  run(): void {
    this.#loop = this.#run();
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#endPause();
    await this.#loop;
  }

  /** The index of a project, as soon as it has all products. */
  indexOf(project: string): ProductIndex | Unready {
    const reading = this.#readings.get(project);
    if (reading === undefined) return this.#isListed ? 'indexing' : 'loading';
    if (!reading.isRead) return reading.isComplete ? 'loading' : 'indexing';
    return reading.isComplete ? reading.index : 'indexing';
  }

  async #run(): Promise<void> {
    while (!this.#closing.signal.aborted) {
      let restMs = pollMs;
      try {
        await this.#round();
      } catch (error) {
        this.#options.log.warn({ err: error }, 'what is searched could not be read');
        restMs = failureMs;
      }
      await this.#pause(restMs);
    }
  }

  /** Projects in turn, so that nobody waits until another one's products are read. */
  async #round(): Promise<void> {
    const projects = await this.#options.documents.projects();
    const keys = new Set(projects.map(({ key }) => key));
    for (const key of this.#readings.keys()) if (!keys.has(key)) this.#readings.delete(key);
    const lacking = [...this.#readings.values()].filter(({ leftOutSeq }) => leftOutSeq !== undefined);
    if (lacking.length > 0 && this.#hasRoom()) lacking.forEach(goBackToLeftOut);
    let behind = projects;
    while (behind.length > 0 && !this.#closing.signal.aborted) {
      const further: SearchProject[] = [];
      for (const project of behind) {
        const reading = this.#readings.get(project.key) ?? this.#begin(project);
        reading.isComplete = project.isComplete;
        const hasMore = reading.seq < project.lastSeq || hasMissed(reading, project.prunedSeq);
        const isNew = hasMore && (await this.#read(project, reading));
        if (isNew && reading.seq < project.lastSeq) further.push(project);
        if (reading.seq >= reading.begunAtSeq) reading.isRead = true;
      }
      behind = further;
      // Each project has a reading as soon as all had a turn; it may be long until all are read.
      this.#isListed = true;
    }
    // There may be none that has a turn.
    this.#isListed = true;
  }

  #begin({ key, lastSeq, isComplete }: SearchProject): Reading {
    const reading = {
      index: new ProductIndex(),
      seq: 0,
      toldSeq: 0,
      leftOutSeq: undefined,
      begunAtSeq: lastSeq,
      prunedSeq: -1,
      isRead: false,
      isComplete,
    };
    this.#readings.set(key, reading);
    return reading;
  }

  /** Reads on, and puts what it read into the index; false where there was nothing, or where it has to begin anew. */
  async #read({ key, lastSeq }: SearchProject, reading: Reading): Promise<boolean> {
    const read = await this.#options.documents.after(key, reading.seq, rowsMax);
    if (read === undefined) return false;
    if (reading.prunedSeq < 0) reading.prunedSeq = read.prunedSeq;
    if (hasMissed(reading, read.prunedSeq)) {
      this.#readings.delete(key);
      return false;
    }
    const last = read.rows.at(-1);
    if (last === undefined) return false;
    // A product has one row, so none comes twice.
    for (const rows of pieces(read.rows)) {
      this.#put(reading, rows);
      await setImmediate();
    }
    reading.seq = last.seq;
    reading.toldSeq = Math.max(reading.toldSeq, last.seq);
    // What is not tidy answers as well; the next row tries again.
    const tidied = reading.index
      .tidy()
      .catch((error: unknown) => this.#options.log.warn({ err: error, project: key }, 'an index could not be tidied'));
    // Who is behind would add small segments faster than they become large ones, and each makes all else slower.
    if (reading.seq < lastSeq) await tidied;
    return true;
  }

  #put(reading: Reading, rows: readonly SearchRow[]): void {
    const hasRoom = this.#hasRoom();
    reading.index.put(rows.filter((row) => isTaken(reading, row, hasRoom)).map(productOf));
  }

  /** Without it products are missing, and the operator is told. */
  #hasRoom(): boolean {
    const { bytesMax, log } = this.#options;
    const bytes = [...this.#readings.values()].reduce((sum, { index }) => sum + index.bytes, 0);
    if (!this.#isFull && bytes > bytesMax) {
      this.#isFull = true;
      log.warn({ bytes, bytesMax }, 'the indexes of product search take in no more products');
    } else if (this.#isFull && bytes <= bytesMax * roomyRatio) {
      this.#isFull = false;
      log.info({ bytes, bytesMax }, 'the indexes of product search take in products again');
    }
    return !this.#isFull;
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      if (this.#closing.signal.aborted) return resolve();
      const timer = setTimeout(resolve, ms);
      this.#endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

/** Whether rows that it has not read are gone. */
function hasMissed(reading: Reading, prunedSeq: number): boolean {
  return prunedSeq > Math.max(reading.prunedSeq, reading.toldSeq);
}

function goBackToLeftOut(reading: Reading): void {
  if (reading.leftOutSeq === undefined) return;
  reading.seq = reading.leftOutSeq - 1;
  reading.leftOutSeq = undefined;
}

/**
 * Whether a row goes into the index. Without room it takes in no products that it does not have; those that it has change
 * and go as ever. Of rows that are read again only those of products that were left out are news to it.
 */
function isTaken(reading: Reading, { seq, productId, document }: SearchRow, hasRoom: boolean): boolean {
  const isAgain = seq <= reading.toldSeq;
  if (document === undefined) return !isAgain;
  if (!isAgain && hasRoom) return true;
  if (reading.index.has(productId)) return !isAgain;
  if (!hasRoom) reading.leftOutSeq ??= seq;
  return hasRoom;
}

/** Rows that can be worked on at once. */
function pieces(rows: readonly SearchRow[]): readonly (readonly SearchRow[])[] {
  const all: SearchRow[][] = [];
  let length = Infinity;
  for (const row of rows) {
    const own = row.document?.length ?? 0;
    if (length + own > putLengthMax) {
      all.push([]);
      length = 0;
    }
    all.at(-1)!.push(row);
    length += own;
  }
  return all;
}

function productOf({ productId, document }: SearchRow): ProductDocuments {
  // The feeder of product search made it.
  const documents = document === undefined ? {} : (JSON.parse(document) as ProductDocuments['documents']);
  return { id: productId, documents };
}

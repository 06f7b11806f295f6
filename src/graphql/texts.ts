import { LRUCache } from 'lru-cache';
import { hasEnded, type RequestContext, RequestEnded } from '../engine/context.ts';
import { claimsOf, FairQueue, type FairQueueLimits, type SharesMax } from '../engine/fair-queue.ts';
import type { Compute } from '../tasks/task.ts';
import { type AnalyzedOperation, analyzing, type SchemaSource, type TextError } from './analyze.ts';
import type { Excerpts, KnownOutline } from './excerpts.ts';
import type { Program, Programs } from './programs.ts';

/** An operation of a text. */
export interface KnownOperation extends Omit<AnalyzedOperation, 'outline'> {
  /** '' is the anonymous one. */
  readonly name: string;
  readonly program: Program;
  readonly outline: KnownOutline | undefined;
}

export interface KnownText {
  /** By name; the anonymous one is ''. */
  readonly operations: ReadonlyMap<string, KnownOperation>;
}

/** What a text is, or all that is wrong with it. */
type Found = KnownText | readonly TextError[];

/** The schema for threads, with a name that others of its content do not have. */
export interface VersionedSource {
  readonly version: string;
  readonly state: SchemaSource;
}

/** Query texts that a process knows, and their characters in all. */
const textsMax = 1000;
const knownLengthMax = 4_000_000;

/** Texts that were not sent before. The more are under way the longer others wait for their turn, and the more are cheaper. */
const newTextsMax: SharesMax = { ofClient: 500, ofProject: 750 };
const newTextsLimits: FairQueueLimits = {
  runningMax: 8,
  waitingMax: 2000,
  refusal: 'Too many GraphQL texts are sent that were not sent before.',
};
/** Requests of one text that are looked at before it is dropped; what more have sent is not. */
const sharedMax = 100;

/** A new text of a client, and which of its requests wait for it. */
interface WaitingText {
  readonly requests: RequestContext[];
  readonly result: Promise<Found>;
}

export interface TextsOptions {
  readonly compute: Compute;
  readonly source: VersionedSource;
  readonly programs: Programs;
  readonly excerpts: Excerpts;
}

/** Knows the texts that were sent last; new ones are analyzed in threads, in turns. */
export class Texts {
  readonly #options: TextsOptions;
  readonly #known = new LRUCache<string, KnownText>({
    max: textsMax,
    maxSize: knownLengthMax,
    sizeCalculation: (_, text) => Math.max(1, text.length),
  });
  readonly #analyses = new Map<string, Promise<Found>>();
  readonly #waiting = new Map<string, WaitingText>();
  readonly #turns = new FairQueue(newTextsLimits);

  constructor(options: TextsOptions) {
    this.#options = options;
  }

  known(text: string): KnownText | undefined {
    return this.#known.get(text);
  }

  /** Requests of one client with the same new text have one turn, for as long as one of them waits for it. */
  find(text: string, request: RequestContext): Promise<Found> {
    const claims = claimsOf(request, newTextsMax);
    const name = `${claims[0].name} ${text}`;
    const others = this.#waiting.get(name);
    if (others !== undefined && !others.requests.every(hasEnded)) {
      if (others.requests.length < sharedMax) others.requests.push(request);
      return others.result;
    }
    const requests = [request];
    const result = this.#turns.run(claims, async () => {
      // Of more than are looked at one may still wait.
      if (requests.length < sharedMax && requests.every(hasEnded)) throw new RequestEnded();
      return this.#analyzedOnce(text);
    });
    const own = { requests, result };
    this.#waiting.set(name, own);
    const end = (): void => {
      if (this.#waiting.get(name) === own) this.#waiting.delete(name);
    };
    result.then(end, end);
    return result;
  }

  /** Whoever comes first has it analyzed, and those whose turn comes meanwhile wait for that. */
  #analyzedOnce(text: string): Promise<Found> {
    const known = this.#known.get(text);
    if (known !== undefined) return Promise.resolve(known);
    let running = this.#analyses.get(text);
    if (running === undefined) {
      running = this.#analyze(text).finally(() => this.#analyses.delete(text));
      this.#analyses.set(text, running);
    }
    return running;
  }

  async #analyze(text: string): Promise<Found> {
    const { compute, source } = this.#options;
    const analysis = await compute.run(analyzing, text, source);
    if ('errors' in analysis) return analysis.errors;
    const operations = Object.entries(analysis.operations);
    const known = {
      operations: new Map(operations.map(([name, analyzed]) => [name, this.#operation(text, name, analyzed)])),
    };
    this.#known.set(text, known);
    return known;
  }

  #operation(text: string, name: string, { outline, ...analyzed }: AnalyzedOperation): KnownOperation {
    const { programs, excerpts } = this.#options;
    return {
      name,
      ...analyzed,
      program: programs.create({ text, operation: name }),
      outline: outline && excerpts.know(outline, name),
    };
  }
}

import type { GraphQLError } from 'graphql';
import { answerBytesMax } from '../engine/answer-budget.ts';
import { heavyBytes } from '../engine/heavy-turns.ts';
import { noRoom, withPlace } from './execution-errors.ts';
import { ListTurns } from './list-turns.ts';

/** Values of one answer: fields, and elements of lists. A thousand take about as long as a statement. */
const valuesMax = 1_000_000;
/** What it takes to look up and pass on a resource, in values. */
const resourceValues = 100;

/** What it takes to find out of other resources what a field says. */
const lookupValues = 10;
/** Elements of a list that are gone through and not given take as long as a value. */
const elementsOfValue = 10;

/** What takes a millisecond or more to write: 20,000 values took 0.25 ms. */
const heavyValues = 100_000;

/** Others may have had to wait for some tens of milliseconds when so many were made. */
const turnValues = 20_000;

/** An error of a field takes as long as so many values. */
const errorValues = 100;

/** What has more is given in its elements, after a turn of others. */
const longValues = 5000;

/** `"":,` */
export const nameBytes = 4;

/** All that is made for one answer, in its parts. */
class Work {
  values = 0;
  bytes = 0;
  /** Since others had a turn: what was made, and what was expected to be made of what was given, whichever shows first. */
  sinceTurn = 0;
  readonly lists = new ListTurns();
  /** Why nothing more is to be made. */
  stopped: GraphQLError | undefined;
  /** Resolves with that when it is broken off. */
  readonly brokenOff: Promise<GraphQLError>;
  breakOff!: (stopped: GraphQLError) => void;

  constructor() {
    this.brokenOff = new Promise((resolve) => {
      this.breakOff = resolve;
    });
  }
}

/** How many values an element of a list has. */
export interface ValuesOfElement {
  readonly least: number;
  readonly most: number;
}

/** Bytes of lists and of values of any form: those that are shared between requests are measured once. */
const measured = new WeakMap<object, number>();

function bytesOf(value: object): number {
  let bytes = measured.get(value);
  if (bytes === undefined) measured.set(value, (bytes = writtenBytes(value)));
  return bytes;
}

function writtenBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}

/** Up to here only the characters of texts are counted, and then what they take as they are written: up to six times as much. */
const unmeasuredBytes = 1024 * 1024;

/**
 * What one answer holds, counted while it is made: the score of a query knows neither how long the lists of a resource are
 * nor how large its texts. From the limit on, and when nobody waits for it, it is broken off, unless a mutation shows it: what
 * waits for a turn never comes, and what is under way makes as little as may be. Lists are empty, what may be absent is, and no
 * resource is read.
 */
export class AnswerSize {
  /** Of all that is made for the answer. What is kept of parts was not made for it. */
  readonly #made: Work;
  readonly #canBreakOff: boolean;
  #values = 0;
  #bytes = 0;

  /** What a mutation shows is made to its end, for others may follow. */
  constructor({
    canBreakOff = true,
    made = new Work(),
  }: { readonly canBreakOff?: boolean; readonly made?: Work } = {}) {
    this.#canBreakOff = canBreakOff;
    this.#made = made;
  }

  /** Nothing more is to be made. */
  get isOver(): boolean {
    const { values, bytes, stopped } = this.#made;
    if (stopped !== undefined || values > valuesMax || bytes > answerBytesMax) return true;
    return this.#values > valuesMax || this.#bytes > answerBytesMax;
  }

  /** Whether it takes milliseconds to write. */
  get isHeavy(): boolean {
    return this.#values > heavyValues || this.#bytes > heavyBytes;
  }

  /** Resolves with the reason when the answer is broken off. What it is made of may never come to an end. */
  get brokenOff(): Promise<GraphQLError> {
    return this.#made.brokenOff;
  }

  get values(): number {
    return this.#values;
  }

  /** Of a part that is made for this answer to a query: it counts here when it is put in, as one that was kept does. */
  part(): AnswerSize {
    return new AnswerSize({ made: this.#made });
  }

  /** The value of a field; a list is empty when there is no more room. */
  field(value: unknown): unknown {
    this.#count(1);
    if (typeof value === 'string') this.#takeText(value);
    if (!Array.isArray(value)) return value;
    this.#count(value.length);
    if (this.isOver) return [];
    // A list has elements of one kind.
    if (typeof value[0] === 'string') this.#takeBytes(bytesOf(value));
    return this.isOver ? [] : (value as unknown[]);
  }

  /** The name of a value, which its field has beside it. */
  takesName(name: string): void {
    this.#takeBytes(name.length + nameBytes);
  }

  /** Members that no field gives, with their names. */
  takesMembers(values: number, bytes: number): void {
    this.#count(values);
    this.#takeBytes(bytes);
  }

  /** A value of any form. */
  json(value: unknown): unknown {
    if (typeof value !== 'object' || value === null) return this.field(value);
    this.#count(1);
    // Of what is too large already, nothing is given.
    if (this.isOver) return Array.isArray(value) ? [] : null;
    this.#takeBytes(bytesOf(value));
    return value;
  }

  /** So many resources are to be read. False when there is no more room. */
  takesResources(count: number): boolean {
    this.#count(count * resourceValues);
    return !this.isOver;
  }

  /**
   * A list, at once or when others have had turns for what was made before it. It is empty where even the least that its
   * elements have is more than there is room for.
   */
  list<T>(
    list: readonly T[],
    ofElement: ValuesOfElement,
    turn: () => Promise<void>,
  ): readonly T[] | Promise<readonly (T | Promise<T>)[]> {
    const made = this.#made;
    const isLong = list.length * ofElement.most > longValues;
    if (!isLong && !this.#isTurnDue) return list;
    // A long list begins in a turn.
    let needsTurn = isLong;
    return made.lists.give(() => (this.#takesAtLeast(list.length * ofElement.least) ? list : []), {
      isLong,
      before: async () => {
        if (made.stopped === undefined && (needsTurn || this.#isTurnDue)) {
          needsTurn = false;
          made.sinceTurn = 0;
          await turn().catch((error: unknown) => this.#end(withPlace(error)));
        }
        if (made.stopped === undefined) return;
        if (!this.#canBreakOff) throw made.stopped;
        // Nobody waits for it any more.
        await new Promise<never>(() => {});
      },
      onGiven: (elements) => {
        made.sinceTurn += elements * ofElement.most;
      },
    });
  }

  /** Something is to be found out of other resources. False when there is no more room. */
  takesLookup(): boolean {
    this.#make(lookupValues);
    return !this.isOver;
  }

  /** A field has failed. */
  takesError(): void {
    this.#make(errorValues);
  }

  /** So many elements are to be gone through, of which few may be given. False when there is no more room. */
  takesElements(elements: number): boolean {
    this.#make(elements / elementsOfValue);
    return !this.isOver;
  }

  /** Puts in a part. */
  add({ values, bytes }: { readonly values: number; readonly bytes: number }): void {
    this.#values += values;
    this.#bytes += bytes;
  }

  /** Whether so much was made since the last time that others are due a turn. */
  get #isTurnDue(): boolean {
    return this.#made.sinceTurn > turnValues;
  }

  /** Where so much would not fit, it counts as if it had been made. */
  #takesAtLeast(values: number): boolean {
    if (this.#made.values + values > valuesMax) this.#make(values);
    return !this.isOver;
  }

  #count(values: number): void {
    this.#values += values;
    this.#make(values);
  }

  #make(values: number): void {
    this.#made.values += values;
    this.#made.sinceTurn += values;
    this.#breakOffIfTooLarge();
  }

  /** To measure it takes as long as to write it, so of what is over already no text is. */
  #takeText(text: string): void {
    this.#takeBytes(text.length);
    if (this.#made.bytes > unmeasuredBytes && !this.isOver) this.#takeBytes(writtenBytes(text) - text.length);
  }

  #takeBytes(bytes: number): void {
    this.#bytes += bytes;
    this.#made.bytes += bytes;
    this.#breakOffIfTooLarge();
  }

  #breakOffIfTooLarge(): void {
    if (this.#canBreakOff && this.isOver) this.#end(noRoom);
  }

  #end(error: GraphQLError): void {
    const made = this.#made;
    made.stopped ??= error;
    if (this.#canBreakOff) made.breakOff(made.stopped);
  }
}

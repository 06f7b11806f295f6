import { tooLarge } from './batched-reads.ts';

export interface Batching<Call, Answer> {
  /** What calls that share a statement share it up to; a single call may be larger. */
  readonly sizeMax: number;
  sizeOf(call: Call): number;
  /** Calls of one name share statements. */
  nameOf(call: Call): string;
  /** The answers to calls of one name, in their order; undefined where their documents are too many for one statement. */
  answer(calls: readonly Call[]): Promise<readonly Answer[] | undefined>;
}

interface Waiting<Call, Answer> {
  readonly call: Call;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

/** Calls that share a statement. */
interface Together<Call, Answer> {
  waiting: Waiting<Call, Answer>[];
  size: number;
}

/** Answers all that ask in the same tick in one round trip: with one statement for those of one name. */
export class BatchedCalls<Call, Answer> {
  readonly #batching: Batching<Call, Answer>;
  #waiting: Waiting<Call, Answer>[] = [];

  constructor(batching: Batching<Call, Answer>) {
    this.#batching = batching;
  }

  run(call: Call): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ call, resolve, reject });
      if (this.#waiting.length === 1) setImmediate(() => this.#flush());
    });
  }

  #flush(): void {
    const { nameOf, sizeOf, sizeMax } = this.#batching;
    const all = this.#waiting;
    this.#waiting = [];
    const open = new Map<string, Together<Call, Answer>>();
    for (const waiting of all) {
      const name = nameOf(waiting.call);
      const size = sizeOf(waiting.call);
      let together = open.get(name);
      if (together !== undefined && together.size + size > sizeMax) {
        void this.#run(together.waiting);
        together = undefined;
      }
      if (together === undefined) open.set(name, (together = { waiting: [], size: 0 }));
      together.waiting.push(waiting);
      together.size += size;
    }
    for (const { waiting } of open.values()) void this.#run(waiting);
  }

  /** Where the documents are too many for one statement, those who share it are told one by one whose they are. */
  async #run(all: readonly Waiting<Call, Answer>[]): Promise<void> {
    try {
      const answers = await this.#batching.answer(all.map(({ call }) => call));
      if (answers !== undefined) {
        for (const [index, { resolve }] of all.entries()) resolve(answers[index]!);
      } else if (all.length > 1) {
        for (const waiting of all) void this.#run([waiting]);
      } else {
        all[0]!.reject(tooLarge());
      }
    } catch (error) {
      for (const { reject } of all) reject(error);
    }
  }
}

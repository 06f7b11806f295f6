import { apiError } from '../errors/api-error.ts';

/** Bytes of one answer that is put together from several resources. */
export const answerBytesMax = 16 * 1024 * 1024;

/** What one answer may hold, spent while it is made: a few references can stand for more than any memory. */
export class AnswerBudget {
  #spent = 0;

  get spent(): number {
    return this.#spent;
  }

  /** Throws InvalidInput when the answer gets too large. */
  spend(bytes: number): void {
    this.#spent += bytes;
    if (this.#spent > answerBytesMax) {
      throw apiError(
        'InvalidInput',
        `The answer would have more than ${answerBytesMax} bytes. Ask for fewer resources at a time, or expand less.`,
      );
    }
  }
}

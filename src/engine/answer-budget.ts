import { apiError } from '../errors/api-error.ts';

/** Bytes of one answer that is put together from several resources. */
export const answerBytesMax = 16 * 1024 * 1024;

/** What one answer may hold, spent while it is made: a few references can stand for more than any memory. */
export class AnswerBudget {
  #bytes = answerBytesMax;

  /** Throws InvalidInput when the answer gets too large. */
  spend(bytes: number): void {
    this.#bytes -= bytes;
    if (this.#bytes < 0) {
      throw apiError(
        'InvalidInput',
        `The answer would have more than ${answerBytesMax} bytes. Ask for fewer resources at a time, or expand less.`,
      );
    }
  }
}

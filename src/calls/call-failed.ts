/** Why no whole answer came. */
export type CallFailure = 'address' | 'unreachable' | 'brokenOff' | 'tooLarge';

const texts: Readonly<Record<CallFailure, string>> = {
  address: 'is on an address that is not public',
  unreachable: 'could not be reached in time',
  brokenOff: 'broke off its answer, or took too long for it',
  tooLarge: 'answered with too much',
};

/** A call that has no whole answer. The message completes a sentence about whoever was called. */
export class CallFailed extends Error {
  readonly failure: CallFailure;
  /** Of an answer that was too large or broke off. */
  readonly status: number | undefined;

  constructor(failure: CallFailure, status?: number) {
    super(texts[failure]);
    this.failure = failure;
    this.status = status;
  }
}

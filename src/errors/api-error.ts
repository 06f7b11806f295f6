import { statusOf, type ErrorCode } from './codes.ts';

/** One element of the `errors` array of an error body. */
export interface ErrorElement {
  readonly code: ErrorCode;
  readonly message: string;
  readonly [extra: string]: unknown;
}

/**
 * An expected failure. It carries every error of the phase that failed; the first decides status and message.
 * Whatever is thrown and is not an ApiError is a bug: it is logged and answered as 500 General without detail.
 */
export class ApiError extends Error {
  readonly errors: readonly [ErrorElement, ...ErrorElement[]];

  constructor(errors: readonly [ErrorElement, ...ErrorElement[]]) {
    super(errors[0].message);
    this.name = 'ApiError';
    this.errors = errors;
  }

  get code(): ErrorCode {
    return this.errors[0].code;
  }

  /** HTTP status of the answer. */
  get status(): number {
    return statusOf(this.errors[0].code);
  }
}

/** An ApiError with a single element. `extra` holds the further fields that errors of this code carry. */
export function apiError(code: ErrorCode, message: string, extra?: Readonly<Record<string, unknown>>): ApiError {
  return new ApiError([{ code, message, ...extra }]);
}

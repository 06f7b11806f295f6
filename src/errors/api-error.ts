import { type ErrorCode, type ExtraOf, statusOf } from './codes.ts';

/** One element of the `errors` array of an error body, with exactly the fields that the table gives its code. */
export type ErrorElement = { readonly [Code in ErrorCode]: ElementOf<Code> }[ErrorCode];

/** Built as one mapped type, so that a field that the code does not have is refused in an object literal. */
type ElementOf<Code extends ErrorCode> = Plain<{ code: Code; message: string } & ExtraOf<Code>>;

type Plain<T> = { readonly [Name in keyof T]: T[Name] };

/**
 * An expected failure. It carries every error of the phase that failed; the first decides status and message.
 * Whatever is thrown and is not an ApiError is a bug: it is logged and answered as 500 General without detail.
 */
export class ApiError extends Error {
  readonly errors: readonly [ErrorElement, ...ErrorElement[]];
  /** HTTP status of the answer. */
  readonly status: number;

  /** Without a status it is that of the first code; a code that has another one as well needs it here. */
  constructor(errors: readonly [ErrorElement, ...ErrorElement[]], status = statusOf(errors[0].code)) {
    super(errors[0].message);
    this.name = 'ApiError';
    this.errors = errors;
    this.status = status;
  }

  get code(): ErrorCode {
    return this.errors[0].code;
  }
}

/** The further arguments of a failure: none, optional or needed, as its code has extra fields. */
export type ExtraArguments<Extra> = keyof Extra extends never
  ? []
  : {} extends Extra
    ? [extra?: Extra]
    : [extra: Extra];

/** An ApiError with a single element. `extra` holds the further fields that errors of this code carry. */
export function apiError<Code extends ErrorCode>(
  code: Code,
  message: string,
  ...[extra]: ExtraArguments<ExtraOf<Code>>
): ApiError {
  // The arguments are those of the code, which the compiler cannot tell for a code that is a type parameter.
  return new ApiError([{ code, message, ...extra } as unknown as ErrorElement]);
}

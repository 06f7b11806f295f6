import { type ErrorCode, type ExtraOf, statusOf } from './codes.ts';
import { excerptOf, shortened } from './excerpt.ts';

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
  /** Whether its sender has used up a share of its own, which is no fault of the server. */
  readonly isOwnShare: boolean = false;

  /** Without a status it is that of the first code; a code that has another one as well needs it here. */
  constructor(errors: readonly [ErrorElement, ...ErrorElement[]], status = statusOf(errors[0].code)) {
    const [first, ...others] = errors.slice(0, errorsMax).map(bounded) as [ErrorElement, ...ErrorElement[]];
    super(first.message);
    this.name = 'ApiError';
    this.errors = [first, ...others];
    this.status = status;
  }

  get code(): ErrorCode {
    return this.errors[0].code;
  }

  /** Whether an operator has to hear of it. */
  get isFault(): boolean {
    return this.status >= 500 && !this.isOwnShare;
  }
}

class OwnShareError extends ApiError {
  override readonly isOwnShare = true;
}

/** Throws the errors of a phase together; nothing where there are none. */
export function throwAll(errors: readonly ErrorElement[]): void {
  const [first, ...others] = errors;
  if (first !== undefined) throw new ApiError([first, ...others]);
}

/** Errors of one body; a request with more faults is not worth more. */
const errorsMax = 100;
const messageLengthMax = 4000;
/** Of what a client sent, as JSON. */
const valueLengthMax = 1000;

/** Of values that would be allowed, of which there may be thousands: as many of the first as have so many characters. */
const allowedLengthMax = 10_000;

/** Values that clients sent go back as they are while they are short; of others, an excerpt goes back as a text. */
function bounded(element: ErrorElement): ErrorElement {
  const { message } = element;
  const short = message.length > messageLengthMax ? { message: shortened(message, messageLengthMax) } : {};
  const values = [boundedValue(element, 'invalidValue'), boundedValue(element, 'duplicateValue'), boundedList(element)];
  // Only members that the element has are changed, and these take any value.
  return Object.assign({}, element, short, ...values) as ErrorElement;
}

function boundedValue(element: object, member: string): Readonly<Record<string, unknown>> {
  if (!Object.hasOwn(element, member)) return {};
  const value = (element as Readonly<Record<string, unknown>>)[member];
  if (typeof value === 'string')
    return value.length > valueLengthMax ? { [member]: shortened(value, valueLengthMax) } : {};
  const text = excerptOf(value, valueLengthMax);
  return text.length > valueLengthMax ? { [member]: text } : {};
}

function boundedList(element: object): { readonly allowedValues?: readonly unknown[] | undefined } {
  const { allowedValues } = element as { readonly allowedValues?: unknown };
  if (!Array.isArray(allowedValues)) return {};
  let length = 0;
  const end = allowedValues.findIndex((value: unknown) => {
    length += typeof value === 'string' ? value.length : excerptOf(value, allowedLengthMax).length;
    return length > allowedLengthMax;
  });
  if (end === -1) return {};
  // None at all would say that nothing is allowed.
  return { allowedValues: end === 0 ? undefined : allowedValues.slice(0, end) };
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

/** What somebody is told whose client, project or request has used up its share. */
export function ownShareUsed(problem: string): ApiError {
  return new OwnShareError([{ code: 'OverCapacity', message: `${problem} Try again later.` }]);
}

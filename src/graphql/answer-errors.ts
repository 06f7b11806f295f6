import { type ExecutionResult, GraphQLError } from 'graphql';
import { ApiError } from '../errors/api-error.ts';
import { type ErrorCode, statusOf } from '../errors/codes.ts';
import { shortened } from '../errors/excerpt.ts';
import { isObject } from '../fields/object.ts';
import type { NeededVariable, TextError } from './analyze.ts';

/** A status, and the text that goes with it. */
export interface Told {
  readonly status: number;
  readonly body: string;
}

/** An error of a field. */
export interface Failure {
  readonly error: GraphQLError;
  /** What a resolver threw, as clients hear of it. */
  readonly thrown: unknown;
}

/** The client hears little or nothing of it, so the log has to. */
export function isFault(thrown: unknown): boolean {
  return thrown instanceof ApiError ? thrown.isFault : !isOfGraphql(thrown);
}

/** What the library found wrong by itself has no original, or another of its errors. */
function isOfGraphql(thrown: unknown): boolean {
  return thrown === undefined || thrown === null || thrown instanceof GraphQLError;
}

/** Of a text that is none. */
export function refusalOfText(errors: readonly TextError[]): Told {
  const elements: readonly FormattedError[] = errors.map(({ message, locations, isSyntax }) => ({
    message: shortened(message, messageLengthMax),
    locations,
    extensions: { code: isSyntax ? 'SyntaxError' : 'InvalidInput' },
  }));
  return refusalWith(statusOf('SyntaxError'), elements);
}

/** An executor would fail in each place where it stands. */
export function refusalWithout(missing: readonly NeededVariable[]): Told {
  const elements: readonly FormattedError[] = missing.map(({ name, type, locations }) => ({
    message: `The variable '$${name}' must not be null, for a value of type ${type} is needed.`,
    locations,
    extensions: { code: 'InvalidInput' },
  }));
  return refusalWith(statusOf('InvalidInput'), elements);
}

/** Of a request that is not run, or of which nothing came. */
export function refusalOf(error: ApiError): Told {
  return refusalWith(error.status, elementsOf(error));
}

/** What was written is no failure, though nothing of it is shown. */
export function doneBut(error: ApiError): Told {
  return { status: 200, body: JSON.stringify({ data: null, errors: elementsOf(error) }) };
}

function elementsOf(error: ApiError): readonly FormattedError[] {
  return formatted({ error: new GraphQLError(error.message), thrown: error });
}

/** With the members that errors of REST have: what clients share for both tells them to their callers. */
function refusalWith(statusCode: number, errors: readonly FormattedError[], others: object = {}): Told {
  const body = { ...others, statusCode, message: errors[0]?.message, errors };
  return { status: statusCode, body: JSON.stringify(body) };
}

/**
 * 200 with `errors` for faults of fields. A missing scope is the status that it is in REST (decisions.md #96) where nothing
 * came of the request: those who take any other status for a failure would lose what did, and not know what was written.
 */
export function resultAnswer(data: ExecutionResult['data'], failures: readonly Failure[], hasWritten: boolean): Told {
  if (failures.length === 0) return { status: 200, body: JSON.stringify({ data }) };
  // Without data the query did not run: its variables do not fit.
  if (data === undefined) return refusalWith(statusOf('InvalidInput'), formattedFirst(failures));
  const ofScope = failures.filter(isOfScope);
  if (ofScope.length > 0 && !hasWritten && isNothing(data, failures)) {
    const others = failures.filter((failure) => !isOfScope(failure));
    // The first one is the message.
    return refusalWith(statusOf('insufficient_scope'), formattedFirst([...ofScope, ...others]), { data });
  }
  const elements = formattedFirst(failures);
  return { status: 200, body: JSON.stringify({ data, errors: elements }) };
}

/** Whether all fields failed: those of the root or, where a field only holds others, as `me` does, those below it. */
function isNothing(data: ExecutionResult['data'], failures: readonly Failure[]): boolean {
  if (!isObject(data)) return true;
  const failed: Failed = new Map();
  for (const { error } of failures) {
    let holder = failed;
    for (const step of error.path ?? []) {
      // Where a field must not be null, what holds it is null in its place.
      let held = holder.get(step);
      if (held === undefined) holder.set(step, (held = new Map()));
      holder = held;
    }
  }
  return holdsNothing(data, failed);
}

/** What failed, and what holds it, by its steps: paths with long names would take long to put together. */
interface Failed extends Map<string | number, Failed> {}

function holdsNothing(object: Readonly<Record<string, unknown>>, failed: Failed | undefined): boolean {
  return Object.entries(object).every(([name, value]) => {
    const held = failed?.get(name);
    return value === null ? held !== undefined : isObject(value) && holdsNothing(value, held);
  });
}

interface FormattedError {
  readonly message: string;
  /** None where the request as a whole is refused. */
  readonly locations: readonly { readonly line: number; readonly column: number }[];
  /** The code and its extra fields (decisions.md #95). */
  readonly extensions: { readonly code: ErrorCode };
}

/** Errors of one answer: a field that fails may stand in a long list. */
const errorsMax = 100;
/** The library quotes what clients send as it is. */
const messageLengthMax = 2000;

function isOfScope({ thrown }: Failure): boolean {
  return thrown instanceof ApiError && thrown.code === 'insufficient_scope';
}

/** As many as are told. */
function formattedFirst(failures: readonly Failure[]): readonly FormattedError[] {
  return failures.slice(0, errorsMax).flatMap(formatted).slice(0, errorsMax);
}

/** A resolver that fails with several errors gives an element for each of them. */
function formatted({ error, thrown }: Failure): readonly FormattedError[] {
  const { locations = [], path } = error;
  const place = { locations, ...(path !== undefined && { path }) };
  if (thrown instanceof ApiError)
    return thrown.errors.map(({ message, ...extensions }) => ({ message, ...place, extensions }));
  if (isOfGraphql(thrown))
    return [{ message: shortened(error.message, messageLengthMax), ...place, extensions: { code: 'InvalidInput' } }];
  return [{ message: 'The server met a problem that it did not expect.', ...place, extensions: { code: 'General' } }];
}

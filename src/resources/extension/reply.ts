/** What an answer of an extension says: actions, errors, or nothing that it may say. */
import type { CallAnswer } from '../../calls/caller.ts';
import type { CallFailed } from '../../calls/call-failed.ts';
import type { NamedExtension } from '../../engine/resource.ts';
import { ApiError, apiError, type ErrorElement } from '../../errors/api-error.ts';
import { type ErrorCode, errorTable, fieldsOf } from '../../errors/codes.ts';
import { isObject } from '../../fields/object.ts';

/** Update actions of one answer; the public API has this limit. */
const actionsMax = 100;
/** Arrays and objects inside one another, as in the bodies of clients. */
const depthMax = 64;
/** Characters of a body that an error shows. */
const shownBodyMax = 1000;

/** The update actions of an answer. Throws the errors of a refusal, and ExtensionBadResponse for what is neither. */
export function actionsOf(answer: CallAnswer, extension: NamedExtension): readonly unknown[] {
  const { status, text } = answer;
  if (status === 200 || status === 201) {
    if (text.trim() === '') return [];
    const body = objectOf(answer, extension);
    const actions = body['actions'] ?? [];
    if (!Array.isArray(actions)) throw bad("has 'actions' that are no array", extension, answer);
    if (actions.length > actionsMax) throw bad(`has more than ${actionsMax} actions`, extension, answer);
    return actions;
  }
  if (status !== 400) throw bad(`has the status ${status}`, extension, answer);
  const { errors } = objectOf(answer, extension);
  if (!Array.isArray(errors) || errors.length === 0) throw bad("refuses the write without 'errors'", extension, answer);
  const [first, ...others] = errors.map((given) => elementOf(given, { answer, extension }));
  throw new ApiError([first!, ...others]);
}

export function noResponse({ message }: CallFailed, extension: NamedExtension): ApiError {
  return apiError('ExtensionNoResponse', `The API extension '${extension.id}' ${message}.`, {
    ...idsOf(extension),
    errorByExtension: extension,
  });
}

/** For an answer of which there is no whole text. */
export function tooLarge({ message, status }: CallFailed, extension: NamedExtension): ApiError {
  return apiError('ExtensionBadResponse', `The API extension '${extension.id}' ${message}.`, {
    ...idsOf(extension),
    extensionErrors: [],
    ...(status !== undefined && { extensionStatusCode: status }),
    errorByExtension: extension,
  });
}

function bad(why: string, extension: NamedExtension, { status, text }: CallAnswer): ApiError {
  return apiError('ExtensionBadResponse', `The answer of the API extension '${extension.id}' ${why}.`, {
    ...idsOf(extension),
    extensionErrors: [],
    extensionBody: text.slice(0, shownBodyMax),
    extensionStatusCode: status,
    errorByExtension: extension,
  });
}

function idsOf({ id, key }: NamedExtension): { readonly extensionId: string; readonly extensionKey?: string } {
  return { extensionId: id, ...(key !== undefined && { extensionKey: key }) };
}

function objectOf(answer: CallAnswer, extension: NamedExtension): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(answer.text);
  } catch {
    throw bad('is no JSON', extension, answer);
  }
  if (!isObject(value)) throw bad('is no JSON object', extension, answer);
  if (isDeeperThan(value, depthMax)) throw bad(`is more than ${depthMax} levels deep`, extension, answer);
  return value;
}

/** Level by level, so that no depth is too much for it. */
function isDeeperThan(value: unknown, levels: number): boolean {
  let level: readonly unknown[] = [value];
  for (let depth = 0; depth <= levels; depth += 1) {
    level = level.flatMap((each) => (typeof each === 'object' && each !== null ? Object.values(each) : []));
    if (level.length === 0) return false;
  }
  return level.some((each) => typeof each === 'object' && each !== null);
}

/** An error of a refusal with the members that its code has, and what an extension may say beside them. */
function elementOf(
  given: unknown,
  { answer, extension }: { readonly answer: CallAnswer; readonly extension: NamedExtension },
): ErrorElement {
  if (!isObject(given)) throw bad('has an error that is no object', extension, answer);
  const { code, message, localizedMessage, extensionExtraInfo } = given;
  if (typeof code !== 'string' || !Object.hasOwn(errorTable, code))
    throw bad("has an error without a 'code' that exists", extension, answer);
  // It is one of the table's own names.
  const known = code as ErrorCode;
  if (errorTable[known].status !== 400) throw bad(`has an error with the code ${code}`, extension, answer);
  if (typeof message !== 'string') throw bad("has an error without a 'message'", extension, answer);
  const names = Object.keys(fieldsOf(known)).map((name) => name.replace('?', ''));
  const extra = names.filter((name) => Object.hasOwn(given, name)).map((name) => [name, given[name]] as const);
  const element = {
    code: known,
    message,
    ...Object.fromEntries(extra),
    errorByExtension: extension,
    ...(isObject(localizedMessage) && { localizedMessage }),
    ...(isObject(extensionExtraInfo) && { extensionExtraInfo }),
  };
  // What is passed on is the extension's word, of which no more is known than that it is an error of the code.
  return element as unknown as ErrorElement;
}

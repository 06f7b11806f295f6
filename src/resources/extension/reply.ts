/** What an answer of an extension says: actions, errors, or nothing that it may say. */
import type { CallAnswer } from '../../calls/caller.ts';
import type { CallFailed } from '../../calls/call-failed.ts';
import type { Requester } from '../../engine/context.ts';
import { parseJson, smallBytesMax, withoutMark } from '../../engine/json-body.ts';
import { parseInSlices } from '../../engine/json-slices.ts';
import type { NamedExtension } from '../../engine/resource.ts';
import { ApiError, apiError, type ErrorElement } from '../../errors/api-error.ts';
import { type ErrorCode, errorTable, fieldsOf } from '../../errors/codes.ts';
import { isObject } from '../../fields/object.ts';

/** Update actions of one answer; the public API has this limit. */
const actionsMax = 100;
/** Characters of a body that an error shows. */
const shownBodyMax = 1000;

/** An answer, whose it is, and for whose write it was asked. */
export interface Answered {
  readonly answer: CallAnswer;
  readonly extension: NamedExtension;
  readonly requester: Requester;
}

/** The update actions of an answer. Throws the errors of a refusal, and ExtensionBadResponse for what is neither. */
export async function actionsOf(answered: Answered): Promise<readonly unknown[]> {
  const { status, body: sent } = answered.answer;
  if (status === 200 || status === 201) {
    if (isBlank(sent)) return [];
    const body = await objectOf(answered);
    const actions = body['actions'] ?? [];
    if (!Array.isArray(actions)) throw bad("has 'actions' that are no array", answered);
    if (actions.length > actionsMax) throw bad(`has more than ${actionsMax} actions`, answered);
    return actions;
  }
  if (status !== 400) throw bad(`has the status ${status}`, answered);
  const { errors } = await objectOf(answered);
  if (!Array.isArray(errors) || errors.length === 0) throw bad("refuses the write without 'errors'", answered);
  const [first, ...others] = errors.map((given) => elementOf(given, answered));
  throw new ApiError([first!, ...others]);
}

/** Blanks and line breaks, which are not worth decoding where much follows. */
function isBlank(body: Buffer): boolean {
  return body.every((byte) => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d));
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

function bad(why: string, { answer: { status, body }, extension }: Answered): ApiError {
  return apiError('ExtensionBadResponse', `The answer of the API extension '${extension.id}' ${why}.`, {
    ...idsOf(extension),
    extensionErrors: [],
    // A character has four bytes at most, and may be cut at the end of them.
    extensionBody: body.toString('utf8', 0, 4 * (shownBodyMax + 1)).slice(0, shownBodyMax),
    extensionStatusCode: status,
    errorByExtension: extension,
  });
}

function idsOf({ id, key }: NamedExtension): { readonly extensionId: string; readonly extensionKey?: string } {
  return { extensionId: id, ...(key !== undefined && { extensionKey: key }) };
}

async function objectOf(answered: Answered): Promise<Readonly<Record<string, unknown>>> {
  const value = await valueOf(answered);
  if (!isObject(value)) throw bad('is no JSON object', answered);
  return value;
}

/** By the parsers of what clients send, for what is made of it is stored like that. */
async function valueOf(answered: Answered): Promise<unknown> {
  const body = withoutMark(answered.answer.body);
  try {
    return body.length <= smallBytesMax ? parseJson(body) : await parseInSlices(body, answered.requester);
  } catch (error) {
    // What tells of the moment and nothing of the answer stays as it is.
    if (!(error instanceof ApiError) || error.status !== 400) throw error;
    const [first] = error.errors;
    const why = 'detailedErrorMessage' in first ? first.detailedErrorMessage : first.message;
    throw bad(`is no JSON that can be kept: ${why.replace(/\.$/, '')}`, answered);
  }
}

/** An error of a refusal with the members that its code has, and what an extension may say beside them. */
function elementOf(given: unknown, answered: Answered): ErrorElement {
  if (!isObject(given)) throw bad('has an error that is no object', answered);
  const { code, message, localizedMessage, extensionExtraInfo } = given;
  if (typeof code !== 'string' || !Object.hasOwn(errorTable, code))
    throw bad("has an error without a 'code' that exists", answered);
  // It is one of the table's own names.
  const known = code as ErrorCode;
  if (errorTable[known].status !== 400) throw bad(`has an error with the code ${code}`, answered);
  if (typeof message !== 'string') throw bad("has an error without a 'message'", answered);
  const names = Object.keys(fieldsOf(known)).map((name) => name.replace('?', ''));
  const extra = names.filter((name) => Object.hasOwn(given, name)).map((name) => [name, given[name]] as const);
  const element = {
    code: known,
    message,
    ...Object.fromEntries(extra),
    errorByExtension: answered.extension,
    ...(isObject(localizedMessage) && { localizedMessage }),
    ...(isObject(extensionExtraInfo) && { extensionExtraInfo }),
  };
  // What is passed on is the extension's word, of which no more is known than that it is an error of the code.
  return element as unknown as ErrorElement;
}

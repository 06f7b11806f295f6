import { apiError } from '../errors/api-error.ts';
import type { QueryArguments } from '../engine/operations/query.ts';

const variablePrefix = 'var.';

/** The common query parameters of section 4.1; numbers out of their range are found later, with the other faults. */
export function queryArguments(parameters: URLSearchParams): QueryArguments {
  const variables = new Map<string, readonly string[]>();
  for (const name of new Set(parameters.keys())) {
    if (name.startsWith(variablePrefix)) variables.set(name.slice(variablePrefix.length), parameters.getAll(name));
  }
  return {
    where: parameters.getAll('where'),
    variables,
    sort: parameters.getAll('sort'),
    expand: parameters.getAll('expand'),
    limit: integerParameter(parameters, 'limit'),
    offset: integerParameter(parameters, 'offset'),
    withTotal: booleanParameter(parameters, 'withTotal') ?? true,
  };
}

export function integerParameter(parameters: URLSearchParams, name: string): number | undefined {
  const text = parameters.get(name);
  if (text === null) return undefined;
  if (/^-?\d{1,15}$/.test(text)) return Number(text);
  throw apiError('InvalidInput', `The parameter '${name}' is '${text.slice(0, 40)}', but an integer is expected.`);
}

export function booleanParameter(parameters: URLSearchParams, name: string): boolean | undefined {
  const text = parameters.get(name);
  if (text === null) return undefined;
  if (text === 'true') return true;
  if (text === 'false') return false;
  throw apiError('InvalidInput', `The parameter '${name}' is '${text.slice(0, 40)}', but true or false is expected.`);
}

/** A path segment, decoded once. */
export function decodedSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw apiError('InvalidInput', `The path segment '${segment.slice(0, 40)}' is not percent-encoded correctly.`);
  }
}

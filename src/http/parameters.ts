import { isUtf8 } from 'node:buffer';
import { apiError } from '../errors/api-error.ts';
import type { QueryArguments } from '../engine/query-arguments.ts';
import type { Fields, JsonSchema } from '../fields/field.ts';

const variablePrefix = 'var.';

/**
 * The parameters of a query string or a form. Throws for what cannot be kept as it was sent: the NUL character, and bytes
 * that are no UTF-8. A percent sign that begins no byte stands for itself, as in forms of browsers.
 */
export function parametersOf(text: string, code: 'InvalidInput' | 'invalid_request' = 'InvalidInput'): URLSearchParams {
  const parameters = new URLSearchParams(text);
  if (!text.includes('%') && !text.includes('\0')) return parameters;
  const decoded = [...parameters].flat();
  if (decoded.some((each) => each.includes('\0'))) throw apiError(code, 'A parameter holds the NUL character.');
  if (decoded.some((each) => each.includes('\ufffd')) && !isEncoded(text))
    throw apiError(code, 'A parameter is not percent-encoded UTF-8.');
  return parameters;
}

/** Whether the bytes that are percent-encoded are UTF-8. */
function isEncoded(text: string): boolean {
  const runs = text.match(/(?:%[0-9a-f]{2})+/gi) ?? [];
  return runs.every((run) => isUtf8(Buffer.from(run.replaceAll('%', ''), 'hex')));
}

/** The common query parameters of section 4.1; numbers out of their range are found later, with the other faults. */
export function queryArguments(parameters: URLSearchParams, usual = { withTotal: true }): QueryArguments {
  const where = filled(parameters, 'where');
  return {
    where,
    variables: variablesOf(parameters, where),
    sort: filled(parameters, 'sort'),
    expand: expandOf(parameters),
    limit: integerParameter(parameters, 'limit'),
    offset: integerParameter(parameters, 'offset'),
    withTotal: booleanParameter(parameters, 'withTotal') ?? usual.withTotal,
  };
}

/**
 * Parameters that fields declare, each in the form of its schema: texts, numbers, booleans, lists, and lists by the rest of
 * the name, as `searchKeywords.en`. Of one that is sent several times the first counts, but for lists.
 */
export function declaredParameters(fields: Fields, parameters: URLSearchParams): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, { kind }]): [string, unknown][] => {
      const value = declaredParameter(name, kind.schema.draft, parameters);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

function declaredParameter(name: string, { type }: JsonSchema, parameters: URLSearchParams): unknown {
  switch (type) {
    case 'boolean':
      return booleanParameter(parameters, name);
    case 'integer':
      return integerParameter(parameters, name);
    case 'object': {
      if (filled(parameters, name).length > 0)
        throw apiError('InvalidInput', `The parameter '${name}' is given with what it is for, as in '${name}.en=…'.`);
      const names = [...new Set(parameters.keys())].filter((each) => each.startsWith(`${name}.`));
      return Object.fromEntries(names.map((each) => [each.slice(name.length + 1), parameters.getAll(each)]));
    }
    case 'array': {
      const values = filled(parameters, name);
      return values.length === 0 ? undefined : values;
    }
    default:
      return filled(parameters, name)[0];
  }
}

/** What is to be expanded. */
export function expandOf(parameters: URLSearchParams): readonly string[] {
  return filled(parameters, 'expand');
}

/** A parameter without a value counts as absent. */
export function filled(parameters: URLSearchParams, name: string): readonly string[] {
  return parameters.getAll(name).filter((text) => text !== '');
}

/** Variables of predicates: `var.name`, and `name` alone where a predicate has `:name` and the parameter is none of these. */
function variablesOf(parameters: URLSearchParams, where: readonly string[]): QueryArguments['variables'] {
  const variables = new Map<string, readonly string[]>();
  for (const name of new Set(parameters.keys())) {
    if (name.startsWith(variablePrefix)) variables.set(name.slice(variablePrefix.length), parameters.getAll(name));
    else if (!ownNames.has(name) && !parameters.has(variablePrefix + name) && where.some((text) => names(text, name)))
      variables.set(name, parameters.getAll(name));
  }
  return variables;
}

const ownNames: ReadonlySet<string> = new Set(['where', 'sort', 'expand', 'limit', 'offset', 'withTotal']);

function names(predicate: string, variable: string): boolean {
  return variable !== '' && predicate.includes(`:${variable}`);
}

export function integerParameter(parameters: URLSearchParams, name: string): number | undefined {
  const [text] = filled(parameters, name);
  if (text === undefined) return undefined;
  if (/^-?\d{1,15}$/.test(text)) return Number(text);
  throw apiError('InvalidInput', `The parameter '${name}' is '${text.slice(0, 40)}', but an integer is expected.`);
}

export function booleanParameter(parameters: URLSearchParams, name: string): boolean | undefined {
  const [text] = filled(parameters, name);
  if (text === undefined) return undefined;
  if (text === 'true') return true;
  if (text === 'false') return false;
  throw apiError('InvalidInput', `The parameter '${name}' is '${text.slice(0, 40)}', but true or false is expected.`);
}

/** A path segment, decoded once. */
export function decodedSegment(segment: string): string {
  try {
    const text = decodeURIComponent(segment);
    if (!text.includes('\0')) return text;
  } catch {
    throw apiError('InvalidInput', `The path segment '${segment.slice(0, 40)}' is not percent-encoded correctly.`);
  }
  throw apiError(
    'InvalidInput',
    `The path segment '${segment.slice(0, 40)}' has a NUL character, which no text may have.`,
  );
}

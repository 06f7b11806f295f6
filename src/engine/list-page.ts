import { apiError } from '../errors/api-error.ts';
import type { OutputArguments } from '../fields/field.ts';
import { limitMax } from './operations/query.ts';

export interface ListPage<T> {
  readonly limit: number | undefined;
  readonly offset: number;
  readonly total: number;
  readonly results: readonly T[];
}

/** GraphQL has no larger integers. */
const offsetMax = 2 ** 31 - 1;

/**
 * A page of a list that a document holds, as GraphQL asks for it; without a limit all. Throws InvalidInput for bounds that no
 * page has. Whether a page may have none is nowhere said, so each list keeps to what it has had (our decision).
 */
export function pageOfList<T>(all: readonly T[], { limit, offset }: OutputArguments, limitMin: 0 | 1): ListPage<T> {
  const most = within('limit', limit, { min: limitMin, max: limitMax });
  const start = within('offset', offset, { min: 0, max: offsetMax }) ?? 0;
  const results = all.slice(start, most === undefined ? undefined : start + most);
  return { limit: most, offset: start, total: all.length, results };
}

function within(
  name: string,
  value: unknown,
  { min, max }: { readonly min: number; readonly max: number },
): number | undefined {
  // The schema has typed the argument.
  const number = (value ?? undefined) as number | undefined;
  if (number === undefined || (number >= min && number <= max)) return number;
  throw apiError(
    'InvalidInput',
    `The argument '${name}' is ${number}, but an integer from ${min} to ${max} is expected.`,
  );
}

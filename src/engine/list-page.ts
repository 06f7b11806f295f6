import type { OutputArguments } from '../fields/field.ts';
import { inRange } from './operations/query.ts';

export interface ListPage<T> {
  readonly limit: number | undefined;
  readonly offset: number;
  readonly total: number;
  readonly results: readonly T[];
}

export const emptyPage: ListPage<never> = { limit: undefined, offset: 0, total: 0, results: [] };

/** GraphQL has no larger integers. */
const integerMax = 2 ** 31 - 1;

/** Of a list that shows as a whole where no limit is given, so that any limit will do. */
const anyLimit = { min: 0, max: integerMax };

/**
 * A page of a list that a document holds, as GraphQL asks for it; without a limit all. Throws InvalidInput for bounds that no
 * page has.
 */
export function pageOfList<T>(
  all: readonly T[],
  { limit, offset }: OutputArguments,
  { min, max } = anyLimit,
): ListPage<T> {
  // The schema has typed the arguments.
  const most = typeof limit === 'number' ? inRange('limit', limit, min, max) : undefined;
  const start = typeof offset === 'number' ? inRange('offset', offset, 0, integerMax) : 0;
  const isWhole = most === undefined && start === 0;
  const results = isWhole ? all : all.slice(start, most === undefined ? undefined : start + most);
  return { limit: most, offset: start, total: all.length, results };
}

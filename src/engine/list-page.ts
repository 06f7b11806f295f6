import type { OutputArguments } from '../fields/field.ts';
import { inRange, limitMax } from './operations/query.ts';

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
  // The schema has typed the arguments.
  const most = typeof limit === 'number' ? inRange('limit', limit, limitMin, limitMax) : undefined;
  const start = typeof offset === 'number' ? inRange('offset', offset, 0, offsetMax) : 0;
  const isWhole = most === undefined && start === 0;
  const results = isWhole ? all : all.slice(start, most === undefined ? undefined : start + most);
  return { limit: most, offset: start, total: all.length, results };
}

import { ApiError } from '../errors/api-error.ts';
import type { Predicate } from './ast.ts';

/**
 * A stored predicate. One that another version took, and that says nothing here, holds for nothing, so that what others say
 * goes on.
 */
export function parsedOrNever(parse: (source: string) => Predicate, source: string): Predicate {
  try {
    return parse(source);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { kind: 'constant', value: false };
  }
}

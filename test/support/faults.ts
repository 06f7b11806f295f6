import { ApiError } from '../../src/errors/api-error.ts';
import type { Parsing } from '../../src/fields/parsing.ts';

/** The codes of what is wrong with what was parsed, each with its field or its message. */
export function faultsOf(parsing: Parsing): readonly string[] {
  try {
    parsing.settle();
    return [];
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return error.errors.map((element) => `${element.code} ${'field' in element ? element.field : element.message}`);
  }
}

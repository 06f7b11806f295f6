import { apiError } from '../errors/api-error.ts';
import { type FieldKind, optional, required, type ValueOf } from '../fields/field.ts';
import { object } from '../fields/object.ts';
import type { Parsing } from '../fields/parsing.ts';
import { enumeration } from '../fields/scalar.ts';
import { judgedAt } from './condition.ts';
import { reported } from './parsed-text.ts';
import { parsedTo, searchQuery } from './query.ts';
import { fieldMembers, nameInQueries, pathOf } from './query-fields.ts';
import type { Sort } from './sort.ts';

export const sortOrder = enumeration('SearchSortOrder', ['asc', 'desc']);

export const sortMode = enumeration('SearchSortMode', ['min', 'max', 'avg', 'sum']);

const members = {
  ...fieldMembers,
  order: required(sortOrder),
  mode: optional(sortMode),
  filter: optional(searchQuery),
};

const sorting = object('SearchSorting', members);

/** An element of `sort` (catalog 69). Of several values `asc` takes the lowest and `desc` the highest without a mode. */
export const searchSorting: FieldKind<Sort> = {
  ...parsedTo(sorting, meaning),
  examples: [{ field: 'variants.prices.centAmount', order: 'asc' }],
};

function meaning({ order, mode, filter, ...named }: ValueOf<typeof members>, parsing: Parsing): Sort | undefined {
  return reported(() => {
    const isDescending = order === 'desc';
    if (named.field === 'score') return { kind: 'score', isDescending };
    const path = pathOf(named);
    if ((mode === 'avg' || mode === 'sum') && path.class !== 'number')
      throw apiError(
        'InvalidInput',
        `The mode '${mode}' is for numbers, but '${nameInQueries(path)}' is of type ${path.class}.`,
      );
    const where = filter && judgedAt(filter, path.scope);
    return { kind: 'value', path, isDescending, mode: mode ?? (isDescending ? 'max' : 'min'), where };
  }, parsing);
}

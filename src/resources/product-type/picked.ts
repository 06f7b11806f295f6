import { emptyPage, pageOfList } from '../../engine/list-page.ts';
import type { FieldKind, OutputArguments, OutputField } from '../../fields/field.ts';
import { isObject } from '../../fields/object.ts';
import { pickingBy } from '../../fields/picking.ts';
import { fewSorts, parseSort, type Sort } from '../../predicate/sort.ts';

type Values = readonly Readonly<Record<string, unknown>>[];

/** Putting elements in an order takes so many times as long as to go through them. */
const sortCost = 16;

function sortsIn({ sort }: OutputArguments): readonly string[] {
  // The schema has typed the list.
  return (sort ?? []) as readonly string[];
}

/** Members of a list in GraphQL, of which a query picks some by name, in an order and in part. */
export function picked<T>(
  kind: FieldKind<T[]>,
  { name: shownAs, typeName, by }: { readonly name: string; readonly typeName: string; readonly by: 'Names' | 'Keys' },
): FieldKind<T[]> {
  const member = by === 'Names' ? 'name' : 'key';
  if (kind.shape.class !== 'list') throw new Error(`${typeName} is of no list`);
  const { item } = kind.shape;
  const picking = pickingBy(by);
  const read = (values: Values, args: OutputArguments): object => {
    const matching = picking.from(values, (value) => value[member], args);
    const order = fewSorts(sortsIn(args)).map((source) => parseSort(source, item));
    return pageOfList(order.length === 0 ? matching : sorted(matching, order), args);
  };
  const args = {
    ...picking.args,
    limit: 'Int',
    offset: 'Int',
    sort: '[String!]',
  };
  return {
    ...kind,
    output: {
      ...kind.output,
      fields: (name) => [
        {
          name: shownAs,
          type: `${typeName}!`,
          args,
          complexity: 1,
          // Stored values were parsed by the kind.
          read: (parent, given) => read(parent[name] as Values, given),
          empty: emptyPage,
          goesThrough: (parent, given) => {
            const { length } = parent[name] as Values;
            return picking.through(given, () => length) + sortCost * sortsIn(given).length * length;
          },
        },
      ],
      types: () => [
        ...kind.output.types(),
        {
          type: 'object',
          object: {
            name: typeName,
            fields: [
              plain('limit', 'Int'),
              plain('offset', 'Int'),
              plain('total', 'Int!'),
              plain('results', `${kind.output.item}!`),
            ],
          },
        },
      ],
    },
  };
}

function plain(name: string, type: string): OutputField {
  return { name, type, complexity: 1, read: (parent) => parent[name] };
}

function sorted<T>(values: readonly T[], order: readonly Sort[]): readonly T[] {
  const found = values.map((value) => ({ value, keys: order.map(({ path }) => valueAt(value, path)) }));
  return found.toSorted((one, other) => compared(one.keys, other.keys, order)).map(({ value }) => value);
}

type Keys = readonly ReturnType<typeof valueAt>[];

/** What has no value at a path comes last, as in lists of resources. */
function compared(one: Keys, other: Keys, order: readonly Sort[]): number {
  for (const [index, { isDescending }] of order.entries()) {
    const [left, right] = [one[index], other[index]];
    if (left === right) continue;
    if (left === undefined || right === undefined) return left === undefined ? 1 : -1;
    return left < right === isDescending ? 1 : -1;
  }
  return 0;
}

function valueAt(value: unknown, path: readonly string[]): string | number | boolean | undefined {
  const reached = path.reduce<unknown>(
    (holder, name) => (isObject(holder) && Object.hasOwn(holder, name) ? holder[name] : undefined),
    value,
  );
  // Paths of an order lead to such values.
  return reached as string | number | boolean | undefined;
}

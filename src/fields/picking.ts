/** How requests pick some of what there is, by lists of names, keys or ids: arguments of GraphQL fields, and parameters. */
import type { OutputField } from './field.ts';

/** By the lists: one may be asked about again and again, under many names and of many objects. */
const sets = new WeakMap<readonly unknown[], ReadonlySet<unknown>>();

function setOf(values: readonly unknown[]): ReadonlySet<unknown> {
  let set = sets.get(values);
  if (set === undefined) sets.set(values, (set = new Set(values)));
  return set;
}

/** Whether a value stands in an argument that is a list, which nobody changes. */
export function isAmong(value: unknown, list: unknown): boolean {
  return Array.isArray(list) && setOf(list).has(value);
}

interface Picking {
  readonly included: unknown;
  readonly excluded: unknown;
}

/** Those of a list whose names `included` has, where that is given, and `excluded` has not; the list itself where neither is. */
export function pickedOf<T>(
  values: readonly T[],
  nameOf: (value: T) => unknown,
  { included, excluded }: Picking,
): readonly T[] {
  if (!Array.isArray(included) && !Array.isArray(excluded)) return values;
  return values.filter((value) => {
    const name = nameOf(value);
    return (!Array.isArray(included) || isAmong(name, included)) && !isAmong(name, excluded);
  });
}

/** What a field of GraphQL has that gives those of a list with the names of `includeNames`, and never those of `excludeNames`. */
export function pickedByName<T extends { readonly name: string }>(
  listIn: (parent: Readonly<Record<string, unknown>>) => readonly T[],
): Required<Pick<OutputField, 'args' | 'read' | 'goesThrough'>> {
  return {
    args: { includeNames: '[String!]', excludeNames: '[String!]' },
    read: (parent, { includeNames, excludeNames }) =>
      pickedOf(listIn(parent), ({ name }) => name, { included: includeNames, excluded: excludeNames }),
    goesThrough: (parent) => listIn(parent).length,
  };
}

/** How arguments of GraphQL fields pick some of what a field has, by lists of names, keys or ids. */

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

/** Keeps the values of `included` where that is given, and never those of `excluded`. */
export function isPicked(
  value: unknown,
  { included, excluded }: { readonly included: unknown; readonly excluded?: unknown },
): boolean {
  return (!Array.isArray(included) || isAmong(value, included)) && !isAmong(value, excluded);
}

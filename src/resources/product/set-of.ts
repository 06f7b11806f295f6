/** A variable may have many thousand values, and be asked about again and again, under many names. */
const sets = new WeakMap<readonly unknown[], ReadonlySet<unknown>>();

/** Of a list that nobody changes. */
export function setOf(values: readonly unknown[]): ReadonlySet<unknown> {
  let set = sets.get(values);
  if (set === undefined) sets.set(values, (set = new Set(values)));
  return set;
}

import { type FieldKind, refined } from './field.ts';
import { list } from './list.ts';
import { isObject } from './object.ts';
import type { Parsing } from './parsing.ts';

/** A list that holds each value once. */
export function setOf<Value>(kind: FieldKind<Value>): FieldKind<Value[]> {
  return refined(list(kind), keptDistinct);
}

/** Has the list hold each value once. References are known to be the same when their targets are. */
export function keptDistinct<Value>(values: Value[], parsing: Parsing): Value[] {
  parsing.whenLoaded(() => {
    const distinct = new Map(values.map((value) => [textOf(value), value]));
    if (distinct.size < values.length) values.splice(0, values.length, ...distinct.values());
  });
  return values;
}

/** A text that values have in common when they are the same: those of an object stand in any order. */
export function textOf(value: unknown): string {
  return JSON.stringify(value, sortedMembers);
}

function sortedMembers(_: string, value: unknown): unknown {
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

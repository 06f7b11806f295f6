import { type FieldKind, required } from '../fields/field.ts';
import { list } from '../fields/list.ts';
import { type Action, action, type Document } from './define.ts';

/** An action that adds values to a list of distinct ones, such as roles; a value that is there already stays once. */
export function addTo(field: string, kind: FieldKind<string>): Action {
  return action({ [field]: required(list(kind)) }, (document: Document, input) => {
    document[field] = [...new Set([...valuesOf(document, field), ...valuesOf(input, field)])];
  });
}

/** An action that takes values out of a list; one that is not there changes nothing. */
export function removeFrom(field: string, kind: FieldKind<string>): Action {
  return action({ [field]: required(list(kind)) }, (document: Document, input) => {
    const removed = new Set(valuesOf(input, field));
    document[field] = valuesOf(document, field).filter((value) => !removed.has(value));
  });
}

/** The declared kind of the field holds texts. */
function valuesOf(holder: object, field: string): readonly string[] {
  return ((holder as Record<string, unknown>)[field] ?? []) as readonly string[];
}

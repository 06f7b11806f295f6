import { type FieldKind, optional, required } from '../fields/field.ts';
import { list } from '../fields/list.ts';
import type { StrongReference } from '../fields/parsing.ts';
import type { Action } from './resource.ts';
import { action, invalidOperation } from './actions.ts';
import type { Document } from './document.ts';
import { isSameReference, nameOf } from './references.ts';

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

/** An action that sets several optional fields at once, and removes those that it leaves out. */
export function setTogether(kinds: Readonly<Record<string, FieldKind<unknown>>>): Action {
  const fields = Object.fromEntries(Object.entries(kinds).map(([name, kind]) => [name, optional(kind)]));
  return action(fields, (document: Document, given: Readonly<Record<string, unknown>>) => {
    for (const name of Object.keys(kinds)) {
      if (given[name] === undefined) delete document[name];
      else document[name] = given[name];
    }
  });
}

/** An action that adds a link to a list of them; one that is there already changes nothing. */
export function addReference<Link extends StrongReference>(
  field: string,
  input: string,
  kind: FieldKind<Link>,
): Action {
  return action({ [input]: required(kind) }, (document: Document, given) => {
    const link = (given as Record<string, Link>)[input]!;
    const links = linksOf(document, field);
    if (!links.some((other) => isSameReference(other, link))) document[field] = [...links, link];
  });
}

/** An action that takes a link out of a list of them; it has to be there. */
export function removeReference<Link extends StrongReference>(
  field: string,
  input: string,
  kind: FieldKind<Link>,
): Action {
  return action({ [input]: required(kind) }, (document: Document, given) => {
    const link = (given as Record<string, Link>)[input]!;
    const links = linksOf(document, field);
    const others = links.filter((other) => !isSameReference(other, link));
    if (others.length === links.length)
      throw invalidOperation(`The ${link.typeId} '${nameOf(link)}' is not among ${field}.`);
    document[field] = others;
  });
}

/** The declared kind of the field holds links. */
function linksOf(document: Document, field: string): readonly StrongReference[] {
  return (document[field] ?? []) as readonly StrongReference[];
}

/** The declared kind of the field holds texts. */
function valuesOf(holder: object, field: string): readonly string[] {
  return ((holder as Record<string, unknown>)[field] ?? []) as readonly string[];
}

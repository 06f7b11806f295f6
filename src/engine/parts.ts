import type { ErrorElement } from '../errors/api-error.ts';
import { type Field, optional } from '../fields/field.ts';
import { key, text } from '../fields/scalar.ts';
import { invalidOperation } from './actions.ts';

/** A part of a resource that update actions name, such as an asset. */
interface Part {
  readonly id?: string;
  readonly key?: string;
}

/** A rule: the parts in the list `member` have different keys, as far as they have any. */
export function differentKeys(member: string): (document: object) => ErrorElement | undefined {
  // The declared kind of the member holds parts.
  return (document) => sameKeyFault(member, (document as Readonly<Record<string, readonly Part[]>>)[member] ?? []);
}

/** What is wrong with parts, called by the name of their list, of which two have one key. */
export function sameKeyFault(name: string, parts: readonly Part[]): ErrorElement | undefined {
  const seen = new Set<string>();
  for (const { key } of parts) {
    if (key !== undefined && seen.has(key)) {
      const message = `Two of ${name} have the key '${key}'.`;
      return { code: 'DuplicateField', message, field: `${name}.key`, duplicateValue: key };
    }
    if (key !== undefined) seen.add(key);
  }
  return undefined;
}

/**
 * What `find` gives of several holders of the same parts, such as the projections of a product. The first has to have it,
 * or `missing` is thrown; where others lack it, they are left out.
 */
export function foundIn<H, T>(
  holders: readonly H[],
  find: (holder: H) => T | undefined,
  missing: () => Error,
): readonly T[] {
  const found = holders.map(find);
  if (found[0] === undefined) throw missing();
  return found.filter((one) => one !== undefined);
}

/** A part in its list. */
interface Placed<P> {
  readonly parts: P[];
  readonly index: number;
}

/** How actions name a part, and how it is found by what they say. */
export interface PartNames<Names extends string> {
  /** Members of the actions. */
  readonly identifier: Readonly<Record<Names, Field<string, 'optional'>>>;
  /** Throws when no part, or none that is there, is named. */
  indexIn(parts: readonly Part[], input: Readonly<Partial<Record<Names, string>>>): number;
  /** The same for lists that may each have the part, of which the first has to. */
  placesIn<P extends Part>(
    lists: readonly P[][],
    input: Readonly<Partial<Record<Names, string>>>,
  ): readonly Placed<P>[];
}

/**
 * Parts, of the list at `path`, that actions name by `<noun>Id` or `<noun>Key`; the id counts where both are given.
 * The examples name the first one of the example draft.
 */
export function namedParts<const Noun extends string>(noun: Noun, path: string): PartNames<`${Noun}Id` | `${Noun}Key`> {
  const [idName, keyName] = [`${noun}Id`, `${noun}Key`];
  const identifier = { [idName]: optional(text([`{${path}[0].id}`])), [keyName]: optional(key()) };
  const placesIn: PartNames<string>['placesIn'] = (lists, input) => {
    const { [idName]: id, [keyName]: key } = input;
    if (id === undefined && key === undefined)
      throw invalidOperation(`The ${noun} has to be named by ${idName} or ${keyName}.`);
    return foundIn(
      lists,
      (parts) => {
        const index = parts.findIndex((part) => (id === undefined ? part.key === key : part.id === id));
        return index < 0 ? undefined : { parts, index };
      },
      () => invalidOperation(`There is no ${noun} '${id ?? key}'.`),
    );
  };
  return {
    // The names are those of the type.
    identifier: identifier as PartNames<`${Noun}Id` | `${Noun}Key`>['identifier'],
    // One list gives one place, or an error.
    indexIn: (parts, input) => placesIn([[...parts]], input)[0]!.index,
    placesIn,
  };
}

import { isDeepStrictEqual } from 'node:util';
import { type CustomFields, customFields } from '../fields/custom-fields.ts';
import { Parsing } from '../fields/parsing.ts';
import type { Document, Fixed } from './document.ts';
import type { ApplyContext } from './resource.ts';

interface Holder {
  readonly custom?: Fixed<CustomFields> | undefined;
}

type Given = Pick<ApplyContext, 'found'>;

/** Tells of parts of this kind which of those that are there have the custom fields of one that is given. */
export function sameCustom(resourceTypeId: string): (given: Holder, context: Given) => (known: Holder) => boolean {
  const { described } = customFields(resourceTypeId);
  /**
   * In the form in which they are stored, for they are completed after the last action. Faults are told then, and what is
   * named by its key in a field is found.
   */
  function completed(given: Fixed<CustomFields>, { found }: Given): Fixed<CustomFields> {
    const type = found.one('type', given.type.id);
    if (type === undefined) return given;
    const custom = structuredClone(given) as CustomFields;
    const parsing = new Parsing();
    // Nobody changes what describes others.
    described!(custom, { path: '', name: '' }, (part) => part.check(type as Document, undefined, parsing));
    for (const { id, target } of parsing.identifiers) if (id !== undefined) target.id = id;
    for (const complete of parsing.completions()) complete();
    return custom;
  }
  return ({ custom: given }, context) => {
    // Once for all that it is compared with.
    let complete: Fixed<CustomFields> | undefined;
    return ({ custom: known }) => {
      // What an action before has added is as it was given.
      if (isDeepStrictEqual(known, given)) return true;
      if (known === undefined || given === undefined) return false;
      complete ??= completed(given, context);
      return isDeepStrictEqual(known, complete);
    };
  };
}

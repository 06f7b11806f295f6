import { isDeepStrictEqual } from 'node:util';
import { type CustomFields, customFields } from '../fields/custom-fields.ts';
import { Parsing } from '../fields/parsing.ts';
import type { Document, Fixed } from './document.ts';
import type { ApplyContext } from './resource.ts';

interface Holder {
  readonly custom?: Fixed<CustomFields> | undefined;
}

/** Tells of parts of this kind whether one that is given has the custom fields of one that is there. */
export function sameCustom(
  resourceTypeId: string,
): (known: Holder, given: Holder, context: Pick<ApplyContext, 'found'>) => boolean {
  const { described } = customFields(resourceTypeId);
  /**
   * In the form in which they are stored, for they are completed after the last action. Faults are told then, and what is
   * named by its key in a field is found.
   */
  function completed(given: Fixed<CustomFields>, { found }: Pick<ApplyContext, 'found'>): Fixed<CustomFields> {
    const type = found.one('type', given.type.id);
    if (type === undefined) return given;
    const custom = structuredClone(given) as CustomFields;
    // Nobody changes what describes others.
    const parsing = new Parsing();
    described!(custom, { path: '', name: '' }, (part) => part.check(type as Document, undefined, parsing));
    for (const { id, target } of parsing.identifiers) if (id !== undefined) target.id = id;
    for (const complete of parsing.completions()) complete();
    return custom;
  }
  return ({ custom: known }, { custom: given }, context) =>
    // What an action before has added is as it was given.
    isDeepStrictEqual(known, given) ||
    (known !== undefined && given !== undefined && isDeepStrictEqual(known, completed(given, context)));
}

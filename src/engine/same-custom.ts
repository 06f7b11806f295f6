import { type CustomFields, customFields } from '../fields/custom-fields.ts';
import { Parsing } from '../fields/parsing.ts';
import { textOf } from '../fields/set.ts';
import type { Document, Fixed } from './document.ts';
import type { ApplyContext } from './resource.ts';

interface Holder {
  readonly custom?: Fixed<CustomFields> | undefined;
}

type Given = Pick<ApplyContext, 'found' | 'work'>;
/** To complete a value takes so many times as long as to write it. */
const completionCost = 8;

type Values = Fixed<CustomFields>['fields'];

interface SameCustom {
  /** Tells which of those that are there have the custom fields of one that is given. */
  withCustomOf(given: Holder, context: Given): (known: Holder) => boolean;
  /** Custom fields of their own, which are known to be the same. */
  copyCustom(custom: Fixed<CustomFields>, context: Given): CustomFields;
}

/**
 * Compares the custom fields of parts of this kind. One request may compare each of hundreds of parts with all others, so each
 * is written as a text once.
 */
export function sameCustom(resourceTypeId: string): SameCustom {
  const { described } = customFields(resourceTypeId);
  /** Of the values that a request knows, which actions replace and do not change. */
  const texts = new WeakMap<Given['found'], WeakMap<Values, string>>();
  /**
   * In the form in which they are stored, for what a request adds is completed after its last action. Faults are told then,
   * and what is named by its key in a field is found.
   */
  function completed(given: Fixed<CustomFields>, { found }: Pick<Given, 'found'>): Fixed<CustomFields> {
    const type = found.one('type', given.type.id);
    if (type === undefined) return given;
    const custom = structuredClone(given) as CustomFields;
    const parsing = new Parsing();
    // Nobody changes what describes others.
    described!(custom, { path: '', name: '' }, (part) => part.check(type as Document, undefined, parsing));
    for (const { id, target } of parsing.identifiers) if (id !== undefined) target.id = id;
    for (const complete of parsing.completions()) complete();
    // What is wrong is like nothing that is right.
    return parsing.faultCount === 0 ? custom : given;
  }
  function textIn({ custom }: Holder, context: Given): string {
    if (custom === undefined) return '';
    let known = texts.get(context.found);
    if (known === undefined) texts.set(context.found, (known = new WeakMap()));
    let text = known.get(custom.fields);
    if (text === undefined) {
      known.set(custom.fields, (text = textOf(completed(custom, context))));
      context.work.bytes += completionCost * text.length;
    }
    return text;
  }
  return {
    withCustomOf: (given, context) => (known) => textIn(known, context) === textIn(given, context),
    copyCustom: (custom, context) => {
      const copy = structuredClone(custom) as CustomFields;
      const known = texts.get(context.found);
      const text = known?.get(custom.fields);
      if (text !== undefined) known!.set(copy.fields, text);
      return copy;
    },
  };
}

import {
  type CustomFields,
  customFieldsMembers,
  customFieldsMemberTypes,
  customTypeMembers,
  parseJsonText,
  readCustomFields,
} from '../fields/custom-fields.ts';
import { type Fields, optional, required, type ValueOf } from '../fields/field.ts';
import { json } from '../fields/json.ts';
import { inputFields } from '../fields/object.ts';
import { text } from '../fields/scalar.ts';
import type { Action } from './resource.ts';
import { action, invalidOperation } from './actions.ts';
import type { Document } from './document.ts';

/** A value with custom fields: a resource, or a part of one. */
interface Holder {
  custom?: CustomFields;
}

/** Finds what has the custom fields: the resource, or parts of it that the members of `identifier` name. */
type HolderOf<D extends object, F extends Fields> = (document: D, input: ValueOf<F>) => Holder | readonly Holder[];

/** An action of the holder that takes `members` besides its identifier. */
function holderAction<D extends object, F extends Fields, const M extends Fields>(
  { holderOf, identifier }: { readonly holderOf: HolderOf<D, F>; readonly identifier: F },
  members: M,
  apply: (holder: Holder, input: ValueOf<M>) => void,
): Action {
  return action({ ...identifier, ...members } as Fields, (document: D, input) => {
    // Parsed by both sets of fields. Values are checked and completed where they stand, so each holder has its own.
    for (const holder of [holderOf(document, input as ValueOf<F>)].flat())
      apply(holder, structuredClone(input) as ValueOf<M>);
  });
}

/** Sets type and fields of the holder anew, or takes them away. */
export function setCustomType<D extends object, const F extends Fields = Fields>(
  holderOf: HolderOf<D, F>,
  identifier = {} as F,
): Action {
  return {
    ...holderAction({ holderOf, identifier }, customTypeMembers, (holder, { type, fields }) => {
      if (type === undefined) delete holder.custom;
      else holder.custom = { type, fields: fields ?? {} };
    }),
    input: {
      fields: [...inputFields(identifier), ...customFieldsMembers],
      types: customFieldsMemberTypes,
      read: (input) => ({ ...namedBy(identifier, input), ...(readCustomFields(input) as object) }),
    },
  };
}

const fieldMembers = { name: required(text(['note'])), value: optional(json()) };

/** Sets one field of the holder, or takes it away; one that is not there cannot be taken away. */
export function setCustomField<D extends object, const F extends Fields = Fields>(
  holderOf: HolderOf<D, F>,
  identifier = {} as F,
): Action {
  return {
    ...holderAction({ holderOf, identifier }, fieldMembers, ({ custom }, { name, value }) => {
      if (custom === undefined)
        throw invalidOperation(`The custom field '${name}' cannot be set without a custom type.`);
      // A client may name anything; assigned, `__proto__` would not become a member.
      if (value === undefined && !Object.hasOwn(custom.fields, name))
        throw invalidOperation(`There is no custom field '${name}' to remove.`);
      const { [name]: _, ...others } = custom.fields;
      custom.fields = value === undefined ? others : { ...custom.fields, [name]: value };
    }),
    input: {
      fields: [...inputFields(identifier), { name: 'name', type: 'String!' }, { name: 'value', type: 'String' }],
      types: () => [],
      // The schema has typed the members.
      read: (input) => {
        const { name, value } = input as { name: string; value?: string | null };
        const read = typeof value === 'string' ? { value: parseJsonText(name, value) } : {};
        return { ...namedBy(identifier, input), name, ...read };
      },
    },
  };
}

function namedBy(identifier: Fields, input: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.keys(identifier).map((name) => [name, input[name]]));
}

/** Resources that have these actions declare the member `custom`. */
function itself(document: Document): Holder {
  return document as Holder;
}

/** `setCustomType` and `setCustomField` of a resource (specification 4.3). Values are checked after the last action. */
export const customActions = {
  setCustomType: setCustomType(itself),
  setCustomField: setCustomField(itself),
};

import {
  type CustomFields,
  customFieldsMembers,
  customFieldsMemberTypes,
  customTypeMembers,
  parseJsonText,
  readCustomFields,
} from '../fields/custom-fields.ts';
import { optional, required } from '../fields/field.ts';
import { json } from '../fields/json.ts';
import { text } from '../fields/scalar.ts';
import { type Action, action, type ActionInput, type Document, invalidOperation } from './define.ts';

/** A value with custom fields: a resource, or a part of one. */
interface Holder {
  custom?: CustomFields;
}

/** Resources that have these actions declare the member `custom`. */
function itself(document: Document): Holder {
  return document as Holder;
}

/** Sets type and fields of the holder anew, or takes them away. */
export function setCustomType(holderOf: (document: Document) => Holder): Action {
  return {
    ...action(customTypeMembers, (document: Document, { type, fields }) => {
      const holder = holderOf(document);
      if (type === undefined) delete holder.custom;
      else holder.custom = { type, fields: fields ?? {} };
    }),
    input: typeInput,
  };
}

/** Sets one field of the holder, or takes it away; one that is not there cannot be taken away. */
export function setCustomField(holderOf: (document: Document) => Holder): Action {
  return {
    ...action({ name: required(text(['note'])), value: optional(json()) }, (document: Document, { name, value }) => {
      const { custom } = holderOf(document);
      if (custom === undefined)
        throw invalidOperation(`The custom field '${name}' cannot be set without a custom type.`);
      if (value !== undefined) custom.fields[name] = value;
      else if (Object.hasOwn(custom.fields, name)) delete custom.fields[name];
      else throw invalidOperation(`There is no custom field '${name}' to remove.`);
    }),
    input: fieldInput,
  };
}

const typeInput: ActionInput = {
  fields: customFieldsMembers,
  types: customFieldsMemberTypes,
  read: readCustomFields,
};

const fieldInput: ActionInput = {
  fields: [
    { name: 'name', type: 'String!' },
    { name: 'value', type: 'String' },
  ],
  types: () => [],
  // The schema has typed the members.
  read: (input) => {
    const { name, value } = input as { name: string; value?: string | null };
    return { name, ...(typeof value === 'string' && { value: parseJsonText(name, value) }) };
  },
};

/** `setCustomType` and `setCustomField` of a resource (specification 4.3). Values are checked after the last action. */
export const customActions = {
  setCustomType: setCustomType(itself),
  setCustomField: setCustomField(itself),
};

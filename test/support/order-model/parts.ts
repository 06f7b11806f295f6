/** What the model has of parts of orders: how they are named, and their custom fields. */
import { isDeepStrictEqual } from 'node:util';
import type { Input } from './inputs.ts';
import type { Telling } from './messages.ts';
import { type Custom, refuse } from './world.ts';

/** The part that an action names by its id or its key, and not by both (orders 21). */
export function named<T extends { id: string; key?: string }>(parts: readonly T[], noun: string, input: Input): T {
  const { [`${noun}Id`]: id, [`${noun}Key`]: key } = input as unknown as Readonly<Record<string, string | undefined>>;
  if ((id === undefined) === (key === undefined)) refuse('InvalidInput');
  const part = parts.find((one) => (id === undefined ? one.key === key : one.id === id));
  return part ?? refuse('InvalidOperation');
}

interface Holder {
  custom?: Custom | undefined;
}

interface CustomMessage {
  readonly type: string;
  readonly payload: object;
}

/** Custom fields as a client gives them, by the id of their type. */
export function customOf({ world }: Telling, { fields = {} }: { readonly fields?: Record<string, unknown> }): Custom {
  return { type: { typeId: 'type', id: world.typeId }, fields };
}

/** Sets or removes the custom fields, and gives what is to be told of it, if it is of something that is told of. */
export function customType(telling: Telling, holder: Holder, { type, fields }: Input): readonly CustomMessage[] {
  const old = holder.custom;
  const previous = old === undefined ? {} : { previousTypeId: old.type.id };
  if (type === undefined) {
    delete holder.custom;
    return old === undefined ? [] : [{ type: 'CustomTypeRemoved', payload: previous }];
  }
  const customFields = customOf(telling, fields === undefined ? {} : { fields });
  holder.custom = structuredClone(customFields);
  if (isDeepStrictEqual(old, customFields)) return [];
  return [{ type: 'CustomTypeSet', payload: { customFields, ...previous } }];
}

/** The same of one of the fields. */
export function customField({ custom }: Holder, { name: given, value }: Input): readonly CustomMessage[] {
  const name = given!;
  if (custom === undefined) refuse('InvalidOperation');
  const { [name]: old } = custom.fields;
  if (value === undefined || value === null) {
    if (old === undefined) refuse('InvalidOperation');
    delete custom.fields[name];
    return [{ type: 'CustomFieldRemoved', payload: { name } }];
  }
  custom.fields[name] = value;
  if (isDeepStrictEqual(old, value)) return [];
  if (old === undefined) return [{ type: 'CustomFieldAdded', payload: { name, value } }];
  return [{ type: 'CustomFieldChanged', payload: { name, value, previousValue: old } }];
}

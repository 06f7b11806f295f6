import { action, invalidOperation } from '../../engine/actions.ts';
import type { Action } from '../../engine/resource.ts';
import { apiError } from '../../errors/api-error.ts';
import { type FieldKind, required } from '../../fields/field.ts';
import { list } from '../../fields/list.ts';
import { text } from '../../fields/scalar.ts';
import { textOf } from '../../fields/set.ts';
import { definitionOf, named } from './actions.ts';
import { type EnumValue, localizedEnumValue, plainEnumValue, unwrapped } from './attribute-type.ts';
import { logChange } from './changes.ts';
import { enumKeyExists, enumKeyUnknown } from './errors.ts';
import type { ProductType } from './fields.ts';

/** The values of an attribute whose type is one of these enumerations, or a set of one. They are the type's own. */
function valuesOf(type: ProductType, name: string, ...enumerations: readonly string[]): EnumValue[] {
  const { innermost } = unwrapped(definitionOf(type, name).type);
  if (!enumerations.includes(innermost.name))
    throw invalidOperation(
      `The attribute '${name}' is of type ${innermost.name}, but ${enumerations.join(' or ')} is expected.`,
    );
  // Enumerations have values, and the working copy is nobody else's.
  return innermost.values as EnumValue[];
}

function indexOf(values: readonly EnumValue[], name: string, key: string): number {
  const index = values.findIndex((value) => value.key === key);
  if (index < 0) throw enumKeyUnknown(name, key);
  return index;
}

function addValue(enumeration: string, kind: FieldKind<EnumValue>): Action {
  return action({ ...named, value: required(kind) }, (type: ProductType, { attributeName: name, value }) => {
    const values = valuesOf(type, name, enumeration);
    if (values.some(({ key }) => key === value.key)) throw enumKeyExists(name, value.key);
    values.push(value);
  });
}

export const addPlainEnumValue = addValue('enum', plainEnumValue);
export const addLocalizedEnumValue = addValue('lenum', localizedEnumValue);

function changeValueLabel(enumeration: string, kind: FieldKind<EnumValue>): Action {
  return action({ ...named, newValue: required(kind) }, (type: ProductType, input, { internals }) => {
    const { attributeName: name, newValue: value } = input;
    const values = valuesOf(type, name, enumeration);
    const index = indexOf(values, name, value.key);
    if (textOf(values[index]) === textOf(value)) return;
    values[index] = value;
    logChange(type, { change: 'enumLabelChanged', name, value }, internals);
  });
}

export const changePlainEnumValueLabel = changeValueLabel('enum', plainEnumValue);
export const changeLocalizedEnumValueLabel = changeValueLabel('lenum', localizedEnumValue);

function changeValueOrder(enumeration: string, kind: FieldKind<EnumValue>): Action {
  return action({ ...named, values: required(list(kind)) }, (type: ProductType, input) => {
    const values = valuesOf(type, input.attributeName, enumeration);
    if (sortedTexts(values) !== sortedTexts(input.values))
      throw apiError(
        'EnumValuesMustMatch',
        `The order has to hold the values of '${input.attributeName}' as they are, with their labels, each once.`,
      );
    values.splice(0, values.length, ...input.values);
  });
}

function sortedTexts(values: readonly EnumValue[]): string {
  return JSON.stringify(values.map(textOf).toSorted());
}

export const changePlainEnumValueOrder = changeValueOrder('enum', plainEnumValue);
export const changeLocalizedEnumValueOrder = changeValueOrder('lenum', localizedEnumValue);

const key = required(text(['small']));

export const changeEnumKey = action(
  { ...named, key, newKey: required(text(['tiny'])) },
  (type: ProductType, { attributeName: name, key, newKey: to }, { internals }) => {
    const values = valuesOf(type, name, 'enum', 'lenum');
    const index = indexOf(values, name, key);
    if (to === key) return;
    if (values.some((other) => other.key === to)) throw enumKeyExists(name, to);
    values[index] = { ...values[index]!, key: to };
    logChange(type, { change: 'enumKeyRenamed', name, key, to }, internals);
  },
);

/** Whether a required attribute of a product has one of the values is checked with the last action. */
export const removeEnumValues = action(
  { ...named, keys: required(list(key.kind)) },
  (type: ProductType, { attributeName: name, keys }, { internals }) => {
    const values = valuesOf(type, name, 'enum', 'lenum');
    const distinct = [...new Set(keys)];
    if (distinct.length === 0) return;
    for (const key of distinct) values.splice(indexOf(values, name, key), 1);
    logChange(type, { change: 'enumValuesRemoved', name, keys: distinct }, internals);
  },
);

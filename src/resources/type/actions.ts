import type { Action } from '../../engine/resource.ts';
import { action, invalidOperation } from '../../engine/actions.ts';
import { apiError } from '../../errors/api-error.ts';
import { type FieldKind, required } from '../../fields/field.ts';
import { list } from '../../fields/list.ts';
import { localizedString } from '../../fields/localized-string.ts';
import { text } from '../../fields/scalar.ts';
import {
  enumValue,
  type FieldDefinition,
  fieldDefinition,
  inputHint,
  localizedEnumValue,
  type Type,
} from './fields.ts';

const fieldName = required(text(['size']));

export const addFieldDefinition = action({ fieldDefinition: required(fieldDefinition) }, (type: Type, input) => {
  type.fieldDefinitions.push(input.fieldDefinition);
});

/** Resources that hold a value of the field lose it in the background, or when their custom fields are changed before. */
export const removeFieldDefinition = action({ fieldName }, (type: Type, input) => {
  type.fieldDefinitions.splice(type.fieldDefinitions.indexOf(definitionOf(type, input.fieldName)), 1);
});

export const changeLabel = action({ fieldName, label: required(localizedString()) }, (type: Type, input) => {
  definitionOf(type, input.fieldName).label = input.label;
});

export const changeInputHint = action({ fieldName, inputHint: required(inputHint) }, (type: Type, input) => {
  definitionOf(type, input.fieldName).inputHint = input.inputHint;
});

export const changeFieldDefinitionOrder = action(
  { fieldNames: required(list(text(['size']))) },
  (type: Type, input) => {
    type.fieldDefinitions = reordered(type.fieldDefinitions, input.fieldNames, ({ name }) => name);
  },
);

interface Keyed {
  readonly key: string;
}

function addValue(formName: string, kind: FieldKind<Keyed>): Action {
  return action({ fieldName, value: required(kind) }, (type: Type, input) => {
    const { fieldName: name, value } = input;
    const values = valuesOf(type, name, formName);
    if (values.some((other) => other.key === value.key)) {
      throw apiError('DuplicateField', `The field '${name}' has the value '${value.key}' already.`, {
        field: 'value.key',
        duplicateValue: value.key,
      });
    }
    values.push(value);
  });
}

export const addEnumValue = addValue('Enum', enumValue);
export const addLocalizedEnumValue = addValue('LocalizedEnum', localizedEnumValue);

function changeValueLabel(formName: string, kind: FieldKind<Keyed>): Action {
  return action({ fieldName, value: required(kind) }, (type: Type, input) => {
    const { fieldName: name, value } = input;
    const values = valuesOf(type, name, formName);
    const index = values.findIndex((other) => other.key === value.key);
    if (index < 0) throw invalidOperation(`The field '${name}' has no value '${value.key}'.`);
    values[index] = value;
  });
}

export const changeEnumValueLabel = changeValueLabel('Enum', enumValue);
export const changeLocalizedEnumValueLabel = changeValueLabel('LocalizedEnum', localizedEnumValue);

function changeValueOrder(formName: string): Action {
  return action({ fieldName, keys: required(list(text(['small']))) }, (type: Type, input) => {
    const values = valuesOf(type, input.fieldName, formName);
    values.splice(0, values.length, ...reordered(values, input.keys, ({ key }) => key));
  });
}

export const changeEnumValueOrder = changeValueOrder('Enum');
export const changeLocalizedEnumValueOrder = changeValueOrder('LocalizedEnum');

function definitionOf(type: Type, name: string): FieldDefinition {
  const definition = type.fieldDefinitions.find((other) => other.name === name);
  if (definition === undefined) throw invalidOperation(`The type has no field '${name}'.`);
  return definition;
}

/** The values of an enum field, or of a set of enums. */
function valuesOf(type: Type, name: string, formName: string): Keyed[] {
  const definition = definitionOf(type, name);
  // A set has an element type, and an enum has values.
  const form = (definition.type.name === 'Set' ? definition.type['elementType'] : definition.type) as {
    name: string;
    values: Keyed[];
  };
  if (form.name !== formName)
    throw invalidOperation(`The field '${name}' is of type ${form.name}, but ${formName} is expected.`);
  return form.values;
}

/** The elements in the order of `names`, which have to be all of theirs, each once. */
function reordered<T>(elements: readonly T[], names: readonly string[], nameOf: (element: T) => string): T[] {
  const byName = new Map(elements.map((element) => [nameOf(element), element]));
  if (names.length !== byName.size || new Set(names).size !== names.length || !names.every((name) => byName.has(name)))
    throw invalidOperation(`The order has to name each of ${[...byName.keys()].join(', ')} once.`);
  return names.map((name) => byName.get(name)!);
}

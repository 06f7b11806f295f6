import type { Fixed } from '../../engine/document.ts';
import type { ErrorElement } from '../../errors/api-error.ts';
import type { FieldDefinition, Type } from './fields.ts';

/** Field names, and the keys of an enum's values, are unique. */
export function uniqueNames({ fieldDefinitions }: Fixed<Type>): ErrorElement | undefined {
  return (
    duplicateOf(
      'fieldDefinitions.name',
      fieldDefinitions.map(({ name }) => name),
    ) ?? fieldDefinitions.map(duplicateValue).find((error) => error !== undefined)
  );
}

function duplicateValue({ name, type }: FieldDefinition): ErrorElement | undefined {
  // A set has an element type; only enums have values.
  const form = (type.name === 'Set' ? type['elementType'] : type) as { values?: readonly { key: string }[] };
  return duplicateOf(
    `fieldDefinitions.${name}.type.values.key`,
    (form.values ?? []).map(({ key }) => key),
  );
}

function duplicateOf(field: string, names: readonly string[]): ErrorElement | undefined {
  const duplicate = names.find((name, index) => names.indexOf(name) < index);
  if (duplicate === undefined) return undefined;
  return {
    code: 'DuplicateField',
    message: `A duplicate value '${duplicate}' exists for field '${field}'.`,
    field,
    duplicateValue: duplicate,
  };
}

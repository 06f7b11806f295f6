import { change, set } from '../../engine/actions.ts';
import { defineResource } from '../../engine/define.ts';
import {
  addEnumValue,
  addFieldDefinition,
  addLocalizedEnumValue,
  changeEnumValueLabel,
  changeEnumValueOrder,
  changeFieldDefinitionOrder,
  changeInputHint,
  changeLabel,
  changeLocalizedEnumValueLabel,
  changeLocalizedEnumValueOrder,
  removeFieldDefinition,
} from './actions.ts';
import type { Description, Fixed } from '../../engine/document.ts';
import { exampleDefinitions, fields, resourceTypeIds, type Type } from './fields.ts';
import { uniqueNames } from './rules.ts';

export const type = defineResource({
  kind: 'type',
  typeName: 'TypeDefinition',
  schemaName: 'Type',
  path: 'types',
  scopes: { view: ['view_types'], manage: ['manage_types'] },
  maxPerProject: 1000,
  fields,
  actions: {
    changeKey: change('key'),
    changeName: change('name'),
    setDescription: set('description'),
    addFieldDefinition,
    removeFieldDefinition,
    changeFieldDefinitionLabel: changeLabel,
    changeLabel,
    changeInputHint,
    changeFieldDefinitionOrder,
    addEnumValue,
    addLocalizedEnumValue,
    changeEnumValueLabel,
    changeLocalizedEnumValueLabel,
    changeEnumValueOrder,
    changeLocalizedEnumValueOrder,
  },
  rules: [uniqueNames],
  describesParts: { mark: fieldNames },
  graphql: {
    many: 'typeDefinitions',
    updateAction: 'TypeUpdateAction',
    actionNoun: 'Type',
    actions: { changeFieldDefinitionLabel: null },
    members: { 'FieldDefinitionInput.inputHint': 'TextInputHint!' },
  },
  examples: {
    // Custom fields of every kind name the example type.
    draft: { resourceTypeIds, fieldDefinitions: exampleDefinitions },
    actions: {
      addFieldDefinition: { fieldDefinition: { ...exampleDefinitions[0], name: 'weight' } },
      changeFieldDefinitionOrder: { fieldNames: ['color', 'note', 'size'] },
      addEnumValue: { value: { key: 'medium', label: 'Medium' } },
      changeEnumValueLabel: { value: { key: 'small', label: 'S' } },
      changeEnumValueOrder: { keys: ['large', 'small'] },
      addLocalizedEnumValue: { fieldName: 'color', value: { key: 'blue', label: { en: 'Blue' } } },
      changeLocalizedEnumValueLabel: { fieldName: 'color', value: { key: 'red', label: { en: 'Scarlet' } } },
      changeLocalizedEnumValueOrder: { fieldName: 'color', keys: ['green', 'red'] },
    },
  },
});

/** A field that is defined again before its values have gone keeps them. */
function fieldNames({ document }: Description): string {
  // Stored types were parsed by their kind.
  const { fieldDefinitions } = document as unknown as Fixed<Type>;
  return JSON.stringify(fieldDefinitions.map(({ name }) => name).toSorted());
}

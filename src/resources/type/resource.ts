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
import { exampleDefinitions, fields, resourceTypeIds } from './fields.ts';
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

import { change, set } from '../../engine/actions.ts';
import { defineResource } from '../../engine/define.ts';
import type { Action } from '../../engine/resource.ts';
import {
  addAttributeDefinition,
  changeAttributeConstraint,
  changeAttributeName,
  changeAttributeOrder,
  changeAttributeOrderByName,
  changeInputHint,
  changeIsSearchable,
  changeLabel,
  removeAttributeDefinition,
  setInputTip,
} from './actions.ts';
import { definedNames, removedRequiredValues } from './along.ts';
import { followedChanges, sameTypes, unusedEnumValues } from './checks.ts';
import {
  addLocalizedEnumValue,
  addPlainEnumValue,
  changeEnumKey,
  changeLocalizedEnumValueLabel,
  changeLocalizedEnumValueOrder,
  changePlainEnumValueLabel,
  changePlainEnumValueOrder,
  removeEnumValues,
} from './enum-actions.ts';
import { exampleDefinitions, fields } from './fields.ts';
import { differentEnumKeys, differentNames, possibleDemands } from './rules.ts';

const attributeActions: Readonly<Record<string, Action>> = {
  addAttributeDefinition,
  removeAttributeDefinition,
  changeAttributeName,
  changeAttributeConstraint,
  changeAttributeOrder,
  changeAttributeOrderByName,
  changeLabel,
  setInputTip,
  changeInputHint,
  changeIsSearchable,
  addPlainEnumValue,
  addLocalizedEnumValue,
  changePlainEnumValueLabel,
  changeLocalizedEnumValueLabel,
  changePlainEnumValueOrder,
  changeLocalizedEnumValueOrder,
  changeEnumKey,
  removeEnumValues,
};

const actions = {
  setKey: set('key'),
  changeName: change('name'),
  changeDescription: change('description'),
  ...attributeActions,
};

const [{ values: sizes }, finishes] = [exampleDefinitions[1].type, exampleDefinitions[2].type.elementType.values];

export const productType = defineResource({
  kind: 'product-type',
  typeName: 'ProductTypeDefinition',
  schemaName: 'ProductType',
  path: 'product-types',
  scopes: {
    view: ['view_products', 'view_product_types'],
    manage: ['manage_products', 'manage_product_types'],
  },
  maxPerProject: 1000,
  fields,
  actions,
  rules: [differentNames, differentEnumKeys, possibleDemands],
  checks: [sameTypes, unusedEnumValues, followedChanges],
  along: async (...change) => (await Promise.all([definedNames(...change), removedRequiredValues(...change)])).flat(),
  graphql: {
    one: 'productType',
    many: 'productTypes',
    mutation: 'ProductType',
    draft: 'ProductTypeDraft',
    updateAction: 'ProductTypeUpdateAction',
    // The inputs of actions are called as the actions are.
    actions: {
      ...Object.fromEntries(Object.keys(actions).map((name) => [name, name])),
      changeAttributeConstraint: null,
    },
    members: { 'AttributeDefinitionDraft.isSearchable': 'Boolean!' },
  },
  examples: {
    draft: { attributes: exampleDefinitions },
    actions: {
      addAttributeDefinition: { attribute: { ...exampleDefinitions[0], name: 'weight' } },
      changeAttributeName: { newAttributeName: 'shade' },
      changeAttributeConstraint: { newValue: 'None' },
      changeAttributeOrder: { attributes: exampleDefinitions.toReversed() },
      changeAttributeOrderByName: { attributeNames: exampleDefinitions.map(({ name }) => name).toReversed() },
      addPlainEnumValue: { attributeName: 'size', value: { key: 'medium', label: 'Medium' } },
      changePlainEnumValueLabel: { attributeName: 'size', newValue: { key: 'small', label: 'S' } },
      changePlainEnumValueOrder: { attributeName: 'size', values: sizes.toReversed() },
      addLocalizedEnumValue: { attributeName: 'finish', value: { key: 'green', label: { en: 'Green' } } },
      changeLocalizedEnumValueLabel: { attributeName: 'finish', newValue: { key: 'red', label: { en: 'Scarlet' } } },
      changeLocalizedEnumValueOrder: { attributeName: 'finish', values: finishes.toReversed() },
      changeEnumKey: { attributeName: 'size' },
      removeEnumValues: { attributeName: 'size', keys: ['small'] },
    },
  },
});

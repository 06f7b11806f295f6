import { action, change, invalidOperation, set } from '../../engine/actions.ts';
import { defineResource } from '../../engine/define.ts';
import { required } from '../../fields/field.ts';
import { attribute, type AttributeGroup, fields } from './fields.ts';

export const attributeGroup = defineResource({
  kind: 'attribute-group',
  typeName: 'AttributeGroup',
  path: 'attribute-groups',
  scopes: { view: ['view_attribute_groups'], manage: ['manage_attribute_groups'] },
  fields,
  actions: {
    setKey: set('key'),
    changeName: change('name'),
    setDescription: set('description'),
    setAttributes: change('attributes'),
    addAttribute: action({ attribute: required(attribute) }, ({ attributes }: AttributeGroup, given) => {
      if (!attributes.some(({ key }) => key === given.attribute.key)) attributes.push(given.attribute);
    }),
    removeAttribute: action({ attribute: required(attribute) }, ({ attributes }: AttributeGroup, given) => {
      const index = attributes.findIndex(({ key }) => key === given.attribute.key);
      if (index < 0) throw invalidOperation(`The group has no attribute '${given.attribute.key}'.`);
      attributes.splice(index, 1);
    }),
  },
  graphql: { interfaces: ['Versioned'] },
});

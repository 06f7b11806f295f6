import { customActions } from '../../engine/custom-actions.ts';
import { change, set } from '../../engine/actions.ts';
import { defineResource } from '../../engine/define.ts';
import { draft, fields } from './fields.ts';
import { messages } from './messages.ts';

export const customerGroup = defineResource({
  kind: 'customer-group',
  typeName: 'CustomerGroup',
  path: 'customer-groups',
  scopes: {
    view: ['view_customers', 'view_customer_groups'],
    manage: ['manage_customers', 'manage_customer_groups'],
  },
  isExtensible: true,
  maxPerProject: 1000,
  isKeptParsed: true,
  fields,
  draft,
  // The draft names the group by another word than the resource.
  create: ({ groupName, ...given }) => ({ ...given, name: groupName }),
  actions: { setKey: set('key'), changeName: change('name'), ...customActions },
  messages,
  uniqueValues: ({ name }) => [{ field: 'name', value: name }],
});

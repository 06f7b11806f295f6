import { defineResource } from '../../engine/define.ts';
import { draft, fields } from './fields.ts';

export const keyValueDocument = defineResource({
  kind: 'key-value-document',
  typeName: 'CustomObject',
  path: 'custom-objects',
  scopes: {
    view: ['view_key_value_documents', 'view_products', 'view_orders', 'view_customers'],
    manage: ['manage_key_value_documents', 'manage_products', 'manage_orders', 'manage_customers'],
  },
  lifecycle: 'upserted',
  keyMembers: ['container', 'key'],
  holdsPersonalData: true,
  fields,
  draft,
  create: ({ container, key, value }) => ({ container, key, value }),
  actions: {},
});

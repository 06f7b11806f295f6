import { set } from '../../engine/actions.ts';
import { customActions } from '../../engine/custom-actions.ts';
import { defineResource } from '../../engine/define.ts';
import { addStagedAction, setStagedActions } from './actions.ts';
import { apply } from './apply.ts';
import { draft, fields } from './fields.ts';
import { types } from './messages.ts';
import { graphql } from './names.ts';
import { previewOf } from './preview.ts';

/** What is to become of an order that was placed: actions that are kept, and applied together when somebody says so. */
export const orderEdit = defineResource({
  kind: 'order-edit',
  typeName: 'OrderEdit',
  path: 'orders/edits',
  scopes: { view: ['view_order_edits'], manage: ['manage_order_edits'] },
  maxPerProject: 100_000,
  followedBy: 'viewers',
  // Where an order is deleted without that, its edits stay and say so (orders 18).
  erasedWith: { member: 'resource', kind: 'order' },
  fields,
  draft,
  create: ({ dryRun: _, ...given }) => ({ ...given, result: { type: 'NotProcessed' } }),
  preview: { member: 'result', of: previewOf },
  actions: {
    setKey: set('key'),
    setComment: set('comment'),
    setStagedActions,
    addStagedAction,
    ...customActions,
  },
  // What is to be tested is stored.
  examples: { full: { dryRun: undefined } },
  endpoints: [apply],
  messages: { types, about: 'order' },
  graphql,
});

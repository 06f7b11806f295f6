import { defineResource } from '../../engine/define.ts';
import { differentKeys } from '../../engine/parts.ts';
import { paymentsOf } from '../cart/offers.ts';
import { actions } from './actions/actions.ts';
import { examples } from './examples.ts';
import { draft, fields, ownDraft, ownMembers } from './fields.ts';
import { fromCart } from './from-cart.ts';
import { indexed } from './indexed.ts';
import { importOrder } from './import.ts';
import { messages } from './messages.ts';
import { graphql } from './names.ts';
import { differentPartKeys } from './part-keys.ts';
import { taken } from './rules.ts';

/** What was bought, and what becomes of it. Nothing of it is computed: it costs what its cart did. */
export const order = defineResource({
  kind: 'order',
  typeName: 'Order',
  path: 'orders',
  scopes: { view: ['view_orders'], manage: ['manage_orders'] },
  isExtensible: true,
  inStore: { member: 'store', isReadOnly: false },
  followedBy: 'viewers',
  holdsPersonalData: true,
  keyMembers: ['orderNumber'],
  indexed,
  fields,
  draft,
  createWith: fromCart,
  actions,
  computation: {
    // A transition is judged by the state before it. Nothing follows from states.
    reads: { state: ['state.id'] },
    readsAll: [],
    compute: () => {},
  },
  mine: {
    path: 'orders',
    scopes: ['manage_my_orders'],
    owners: { customer: 'customerId', anonymous: 'anonymousId' },
    lifecycle: 'final',
    isNamedById: true,
    draft: ownMembers,
    draftMembers: ownDraft,
    actions: [],
    graphql: { create: 'createMyOrderFromCart', draft: 'OrderMyCartCommand' },
  },
  endpoints: [importOrder],
  rules: [differentKeys('lineItems'), differentKeys('customLineItems'), differentPartKeys],
  messages,
  uniqueValues: paymentsOf,
  lostRace: taken,
  examples,
  graphql,
});

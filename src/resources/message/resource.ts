import { defineResource } from '../../engine/define.ts';
import type { MessageType } from '../../engine/messages.ts';
import type { Resource } from '../../engine/resource.ts';
import { messagesDays } from '../project/fields.ts';
import { fieldsOf } from './fields.ts';

/** What writes of other kinds have told, with all types that these declare. */
export function messageOf(types: readonly MessageType[]): Resource {
  return defineResource({
    kind: 'message',
    typeName: 'Message',
    path: 'messages',
    followedBy: 'viewers',
    scopes: { view: ['view_messages'], manage: [] },
    lifecycle: 'told',
    // Those of a customer's tokens are about the tokens.
    erasedWith: { member: 'resource', byId: { customer: 'customerId' } },
    keptDays: ({ messages }) => messages?.deleteDaysAfterCreation ?? messagesDays,
    keyMembers: [],
    fields: fieldsOf(types),
    // What they are asked for by. Orders by number and by moment are made of what this finds.
    indexed: { type: true, resource: true, customerId: true },
    actions: {},
    // In GraphQL they are asked for by a key as well, which none has.
    finding: { one: { key: { unique: 'key' } }, many: {}, form: {}, shown: () => {} },
    graphql: { hasMutations: false },
  });
}

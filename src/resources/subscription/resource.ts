import { action, set } from '../../engine/actions.ts';
import { defineResource } from '../../engine/define.ts';
import { required } from '../../fields/field.ts';
import { destination, masked } from './destination.ts';
import { type Subscription, fields } from './fields.ts';
import { formatFault, isDeliverable, somethingIsHeard } from './rules.ts';

/** Who is told of writes of other resources; `listeners.ts` says of which, and `send.ts` tells them. */
export const subscription = defineResource({
  kind: 'subscription',
  typeName: 'CommercetoolsSubscription',
  schemaName: 'Subscription',
  path: 'subscriptions',
  scopes: { view: ['manage_subscriptions'], manage: ['manage_subscriptions'] },
  followedBy: 'viewers',
  maxPerProject: 50,
  fields,
  create: (draft, { internals }) => ({
    ...draft,
    status: 'Healthy' as const,
    destination: masked(draft.destination, internals),
  }),
  actions: {
    setKey: set('key'),
    setMessages: set('messages'),
    setChanges: set('changes'),
    setEvents: set('events'),
    changeDestination: action(
      { destination: required(destination) },
      (document: Subscription, input, { internals }) => {
        document.destination = masked(input.destination, internals);
        document.status = 'Healthy';
      },
    ),
  },
  rules: [somethingIsHeard, formatFault],
  checks: [isDeliverable],
  graphql: {
    one: 'subscription',
    mutation: 'Subscription',
    draft: 'SubscriptionDraft',
    updateAction: 'SubscriptionUpdateAction',
    actionNoun: 'Subscription',
    interfaces: ['Versioned'],
    actions: { changeDestination: 'ChangeSubscriptionDestination' },
    members: {
      'SetSubscriptionMessages.messages': '[MessageSubscriptionInput!]!',
      'SetSubscriptionChanges.changes': '[ChangeSubscriptionInput!]!',
      'SetSubscriptionEvents.events': '[EventSubscriptionInput!]!',
      'CommercetoolsSubscription.events': '[EventSubscription!]',
      'SQSDestinationInput.authenticationMode': 'AwsAuthenticationMode = Credentials',
      'SNSDestinationInput.authenticationMode': 'AwsAuthenticationMode = Credentials',
    },
  },
  examples: { draft: { changes: [{ resourceTypeId: 'zone' }] }, needed: ['changes'] },
});

import type { DocumentOf } from '../../engine/document.ts';
import { assigned, defaulted, optional, required } from '../../fields/field.ts';
import { list } from '../../fields/list.ts';
import { object } from '../../fields/object.ts';
import { oneOf } from '../../fields/one-of.ts';
import { enumeration, key, text } from '../../fields/scalar.ts';
import { destination } from './destination.ts';

/** Kinds of the public API that leave messages, whether or not this platform has them. */
const tellingKinds = [
  'approval-flow',
  'approval-rule',
  'associate-role',
  'business-unit',
  'category',
  'customer',
  'customer-email-token',
  'customer-group',
  'customer-password-token',
  'inventory-entry',
  'order',
  'payment',
  'product',
  'product-selection',
  'product-tailoring',
  'quote',
  'quote-request',
  'review',
  'shopping-list',
  'staged-quote',
  'standalone-price',
  'store',
] as const;

/** Those whose changes may be heard of. */
const changingKinds = [
  'approval-flow',
  'approval-rule',
  'associate-role',
  'attribute-group',
  'business-unit',
  'cart',
  'cart-discount',
  'category',
  'channel',
  'customer',
  'customer-email-token',
  'customer-group',
  'customer-password-token',
  'discount-code',
  'discount-group',
  'extension',
  'inventory-entry',
  'key-value-document',
  'order',
  'order-edit',
  'payment',
  'product',
  'product-discount',
  'product-selection',
  'product-tailoring',
  'product-type',
  'quote',
  'quote-request',
  'recurrence-policy',
  'recurring-order',
  'review',
  'shipping-method',
  'shopping-list',
  'staged-quote',
  'standalone-price',
  'state',
  'store',
  'subscription',
  'tax-category',
  'type',
  'zone',
] as const;

const types = defaulted({ ...list(text()), examples: [[]] }, () => []);

const messages = list(
  object(
    'MessageSubscription',
    {
      resourceTypeId: required({
        ...enumeration('MessageSubscriptionResourceTypeId', tellingKinds, 'String'),
        examples: ['order', 'payment'],
      }),
      /** None stands for all. */
      types,
    },
    { input: 'MessageSubscriptionInput' },
  ),
);

const changes = list(
  object(
    'ChangeSubscription',
    {
      resourceTypeId: required({
        ...enumeration('ChangeSubscriptionResourceTypeId', changingKinds, 'String'),
        examples: ['zone', 'cart'],
      }),
    },
    { input: 'ChangeSubscriptionInput' },
  ),
);

/** Of services that this platform does not have. */
const events = list(
  object(
    'EventSubscription',
    {
      resourceTypeId: required(enumeration('EventSubscriptionResourceTypeId', ['checkout', 'import-api'], 'String')),
      types,
    },
    { input: 'EventSubscriptionInput' },
  ),
);

const format = oneOf(
  'NotificationFormat',
  {
    Platform: { typeName: 'PlatformFormat', input: 'PlatformFormatInput', fields: {} },
    CloudEvents: {
      typeName: 'CloudEventsSubscriptionsFormat',
      input: 'CloudEventsSubscriptionsFormatInput',
      fields: { cloudEventsVersion: required(enumeration('CloudEventsVersion', ['1.0'], 'String')) },
    },
  },
  { input: 'SubscriptionFormatInput' },
);

export const statuses = [
  'Healthy',
  'ConfigurationError',
  'ConfigurationErrorDeliveryStopped',
  'TemporaryError',
  'ManuallySuspended',
] as const;

export type Status = (typeof statuses)[number];

export const fields = {
  key: optional(key()),
  destination: required(destination),
  messages: defaulted(messages, () => []),
  changes: defaulted(changes, () => []),
  events: defaulted(events, () => []),
  format: defaulted(format, () => ({ type: 'Platform' })),
  /** What became of the last notifications. */
  status: assigned(enumeration('SubscriptionHealthStatus', statuses), () => 'Healthy' as const),
};

export type Subscription = DocumentOf<typeof fields>;

/** Where notifications go. What is secret in it is kept beside the document. */
import type { Internals } from '../../engine/document.ts';
import { assigned, defaulted, optional, required } from '../../fields/field.ts';
import { headerValue, httpAuthentication, httpUrl, mask, secretOf } from '../../fields/http-call.ts';
import { type Branch, oneOf, type Tagged } from '../../fields/one-of.ts';
import { enumeration, text } from '../../fields/scalar.ts';

/** Destinations that take another protocol than HTTP, or a cloud's own account. */
const notServed: Pick<Branch, 'check' | 'examples'> = {
  check: ({ type }, parsing) =>
    parsing.fault(
      'InvalidInput',
      (field) =>
        `The destination '${field}' of type ${String(type)} is not available in this version; HTTP, EventGrid, SQS and ` +
        'GoogleCloudPubSub are.',
    ),
  examples: [],
};

const authenticationMode = defaulted(
  enumeration('AwsAuthenticationMode', ['Credentials', 'IAM']),
  () => 'Credentials' as const,
);

export const destination = oneOf(
  'Destination',
  {
    HTTP: {
      typeName: 'HttpSubscriptionDestination',
      input: 'HttpSubscriptionDestinationInput',
      fields: {
        url: required(httpUrl('http://subscriptions.example.org:8099/notifications')),
        authentication: optional(httpAuthentication),
      },
    },
    EventGrid: {
      typeName: 'EventGridDestination',
      input: 'EventGridDestinationInput',
      fields: {
        uri: required(httpUrl('http://subscriptions.example.org:8099/events')),
        accessKey: required(headerValue('example-key')),
      },
      // The other format is what drafts have by default.
      examples: [],
    },
    SQS: {
      typeName: 'SQSDestination',
      input: 'SQSDestinationInput',
      fields: {
        queueUrl: required(httpUrl('http://subscriptions.example.org:8099/queues/notifications')),
        accessKey: optional(headerValue('EXAMPLEKEY')),
        accessSecret: optional(headerValue('example-secret')),
        region: required(headerValue('eu-central-1')),
        authenticationMode,
      },
      // Roles are for those who run in the cloud that has them.
      check: ({ accessKey, accessSecret, authenticationMode: mode }, parsing) => {
        if (mode === 'Credentials' && accessKey !== undefined && accessSecret !== undefined) return;
        parsing.fault(
          'InvalidInput',
          (field) =>
            `The destination '${field}' of type SQS needs 'accessKey' and 'accessSecret', and the authenticationMode Credentials.`,
        );
      },
      // They answer otherwise than the server of the examples.
      examples: [],
    },
    SNS: {
      typeName: 'SNSDestination',
      input: 'SNSDestinationInput',
      fields: {
        topicArn: required(text()),
        accessKey: optional(text()),
        accessSecret: optional(text()),
        authenticationMode,
      },
      ...notServed,
    },
    AzureServiceBus: {
      typeName: 'AzureServiceBusDestination',
      input: 'AzureServiceBusDestinationInput',
      fields: { connectionString: required(text()) },
      ...notServed,
    },
    GoogleCloudPubSub: {
      typeName: 'GoogleCloudPubSubDestination',
      input: 'GoogleCloudPubSubDestinationInput',
      fields: { projectId: required(text()), topic: required(text()) },
      examples: [],
    },
    EventBridge: {
      typeName: 'EventBridgeDestination',
      input: 'EventBridgeDestinationInput',
      fields: { region: required(text()), accountId: required(text()), source: assigned(text()) },
      ...notServed,
    },
    ConfluentCloud: {
      typeName: 'ConfluentCloudDestination',
      input: 'ConfluentCloudDestinationInput',
      fields: {
        bootstrapServer: required(text()),
        apiKey: required(text()),
        apiSecret: required(text()),
        acks: required(text()),
        topic: required(text()),
        key: optional(text()),
      },
      ...notServed,
    },
  },
  { input: 'DestinationInput' },
);

/** The name of the secret in what is kept beside the document. */
const secretName = 'secret';

/** Their secrets, where these are members of their own. */
const secretMembers: ReadonlyMap<string, string> = new Map([
  ['EventGrid', 'accessKey'],
  ['SQS', 'accessSecret'],
]);

/** The destination as it is stored and read. Its secret goes to `internals`. */
export function masked(given: Tagged, internals: Record<string, unknown>): Tagged {
  delete internals[secretName];
  const own = secretMembers.get(given.type);
  if (own !== undefined) {
    internals[secretName] = given[own];
    return { ...given, [own]: mask };
  }
  // The destination was parsed by its kind.
  const authenticated = given['authentication'] as Tagged | undefined;
  if (authenticated === undefined) return given;
  const { member } = secretOf(authenticated);
  internals[secretName] = authenticated[member];
  return { ...given, authentication: { ...authenticated, [member]: mask } };
}

/** Of a destination that has one. */
export function storedSecret(internals: Internals): string {
  return String(internals[secretName]);
}

import { type OutputField, optional, type ValueOf } from './field.ts';
import { object } from './object.ts';
import { reference } from './reference.ts';
import { text } from './scalar.ts';

const initiatorFields = {
  clientId: optional(text()),
  externalUserId: optional(text()),
  customer: optional(reference('customer', 'Customer', { strength: 'loose' })),
  anonymousId: optional(text()),
};

function plain(name: string, type: string, member = name): OutputField {
  return { name, type, complexity: 1, read: (parent) => parent[member] };
}

/** GraphQL gives references unexpanded, and has members for principals of other platforms, which are absent here. */
const output: readonly OutputField[] = [
  { name: 'isPlatformClient', type: 'Boolean', complexity: 1, read: () => false },
  plain('clientId', 'String'),
  plain('externalUserId', 'String'),
  plain('anonymousId', 'String'),
  plain('customerRef', 'Reference', 'customer'),
  plain('userRef', 'Reference'),
  plain('associateRef', 'Reference'),
];

/** Who created or last modified a resource (specification 2.7). */
export type Initiator = ValueOf<typeof initiatorFields>;

export function initiator(): ReturnType<typeof object<typeof initiatorFields>> {
  return object('Initiator', initiatorFields, { output });
}

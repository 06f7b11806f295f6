import { type OutputField, optional, type ValueOf } from './field.ts';
import { object } from './object.ts';
import { reference } from './reference.ts';
import { text } from './scalar.ts';

const initiatorFields = {
  clientId: optional(text()),
  externalUserId: optional(text()),
  customer: optional(reference('customer', 'Customer', 'loose')),
  anonymousId: optional(text()),
};

/** GraphQL gives the customer as a reference only. */
const output: readonly OutputField[] = [
  ...['clientId', 'externalUserId', 'anonymousId'].map((name): OutputField => {
    return { name, type: 'String', complexity: 1, read: (parent) => parent[name] };
  }),
  { name: 'customerRef', type: 'Reference', complexity: 1, read: (parent) => parent['customer'] },
];

/** Who created or last modified a resource (specification 2.7). */
export type Initiator = ValueOf<typeof initiatorFields>;

export function initiator(): ReturnType<typeof object<typeof initiatorFields>> {
  return object('Initiator', initiatorFields, output);
}

import type { DocumentOf } from '../../engine/document.ts';
import { emailLengthMax } from '../../engine/accounts.ts';
import { address } from '../../fields/address.ts';
import { customFields } from '../../fields/custom-fields.ts';
import {
  assigned,
  assignedOptional,
  defaulted,
  type FieldKind,
  optional,
  type OutputField,
  refined,
  required,
  type ValueOf,
} from '../../fields/field.ts';
import { list } from '../../fields/list.ts';
import { object } from '../../fields/object.ts';
import { keyReference, reference } from '../../fields/reference.ts';
import { boolean, date, enumeration, integer, key, locale, text } from '../../fields/scalar.ts';
import { anonymousCartId, visitor } from '../cart/fields.ts';

/** Clients have customers whose addresses no mail reaches, so no more is asked of one (decisions.md #159). */
export const email = refined(text(['jane@example.org']), (value, parsing) => {
  const isTrimmed = value !== '' && value === value.trim();
  if (isTrimmed && value.length <= emailLengthMax) return value;
  return parsing.wrongValue(
    value,
    `an email address of 1 to ${emailLengthMax} characters, without white space at its ends`,
  );
});

const customerNumberLengthMax = 256;

export const customerNumber = refined(text(['C-1001']), (value, parsing) =>
  value.length <= customerNumberLengthMax
    ? value
    : parsing.wrongValue(value, `at most ${customerNumberLengthMax} characters`),
);
export const authenticationMode = enumeration('AuthenticationMode', ['Password', 'ExternalAuth']);
export const customerGroup = reference('customer-group', 'CustomerGroup');
export const customerGroupAssignment = object('CustomerGroupAssignment', {
  customerGroup: required(customerGroup),
});
export const store = keyReference('store', 'Store');
const stores = list(store);

const person = {
  firstName: optional(text(['Jane'])),
  lastName: optional(text(['Doe'])),
  middleName: optional(text()),
  title: optional(text(['Dr.'])),
  salutation: optional(text()),
  dateOfBirth: optional(date()),
  companyName: optional(text()),
  vatId: optional(text()),
  locale: optional(locale()),
};

const settable = {
  key: optional(key()),
  customerNumber: optional(customerNumber),
  externalId: optional(text()),
  email: required(email),
  ...person,
  isEmailVerified: defaulted(boolean(), () => false),
  customerGroup: optional(customerGroup),
  customerGroupAssignments: defaulted(list(customerGroupAssignment), () => []),
  stores: defaulted(stores, () => []),
  authenticationMode: defaulted(authenticationMode, () => 'Password' as const),
  custom: optional(customFields('customer')),
};

interface Addressed {
  readonly addresses: readonly { readonly id?: string }[];
}

const goesThrough = ({ addresses }: Readonly<Record<string, unknown>>): number =>
  (addresses as readonly unknown[]).length;

/** GraphQL gives the addresses beside their ids. */
function addressId(resolved: string): FieldKind<string> {
  const read = (parent: Readonly<Record<string, unknown>>, id: unknown): unknown =>
    (parent as unknown as Addressed).addresses.find((one) => one.id === id) ?? null;
  return withOutput(text(), (name) => [
    { name, type: 'String', complexity: 1, read: (parent) => parent[name] },
    { name: resolved, type: 'Address', complexity: 1, goesThrough, read: (parent) => read(parent, parent[name]) },
  ]);
}

function addressIds(resolved: string): FieldKind<string[]> {
  const read = (parent: Readonly<Record<string, unknown>>, given: readonly unknown[]): unknown => {
    const ids = new Set(given);
    return (parent as unknown as Addressed).addresses.filter(({ id }) => ids.has(id));
  };
  return withOutput(list(text()), (name) => [
    { name, type: '[String!]!', complexity: 1, read: (parent) => parent[name] },
    {
      name: resolved,
      type: '[Address!]!',
      complexity: 1,
      goesThrough,
      read: (parent) => read(parent, parent[name] as readonly unknown[]),
    },
  ]);
}

function withOutput<Value>(kind: FieldKind<Value>, fields: (name: string) => readonly OutputField[]): FieldKind<Value> {
  return { ...kind, output: { ...kind.output, fields } };
}

export const fields = {
  ...settable,
  /** Shows that there is a password, and when it has changed; the hash is kept beside the customer. */
  password: assignedOptional(text()),
  addresses: assigned(list(address())),
  defaultShippingAddressId: assignedOptional(addressId('defaultShippingAddress')),
  shippingAddressIds: assigned(addressIds('shippingAddresses')),
  defaultBillingAddressId: assignedOptional(addressId('defaultBillingAddress')),
  billingAddressIds: assigned(addressIds('billingAddresses')),
};

/** The place of an address in the draft. */
const place: FieldKind<number> = { ...integer({ min: 0, type: 'Int' }), examples: [0] };

const addresses = {
  addresses: defaulted(list(address()), () => []),
  defaultShippingAddress: optional(place),
  shippingAddresses: defaulted(list(place), () => []),
  defaultBillingAddress: optional(place),
  billingAddresses: defaulted(list(place), () => []),
};

export const newPassword = text(['correct horse 1']);

export const draft = {
  ...settable,
  ...addresses,
  /** Needed unless the customer signs in elsewhere. */
  password: optional(newPassword),
  ...visitor,
  anonymousCartId,
};

/** What customers say of themselves when they sign up. */
export const ownMembers: ReadonlySet<string> = new Set([
  'key',
  'email',
  'password',
  ...Object.keys(person),
  ...Object.keys(addresses),
  'custom',
  'stores',
]);

export type CustomerDraft = ValueOf<typeof draft>;
export type Customer = DocumentOf<typeof fields>;
export type Address = Customer['addresses'][number];

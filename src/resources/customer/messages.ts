import type { MessagesDeclaration } from '../../engine/define.ts';
import { type Fixed, versioned } from '../../engine/document.ts';
import { messageType, type MessageType, told } from '../../engine/messages.ts';
import {
  completed,
  customMessages,
  ofItself,
  type Teller,
  tellsChange,
  tellsLast,
  tellsParts,
  tellsSet,
  whenChanged,
} from '../../engine/tellers.ts';
import { address } from '../../fields/address.ts';
import { embedded } from '../../fields/embedded.ts';
import { optional, required } from '../../fields/field.ts';
import { list } from '../../fields/list.ts';
import { boolean, dateTime, enumeration, text } from '../../fields/scalar.ts';
import { type Address, type Customer, customerGroup, customerGroupAssignment, fields, store } from './fields.ts';

const created = messageType('CustomerCreated', {
  customer: required(embedded<Customer>('Customer', { ...versioned, ...fields })),
});
const deleted = messageType('CustomerDeleted', { email: optional(text()) });
const emailChanged = messageType('CustomerEmailChanged', { email: required(text()), oldEmail: required(text()) });
export const emailVerified = messageType('CustomerEmailVerified', {});
export const passwordUpdated = messageType('CustomerPasswordUpdated', { reset: required(boolean()) });

const ofToken = {
  customerId: required(text()),
  expiresAt: required(dateTime()),
  /** Of a token that soon ends. */
  value: optional(text()),
  invalidateOlderTokens: required(boolean()),
};
export const emailTokenCreated = messageType('CustomerEmailTokenCreated', ofToken);
export const passwordTokenCreated = messageType('CustomerPasswordTokenCreated', ofToken);

const companyNameSet = messageType('CustomerCompanyNameSet', { companyName: fields.companyName });
const dateOfBirthSet = messageType('CustomerDateOfBirthSet', { dateOfBirth: fields.dateOfBirth });
const externalIdSet = messageType('CustomerExternalIdSet', { externalId: fields.externalId });
const firstNameSet = messageType('CustomerFirstNameSet', { firstName: fields.firstName });
const lastNameSet = messageType('CustomerLastNameSet', { lastName: fields.lastName });
const titleSet = messageType('CustomerTitleSet', { title: fields.title });

const ofAddress = { address: required(address()) };
const roles = ['Shipping', 'Billing'] as const;
const ofAddressInUse = { ...ofAddress, addressRoles: required(list(enumeration('AddressRole', roles))) };
const addressAdded = messageType('CustomerAddressAdded', ofAddress);
const addressChanged = messageType('CustomerAddressChanged', ofAddressInUse);
const addressRemoved = messageType('CustomerAddressRemoved', ofAddressInUse);
const billingAdded = messageType('CustomerBillingAddressAdded', ofAddress);
const billingRemoved = messageType('CustomerBillingAddressRemoved', ofAddress);
const shippingAdded = messageType('CustomerShippingAddressAdded', ofAddress);
const shippingRemoved = messageType('CustomerShippingAddressRemoved', ofAddress);
const anyAddress = { address: optional(address()) };
const defaultBillingSet = messageType('CustomerDefaultBillingAddressSet', anyAddress);
const defaultShippingSet = messageType('CustomerDefaultShippingAddressSet', anyAddress);

const groupSet = messageType('CustomerGroupSet', { customerGroup: optional(customerGroup) });
const ofAssignment = { customerGroupAssignment: required(customerGroupAssignment) };
const assignmentAdded = messageType('CustomerGroupAssignmentAdded', ofAssignment);
const assignmentRemoved = messageType('CustomerGroupAssignmentRemoved', ofAssignment);
const assignments = list(customerGroupAssignment);
const assignmentsSet = messageType('CustomerGroupAssignmentsSet', {
  customerGroupAssignments: required(assignments),
  oldCustomerGroupAssignments: required(assignments),
});
const storesSet = messageType('CustomerStoresSet', {
  stores: required(list(store)),
  oldStores: required(list(store)),
});

const custom = customMessages(
  'Customer',
  { resourceTypeId: 'customer', typeId: 'previousTypeId', value: 'previousValue' },
  ofItself,
);

function addressOf(customer: Fixed<Customer>, { addressId, addressKey }: Readonly<Record<string, unknown>>): Shown {
  return customer.addresses.find(({ id, key }) => (addressId === undefined ? key === addressKey : id === addressId));
}

const addressCustom = customMessages<Customer>(
  'CustomerAddress',
  {
    resourceTypeId: 'address',
    typeId: 'previousTypeId',
    value: 'previousValue',
    part: { addressId: required(text()) },
  },
  { holder: addressOf, part: (_, { addressId }) => ({ addressId }) },
);

type Shown = Fixed<Address> | undefined;

/** An address as it was after an action, with its custom fields as they are stored. */
function shown(one: Fixed<Address>, { addresses }: Fixed<Customer>): Fixed<Address> {
  return completed(
    one,
    addresses.find(({ id }) => id === one.id),
  );
}

interface InUse {
  readonly address: Fixed<Address>;
  readonly addressRoles: ('Shipping' | 'Billing')[];
}

/** The address that an action names, and its uses. */
function inUse(customer: Fixed<Customer>, input: Readonly<Record<string, unknown>>): InUse | undefined {
  const { shippingAddressIds, billingAddressIds } = customer;
  const uses = { Shipping: shippingAddressIds, Billing: billingAddressIds };
  const address = addressOf(customer, input);
  return address && { address, addressRoles: roles.filter((role) => uses[role].includes(address.id!)) };
}

type OfAddress = MessageType<typeof ofAddress>;

/** That the address is in use, or not any more. */
function tellsUse(use: 'shippingAddressIds' | 'billingAddressIds', type: OfAddress): Teller {
  return whenChanged<Customer, boolean>(
    (customer, input) => customer[use].includes(addressOf(customer, input)?.id ?? ''),
    ({ document, input }) => {
      const address = structuredClone(addressOf(document, input)!);
      return [told(type, (customer: Fixed<Customer>) => ({ address: shown(address, customer) }))];
    },
  );
}

function tellsDefault(
  name: 'defaultShippingAddressId' | 'defaultBillingAddressId',
  type: MessageType<typeof anyAddress>,
): Teller {
  return whenChanged<Customer, Shown>(
    ({ addresses, ...customer }) => addresses.find(({ id }) => id === customer[name]),
    ({ after }) => [told(type, (customer: Fixed<Customer>) => ({ address: after && shown(after, customer) }))],
  );
}

const tellsStores = tellsChange(storesSet, 'stores');

export const messages: MessagesDeclaration<Customer> = {
  types: [
    created,
    deleted,
    emailChanged,
    emailVerified,
    passwordUpdated,
    emailTokenCreated,
    passwordTokenCreated,
    companyNameSet,
    dateOfBirthSet,
    externalIdSet,
    firstNameSet,
    lastNameSet,
    titleSet,
    addressAdded,
    addressChanged,
    addressRemoved,
    billingAdded,
    billingRemoved,
    shippingAdded,
    shippingRemoved,
    defaultBillingSet,
    defaultShippingSet,
    groupSet,
    assignmentAdded,
    assignmentRemoved,
    assignmentsSet,
    storesSet,
    ...custom.types,
    ...addressCustom.types,
  ],
  created: (customer) => [told(created, { customer })],
  deleted: ({ email }) => [told(deleted, { email })],
  actions: {
    changeEmail: tellsChange(emailChanged, 'email'),
    setCompanyName: tellsSet(companyNameSet, 'companyName'),
    setDateOfBirth: tellsSet(dateOfBirthSet, 'dateOfBirth'),
    setExternalId: tellsSet(externalIdSet, 'externalId'),
    setFirstName: tellsSet(firstNameSet, 'firstName'),
    setLastName: tellsSet(lastNameSet, 'lastName'),
    setTitle: tellsSet(titleSet, 'title'),
    addAddress: tellsLast<Customer, Fixed<Address>>(
      ({ addresses }) => addresses,
      (one) => told(addressAdded, (customer: Fixed<Customer>) => ({ address: shown(one, customer) })),
    ),
    // With the address the action may change the key that names it.
    changeAddress: whenChanged<Customer, InUse | undefined>(inUse, ({ before, document }) => {
      const { address: was, addressRoles } = before!;
      const is = structuredClone(document.addresses.find(({ id }) => id === was.id)!);
      return [told(addressChanged, (customer: Fixed<Customer>) => ({ address: shown(is, customer), addressRoles }))];
    }),
    removeAddress: whenChanged<Customer, InUse | undefined>(inUse, ({ before }) => [told(addressRemoved, before!)]),
    addShippingAddressId: tellsUse('shippingAddressIds', shippingAdded),
    removeShippingAddressId: tellsUse('shippingAddressIds', shippingRemoved),
    setDefaultShippingAddress: tellsDefault('defaultShippingAddressId', defaultShippingSet),
    addBillingAddressId: tellsUse('billingAddressIds', billingAdded),
    removeBillingAddressId: tellsUse('billingAddressIds', billingRemoved),
    setDefaultBillingAddress: tellsDefault('defaultBillingAddressId', defaultBillingSet),
    setAddressCustomType: addressCustom.setCustomType,
    setAddressCustomField: addressCustom.setCustomField,
    setCustomerGroup: tellsSet(groupSet, 'customerGroup'),
    setCustomerGroupAssignments: tellsChange(assignmentsSet, 'customerGroupAssignments'),
    addCustomerGroupAssignment: tellsParts(assignmentsOf, {
      added: (customerGroupAssignment) => told(assignmentAdded, { customerGroupAssignment }),
    }),
    removeCustomerGroupAssignment: tellsParts(assignmentsOf, {
      removed: (customerGroupAssignment) => told(assignmentRemoved, { customerGroupAssignment }),
    }),
    setStores: tellsStores,
    addStore: tellsStores,
    removeStore: tellsStores,
    setCustomType: custom.setCustomType,
    setCustomField: custom.setCustomField,
  },
};

type Assignment = Customer['customerGroupAssignments'][number];

function assignmentsOf(customer: Fixed<Customer>): readonly [string, Fixed<Assignment>][] {
  return customer.customerGroupAssignments.map((each) => [each.customerGroup.id, each]);
}

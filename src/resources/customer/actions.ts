import { callerOf, claimsOf, passwordHashName } from '../../engine/accounts.ts';
import type { RequestContext } from '../../engine/context.ts';
import { setCustomField, setCustomType } from '../../engine/custom-actions.ts';
import type { Action, Engine } from '../../engine/resource.ts';
import { action, invalidOperation } from '../../engine/actions.ts';
import { isSameReference } from '../../engine/references.ts';
import { namedParts } from '../../engine/parts.ts';
import { apiError } from '../../errors/api-error.ts';
import { address } from '../../fields/address.ts';
import { optional, required } from '../../fields/field.ts';
import {
  type Address,
  authenticationMode,
  type Customer,
  customerGroup,
  customerGroupAssignment,
  customerNumber,
  email,
  newPassword,
} from './fields.ts';
import { maskOf, requireStrong } from './password.ts';

const { identifier, indexIn } = namedParts('address', 'addresses');

type Named = Parameters<typeof indexIn>[1];
type AddressUse = 'shipping' | 'billing';

/** An address of a customer has an id. */
function idOf({ addresses }: Customer, input: Named): string {
  return addresses[indexIn(addresses, input)]!.id!;
}

/** A customer has its own address under the id, whatever the draft says. */
const addAddress = action({ address: required(address()) }, (customer: Customer, input, context) => {
  customer.addresses.push({ ...input.address, id: context.newId() });
});

const changeAddress = action({ ...identifier, address: required(address()) }, (customer: Customer, input) => {
  const index = indexIn(customer.addresses, input);
  customer.addresses[index] = { ...input.address, id: customer.addresses[index]!.id! };
});

const removeAddress = action(identifier, (customer: Customer, input) => {
  const id = idOf(customer, input);
  customer.addresses = customer.addresses.filter((one) => one.id !== id);
  removeUse(customer, 'shipping', id);
  removeUse(customer, 'billing', id);
});

function addUse(customer: Customer, use: AddressUse, id: string): void {
  const ids = customer[`${use}AddressIds`];
  if (!ids.includes(id)) ids.push(id);
}

function removeUse(customer: Customer, use: AddressUse, id: string): void {
  customer[`${use}AddressIds`] = customer[`${use}AddressIds`].filter((one) => one !== id);
  const name = defaultName[use];
  if (customer[name] === id) delete customer[name];
}

const defaultName = { shipping: 'defaultShippingAddressId', billing: 'defaultBillingAddressId' } as const;

function addAddressId(use: AddressUse): Action {
  return action(identifier, (customer: Customer, input) => addUse(customer, use, idOf(customer, input)));
}

function removeAddressId(use: AddressUse): Action {
  return action(identifier, (customer: Customer, input) => {
    const id = idOf(customer, input);
    if (!customer[`${use}AddressIds`].includes(id))
      throw invalidOperation(`The address '${id}' is not among the ${use} addresses.`);
    removeUse(customer, use, id);
  });
}

/** A default address is one of those for its use. Without a name there is no default any more. */
function setDefaultAddress(use: AddressUse): Action {
  return action(identifier, (customer: Customer, input) => {
    if (input.addressId === undefined && input.addressKey === undefined) {
      delete customer[defaultName[use]];
      return;
    }
    const id = idOf(customer, input);
    addUse(customer, use, id);
    customer[defaultName[use]] = id;
  });
}

function addressOf({ addresses }: Customer, input: Named): Address {
  return addresses[indexIn(addresses, input)]!;
}

const byId = { addressId: required(identifier.addressId.kind) };

export const addressActions = {
  addAddress,
  changeAddress,
  removeAddress,
  addShippingAddressId: addAddressId('shipping'),
  removeShippingAddressId: removeAddressId('shipping'),
  setDefaultShippingAddress: setDefaultAddress('shipping'),
  addBillingAddressId: addAddressId('billing'),
  removeBillingAddressId: removeAddressId('billing'),
  setDefaultBillingAddress: setDefaultAddress('billing'),
  setAddressCustomType: setCustomType(addressOf, byId),
  setAddressCustomField: setCustomField(addressOf, byId),
};

/** Nobody has proved the new address. */
export const changeEmail = action({ email: required(email) }, (customer: Customer, input) => {
  if (customer.email === input.email) return;
  customer.email = input.email;
  customer.isEmailVerified = false;
});

/** Other systems know the customer by the number, so it stays. */
export const setCustomerNumber = action({ customerNumber: optional(customerNumber) }, (customer: Customer, input) => {
  if (customer.customerNumber === input.customerNumber) return;
  if (customer.customerNumber !== undefined)
    throw invalidOperation(`The customer has the number '${customer.customerNumber}', which cannot be changed.`);
  customer.customerNumber = input.customerNumber!;
});

export const addCustomerGroupAssignment = action(
  { customerGroupAssignment: required(customerGroupAssignment) },
  ({ customerGroupAssignments: assignments }: Customer, { customerGroupAssignment: added }) => {
    if (!assignments.some((one) => isSameReference(one.customerGroup, added.customerGroup))) assignments.push(added);
  },
);

export const removeCustomerGroupAssignment = action(
  { customerGroup: required(customerGroup) },
  (customer: Customer, input) => {
    const others = customer.customerGroupAssignments.filter(
      (one) => !isSameReference(one.customerGroup, input.customerGroup),
    );
    if (others.length === customer.customerGroupAssignments.length)
      throw invalidOperation(`The customer is not assigned to the group '${input.customerGroup.id}'.`);
    customer.customerGroupAssignments = others;
  },
);

/** `password` is the hash by the time that it is applied. */
export const setAuthenticationMode: Action = {
  ...action(
    { authMode: required(authenticationMode), password: optional(newPassword) },
    (customer: Customer, { authMode, password }, context) => {
      customer.authenticationMode = authMode;
      if (password === undefined) delete customer.password;
      else customer.password = maskOf(password);
      context.keepSecrets(password === undefined ? {} : { [passwordHashName]: password });
    },
  ),
  prepare: async ({ engine, context, input }) => {
    const { authMode, password: _, ...others } = input;
    if (authMode !== 'Password') return { ...others, authMode };
    const password = requiredPassword(input['password'] as string | undefined);
    requireStrong(password, context.project.settings);
    return { ...others, authMode, password: await hashed(engine, context, password) };
  },
};

/** The hash of a password that the request sets. */
export function hashed(
  { passwords }: Engine,
  { project, principal }: RequestContext,
  password: string,
): Promise<string> {
  return passwords.hash(password, claimsOf(project.key, callerOf(principal)));
}

export function requiredPassword(password: string | undefined): string {
  if (password !== undefined) return password;
  throw apiError('RequiredField', 'A customer who signs in with a password needs one.', { field: 'password' });
}

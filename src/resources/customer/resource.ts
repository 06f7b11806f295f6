import { customActions } from '../../engine/custom-actions.ts';
import { change, set } from '../../engine/actions.ts';
import { defineResource } from '../../engine/define.ts';
import { differentKeys } from '../../engine/parts.ts';
import { addReference, removeReference } from '../../engine/set-actions.ts';
import {
  addCustomerGroupAssignment,
  addressActions,
  changeEmail,
  removeCustomerGroupAssignment,
  setAuthenticationMode,
  setCustomerNumber,
} from './actions.ts';
import { customerOf, signUp } from './create.ts';
import { endpoints } from './endpoints.ts';
import { draft, fields, ownMembers, store } from './fields.ts';
import { messages } from './messages.ts';
import { deriveDistinct, heldBy } from './rules.ts';

/** What customers change of themselves. */
const ownActions = {
  changeEmail,
  setFirstName: set('firstName'),
  setLastName: set('lastName'),
  setMiddleName: set('middleName'),
  setTitle: set('title'),
  setSalutation: set('salutation'),
  setDateOfBirth: set('dateOfBirth'),
  setCompanyName: set('companyName'),
  setVatId: set('vatId'),
  setLocale: set('locale'),
  ...customActions,
};

const { setAddressCustomType: _type, setAddressCustomField: _field, ...ownAddressActions } = addressActions;

export const customer = defineResource({
  kind: 'customer',
  typeName: 'Customer',
  path: 'customers',
  scopes: { view: ['view_customers'], manage: ['manage_customers'] },
  isExtensible: true,
  inStore: { member: 'stores', isReadOnly: false },
  followedBy: 'viewers',
  holdsPersonalData: true,
  fields,
  draft,
  create: customerOf,
  createWith: signUp,
  createdIn: { typeName: 'CustomerSignInResult', member: 'customer', others: { cart: 'Cart' } },
  actions: {
    setKey: set('key'),
    setCustomerNumber,
    setExternalId: set('externalId'),
    ...ownActions,
    ...addressActions,
    setAuthenticationMode,
    setCustomerGroup: set('customerGroup'),
    setCustomerGroupAssignments: change('customerGroupAssignments'),
    addCustomerGroupAssignment,
    removeCustomerGroupAssignment,
    setStores: change('stores'),
    addStore: addReference('stores', 'store', store),
    removeStore: removeReference('stores', 'store', store),
  },
  mine: {
    path: '',
    scopes: ['manage_my_profile'],
    owners: { customer: 'id' },
    draft: [...ownMembers],
    actions: [...Object.keys(ownActions), ...Object.keys(ownAddressActions)],
  },
  derive: deriveDistinct,
  rules: [differentKeys('addresses')],
  uniqueValues: heldBy,
  messages,
  endpoints,
  graphql: {
    queryInterfaces: { CustomerQueryInterface: ['customer', 'customers'] },
    create: 'customerSignUp',
    draft: 'CustomerSignUpDraft',
    actions: {
      setCustomerNumber: 'SetCustomerNumber',
      setCustomerGroup: 'SetCustomerGroup',
      setCustomerGroupAssignments: 'SetCustomerGroupAssignments',
      addCustomerGroupAssignment: 'AddCustomerGroupAssignment',
      removeCustomerGroupAssignment: 'RemoveCustomerGroupAssignment',
    },
    members: {
      'Customer.authenticationMode': 'AuthenticationMode',
      'CustomerGroupAssignment.customerGroupRef': 'Reference',
      'CustomerSignInDraft.anonymousCartSignInMode': 'AnonymousCartSignInMode = MergeWithExistingCustomerCart',
      'CustomerSignInDraft.updateProductData': 'Boolean = false',
      'CustomerSignUpDraft.addresses': '[AddressInput!] = []',
      'CustomerSignUpDraft.shippingAddresses': '[Int!] = []',
      'CustomerSignUpDraft.billingAddresses': '[Int!] = []',
      'CustomerSignMeInDraft.activeCartSignInMode': 'AnonymousCartSignInMode = MergeWithExistingCustomerCart',
      'CustomerSignMeInDraft.updateProductData': 'Boolean = false',
      'CustomerSignMeUpDraft.addresses': '[AddressInput!] = []',
      'CustomerSignMeUpDraft.shippingAddresses': '[Int!] = []',
      'CustomerSignMeUpDraft.billingAddresses': '[Int!] = []',
      'customerCreatePasswordResetToken.invalidateOlderTokens': 'Boolean! = false',
      'customerCreateEmailVerificationToken.invalidateOlderTokens': 'Boolean! = false',
    },
  },
  examples: { needed: ['password', 'addresses'] },
});

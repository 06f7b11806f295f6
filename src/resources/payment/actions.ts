import { type Plain, action, change, invalidOperation, set } from '../../engine/actions.ts';
import { customActions, setCustomField, setCustomType } from '../../engine/custom-actions.ts';
import type { Action } from '../../engine/resource.ts';
import {
  customFieldsMembers,
  customFieldsMemberTypes,
  customTypeMembers,
  readCustomFields,
} from '../../fields/custom-fields.ts';
import { defaulted, type Field, optional, required } from '../../fields/field.ts';
import { boolean, dateTime, text } from '../../fields/scalar.ts';
import { requireTransition } from '../state/offers.ts';
import {
  amount,
  fields,
  methodInfoFields,
  type Payment,
  state,
  statusFields,
  transaction,
  transactionFields,
  type Transaction,
} from './fields.ts';

/** A customer's payment is no visitor's. */
const setCustomer = action({ customer: fields.customer }, (payment: Payment, { customer }) => {
  delete payment.customer;
  if (customer === undefined) return;
  payment.customer = customer;
  delete payment.anonymousId;
});

const setAnonymousId = action({ anonymousId: fields.anonymousId }, (payment: Payment, { anonymousId }) => {
  if (payment.customer !== undefined) throw invalidOperation('The payment belongs to a customer.');
  if (anonymousId === undefined) delete payment.anonymousId;
  else payment.anonymousId = anonymousId;
});

/** The service knows the payment by it, so it stays. */
const setInterfaceId = action({ interfaceId: required(text()) }, (payment: Payment, { interfaceId }) => {
  requireUnchanged('interfaceId', payment.interfaceId, interfaceId);
  payment.interfaceId = interfaceId;
});

function requireUnchanged(name: string, present: string | undefined, given: string): void {
  if (present !== undefined && present !== given)
    throw invalidOperation(`The ${name} of the payment is '${present}', which cannot be changed.`);
}

const setAuthorization = action(
  { amount: optional(amount), until: optional(dateTime()) },
  (payment: Payment, { amount: given, until }) => {
    delete payment.amountAuthorized;
    delete payment.authorizedUntil;
    if (given !== undefined) payment.amountAuthorized = given;
    if (until !== undefined) payment.authorizedUntil = until;
  },
);

function setAmount(member: 'amountPaid' | 'amountRefunded'): Action {
  return action({ amount: optional(amount) }, (payment: Payment, { amount: given }) => {
    if (given === undefined) delete payment[member];
    else payment[member] = given;
  });
}

const setMethodInfoInterface = action(
  { interface: required(methodInfoFields.paymentInterface.kind) },
  ({ paymentMethodInfo }: Payment, input) => {
    requireUnchanged('paymentInterface', paymentMethodInfo.paymentInterface, input.interface);
    paymentMethodInfo.paymentInterface = input.interface;
  },
);

/** All members anew, but the interface, which stays where none is given. */
const setMethodInfo = action(methodInfoFields, (payment: Payment, given) => {
  const { paymentInterface } = payment.paymentMethodInfo;
  if (given.paymentInterface !== undefined)
    requireUnchanged('paymentInterface', paymentInterface, given.paymentInterface);
  payment.paymentMethodInfo = { ...(paymentInterface !== undefined && { paymentInterface }), ...given };
});

/** Sets a member of a part of the payment, or removes it. */
function setIn<Part extends 'paymentMethodInfo' | 'paymentStatus', Name extends keyof Payment[Part] & string>(
  part: Part,
  name: Name,
  field: Field<NonNullable<Payment[Part][Name]>, 'optional'>,
): Action {
  return action({ [name]: field }, (payment: Payment, input) => {
    // The input was parsed by the field.
    const value = (input as Readonly<Partial<Record<string, NonNullable<Payment[Part][Name]>>>>)[name];
    if (value === undefined) delete payment[part][name];
    else payment[part][name] = value;
  });
}

/** An empty text says that there is none. */
const setStatusInterfaceText = action(
  { interfaceText: required(statusFields.interfaceText.kind) },
  ({ paymentStatus }: Payment, { interfaceText }) => {
    if (interfaceText === '') delete paymentStatus.interfaceText;
    else paymentStatus.interfaceText = interfaceText;
  },
);

const transitionState = action(
  { state: required(state), force: defaulted(boolean(), () => false) },
  ({ paymentStatus }: Payment, { state: next, force }, { found }) => {
    if (!force) requireTransition(found, { before: paymentStatus.state, next });
    paymentStatus.state = next;
  },
);

/** Custom fields of a type of their own. GraphQL names the type as it does for custom fields. */
const addInterfaceInteraction: Action = {
  ...action(
    { type: required(customTypeMembers.type.kind), fields: customTypeMembers.fields },
    ({ interfaceInteractions }: Payment, { type, fields: given = {} }) => {
      interfaceInteractions.push({ type, fields: given });
    },
  ),
  input: { fields: customFieldsMembers, types: customFieldsMemberTypes, read: (input) => readCustomFields(input) },
};

const addTransaction = action({ transaction: required(transaction) }, ({ transactions }: Payment, input) => {
  transactions.push(input.transaction);
});

const byId = { transactionId: required(text(['{transactions[0].id}'])) };

function transactionOf({ transactions }: Payment, { transactionId }: { readonly transactionId: string }): Transaction {
  const found = transactions.find(({ id }) => id === transactionId);
  if (found === undefined) throw invalidOperation(`The payment has no transaction '${transactionId}'.`);
  return found;
}

const transactionActions = {
  addTransaction,
  changeTransactionState: action(
    { ...byId, state: required(transactionFields.state.kind) },
    (payment: Payment, { state: next, ...named }) => {
      transactionOf(payment, named).state = next;
    },
  ),
  changeTransactionTimestamp: action(
    { ...byId, timestamp: required(dateTime()) },
    (payment: Payment, { timestamp, ...named }) => {
      transactionOf(payment, named).timestamp = timestamp;
    },
  ),
  changeTransactionInteractionId: action(
    { ...byId, interactionId: required(text()) },
    (payment: Payment, { interactionId, ...named }) => {
      transactionOf(payment, named).interactionId = interactionId;
    },
  ),
  setTransactionInterfaceId: action(
    { ...byId, interfaceId: optional(text()) },
    (payment: Payment, { interfaceId, ...named }) => {
      const found = transactionOf(payment, named);
      if (interfaceId === undefined) delete found.interfaceId;
      else found.interfaceId = interfaceId;
    },
  ),
  setTransactionCustomType: setCustomType(transactionOf, byId),
  setTransactionCustomField: setCustomField(transactionOf, byId),
};

function methodInfoOf({ paymentMethodInfo }: Payment): Payment['paymentMethodInfo'] {
  return paymentMethodInfo;
}

export const methodInfoActions = {
  setMethodInfoInterface,
  setMethodInfoInterfaceAccount: setIn('paymentMethodInfo', 'interfaceAccount', methodInfoFields.interfaceAccount),
  setMethodInfoMethod: setIn('paymentMethodInfo', 'method', methodInfoFields.method),
  setMethodInfoName: setIn('paymentMethodInfo', 'name', methodInfoFields.name),
  setMethodInfoCustomType: setCustomType(methodInfoOf),
  setMethodInfoCustomField: setCustomField(methodInfoOf),
};

export const actions = {
  changeAmountPlanned: change('amountPlanned', 'amount'),
  setKey: set('key'),
  setCustomer,
  setAnonymousId,
  setExternalId: action({ externalId: optional(text()) }, (payment: Payment, { externalId }) => {
    if (externalId === undefined) delete payment.externalId;
    else payment.externalId = externalId;
  }),
  setInterfaceId,
  setAuthorization,
  setAmountPaid: setAmount('amountPaid'),
  setAmountRefunded: setAmount('amountRefunded'),
  setMethodInfo,
  ...methodInfoActions,
  setMethodInfoToken: setIn('paymentMethodInfo', 'token', methodInfoFields.token),
  setStatusInterfaceCode: setIn('paymentStatus', 'interfaceCode', statusFields.interfaceCode),
  setStatusInterfaceText,
  transitionState,
  addInterfaceInteraction,
  ...transactionActions,
  ...customActions,
} satisfies Readonly<Record<string, Action | Plain>>;

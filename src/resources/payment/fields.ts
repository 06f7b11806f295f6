import { randomUUID } from 'node:crypto';
import type { DocumentOf } from '../../engine/document.ts';
import { customFields } from '../../fields/custom-fields.ts';
import {
  assigned,
  defaulted,
  type FieldKind,
  hiddenInGraphql,
  optional,
  refined,
  required,
  type ValueOf,
} from '../../fields/field.ts';
import { list } from '../../fields/list.ts';
import { localizedString } from '../../fields/localized-string.ts';
import { centMoney, money } from '../../fields/money.ts';
import { object } from '../../fields/object.ts';
import { reference } from '../../fields/reference.ts';
import { dateTime, enumeration, key, text } from '../../fields/scalar.ts';
import { stateOfType } from '../state/offers.ts';
import { interfaceInteractions } from './interface-interactions.ts';

export const methodInfoFields = {
  /** The service that processes the payment. */
  paymentInterface: optional(text(['card-service'])),
  method: optional(text(['card'])),
  name: optional(localizedString()),
  token: optional(object('PaymentMethodToken', { value: required(text()) })),
  interfaceAccount: optional(text()),
  custom: optional(customFields('payment-method-info')),
};

export const state = stateOfType('PaymentState');

export const statusFields = {
  interfaceCode: optional(text(['C-200'])),
  interfaceText: optional(text()),
  state: optional(state),
};

const transactionType = enumeration('TransactionType', [
  'Authorization',
  'CancelAuthorization',
  'Charge',
  'Refund',
  'Chargeback',
]);

export const transactionFields = {
  id: assigned(text(), () => randomUUID()),
  timestamp: optional(dateTime()),
  type: required(transactionType),
  amount: required(centMoney()),
  /** Of the interaction of the payment that tells of it. */
  interactionId: optional(text()),
  state: defaulted(
    enumeration('TransactionState', ['Initial', 'Pending', 'Success', 'Failure']),
    () => 'Initial' as const,
  ),
  custom: optional(customFields('transaction')),
  /** What the service knows it by: no two transactions have one in common. */
  interfaceId: optional(text()),
};

export const transaction = object('Transaction', transactionFields);

export type Transaction = ValueOf<typeof transactionFields>;

const ownTypes: readonly string[] = ['Authorization', 'Charge'];

/** What shoppers say of a transaction: the shop learns from the service what has become of it. */
export const myTransaction: FieldKind<Transaction> = object('MyTransaction', {
  ...transactionFields,
  type: required(
    refined({ ...transactionType, examples: ownTypes }, (type, parsing) =>
      ownTypes.includes(type) ? type : parsing.wrongValue(type, `one of ${ownTypes.join(', ')}`),
    ),
  ),
  state: assigned(transactionFields.state.kind, () => 'Initial' as const),
});

/** Amounts that transactions tell of as well. GraphQL shows none of them, and takes them by actions alone. */
const { input, examples } = centMoney();
export const amount = { ...money(), input, examples };
const shownByRest = { ...hiddenInGraphql(amount), input: undefined };

export const fields = {
  key: optional(key()),
  customer: optional(reference('customer', 'Customer', { strength: 'loose' })),
  anonymousId: optional(text()),
  externalId: optional({ ...hiddenInGraphql(text()), input: undefined }),
  /** What the service knows it by. */
  interfaceId: optional(text()),
  amountPlanned: required(centMoney()),
  amountAuthorized: optional(shownByRest),
  authorizedUntil: optional({ ...hiddenInGraphql(dateTime()), input: undefined }),
  amountPaid: optional(shownByRest),
  amountRefunded: optional(shownByRest),
  paymentMethodInfo: defaulted(
    object('PaymentMethodInfo', methodInfoFields, { input: 'PaymentMethodInfoInput' }),
    () => ({}),
  ),
  paymentStatus: defaulted(object('PaymentStatus', statusFields, { input: 'PaymentStatusInput' }), () => ({})),
  transactions: defaulted(list(transaction), () => []),
  interfaceInteractions: defaulted(interfaceInteractions, () => []),
  custom: optional(customFields('payment')),
};

/** What shoppers say of a payment; the one transaction is for their drafts alone. */
export const ownMembers: readonly string[] = ['amountPlanned', 'paymentMethodInfo', 'custom', 'transaction'];
export const ownDraft = { transaction: optional(myTransaction) };

/** What they see of one. */
export const shownToShoppers: readonly string[] = [
  'id',
  'version',
  'customer',
  'anonymousId',
  'amountPlanned',
  'paymentMethodInfo',
  'transactions',
  'custom',
];

export type Payment = DocumentOf<typeof fields>;

import { defineResource } from '../../engine/define.ts';
import type { ValueOf } from '../../fields/field.ts';
import { actions } from './actions.ts';
import { fields, ownDraft, ownMembers, shownToShoppers, type Transaction } from './fields.ts';
import { messages } from './messages.ts';
import { ownActions, transactionFault } from './own-actions.ts';
import { differentTransactions, heldIds, oneOwner } from './rules.ts';

type Body = ValueOf<typeof fields>;

/** Older members, which transactions tell better. */
const restAlone = ['externalId', 'amountAuthorized', 'authorizedUntil', 'amountPaid', 'amountRefunded'];

export const payment = defineResource({
  kind: 'payment',
  typeName: 'Payment',
  path: 'payments',
  scopes: { view: ['view_payments'], manage: ['manage_payments'] },
  isExtensible: true,
  followedBy: 'viewers',
  holdsPersonalData: true,
  fields,
  // Shoppers give the one transaction that they have by itself.
  create: ({ transaction, ...given }: Body & { readonly transaction?: Transaction }) => ({
    ...given,
    ...(transaction !== undefined && { transactions: [transaction] }),
  }),
  actions,
  mine: {
    path: 'payments',
    scopes: ['manage_my_payments'],
    owners: { customer: 'customer', anonymous: 'anonymousId' },
    keyMembers: [],
    draft: ownMembers,
    draftMembers: ownDraft,
    actions: ownActions,
    removalFault: transactionFault,
    shows: { typeName: 'MyPayment', members: shownToShoppers },
    graphql: {
      interfaces: [],
      actions: { addTransaction: 'AddMyPaymentTransaction', setTransactionCustomField: null },
    },
  },
  computation: {
    // A transition is judged by the state before it. Nothing follows from states.
    reads: { state: ['paymentStatus.state.id'] },
    readsAll: [],
    compute: () => {},
  },
  rules: [oneOwner, differentTransactions],
  uniqueValues: heldIds,
  messages,
  graphql: {
    interfaces: ['Versioned'],
    members: {
      ...Object.fromEntries(restAlone.map((name) => [`Payment.${name}`, null])),
      'PaymentStatusStateTransition.stateRef': 'Reference',
      'Transaction.type': 'TransactionType',
      'PaymentDraft.transactions': '[TransactionDraft!]',
      'SetPaymentInterfaceId.interfaceId': 'String',
      'SetPaymentStatusInterfaceText.interfaceText': 'String',
      'TransitionPaymentState.force': 'Boolean = false',
    },
    actions: { transitionState: 'TransitionPaymentState' },
  },
  examples: {
    // A payment has one owner. What the drafts of REST alone have is in no example that both take.
    draft: Object.fromEntries(['anonymousId', ...restAlone].map((name) => [name, undefined])),
    actions: {
      changeAmountPlanned: { amount: { currencyCode: 'EUR', centAmount: 2500 } },
      changeTransactionTimestamp: { timestamp: '2030-02-28T12:00:00.000Z' },
      // The example of a state is one of payments.
      transitionState: { force: true },
    },
  },
});

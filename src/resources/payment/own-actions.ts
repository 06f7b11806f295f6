/** What shoppers do with their payments, until there is a transaction. */
import { action, invalidOperation } from '../../engine/actions.ts';
import { customActions, setCustomField } from '../../engine/custom-actions.ts';
import type { Fixed } from '../../engine/document.ts';
import type { Action } from '../../engine/resource.ts';
import type { ErrorElement } from '../../errors/api-error.ts';
import { required } from '../../fields/field.ts';
import { methodInfoActions } from './actions.ts';
import { fields, myTransaction, type Payment, type Transaction } from './fields.ts';

/** Why a shopper leaves the payment as it is; undefined where there is no transaction. */
export function transactionFault({ transactions }: Pick<Fixed<Payment>, 'transactions'>): ErrorElement | undefined {
  if (transactions.length === 0) return undefined;
  return {
    code: 'InvalidOperation',
    message: 'The payment has a transaction, so it cannot be changed or deleted here.',
  };
}

function untilTransaction(declared: Action): Action {
  return {
    ...declared,
    apply: (document, input, context) => {
      const fault = transactionFault(document as unknown as Payment);
      if (fault !== undefined) throw invalidOperation(fault.message);
      declared.apply(document, input, context);
    },
  };
}

const changeAmountPlanned = action({ amount: fields.amountPlanned }, (payment: Payment, { amount }) => {
  payment.amountPlanned = amount;
});

const addTransaction = action({ transaction: required(myTransaction) }, ({ transactions }: Payment, input) => {
  transactions.push(input.transaction);
});

function onlyTransactionOf({ transactions }: Payment): Transaction {
  const [first] = transactions;
  if (first === undefined) throw invalidOperation('The payment has no transaction.');
  return first;
}

export const ownActions: Readonly<Record<string, Action>> = {
  ...Object.fromEntries(
    Object.entries({
      changeAmountPlanned,
      ...methodInfoActions,
      setCustomField: customActions.setCustomField,
      addTransaction,
    }).map(([name, declared]) => [name, untilTransaction(declared)]),
  ),
  // It has no other use, and there is one transaction at most.
  setTransactionCustomField: setCustomField(onlyTransactionOf),
};

import type { Fixed, UniqueValue } from '../../engine/document.ts';
import type { ErrorElement } from '../../errors/api-error.ts';
import type { Payment } from './fields.ts';

/** A payment is a customer's or a visitor's. */
export function oneOwner({ customer, anonymousId }: Fixed<Payment>): ErrorElement | undefined {
  if (customer === undefined || anonymousId === undefined) return undefined;
  return { code: 'InvalidOperation', message: 'A payment that belongs to a customer has no anonymousId.' };
}

const transactionId = 'transactions.interfaceId';

/** What a service knows a payment by, which is another one for another service; and its transactions, wherever they are. */
export function heldIds({ interfaceId, paymentMethodInfo, transactions }: Fixed<Payment>): readonly UniqueValue[] {
  const { paymentInterface } = paymentMethodInfo;
  const own =
    interfaceId === undefined || paymentInterface === undefined
      ? []
      : [{ field: 'interfaceId', value: JSON.stringify([paymentInterface, interfaceId]), shown: interfaceId }];
  const ofTransactions = new Set(transactions.flatMap((transaction) => transaction.interfaceId ?? []));
  return [...own, ...[...ofTransactions].map((value) => ({ field: transactionId, value }))];
}

export function differentTransactions({ transactions }: Fixed<Payment>): ErrorElement | undefined {
  const seen = new Set<string>();
  for (const { interfaceId } of transactions) {
    if (interfaceId === undefined) continue;
    if (seen.has(interfaceId)) {
      const message = `Two transactions have the interfaceId '${interfaceId}'.`;
      return { code: 'DuplicateField', message, field: transactionId, duplicateValue: interfaceId };
    }
    seen.add(interfaceId);
  }
  return undefined;
}

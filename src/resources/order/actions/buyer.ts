/** Whose order it is, and what it is known by. */
import { action, invalidOperation } from '../../../engine/actions.ts';
import type { Fixed } from '../../../engine/document.ts';
import type { Customer } from '../../customer/fields.ts';
import { fields, type Order } from '../fields.ts';

/** A customer's order is no visitor's, and has the group that the customer has now. The email stays. */
export const setCustomerId = action({ customerId: fields.customerId }, (order: Order, { customerId }, { found }) => {
  delete order.customerId;
  delete order.customerGroup;
  if (customerId === undefined) return;
  order.customerId = customerId;
  delete order.anonymousId;
  // The request names it, and its kind has parsed it.
  const { customerGroup } = found.one('customer', customerId) as unknown as Fixed<Customer>;
  if (customerGroup !== undefined) order.customerGroup = { ...customerGroup };
});

/** Those who know the order by it would not find it any more. */
export const setOrderNumber = action({ orderNumber: fields.orderNumber }, (order: Order, { orderNumber }) => {
  if (order.orderNumber !== undefined && order.orderNumber !== orderNumber)
    throw invalidOperation(`The orderNumber of the order is '${order.orderNumber}', which cannot be changed.`);
  if (orderNumber !== undefined) order.orderNumber = orderNumber;
});

export const setStore = action({ store: fields.store }, (order: Order, { store }) => {
  if (store?.key === order.store?.key)
    throw invalidOperation(
      store === undefined ? 'The order is in no store.' : `The order is in the store '${store.key}' already.`,
    );
  if (store === undefined) delete order.store;
  else order.store = store;
});

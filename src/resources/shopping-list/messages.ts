import type { MessagesDeclaration } from '../../engine/define.ts';
import type { Fixed } from '../../engine/document.ts';
import { messageType, type MessageType, told } from '../../engine/messages.ts';
import { whenChanged } from '../../engine/tellers.ts';
import { required } from '../../fields/field.ts';
import { lineItem, type LineItem, type ShoppingList } from './fields.ts';

const ofLineItem = { lineItem: required(lineItem) };
const added = messageType('ShoppingListLineItemAdded', ofLineItem);
const removed = messageType('ShoppingListLineItemRemoved', ofLineItem);

/** With what follows from its product, where it is there still. */
function telling(type: MessageType<typeof ofLineItem>) {
  return (item: Fixed<LineItem>) =>
    told(type, ({ lineItems }: Fixed<ShoppingList>) => ({
      lineItem: { ...(lineItems.find(({ id }) => id === item.id) ?? item), quantity: item.quantity },
    }));
}

type Input = Readonly<Record<string, unknown>>;

function named({ lineItems }: Fixed<ShoppingList>, { lineItemId, lineItemKey }: Input): Fixed<LineItem> | undefined {
  return lineItems.find(({ id, key }) => (lineItemId === undefined ? key === lineItemKey : id === lineItemId));
}

const tellsRemoval = whenChanged<ShoppingList, Fixed<LineItem> | undefined>(named, ({ before, after }) =>
  after === undefined ? [telling(removed)(before!)] : [],
);

/** More of one that is there is added to it. */
const tellsAddition = whenChanged<ShoppingList, Readonly<Record<string, number>>>(
  ({ lineItems }) => Object.fromEntries(lineItems.map(({ id, quantity }) => [id, quantity])),
  ({ before, document }) =>
    document.lineItems
      .filter(({ id, quantity }) => before[id] !== quantity)
      .map((item) => telling(added)(structuredClone(item))),
);

export const messages: MessagesDeclaration<ShoppingList> = {
  types: [added, removed],
  actions: {
    addLineItem: tellsAddition,
    removeLineItem: tellsRemoval,
    // With a quantity of 0 it goes.
    changeLineItemQuantity: tellsRemoval,
  },
};

import { action, invalidOperation } from '../../engine/actions.ts';
import { setCustomField, setCustomType } from '../../engine/custom-actions.ts';
import { namedParts } from '../../engine/parts.ts';
import type { Action } from '../../engine/resource.ts';
import { optional, required } from '../../fields/field.ts';
import { list } from '../../fields/list.ts';
import { integer, text } from '../../fields/scalar.ts';
import { shoppingListDays } from '../project/fields.ts';
import { addedLineItem, fields, type LineItemDraft, quantity, type ShoppingList, textLineItemDraft } from './fields.ts';
import { addLineItem, addTextLineItem, holdersOf, inOrder, setQuantity, takeAway } from './line-items.ts';

/** A customer's list is no visitor's. */
const setCustomer = action({ customer: fields.customer }, (shoppingList: ShoppingList, { customer }) => {
  delete shoppingList.customer;
  if (customer === undefined) return;
  shoppingList.customer = customer;
  delete shoppingList.anonymousId;
});

const setAnonymousId = action({ anonymousId: fields.anonymousId }, (shoppingList: ShoppingList, { anonymousId }) => {
  if (shoppingList.customer !== undefined) throw invalidOperation('The shopping list belongs to a customer.');
  if (anonymousId === undefined) delete shoppingList.anonymousId;
  else shoppingList.anonymousId = anonymousId;
});

/** Without a value it is the project's. */
export const setDeleteDaysAfterLastModification = action(
  { deleteDaysAfterLastModification: optional(fields.deleteDaysAfterLastModification.kind) },
  (shoppingList: ShoppingList, { deleteDaysAfterLastModification: given }, { project }) => {
    shoppingList.deleteDaysAfterLastModification = given ?? shoppingListDays(project.settings);
  },
);

const lineItems = namedParts('lineItem', 'lineItems');
const textLineItems = namedParts('textLineItem', 'textLineItems');

/** A quantity of 0 removes the item. */
const newQuantity = { quantity: required(integer({ min: 0, type: 'Int' })) };
const takenQuantity = { quantity: optional(quantity) };

/** What the actions for parts name one by, and where it is. */
type LineItemName = Parameters<typeof lineItems.indexIn>[1];
type TextLineItemName = Parameters<typeof textLineItems.indexIn>[1];

function lineItemOf(shoppingList: ShoppingList, input: LineItemName): ShoppingList['lineItems'][number] {
  return shoppingList.lineItems[lineItems.indexIn(shoppingList.lineItems, input)]!;
}

function textLineItemOf(shoppingList: ShoppingList, input: TextLineItemName): ShoppingList['textLineItems'][number] {
  return shoppingList.textLineItems[textLineItems.indexIn(shoppingList.textLineItems, input)]!;
}

/** Who is named by a SKU is looked up before. */
const addLineItemAction: Action = {
  ...action(addedLineItem, addLineItem),
  holders: (input) => holdersOf(input as Partial<LineItemDraft>),
};

export const lineItemActions = {
  addLineItem: addLineItemAction,
  changeLineItemQuantity: action({ ...lineItems.identifier, ...newQuantity }, (shoppingList: ShoppingList, input) =>
    setQuantity(shoppingList.lineItems, lineItems.indexIn(shoppingList.lineItems, input), input.quantity),
  ),
  changeLineItemsOrder: action(
    { lineItemOrder: required(list(text(['{lineItems[0].id}']))) },
    (shoppingList: ShoppingList, { lineItemOrder }) => {
      shoppingList.lineItems = inOrder(shoppingList.lineItems, lineItemOrder);
    },
  ),
  removeLineItem: action({ ...lineItems.identifier, ...takenQuantity }, (shoppingList: ShoppingList, input) =>
    takeAway(shoppingList.lineItems, lineItems.indexIn(shoppingList.lineItems, input), input.quantity),
  ),
  setLineItemCustomType: setCustomType(lineItemOf, lineItems.identifier),
  setLineItemCustomField: setCustomField(lineItemOf, lineItems.identifier),
};

export const textLineItemActions = {
  addTextLineItem: action(textLineItemDraft, addTextLineItem),
  changeTextLineItemName: action(
    { ...textLineItems.identifier, name: textLineItemDraft.name },
    (shoppingList: ShoppingList, { name, ...named }) => {
      textLineItemOf(shoppingList, named).name = name;
    },
  ),
  changeTextLineItemQuantity: action(
    { ...textLineItems.identifier, ...newQuantity },
    (shoppingList: ShoppingList, input) =>
      setQuantity(shoppingList.textLineItems, textLineItems.indexIn(shoppingList.textLineItems, input), input.quantity),
  ),
  changeTextLineItemsOrder: action(
    { textLineItemOrder: required(list(text(['{textLineItems[0].id}']))) },
    (shoppingList: ShoppingList, { textLineItemOrder }) => {
      shoppingList.textLineItems = inOrder(shoppingList.textLineItems, textLineItemOrder);
    },
  ),
  removeTextLineItem: action({ ...textLineItems.identifier, ...takenQuantity }, (shoppingList: ShoppingList, input) =>
    takeAway(shoppingList.textLineItems, textLineItems.indexIn(shoppingList.textLineItems, input), input.quantity),
  ),
  setTextLineItemDescription: action(
    { ...textLineItems.identifier, description: textLineItemDraft.description },
    (shoppingList: ShoppingList, { description, ...named }) => {
      const item = textLineItemOf(shoppingList, named);
      if (description === undefined) delete item.description;
      else item.description = description;
    },
  ),
  setTextLineItemCustomType: setCustomType(textLineItemOf, textLineItems.identifier),
  setTextLineItemCustomField: setCustomField(textLineItemOf, textLineItems.identifier),
};

export const ownerActions = { setCustomer, setAnonymousId };

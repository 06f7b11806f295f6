/** What comes back of an order, and what becomes of that. */
import { action, invalidOperation } from '../../../engine/actions.ts';
import { setCustomField, setCustomType } from '../../../engine/custom-actions.ts';
import { namedParts } from '../../../engine/parts.ts';
import type { ApplyContext } from '../../../engine/resource.ts';
import { apiError } from '../../../errors/api-error.ts';
import { customFields } from '../../../fields/custom-fields.ts';
import { defaulted, optional, refined, required, type ValueOf } from '../../../fields/field.ts';
import { list } from '../../../fields/list.ts';
import { object } from '../../../fields/object.ts';
import { dateTime, integer, key, text } from '../../../fields/scalar.ts';
import { type Order, type ReturnInfo, type ReturnItem, returnPaymentState, returnShipmentState } from '../fields.ts';

/** What a return begins with: what is announced is not paid back before it is there. */
const firstStates: ReadonlyMap<string, ReturnItem['paymentState']> = new Map([
  ['Advised', 'NonRefundable'],
  ['Returned', 'Initial'],
]);

const firstShipmentState = refined({ ...returnShipmentState, examples: [...firstStates.keys()] }, (value, parsing) =>
  firstStates.has(value) ? value : parsing.wrongValue(value, `one of ${[...firstStates.keys()].join(', ')}`),
);

const itemFields = {
  key: optional(key()),
  quantity: required(integer()),
  lineItemId: optional(text(['{lineItems[0].id}'])),
  customLineItemId: optional({ ...text(), examples: [] }),
  comment: optional(text()),
  shipmentState: required(firstShipmentState),
  custom: optional(customFields('order-return-item')),
};

const infoFields = {
  items: required(list(object('ReturnItem', itemFields, { input: 'ReturnItemDraftType' }))),
  returnTrackingId: optional(text()),
  returnDate: optional(dateTime()),
};

const infos = list(object('ReturnInfo', infoFields, { input: 'ReturnInfoDraftType' }));

type ItemDraft = ValueOf<typeof itemFields>;

/** How many units items have, by their ids. */
interface Units {
  readonly lines: ReadonlyMap<string, number>;
  readonly customItems: ReadonlyMap<string, number>;
}

function unitsOf({ lineItems, customLineItems }: Order): Units {
  return {
    lines: new Map(lineItems.map(({ id, quantity }) => [id, quantity])),
    customItems: new Map(customLineItems.map(({ id, quantity }) => [id, quantity])),
  };
}

/** Throws where it is not said of which item of the order the units are, or where that has fewer. */
function returnedItem(units: Units, draft: ItemDraft, { newId, now }: ApplyContext): ReturnItem {
  const { lineItemId, customLineItemId, quantity, shipmentState, ...given } = draft;
  if ((lineItemId === undefined) === (customLineItemId === undefined))
    throw apiError('InvalidInput', 'A return item names either a lineItemId or a customLineItemId.');
  const isLine = lineItemId !== undefined;
  const id = lineItemId ?? customLineItemId!;
  const max = (isLine ? units.lines : units.customItems).get(id);
  if (max === undefined) throw invalidOperation(`There is no ${isLine ? '' : 'custom '}line item '${id}'.`);
  if (quantity < 1 || quantity > max)
    throw invalidOperation(`${quantity} units of the item '${id}' are returned, which has ${max}.`);
  return {
    type: isLine ? 'LineItemReturnItem' : 'CustomLineItemReturnItem',
    id: newId(),
    quantity,
    ...(isLine ? { lineItemId: id } : { customLineItemId: id }),
    shipmentState,
    // The field takes no other states.
    paymentState: firstStates.get(shipmentState)!,
    ...given,
    lastModifiedAt: now,
    createdAt: now,
  };
}

type InfoDraft = ValueOf<typeof infoFields>;

function returned(units: Units, { items, returnDate, ...given }: InfoDraft, context: ApplyContext): ReturnInfo {
  if (items.length === 0) throw apiError('InvalidInput', 'A return has at least one item.');
  return {
    ...given,
    items: items.map((item) => returnedItem(units, item, context)),
    returnDate: returnDate ?? context.now,
  };
}

const addReturnInfo = action(infoFields, (order: Order, given, context) => {
  order.returnInfo.push(returned(unitsOf(order), given, context));
});

/** All of them anew. */
const setReturnInfo = action({ items: defaulted(infos, () => []) }, (order: Order, { items }, context) => {
  const units = unitsOf(order);
  order.returnInfo = items.map((given) => returned(units, given, context));
});

/** Named by `returnItemId` or `returnItemKey`. */
const { identifier, indexIn } = namedParts('returnItem', 'returnInfo[0].items');

function returnItemIn(order: Order, input: Parameters<typeof indexIn>[1]): ReturnItem {
  const items = order.returnInfo.flatMap((info) => info.items);
  return items[indexIn(items, input)]!;
}

const setReturnShipmentState = action(
  { ...identifier, shipmentState: required(returnShipmentState) },
  (order: Order, { shipmentState, ...input }, { now }) => {
    const item = returnItemIn(order, input);
    if (item.shipmentState !== 'Returned' || (shipmentState !== 'BackInStock' && shipmentState !== 'Unusable'))
      throw refusal('shipmentState', { from: item.shipmentState, to: shipmentState });
    Object.assign(item, { shipmentState, lastModifiedAt: now });
  },
);

const setReturnPaymentState = action(
  { ...identifier, paymentState: required(returnPaymentState) },
  (order: Order, { paymentState, ...input }, { now }) => {
    const item = returnItemIn(order, input);
    if (item.paymentState !== 'Initial' || (paymentState !== 'Refunded' && paymentState !== 'NotRefunded'))
      throw refusal('paymentState', { from: item.paymentState, to: paymentState });
    Object.assign(item, { paymentState, lastModifiedAt: now });
  },
);

function refusal(member: string, { from, to }: { readonly from: string; readonly to: string }): Error {
  return invalidOperation(`The ${member} of a return item does not go from ${from} to ${to}.`);
}

export const returnActions = {
  addReturnInfo,
  setReturnInfo,
  setReturnShipmentState,
  setReturnPaymentState,
  setReturnItemCustomType: setCustomType(returnItemIn, identifier),
  setReturnItemCustomField: setCustomField(returnItemIn, identifier),
};

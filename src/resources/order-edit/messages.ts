/**
 * What edits leave on their orders beside what their actions tell (orders 42): what has become of items, codes and shipping is
 * told of the order as it was and as it is, for it follows from all actions together.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Document, Fixed } from '../../engine/document.ts';
import { type MessageType, messageType, type Told, told } from '../../engine/messages.ts';
import { tellsChange } from '../../engine/tellers.ts';
import { centPrecision } from '../../money/money.ts';
import { type FieldKind, optional, required, sameSchema, shownAs } from '../../fields/field.ts';
import { json } from '../../fields/json.ts';
import { reference } from '../../fields/reference.ts';
import { integer, key, text } from '../../fields/scalar.ts';
import { discountCodeState, discountedPricePerQuantity } from '../cart/discounted-fields.ts';
import { channel, customLineItem, lineItem, lineItemMembers, shippingDetails } from '../cart/item-fields.ts';
import type { CustomLineItem, LineItem } from '../cart/item-fields.ts';
import { shippingInfo, shippingRateInput } from '../cart/shipping-fields.ts';
import { methodTaxedPrices, taxedItemPrice } from '../cart/tax-fields.ts';
import { fields as orderFields, type Order } from '../order/fields.ts';
import { type Applied, appliedResult } from './applied-result.ts';

const ofLine = { lineItemId: required(text()), lineItemKey: optional(key()) };
const ofCustom = { customLineItemId: required(text()), customLineItemKey: optional(key()) };
const code = reference('discount-code', 'DiscountCode', { strength: 'loose' });

const lineAdded = messageType('OrderLineItemAdded', {
  lineItem: required(lineItem),
  addedQuantity: required(integer()),
});
const lineRemoved = messageType('OrderLineItemRemoved', {
  ...ofLine,
  removedQuantity: required(integer()),
  newQuantity: required(integer()),
  newState: required(lineItemMembers.state.kind),
  newTotalPrice: required(lineItemMembers.totalPrice.kind),
  newTaxedPrice: optional(taxedItemPrice),
  newPrice: optional(lineItemMembers.price.kind),
  newShippingDetail: optional(shownAs('newShippingDetails', shippingDetails)),
});
const lineDiscountSet = messageType('OrderLineItemDiscountSet', {
  ...ofLine,
  discountedPricePerQuantity: required(discountedPricePerQuantity),
  totalPrice: required(lineItemMembers.totalPrice.kind),
  taxedPrice: optional(taxedItemPrice),
  taxedPricePortions: required(methodTaxedPrices),
});
const channelSet = messageType('OrderLineItemDistributionChannelSet', {
  ...ofLine,
  distributionChannel: optional(channel),
});
const customAdded = messageType('OrderCustomLineItemAdded', { customLineItem: required(customLineItem) });
const customRemoved = messageType('OrderCustomLineItemRemoved', {
  ...ofCustom,
  customLineItem: required(customLineItem),
});
const customQuantityChanged = messageType('OrderCustomLineItemQuantityChanged', {
  ...ofCustom,
  quantity: required(integer()),
  oldQuantity: required(integer()),
});
const customDiscountSet = messageType('OrderCustomLineItemDiscountSet', {
  ...ofCustom,
  discountedPricePerQuantity: required(discountedPricePerQuantity),
  taxedPrice: optional(taxedItemPrice),
});
const codeAdded = messageType('OrderDiscountCodeAdded', { discountCode: required(code) });
const codeRemoved = messageType('OrderDiscountCodeRemoved', { discountCode: required(code) });
const codeStateSet = messageType('OrderDiscountCodeStateSet', {
  discountCode: required(code),
  state: required(discountCodeState),
  oldState: optional(discountCodeState),
});
const shippingInfoSet = messageType('OrderShippingInfoSet', {
  shippingInfo: optional(shippingInfo),
  oldShippingInfo: optional(shippingInfo),
});
const rateInputSet = messageType('OrderShippingRateInputSet', {
  shippingRateInput: optional(shippingRateInput),
  oldShippingRateInput: optional(shippingRateInput),
});
const customerGroupSet = messageType('OrderCustomerGroupSet', {
  customerGroup: orderFields.customerGroup,
  oldCustomerGroup: orderFields.customerGroup,
});
const typeId = 'order-edit';
const editLink = reference(typeId, 'OrderEdit', { strength: 'loose' });
/** The whole edit, which GraphQL has as a reference. */
const appliedEdit: FieldKind<Fixed<Document>> = {
  ...json(),
  parse: () => undefined,
  input: undefined,
  schema: sameSchema({ $ref: '#/components/schemas/OrderEdit' }),
  output: {
    ...editLink.output,
    fields: (name, isRequired) =>
      editLink.output.fields(name, isRequired).map((field) => ({
        ...field,
        // The platform has put it there.
        read: (message, args) =>
          field.read({ ...message, [name]: { typeId, id: (message[name] as Document).id } }, args),
      })),
  },
};
const applied = messageType('OrderEditApplied', { edit: required(appliedEdit), result: required(appliedResult) });

export const types: readonly MessageType[] = [
  lineAdded,
  lineRemoved,
  lineDiscountSet,
  channelSet,
  customAdded,
  customRemoved,
  customQuantityChanged,
  customDiscountSet,
  codeAdded,
  codeRemoved,
  codeStateSet,
  shippingInfoSet,
  rateInputSet,
  customerGroupSet,
  applied,
];

/** A group that comes with a customer is told of with that. */
export const groupTeller = tellsChange(customerGroupSet, 'customerGroup');

/** The last one of an edit: what it is then, by the order that it has made. */
export function editApplied(
  editWith: (order: Fixed<Order>) => { readonly edit: Fixed<Document>; readonly result: Applied },
): Told {
  return told(applied, editWith);
}

/** What has become of the order, but for what its actions tell themselves. */
export function toldByEdit(before: Fixed<Order>, after: Fixed<Order>): readonly Told[] {
  return [
    ...ofItems(before.lineItems, after.lineItems, lineChange(before)),
    ...ofItems(before.customLineItems, after.customLineItems, customChange),
    ...ofCodes(before, after),
    ...ofShipping(before, after),
  ];
}

/** Those that have gone, then those that have come or are others, in their order. */
function ofItems<T extends { readonly id: string }>(
  before: readonly T[],
  after: readonly T[],
  change: (was: T | undefined, is: T | undefined) => readonly Told[],
): readonly Told[] {
  const [known, left] = [new Map(before.map((item) => [item.id, item])), new Set(after.map(({ id }) => id))];
  return [
    ...before.filter(({ id }) => !left.has(id)).flatMap((was) => change(was, undefined)),
    ...after.flatMap((is) => change(known.get(is.id), is)),
  ];
}

type Line = Fixed<LineItem>;

function lineChange({ totalPrice: { currencyCode } }: Fixed<Order>) {
  return (was: Line | undefined, is: Line | undefined): readonly Told[] => {
    if (was === undefined) return [addedLine(is!, is!.quantity)];
    const names = { lineItemId: was.id, lineItemKey: was.key };
    const [quantity, more] = [is?.quantity ?? 0, (is?.quantity ?? 0) - was.quantity];
    const lowered = told(lineRemoved, {
      ...names,
      removedQuantity: -more,
      newQuantity: quantity,
      newState: is?.state ?? [],
      newTotalPrice: is?.totalPrice ?? centPrecision(currencyCode, 0),
      newTaxedPrice: is?.taxedPrice,
      newPrice: is?.price,
      newShippingDetail: is?.shippingDetails,
    });
    if (is === undefined) return [lowered];
    const { discountedPricePerQuantity: discounted, totalPrice, taxedPrice, taxedPricePortions } = is;
    const { distributionChannel } = is;
    const isDiscounted = !isDeepStrictEqual(discounted, was.discountedPricePerQuantity);
    const isElsewhere = !isDeepStrictEqual(distributionChannel, was.distributionChannel);
    return [
      ...(more > 0 ? [addedLine(is, more)] : []),
      ...(more < 0 ? [lowered] : []),
      ...(isDiscounted
        ? [
            told(lineDiscountSet, {
              ...names,
              discountedPricePerQuantity: discounted,
              totalPrice,
              taxedPrice,
              taxedPricePortions,
            }),
          ]
        : []),
      ...(isElsewhere ? [told(channelSet, { ...names, distributionChannel })] : []),
    ];
  };
}

/** Its custom fields are those that are stored, which are completed after the actions. */
function addedLine({ id }: Line, addedQuantity: number): Told {
  return told(lineAdded, ({ lineItems }: Fixed<Order>) => ({
    lineItem: lineItems.find((line) => line.id === id)!,
    addedQuantity,
  }));
}

type Custom = Fixed<CustomLineItem>;

function customChange(was: Custom | undefined, is: Custom | undefined): readonly Told[] {
  if (was === undefined)
    return [
      told(customAdded, ({ customLineItems }: Fixed<Order>) => ({
        customLineItem: customLineItems.find(({ id }) => id === is!.id)!,
      })),
    ];
  const names = { customLineItemId: was.id, customLineItemKey: was.key };
  if (is === undefined) return [told(customRemoved, { ...names, customLineItem: was })];
  const { quantity, discountedPricePerQuantity: discounted, taxedPrice } = is;
  const isDiscounted = !isDeepStrictEqual(discounted, was.discountedPricePerQuantity);
  return [
    ...(quantity === was.quantity
      ? []
      : [told(customQuantityChanged, { ...names, quantity, oldQuantity: was.quantity })]),
    ...(isDiscounted
      ? [told(customDiscountSet, { ...names, discountedPricePerQuantity: discounted, taxedPrice })]
      : []),
  ];
}

function ofCodes(before: Fixed<Order>, after: Fixed<Order>): readonly Told[] {
  const stateIn = ({ discountCodes }: Fixed<Order>, id: string): string | undefined =>
    discountCodes.find(({ discountCode }) => discountCode.id === id)?.state;
  const gone = before.discountCodes.filter(({ discountCode: { id } }) => stateIn(after, id) === undefined);
  return [
    ...gone.map(({ discountCode }) => told(codeRemoved, { discountCode })),
    ...after.discountCodes.flatMap(({ discountCode, state }) => {
      const oldState = stateIn(before, discountCode.id) as typeof state | undefined;
      if (oldState === undefined) return [told(codeAdded, { discountCode })];
      return oldState === state ? [] : [told(codeStateSet, { discountCode, state, oldState })];
    }),
  ];
}

/** Deliveries, and when they are expected, are told of by what changes them. */
function ofShipping(before: Fixed<Order>, after: Fixed<Order>): readonly Told[] {
  const own = ({ shippingInfo: info }: Fixed<Order>): object | undefined =>
    info && { ...info, deliveries: [], estimatedDelivery: undefined };
  const [rate, oldRate] = [after.shippingRateInput, before.shippingRateInput];
  return [
    ...(isDeepStrictEqual(own(before), own(after))
      ? []
      : [
          told(shippingInfoSet, (order: Fixed<Order>) => ({
            shippingInfo: order.shippingInfo,
            oldShippingInfo: before.shippingInfo,
          })),
        ]),
    ...(isDeepStrictEqual(rate, oldRate)
      ? []
      : [told(rateInputSet, { shippingRateInput: rate, oldShippingRateInput: oldRate })]),
  ];
}

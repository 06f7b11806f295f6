import { action, invalidOperation, type ApplyContext } from '../../engine/define.ts';
import { apiError } from '../../errors/api-error.ts';
import { optional, required } from '../../fields/field.ts';
import { money } from '../../fields/money.ts';
import type { Tagged } from '../../fields/one-of.ts';
import { integer, key, text } from '../../fields/scalar.ts';
import { classificationsOf } from '../project/fields.ts';
import { type Cart, customLineItemFields, shippingRateInput } from './fields.ts';

/** The action's members are those of the line item itself. */
export const addCustomLineItem = action(customLineItemFields, (cart: Cart, item) => {
  cart.customLineItems.push(item);
});

const identifier = { customLineItemId: optional(text()), customLineItemKey: optional(key()) };

export const removeCustomLineItem = action(identifier, (cart: Cart, input) => {
  cart.customLineItems.splice(indexOf(cart, input), 1);
});

/** A quantity of 0 removes the item. */
export const changeCustomLineItemQuantity = action(
  { ...identifier, quantity: required(integer({ min: 0 })) },
  (cart: Cart, input) => {
    const index = indexOf(cart, input);
    if (input.quantity === 0) cart.customLineItems.splice(index, 1);
    else cart.customLineItems[index]!.quantity = input.quantity;
  },
);

export const changeCustomLineItemMoney = action({ ...identifier, money: required(money()) }, (cart: Cart, input) => {
  cart.customLineItems[indexOf(cart, input)]!.money = input.money;
});

export const setShippingRateInput = action(
  { shippingRateInput: optional(shippingRateInput) },
  (cart: Cart, input, context) => {
    if (input.shippingRateInput === undefined) delete cart.shippingRateInput;
    else cart.shippingRateInput = acceptedRateInput(input.shippingRateInput, context);
  },
);

function indexOf(cart: Cart, input: { customLineItemId?: string; customLineItemKey?: string }): number {
  const { customLineItemId, customLineItemKey } = input;
  if (customLineItemId === undefined && customLineItemKey === undefined) {
    throw invalidOperation('The custom line item has to be named by customLineItemId or customLineItemKey.');
  }
  const index = cart.customLineItems.findIndex((item) =>
    customLineItemId === undefined ? item.key === customLineItemKey : item.id === customLineItemId,
  );
  if (index < 0) throw invalidOperation(`The cart has no custom line item ${customLineItemId ?? customLineItemKey}.`);
  return index;
}

/** The project decides by what rates are tiered; a classification is one of its values and takes over the label. */
export function acceptedRateInput(given: Tagged, { project }: ApplyContext): Tagged {
  const type = project.settings.shippingRateInputType;
  if (type?.type !== `Cart${given.type}`) {
    throw invalidOperation(
      `The project takes ${type === undefined ? 'no shippingRateInput' : `a shippingRateInput for ${type.type}`}, but one of type ${given.type} was given.`,
    );
  }
  if (given.type !== 'Classification') return given;
  const values = classificationsOf(type);
  const value = values.find(({ key }) => key === given['key']);
  if (value === undefined) {
    throw apiError('InvalidField', `'${String(given['key'])}' is no key of the project's cart classification.`, {
      field: 'shippingRateInput.key',
      invalidValue: given['key'],
      allowedValues: values.map(({ key }) => key),
    });
  }
  return { ...given, label: value.label };
}

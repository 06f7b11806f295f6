import { setCustomField, setCustomType } from '../../engine/custom-actions.ts';
import { action, invalidOperation } from '../../engine/actions.ts';
import type { ApplyContext } from '../../engine/resource.ts';
import { namedParts } from '../../engine/parts.ts';
import { apiError } from '../../errors/api-error.ts';
import { optional, required } from '../../fields/field.ts';
import { money } from '../../fields/money.ts';
import type { Tagged } from '../../fields/one-of.ts';
import { integer } from '../../fields/scalar.ts';
import { classificationsOf } from '../project/fields.ts';
import { type Cart, customLineItemFields, fields, shippingRateInput } from './fields.ts';

/** A customer's cart is no visitor's. */
export const setCustomerId = action({ customerId: fields.customerId }, (cart: Cart, { customerId }) => {
  delete cart.customerId;
  if (customerId === undefined) return;
  cart.customerId = customerId;
  delete cart.anonymousId;
});

/** The action's members are those of the line item itself. */
export const addCustomLineItem = action(customLineItemFields, (cart: Cart, item) => {
  cart.customLineItems.push(item);
});

const { identifier, indexIn } = namedParts('customLineItem', 'customLineItems');

export const removeCustomLineItem = action(identifier, (cart: Cart, input) => {
  cart.customLineItems.splice(indexIn(cart.customLineItems, input), 1);
});

/** A quantity of 0 removes the item. */
export const changeCustomLineItemQuantity = action(
  { ...identifier, quantity: required(integer({ min: 0 })) },
  (cart: Cart, input) => {
    const index = indexIn(cart.customLineItems, input);
    if (input.quantity === 0) cart.customLineItems.splice(index, 1);
    else cart.customLineItems[index]!.quantity = input.quantity;
  },
);

export const changeCustomLineItemMoney = action({ ...identifier, money: required(money()) }, (cart: Cart, input) => {
  cart.customLineItems[indexIn(cart.customLineItems, input)]!.money = input.money;
});

export const setShippingRateInput = action(
  { shippingRateInput: optional(shippingRateInput) },
  (cart: Cart, input, context) => {
    if (input.shippingRateInput === undefined) delete cart.shippingRateInput;
    else cart.shippingRateInput = acceptedRateInput(input.shippingRateInput, context);
  },
);

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

function customLineItemOf({ customLineItems }: Cart, input: Parameters<typeof indexIn>[1]): Cart['customLineItems'][0] {
  return customLineItems[indexIn(customLineItems, input)]!;
}

function shippingAddressOf({ shippingAddress }: Cart): NonNullable<Cart['shippingAddress']> {
  if (shippingAddress === undefined) throw invalidOperation('The cart has no shipping address.');
  return shippingAddress;
}

function billingAddressOf({ billingAddress }: Cart): NonNullable<Cart['billingAddress']> {
  if (billingAddress === undefined) throw invalidOperation('The cart has no billing address.');
  return billingAddress;
}

/** Custom fields of the cart's parts. */
export const customLineItemPartActions = {
  setCustomLineItemCustomType: setCustomType(customLineItemOf, identifier),
  setCustomLineItemCustomField: setCustomField(customLineItemOf, identifier),
};

export const addressPartActions = {
  setShippingAddressCustomType: setCustomType(shippingAddressOf),
  setShippingAddressCustomField: setCustomField(shippingAddressOf),
  setBillingAddressCustomType: setCustomType(billingAddressOf),
  setBillingAddressCustomField: setCustomField(billingAddressOf),
};

/** The addresses that items of a cart are shipped to, each known by its key. */
import { action, invalidOperation } from '../../../engine/actions.ts';
import { setCustomField, setCustomType } from '../../../engine/custom-actions.ts';
import { apiError } from '../../../errors/api-error.ts';
import { required } from '../../../fields/field.ts';
import { key } from '../../../fields/scalar.ts';
import { type Cart, itemShippingAddress } from '../fields.ts';
import { itemShippingAddressesMax } from '../limits.ts';

type Address = Cart['itemShippingAddresses'][number];

const given = { address: required(itemShippingAddress) };
const identifier = { addressKey: required(key()) };

function indexOf({ itemShippingAddresses }: Cart, addressKey: string | undefined): number {
  const index = itemShippingAddresses.findIndex((known) => known.key === addressKey);
  if (index < 0) throw invalidOperation(`There is no item shipping address with the key '${addressKey}'.`);
  return index;
}

export function addAddress(cart: Pick<Cart, 'itemShippingAddresses'>, added: Address): void {
  if (cart.itemShippingAddresses.some((known) => known.key === added.key))
    throw apiError('DuplicateField', `Two item shipping addresses have the key '${added.key}'.`, {
      field: 'itemShippingAddresses.key',
      duplicateValue: added.key,
    });
  if (cart.itemShippingAddresses.length >= itemShippingAddressesMax)
    throw invalidOperation(`There are at most ${itemShippingAddressesMax} item shipping addresses.`);
  cart.itemShippingAddresses.push(added);
}

export const addItemShippingAddress = action(given, (cart: Cart, { address: added }) => addAddress(cart, added));

export const updateItemShippingAddress = action(given, (cart: Cart, { address: updated }) => {
  cart.itemShippingAddresses[indexOf(cart, updated.key)] = updated;
});

/** Items that go there keep it (carts 3.7). */
export const removeItemShippingAddress = action(identifier, (cart: Cart, { addressKey }) => {
  const index = indexOf(cart, addressKey);
  const isTarget = [...cart.lineItems, ...cart.customLineItems].some((item) =>
    item.shippingDetails?.targets.some((target) => target.addressKey === addressKey),
  );
  if (isTarget) throw invalidOperation(`Items are shipped to the address '${addressKey}'.`);
  cart.itemShippingAddresses.splice(index, 1);
});

function addressIn(cart: Cart, input: { readonly addressKey: string }): Address {
  return cart.itemShippingAddresses[indexOf(cart, input.addressKey)]!;
}

export const itemAddressPartActions = {
  setItemShippingAddressCustomType: setCustomType(addressIn, identifier),
  setItemShippingAddressCustomField: setCustomField(addressIn, identifier),
};

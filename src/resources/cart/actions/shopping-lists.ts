import { action } from '../../../engine/actions.ts';
import type { Document, Fixed } from '../../../engine/document.ts';
import type { Action, Found } from '../../../engine/resource.ts';
import { type CustomFields, leaveUndefinedFields } from '../../../fields/custom-fields.ts';
import { optional, required } from '../../../fields/field.ts';
import { type Reference } from '../../../fields/parsing.ts';
import { reference } from '../../../fields/reference.ts';
import type { Product } from '../../product/fields.ts';
import type { ShoppingList } from '../../shopping-list/fields.ts';
import type { Cart } from '../fields.ts';
import { channel, type LineItemDraft } from '../item-fields.ts';
import { addLine } from './line-items.ts';

const fields = {
  shoppingList: required(reference('shopping-list', 'ShoppingList', { strength: 'loose' })),
  supplyChannel: optional(channel),
  distributionChannel: optional(channel),
};

function listIn(found: Pick<Found, 'one'>, { id }: Reference): Fixed<ShoppingList> {
  // It is there, or the request was refused, and its kind has parsed it.
  return found.one('shopping-list', id) as unknown as Fixed<ShoppingList>;
}

/**
 * Custom fields without those that the type has given up, which the list is still to lose. What the type needs by now is
 * asked for, as of any line that is added.
 */
function definedOf(custom: Fixed<CustomFields>, found: Pick<Found, 'one'>): CustomFields {
  const copy = structuredClone(custom) as CustomFields;
  const type = found.one('type', custom.type.id);
  // Nobody changes what describes others.
  if (type !== undefined) leaveUndefinedFields(copy, type as Document);
  return copy;
}

/** Adds the line items in their order, as so many actions would (carts 9.6). What is only a text is no product. */
export const addShoppingList: Action = {
  ...action(fields, (cart: Cart, { shoppingList, supplyChannel, distributionChannel }, context) => {
    const channels = {
      ...(supplyChannel !== undefined && { supplyChannel }),
      ...(distributionChannel !== undefined && { distributionChannel }),
    };
    for (const { productId, variantId, quantity, custom } of listIn(context.found, shoppingList).lineItems) {
      const product = context.found.one('product', productId) as Fixed<Product> | undefined;
      // Without a variant it is the master, whichever that is.
      const wanted = variantId ?? product?.masterData.current?.masterVariant.id;
      const draft = {
        productId,
        ...(wanted !== undefined && { variantId: wanted }),
        quantity,
        ...(custom !== undefined && { custom: definedOf(custom, context.found) }),
        ...channels,
      };
      addLine(cart, draft as LineItemDraft, context);
    }
  }),
  takesFrom: 'shopping-list',
  further: ({ shoppingList }, found) =>
    // Parsed by the field.
    listIn(found, shoppingList as Reference).lineItems.flatMap(({ productId, custom }) => [
      { kind: 'product', id: productId },
      ...(custom === undefined ? [] : [{ kind: 'type', id: custom.type.id }]),
    ]),
};

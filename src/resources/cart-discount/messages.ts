import type { MessagesDeclaration } from '../../engine/define.ts';
import { type Fixed, versioned } from '../../engine/document.ts';
import { messageType, told } from '../../engine/messages.ts';
import { tellsParts, tellsSet } from '../../engine/tellers.ts';
import { embedded } from '../../fields/embedded.ts';
import { required } from '../../fields/field.ts';
import { list } from '../../fields/list.ts';
import type { KeyReference } from '../../fields/parsing.ts';
import { keyReference } from '../../fields/reference.ts';
import { type CartDiscount, fields } from './fields.ts';

const store = keyReference('store', 'Store');

const created = messageType('CartDiscountCreated', {
  cartDiscount: required(embedded<CartDiscount>('CartDiscount', { ...versioned, ...fields })),
});
const deleted = messageType('CartDiscountDeleted', {});
const storeAdded = messageType('CartDiscountStoreAdded', { store: required(store) });
const storeRemoved = messageType('CartDiscountStoreRemoved', { store: required(store) });
const storesSet = messageType('CartDiscountStoresSet', { stores: required(list(store)) });

function storesOf({ stores }: Fixed<CartDiscount>): readonly [string, Fixed<KeyReference>][] {
  return stores.map((each) => [each.key, each]);
}

export const messages: MessagesDeclaration<CartDiscount> = {
  types: [created, deleted, storeAdded, storeRemoved, storesSet],
  created: (cartDiscount) => [told(created, { cartDiscount })],
  deleted: () => [told(deleted, {})],
  actions: {
    setStores: tellsSet(storesSet, 'stores'),
    addStore: tellsParts(storesOf, { added: (added) => told(storeAdded, { store: added }) }),
    removeStore: tellsParts(storesOf, { removed: (removed) => told(storeRemoved, { store: removed }) }),
  },
};

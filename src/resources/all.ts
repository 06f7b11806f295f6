import type { Resource } from '../engine/resource.ts';
import { apiClient } from './api-client/resource.ts';
import { attributeGroup } from './attribute-group/resource.ts';
import { attributeName } from './attribute-name/resource.ts';
import { requiredValues } from './required-values/resource.ts';
import { cart } from './cart/resource.ts';
import { cartDiscount } from './cart-discount/resource.ts';
import { category } from './category/resource.ts';
import { channel } from './channel/resource.ts';
import { codeUse } from './code-use/resource.ts';
import { customer } from './customer/resource.ts';
import { customerGroup } from './customer-group/resource.ts';
import { discountCode } from './discount-code/resource.ts';
import { discountGroup } from './discount-group/resource.ts';
import { extension } from './extension/resource.ts';
import { inventoryEntry } from './inventory-entry/resource.ts';
import { keyValueDocument } from './key-value-document/resource.ts';
import { order } from './order/resource.ts';
import { messageOf } from './message/resource.ts';
import { orderEdit } from './order-edit/resource.ts';
import { payment } from './payment/resource.ts';
import { product } from './product/resource.ts';
import { productDiscount } from './product-discount/resource.ts';
import { productSelection } from './product-selection/resource.ts';
import { productSelectionAssignment } from './product-selection-assignment/resource.ts';
import { productType } from './product-type/resource.ts';
import { reservation } from './reservation/resource.ts';
import { review } from './review/resource.ts';
import { shippingMethod } from './shipping-method/resource.ts';
import { shoppingList } from './shopping-list/resource.ts';
import { standalonePrice } from './standalone-price/resource.ts';
import { state } from './state/resource.ts';
import { store } from './store/resource.ts';
import { subscription } from './subscription/resource.ts';
import { taxCategory } from './tax-category/resource.ts';
import { type } from './type/resource.ts';
import { zone } from './zone/resource.ts';

const kinds: readonly Resource[] = [
  apiClient,
  attributeGroup,
  cart,
  cartDiscount,
  category,
  channel,
  customer,
  customerGroup,
  discountCode,
  discountGroup,
  extension,
  inventoryEntry,
  keyValueDocument,
  order,
  orderEdit,
  payment,
  product,
  productDiscount,
  productSelection,
  productType,
  review,
  shippingMethod,
  shoppingList,
  standalonePrice,
  state,
  store,
  subscription,
  taxCategory,
  type,
  zone,
];

/** Every resource of the platform. Adding one touches its folder and the list above. */
export const allResources: readonly Resource[] = [
  ...kinds,
  messageOf(kinds.flatMap(({ telling }) => telling?.types ?? [])),
];

/** Kinds that clients know through others alone. They are stored like all. */
export const internalResources: readonly Resource[] = [
  attributeName,
  codeUse,
  productSelectionAssignment,
  requiredValues,
  reservation,
];

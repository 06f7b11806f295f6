import type { Resource } from '../engine/define.ts';
import { cart } from './cart/resource.ts';
import { category } from './category/resource.ts';
import { channel } from './channel/resource.ts';
import { customerGroup } from './customer-group/resource.ts';
import { product } from './product/resource.ts';
import { productType } from './product-type/resource.ts';
import { shippingMethod } from './shipping-method/resource.ts';
import { state } from './state/resource.ts';
import { taxCategory } from './tax-category/resource.ts';
import { zone } from './zone/resource.ts';

/** Every resource of the platform. Adding one touches its folder and this list. */
export const allResources: readonly Resource[] = [
  cart,
  category,
  channel,
  customerGroup,
  product,
  productType,
  shippingMethod,
  state,
  taxCategory,
  zone,
];

import type { Resource } from '../engine/define.ts';
import { cart } from './cart/resource.ts';
import { category } from './category/resource.ts';
import { product } from './product/resource.ts';
import { productType } from './product-type/resource.ts';
import { shippingMethod } from './shipping-method/resource.ts';
import { taxCategory } from './tax-category/resource.ts';
import { zone } from './zone/resource.ts';

/** Every resource of the platform. Adding one touches its folder and this list. */
export const allResources: readonly Resource[] = [
  cart,
  category,
  product,
  productType,
  shippingMethod,
  taxCategory,
  zone,
];

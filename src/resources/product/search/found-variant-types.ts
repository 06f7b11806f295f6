import { asset } from '../../../fields/asset.ts';
import { customFields } from '../../../fields/custom-fields.ts';
import {
  assigned,
  type Fields,
  optional,
  type OutputField,
  type OutputObject,
  type OutputType,
  required,
} from '../../../fields/field.ts';
import { dimensions } from '../../../fields/image.ts';
import { list } from '../../../fields/list.ts';
import { money } from '../../../fields/money.ts';
import { object, outputObject, outputTypesOf } from '../../../fields/object.ts';
import { reference } from '../../../fields/reference.ts';
import { anyKey, boolean, country, dateTime, integer, key, text } from '../../../fields/scalar.ts';
import { foundAttributes } from './found-attributes.ts';
import { availabilityTypes } from '../availability-types.ts';
import { price as priceOfVariants } from '../variant-fields.ts';

const discounted = object('DiscountedProductSearchPriceValue', {
  value: required(money()),
  discount: required(reference('product-discount', 'ProductDiscount')),
});

const scope = {
  country: optional(country()),
  customerGroup: optional(reference('customer-group', 'CustomerGroup')),
  channel: optional(reference('channel', 'Channel')),
  validFrom: optional(dateTime()),
  validUntil: optional(dateTime()),
  discounted: optional(discounted),
  custom: optional(customFields('product-price')),
};

const tier = object('ProductSearchPriceTier', {
  minimumQuantity: required(integer({ type: 'Int' })),
  value: required(money()),
});

const price = object('ProductPriceSearch', {
  id: optional(text()),
  value: required(money()),
  key: optional(key()),
  ...scope,
  tiers: optional(list(tier)),
});

const scopedPrice = object('ScopedPrice', {
  id: assigned(text()),
  value: required(money()),
  currentValue: required(money()),
  ...scope,
  country: optional(text()),
});

const image = object('ImageProductSearch', {
  url: required(text()),
  dimensions: required(dimensions('DimensionsProductSearch', 'DimensionsInput')),
  label: optional(text()),
});

const fields: Fields = {
  id: required(integer({ type: 'Int' })),
  key: optional(anyKey()),
  sku: optional(text()),
  prices: optional(list(price)),
  images: required(list(image)),
  assets: required(list(asset)),
  isMatchingVariant: optional(boolean()),
  scopedPrice: optional(scopedPrice),
  scopedPriceDiscounted: optional(boolean()),
};

/** Customers are of one group there. */
const { customerGroupAssignmentIds: _, ...selectors } = priceOfVariants.args!;

/** What a projection shows of its stock. */
const availability: OutputField = {
  name: 'availability',
  type: 'ProductSearchVariantAvailabilityWithChannels',
  complexity: 1,
  read: (parent) => parent['availability'],
};

/** A variant of a product that was found. */
export const foundVariant: OutputObject = {
  name: 'ProductSearchVariant',
  fields: [
    ...outputObject('', fields).fields,
    { ...priceOfVariants, type: price.output.item, args: selectors },
    foundAttributes,
    availability,
  ],
};

export function foundVariantTypes(): readonly OutputType[] {
  return [...outputTypesOf(fields), ...availabilityTypes('ProductSearchVariant')];
}

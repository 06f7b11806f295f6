import type { DocumentOf } from '../../engine/document.ts';
import { customFields } from '../../fields/custom-fields.ts';
import { assignedOptional, defaulted, optional, refined, required } from '../../fields/field.ts';
import { list } from '../../fields/list.ts';
import { money } from '../../fields/money.ts';
import { object } from '../../fields/object.ts';
import { priceTier } from '../../fields/price-tier.ts';
import { reference } from '../../fields/reference.ts';
import { boolean, country, dateTime, key, text } from '../../fields/scalar.ts';
import { unavailable } from '../../fields/unavailable.ts';
import { discountedPrice } from '../product-discount/fields.ts';
import { distributionChannel } from '../store/fields.ts';

/** What an index takes in any alphabet. */
const skuLengthMax = 500;

const sku = refined(text(['SKU-1']), (value, parsing) =>
  value.length <= skuLengthMax ? value : parsing.wrongValue(value, `at most ${skuLengthMax} characters`),
);

export const stagedPrice = object(
  'StagedStandalonePrice',
  { value: required(money()), discounted: assignedOptional(discountedPrice) },
  { input: 'StagedPriceDraft' },
);

export const fields = {
  key: optional(key()),
  /** A product may have it, or will. */
  sku: required(sku),
  value: required(money()),
  country: optional(country()),
  customerGroup: optional(reference('customer-group', 'CustomerGroup')),
  channel: optional(distributionChannel),
  validFrom: optional(dateTime()),
  validUntil: optional(dateTime()),
  tiers: optional(list(priceTier)),
  discounted: optional(discountedPrice),
  custom: optional(customFields('standalone-price')),
  /** The value that is to be, until it is applied. */
  staged: optional(stagedPrice),
  active: defaulted(boolean(), () => true),
};

/** Policies come with recurring orders. */
export const draft = { ...fields, ...unavailable('recurrencePolicy') };

export type StandalonePrice = DocumentOf<typeof fields>;

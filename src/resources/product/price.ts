import { randomUUID } from 'node:crypto';
import { customFields } from '../../fields/custom-fields.ts';
import { assigned, type FieldKind, optional, refined, required, type ValueOf } from '../../fields/field.ts';
import { list } from '../../fields/list.ts';
import { money } from '../../fields/money.ts';
import { object } from '../../fields/object.ts';
import type { Parsing } from '../../fields/parsing.ts';
import { priceTier } from '../../fields/price-tier.ts';
import { reference } from '../../fields/reference.ts';
import { country, dateTime, key, text } from '../../fields/scalar.ts';
import { unavailable } from '../../fields/unavailable.ts';
import { faultsOf } from '../../pricing/price-faults.ts';
import { discountedPrice } from '../product-discount/fields.ts';

const priceFields = {
  id: assigned(text(), () => randomUUID()),
  key: optional(key()),
  value: required(money()),
  country: optional(country()),
  customerGroup: optional(reference('customer-group', 'CustomerGroup')),
  channel: optional(reference('channel', 'Channel')),
  validFrom: optional(dateTime()),
  validUntil: optional(dateTime()),
  discounted: optional(discountedPrice),
  tiers: optional(list(priceTier)),
  custom: optional(customFields('product-price')),
  ...unavailable('recurrencePolicy'),
};

export type Price = ValueOf<typeof priceFields>;

const examples = [
  {
    key: 'example-key',
    value: { currencyCode: 'EUR', centAmount: 490 },
    country: 'DE',
    customerGroup: { typeId: 'customer-group', key: 'example-customer-group' },
    channel: { typeId: 'channel', key: 'example-channel' },
    validFrom: '2030-01-31T12:00:00.000Z',
    validUntil: '2030-02-28T12:00:00.000Z',
    discounted: discountedPrice.examples[0],
    tiers: priceTier.examples,
    custom: { type: { typeId: 'type', key: 'example-type' }, fields: { note: 'Example' } },
  },
  { value: { type: 'highPrecision', currencyCode: 'EUR', preciseAmount: 12345, fractionDigits: 4 } },
];

/** A price that stands in a product. */
export const price: FieldKind<Price> = {
  ...refined(object('ProductPrice', priceFields, { input: 'ProductPriceDataInput' }), checked),
  examples,
};

/** What the members say together (catalog 25d). An empty list of tiers says nothing. */
function checked({ tiers = [], ...others }: Price, parsing: Parsing): Price | undefined {
  const given: Price = { ...others, ...(tiers.length > 0 && { tiers }) };
  const since = parsing.faultCount;
  for (const { field, value, expected } of faultsOf(given)) {
    const before = parsing.faultCount;
    parsing.wrongValue(value, expected);
    parsing.within(field, before);
  }
  return parsing.faultCount === since ? given : undefined;
}

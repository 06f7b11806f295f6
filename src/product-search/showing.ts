/** What requests of every way to products may say of how these show. */
import { optional, type ValueOf } from '../fields/field.ts';
import { list } from '../fields/list.ts';
import { localesMax } from '../fields/localized-string.ts';
import { country, currency, locale, text } from '../fields/scalar.ts';
import { unavailable } from '../fields/unavailable.ts';
import { atMost } from './bounded.ts';

/** Customer groups whose prices a request selects: they are looked through for each price. */
const customerGroupsMax = 500;

/** The parameters of price selection (catalog 31). */
export const priceParameters = {
  priceCurrency: optional(currency()),
  priceCountry: optional(country()),
  priceCustomerGroup: optional(text()),
  priceCustomerGroupAssignments: optional(atMost(customerGroupsMax, list(text()))),
  priceChannel: optional(text()),
  ...unavailable('priceRecurrencePolicy'),
};

export type PriceParameters = ValueOf<typeof priceParameters>;

/** The name of one that is given without the currency, by which each selection begins. */
export function givenWithoutCurrency(given: PriceParameters): string | undefined {
  if (given.priceCurrency !== undefined) return undefined;
  return Object.keys(priceParameters).find((name) => Object.hasOwn(given, name));
}

/** Names of the attributes that are shown, and as many as one request may say. */
const namesMax = 500;
export const attributeNames = atMost(namesMax, list(text(['color'])));

/** Locales whose texts are shown: as many as a text may have. */
export const localeProjection = optional(atMost(localesMax, list(locale())));

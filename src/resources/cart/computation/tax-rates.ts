/** The tax rates of what a cart holds, in the modes in which the platform chooses them (carts 7.1). */
import type { Fixed } from '../../../engine/document.ts';
import { invalidOperation } from '../../../engine/actions.ts';
import { apiError } from '../../../errors/api-error.ts';
import type { TaxCategory } from '../../tax-category/fields.ts';
import { methodsOf } from '../actions/shipping-details.ts';
import type { Cart } from '../fields.ts';
import { type CustomLineItem, itemName, type LineItem } from '../item-fields.ts';
import type { ShippingInfo } from '../shipping-fields.ts';
import type { TaxRate } from '../tax-fields.ts';
import type { Gathered } from './gathered.ts';

export interface Taxation {
  /** By their ids. */
  readonly categories: ReadonlyMap<string, Fixed<TaxCategory>>;
  /** A rate of a country counts for its states that have none. */
  readonly isCountryEnough: boolean;
}

interface Place {
  readonly country: string;
  readonly state?: string | undefined;
}

/** The rate of a category for a place. Throws MissingTaxRateForCountry. */
function rateFor(categoryId: string, { country, state }: Place, { categories, isCountryEnough }: Taxation): TaxRate {
  const rates = categories.get(categoryId)?.rates.filter((rate) => rate.country === country) ?? [];
  // An empty state is none.
  const stateless = rates.find((rate) => !rate.state);
  const found = state
    ? (rates.find((rate) => rate.state === state) ?? (isCountryEnough ? stateless : undefined))
    : stateless;
  // Of the category itself nothing is changed: rates are replaced as wholes.
  if (found !== undefined) return { ...found } as TaxRate;
  throw apiError(
    'MissingTaxRateForCountry',
    `The tax category '${categoryId}' has no rate for ${state ? `${country}, ${state}` : country}.`,
    { taxCategoryId: categoryId, country, ...(state ? { state } : {}) },
  );
}

/** Chooses the rates of all parts of a cart anew but for gifts, of which nobody knows yet which ones stay. */
export function chooseTaxRates(cart: Cart, gathered: Gathered, taxation: Taxation): void {
  if (cart.taxMode !== 'Platform') return;
  for (const line of cart.lineItems)
    if (line.lineItemMode === 'Standard') chooseLineRate(cart, line, { gathered, taxation });
  for (const item of cart.customLineItems) chooseForItem(cart, item, { category: item.taxCategory?.id, taxation });
  if (cart.shippingInfo !== undefined) chooseForShipping(cart.shippingInfo, cart.shippingAddress, taxation);
  for (const { shippingInfo, shippingAddress } of cart.shipping)
    chooseForShipping(shippingInfo, shippingAddress, taxation);
}

/** Nobody knows the tax category of a product that has gone: its line keeps its rates where these hold. */
export function chooseLineRate(
  cart: Cart,
  line: LineItem,
  { gathered, taxation }: { readonly gathered: Pick<Gathered, 'products'>; readonly taxation: Taxation },
): void {
  const product = gathered.products.get(line.productId);
  if (cart.taxMode !== 'Platform') return;
  if (product === undefined) keepRates(cart, line, taxation);
  else chooseForItem(cart, line, { category: product.taxCategory?.id, taxation });
}

function keepRates(cart: Cart, line: LineItem, taxation: Taxation): void {
  if (!holdsAt(line.taxRate as TaxRate | undefined, cart.shippingAddress, taxation)) delete line.taxRate;
  line.perMethodTaxRate = line.perMethodTaxRate.filter(({ shippingMethodKey, taxRate }) => {
    const method = cart.shipping.find(({ shippingKey }) => shippingKey === shippingMethodKey);
    return holdsAt(taxRate as TaxRate, method?.shippingAddress, taxation);
  });
}

/** As where rates are chosen. */
function holdsAt(
  rate: Pick<TaxRate, 'country' | 'state'> | undefined,
  place: Place | undefined,
  { isCountryEnough }: Taxation,
): boolean {
  if (rate === undefined || place === undefined || rate.country !== place.country) return false;
  return rate.state ? rate.state === place.state : !place.state || isCountryEnough;
}

/** The item has a rate wherever it goes. */
export function hasHoldingRates(cart: Cart, item: CustomLineItem, taxation: Taxation): boolean {
  if (cart.shippingMode === 'Single')
    return cart.shippingAddress === undefined || holdsAt(item.taxRate as TaxRate, cart.shippingAddress, taxation);
  return methodsOf(item, cart).every(({ shippingKey, shippingAddress }) => {
    const known = item.perMethodTaxRate.find(({ shippingMethodKey }) => shippingMethodKey === shippingKey);
    return holdsAt(known?.taxRate as TaxRate | undefined, shippingAddress, taxation);
  });
}

/** An item whose product has lost its tax category keeps the rates that it has, where these hold. */
export function chooseForItem(
  cart: Cart,
  item: LineItem | CustomLineItem,
  { category, taxation }: { readonly category: string | undefined; readonly taxation: Taxation },
): void {
  const rate = (place: Place, known: TaxRate | undefined): TaxRate => {
    if (category !== undefined) return rateFor(category, place, taxation);
    if (known !== undefined && holdsAt(known, place, taxation)) return known;
    throw invalidOperation(`The item '${itemName(item)}' has no tax category, which taxes need.`);
  };
  if (cart.shippingMode === 'Single') {
    if (cart.shippingAddress === undefined) delete item.taxRate;
    else item.taxRate = rate(cart.shippingAddress, item.taxRate as TaxRate | undefined);
    return;
  }
  const known = new Map(item.perMethodTaxRate.map(({ shippingMethodKey, taxRate }) => [shippingMethodKey, taxRate]));
  item.perMethodTaxRate = methodsOf(item, cart).map(({ shippingKey, shippingAddress }) => ({
    shippingMethodKey: shippingKey,
    taxRate: rate(shippingAddress, known.get(shippingKey) as TaxRate | undefined),
  }));
}

export function chooseForShipping(info: ShippingInfo, place: Place | undefined, taxation: Taxation): void {
  if (place === undefined || info.taxCategory === undefined) delete info.taxRate;
  else info.taxRate = rateFor(info.taxCategory.id, place, taxation);
}

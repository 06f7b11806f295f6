/** What has to hold of a cart that is ordered: what it was computed from is still so, and nothing is missing (orders 4 to 9). */
import { isDeepStrictEqual } from 'node:util';
import type { RequestContext } from '../../engine/context.ts';
import type { Fixed } from '../../engine/document.ts';
import type { Engine } from '../../engine/resource.ts';
import { ApiError, apiError, type ErrorElement, throwAll } from '../../errors/api-error.ts';
import type { CustomFields } from '../../fields/custom-fields.ts';
import { isForStore } from '../../pricing/stores.ts';
import { methodsOf } from '../cart/actions/shipping-details.ts';
import { anew } from '../cart/computation/anew.ts';
import { timeFault } from '../cart/computation/codes.ts';
import { steps, type Working } from '../cart/computation/computation.ts';
import { unitPrice } from '../cart/computation/prices.ts';
import type { Cart } from '../cart/fields.ts';
import { type CustomLineItem, itemName, type LineItem } from '../cart/item-fields.ts';
import type { ShippingInfo } from '../cart/shipping-fields.ts';
import type { TaxRate } from '../cart/tax-fields.ts';
import type { DiscountCode } from '../discount-code/fields.ts';
import { allVariants } from '../product/offers.ts';

type Item = LineItem | CustomLineItem;

/** Throws all that does not hold. Nothing is priced anew without a word: who is refused recalculates the cart. */
export async function requireHolding(
  engine: Engine,
  context: RequestContext,
  { cart, custom }: { readonly cart: Cart; readonly custom: CustomFields | undefined },
): Promise<void> {
  const working = await anew(engine, context, { cart, compute: engine.compute });
  const refusals = await computed(working);
  const errors = [
    ...shapeFaults(cart),
    ...taxFaults(cart),
    ...soldFaults(cart, working),
    ...refusals,
    // What could not be computed has not become anything else.
    ...(refusals.length > 0 ? [] : priceFaults(cart, working.cart)),
    ...codeFaults(working),
    ...methodFaults(working),
    ...storeFaults(working),
    ...customFaults(cart, custom),
  ];
  throwAll(errors);
}

/** Gives what would refuse the cart, such as a price that has gone. */
async function computed(working: Working): Promise<readonly ErrorElement[]> {
  try {
    for (const step of steps) await step.run(working);
    return [];
  } catch (error) {
    if (error instanceof ApiError && error.status === 400) return error.errors;
    throw error;
  }
}

function refusal(message: string): ErrorElement {
  return { code: 'InvalidOperation', message };
}

/** The fields of the draft and those of the cart become one (orders 12). */
function customFaults({ custom: known }: Cart, given: CustomFields | undefined): readonly ErrorElement[] {
  if (known === undefined || given === undefined || known.type.id === given.type.id) return [];
  const type = known.type.id;
  return [refusal(`The custom fields of the cart are of the type '${type}', and those of the draft of another one.`)];
}

function itemsOf({ lineItems, customLineItems }: Cart): readonly Item[] {
  return [...lineItems, ...customLineItems];
}

function shapeFaults(cart: Cart): readonly ErrorElement[] {
  const errors: ErrorElement[] = [];
  // Each of several methods has an address of its own.
  if (cart.shippingMode === 'Multiple') {
    if (cart.shipping.length === 0) errors.push(refusal('The cart has no shipping methods.'));
  } else if (cart.shippingAddress === undefined) errors.push(refusal('The cart has no shipping address.'));
  if (itemsOf(cart).length === 0) errors.push(refusal('The cart has no items.'));
  return [...errors, ...itemsOf(cart).flatMap((item) => detailsFault(cart, item) ?? [])];
}

/** Where several methods ship a cart, each item has to say which. */
function detailsFault({ shippingMode }: Cart, item: Item): ErrorElement | undefined {
  const { shippingDetails, id } = item;
  const isValid = shippingDetails === undefined ? shippingMode === 'Single' : shippingDetails.valid;
  if (isValid) return undefined;
  return detailsError(item, id);
}

export function detailsError(item: Fixed<Item>, id: string): ErrorElement {
  return apiError(
    'InvalidItemShippingDetails',
    `The units of the item '${itemName(item)}' are not shipped to as many addresses as there are units.`,
    { subject: 'variant' in item ? 'LineItem' : 'CustomLineItem', itemId: id },
  ).errors[0];
}

/** Where the platform does not choose taxes, whoever does has to have said them. */
function taxFaults(cart: Cart): readonly ErrorElement[] {
  const { taxMode } = cart;
  if (taxMode !== 'External' && taxMode !== 'ExternalAmount') return [];
  const isAmount = taxMode === 'ExternalAmount';
  const items = itemsOf(cart)
    .filter((item) => !isTaxed(cart, item, isAmount))
    .map((item) => refusal(`The item '${itemName(item)}' has no ${isAmount ? 'taxes' : 'tax rate'}.`));
  const methods = shippingOf(cart)
    .filter(({ taxRate, taxedPrice }) => taxRate === undefined || (isAmount && taxedPrice === undefined))
    .map((info) =>
      refusal(`The shipping method '${info.shippingMethodName}' has no ${isAmount ? 'taxes' : 'tax rate'}.`),
    );
  return [...items, ...methods];
}

function isTaxed(cart: Cart, item: Item, isAmount: boolean): boolean {
  if (cart.shippingMode === 'Single') return item.taxRate !== undefined && (!isAmount || item.taxedPrice !== undefined);
  return methodsOf(item, cart).every(({ shippingKey }) => {
    const isOf = ({ shippingMethodKey }: { readonly shippingMethodKey?: string | undefined }): boolean =>
      shippingMethodKey === shippingKey;
    const hasAmount = item.taxedPricePortions.some((portion) => isOf(portion) && portion.taxedPrice !== undefined);
    return item.perMethodTaxRate.some(isOf) && (!isAmount || hasAmount);
  });
}

function shippingOf({ shippingInfo, shipping }: Cart): readonly ShippingInfo[] {
  return [...(shippingInfo === undefined ? [] : [shippingInfo]), ...shipping.map((each) => each.shippingInfo)];
}

/** Whatever the platform prices has to be for sale, but in a cart that keeps the prices of when it was frozen. */
function soldFaults(cart: Cart, { gathered, isFrozen }: Working): readonly ErrorElement[] {
  if (isFrozen) return [];
  return cart.lineItems
    .filter(({ priceMode, lineItemMode }) => priceMode === 'Platform' && lineItemMode === 'Standard')
    .filter(({ productId, variant }) => {
      const product = gathered.products.get(productId);
      const isPublished = product?.masterData.published === true;
      return !isPublished || !allVariants(product.masterData.current).some(({ id }) => id === variant.id);
    })
    .map((line) =>
      refusal(`The line item '${itemName(line)}' is of a product or variant that is not for sale any more.`),
    );
}

/** Prices, tax rates and the shipping rate, which may have changed since the cart was computed. */
function priceFaults(cart: Cart, now: Cart): readonly ErrorElement[] {
  const byId = new Map(now.lineItems.map((line) => [line.id, line]));
  const lineItems = cart.lineItems.filter((line) => hasMoved(line, byId.get(line.id))).map(({ id }) => id);
  const customById = new Map(now.customLineItems.map((item) => [item.id, item]));
  const custom = cart.customLineItems.filter((item) => !isSameTax(item, customById.get(item.id)!)).map(({ id }) => id);
  const shipping = !isDeepStrictEqual(shippingOf(cart).map(costOf), shippingOf(now).map(costOf));
  if (lineItems.length + custom.length === 0 && !shipping) return [];
  return apiError(
    'PriceChanged',
    'Prices, tax rates or the shipping rate have changed since the cart was calculated.',
    {
      lineItems: [...lineItems, ...custom],
      shipping,
    },
  ).errors;
}

/** A gift may not be given any more. */
function hasMoved(line: LineItem, now: LineItem | undefined): boolean {
  if (now === undefined) return true;
  return !isDeepStrictEqual(unitPrice(line.price), unitPrice(now.price)) || !isSameTax(line, now);
}

function isSameTax(item: Item, now: Item): boolean {
  const ofMethods = (of: Item): readonly unknown[] =>
    of.perMethodTaxRate.map(({ shippingMethodKey, taxRate }) => [shippingMethodKey, partOf(taxRate)]);
  return (
    isDeepStrictEqual(partOf(item.taxRate), partOf(now.taxRate)) && isDeepStrictEqual(ofMethods(item), ofMethods(now))
  );
}

/** What of a rate costs something: it may have another id by now. */
function partOf(rate: Fixed<TaxRate> | undefined): unknown {
  if (rate === undefined) return undefined;
  return { amount: rate.amount, isIncluded: rate.includedInPrice, subRates: rate.subRates ?? [] };
}

function costOf({ shippingRate, price, taxRate }: ShippingInfo): unknown {
  return { shippingRate, price, tax: partOf(taxRate) };
}

/** Each code of the cart has to be in effect. */
function codeFaults({ cart, codes, found, now }: Working): readonly ErrorElement[] {
  const judged = new Map(codes?.map(({ code }) => [code.id, code]));
  return cart.discountCodes.flatMap(({ discountCode: { id }, state }): readonly ErrorElement[] => {
    // Stored codes were parsed by their kind.
    const code = judged.get(id) ?? (found.one('discount-code', id) as Fixed<DiscountCode> | undefined);
    if (code === undefined) return [codeError(id, { discountCode: id, reason: 'DoesNotExist' })];
    if (state === 'MatchesCart') return [];
    return [timeFault(code, now) ?? codeError(id, { discountCode: code.code })];
  });
}

export function codeError(
  id: string,
  named: { readonly discountCode: string; readonly reason?: 'DoesNotExist' },
): ErrorElement {
  // The contract has the id under two names.
  const ids = { discountCodeId: id, dicountCodeId: id };
  const { discountCode } = named;
  return apiError('DiscountCodeNonApplicable', `The discount code '${discountCode}' cannot be applied to the cart.`, {
    ...named,
    ...ids,
  }).errors[0];
}

function methodFaults({ cart, catalog }: Working): readonly ErrorElement[] {
  return shippingOf(cart).flatMap((info) => {
    const { shippingMethod, shippingMethodState, shippingMethodName: name } = info;
    if (shippingMethodState === 'DoesNotMatchCart')
      return apiError('ShippingMethodDoesNotMatchCart', `The shipping method '${name}' does not fit the cart.`).errors;
    if (shippingMethod === undefined) return [];
    const method = catalog.methods.find(({ id }) => id === shippingMethod.id);
    if (method === undefined) return [refusal(`The shipping method '${name}' is not there any more.`)];
    if (!method.active) return [refusal(`The shipping method '${name}' is not active.`)];
    return isForStore(method.stores, cart.store) ? [] : [refusal(`The shipping method '${name}' is for other stores.`)];
  });
}

/** A store that names countries sells to no other. */
export function storeFaults({
  cart: { country },
  gathered: { store },
}: {
  readonly cart: Pick<Fixed<Cart>, 'country'>;
  readonly gathered: Pick<Working['gathered'], 'store'>;
}): readonly ErrorElement[] {
  const storeCountries = store?.countries.map(({ code }) => code) ?? [];
  if (country === undefined || storeCountries.length === 0 || storeCountries.includes(country)) return [];
  return apiError('CountryNotConfiguredInStore', `The store '${store!.key}' does not sell to the country ${country}.`, {
    storeCountries,
    country,
  }).errors;
}

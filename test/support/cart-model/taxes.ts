/** Section 7: taxes. */
import type {
  Address,
  ExternalTaxRateDraft,
  TaxCategory,
  TaxedItemPrice,
  TaxPortion,
  TaxRate,
} from '@commercetools/platform-sdk';
import { amountOf, centMoney, cents, centsOf, sum } from './amounts.ts';
import {
  currencyOf,
  isGift,
  isLine,
  itemsOf,
  type ModelCart,
  type ModelItem,
  type ModelShippingInfo,
  type ModelWorld,
  type Request,
  shippingInfosOf,
} from './cart-shapes.ts';
import { unitPriceOf } from './line-prices.ts';
import { refuse, refuseIf } from './model-error.ts';
import { add, decimal, divide, multiply, one, type Rational, rational, round, zero } from './rational.ts';
import { largestRemainder } from './shares.ts';

/** Units of one price; what is taxed is made of these. */
interface PricedUnits {
  readonly unit: Rational;
  readonly quantity: number;
}

/** Chooses the rates of items and of shipping (7.1, 7.7). */
export function chooseTaxRates(world: ModelWorld, cart: ModelCart, isMeant: (item: ModelItem) => boolean): void {
  if (cart.taxMode === 'Disabled') return dropTaxes(cart, false);
  if (cart.taxMode !== 'Platform') return;
  for (const item of itemsOf(cart)) if (isMeant(item)) chooseItemRates(world, cart, item);
  for (const info of shippingInfosOf(cart)) {
    const shipping = cart.shipping.find(({ shippingInfo }) => shippingInfo === info);
    const address = shipping === undefined ? cart.shippingAddress : shipping.shippingAddress;
    assign(info, 'taxRate', rateOf(world, info.taxCategory?.id, address));
  }
}

function chooseItemRates(world: ModelWorld, cart: ModelCart, item: ModelItem): void {
  const category = isLine(item)
    ? (world.products.find(({ id }) => id === item.productId)?.taxCategory?.id ?? undefined)
    : item.taxCategory?.id;
  const isGone = isLine(item) && !world.products.some(({ id }) => id === item.productId);
  if (isGone) return;
  const rateAt = (address: Address | undefined, known: TaxRate | undefined): TaxRate | undefined =>
    isLine(item) && category === undefined ? keptRate(world, known, address) : rateOf(world, category, address);
  if (cart.shippingMode !== 'Multiple') return assign(item, 'taxRate', rateAt(cart.shippingAddress, item.taxRate));
  // 8.8
  item.perMethodTaxRate = targetsOf(cart, item).flatMap(({ shippingKey, address }) => {
    const known = item.perMethodTaxRate.find(({ shippingMethodKey }) => shippingMethodKey === shippingKey)?.taxRate;
    const taxRate = rateAt(address, known);
    return taxRate === undefined ? [] : [{ shippingMethodKey: shippingKey, taxRate }];
  });
}

/** Of a product that has lost its tax category. */
function keptRate(world: ModelWorld, known: TaxRate | undefined, address: Address | undefined): TaxRate | undefined {
  if (address === undefined) return undefined;
  const isFallback = world.project.carts?.countryTaxRateFallbackEnabled === true;
  const isOfPlace = known?.state ? known.state === address.state : !address.state || isFallback;
  return known?.country === address.country && isOfPlace ? known : refuse('InvalidOperation');
}

// 7.1
function rateOf(world: ModelWorld, categoryId: string | undefined, address: Address | undefined): TaxRate | undefined {
  const category = world.taxCategories.find(({ id }) => id === categoryId);
  if (address === undefined || category === undefined) return undefined;
  const state = address.state === '' ? undefined : address.state;
  const own = findRate(category, address.country, state);
  if (own !== undefined) return own;
  const isFallback = world.project.carts?.countryTaxRateFallbackEnabled === true;
  const stateless = isFallback ? findRate(category, address.country, undefined) : undefined;
  return stateless ?? refuse('MissingTaxRateForCountry');
}

function findRate({ rates }: TaxCategory, country: string, state: string | undefined): TaxRate | undefined {
  return rates.find((rate) => rate.country === country && (rate.state === '' ? undefined : rate.state) === state);
}

/** The rate that a client gave (7.7). */
export function externalRate(draft: ExternalTaxRateDraft): TaxRate {
  const { name, country, state, subRates, includedInPrice = false } = draft;
  const ofSubRates = (subRates ?? []).reduce((total, { amount }) => add(total, decimal(amount)), zero);
  const amount = draft.amount ?? Number(ofSubRates.numerator) / Number(ofSubRates.denominator);
  return {
    name,
    amount,
    includedInPrice,
    country,
    ...(state === undefined ? {} : { state }),
    ...(subRates === undefined ? {} : { subRates }),
  };
}

/** Drops taxed prices, and rates unless they are kept, as when the mode changes (7.7). */
export function dropTaxes(cart: ModelCart, areRatesKept: boolean): void {
  for (const item of itemsOf(cart)) {
    delete item.taxedPrice;
    item.taxedPricePortions = [];
    if (areRatesKept) continue;
    delete item.taxRate;
    item.perMethodTaxRate = [];
  }
  for (const info of shippingInfosOf(cart)) {
    delete info.taxedPrice;
    if (!areRatesKept) delete info.taxRate;
  }
  delete cart.taxedPrice;
  delete cart.taxedShippingPrice;
}

/** The taxed prices of items, shipping and the cart, from its rates and its totals before discounts on the total price. */
export function computeTaxes(cart: ModelCart, request: Request | undefined): void {
  if (cart.taxMode === 'ExternalAmount') return keepTaxAmounts(cart, request);
  if (cart.taxMode === 'Disabled') return dropTaxes(cart, false);
  for (const item of itemsOf(cart)) taxItem(cart, item);
  for (const info of shippingInfosOf(cart)) {
    const unit = centsOf(amountOf((info.discountedPrice ?? { value: info.price }).value));
    const total = round(unit, 'HalfEven');
    assign(info, 'taxedPrice', taxed(cart, { total, units: [{ unit, quantity: 1 }], rate: info.taxRate }));
  }
  taxCart(cart);
}

function taxItem(cart: ModelCart, item: ModelItem): void {
  if (cart.shippingMode === 'Multiple') return taxByMethod(cart, item);
  const total = cents(item.totalPrice);
  const units = isTaxedByUnit(item) ? unitsOf(item) : [{ unit: rational(total), quantity: 1 }];
  assign(item, 'taxedPrice', taxed(cart, { total, units, rate: item.taxRate }));
}

/** 7.3: lines whose total was given have no unit price that makes it. */
function isTaxedByUnit(item: ModelItem): boolean {
  return !(isLine(item) && item.priceMode === 'ExternalTotal');
}

function unitsOf(item: ModelItem): PricedUnits[] {
  const groups = item.discountedPricePerQuantity;
  if (groups.length === 0) return [{ unit: centsOf(unitPriceOf(item)), quantity: item.quantity }];
  return groups.map(({ quantity, discountedPrice }) => ({ unit: centsOf(amountOf(discountedPrice.value)), quantity }));
}

interface Taxable {
  /** Cents. */
  readonly total: bigint;
  readonly units: readonly PricedUnits[];
  readonly rate: TaxRate | undefined;
}

// 7.2, 7.3, 7.4
function taxed(cart: ModelCart, { total, units, rate }: Taxable): TaxedItemPrice | undefined {
  if (rate === undefined) return undefined;
  const factor = add(one, rateAmount(rate));
  const other = (price: Rational): bigint =>
    round(rate.includedInPrice ? divide(price, factor) : multiply(price, factor), cart.taxRoundingMode);
  const computed =
    cart.taxCalculationMode === 'UnitPriceLevel'
      ? sum(units.map(({ unit, quantity }) => other(unit) * BigInt(quantity)))
      : other(rational(total));
  const [net, gross] = rate.includedInPrice ? [computed, total] : [total, computed];
  return taxedPrice(cart, { net, gross, portions: portionsOf(cart, rate, gross - net) });
}

function rateAmount({ amount, subRates = [] }: TaxRate): Rational {
  // 7.4: a rate with subRates is their sum.
  if (subRates.length === 0) return decimal(amount);
  return subRates.reduce((total, subRate) => add(total, decimal(subRate.amount)), zero);
}

// 7.4
function portionsOf(cart: ModelCart, { name, amount, subRates = [] }: TaxRate, tax: bigint): TaxPortion[] {
  if (subRates.length === 0) return [{ name, rate: amount, amount: centMoney(currencyOf(cart), tax) }];
  const shares = largestRemainder(
    tax,
    subRates.map((subRate) => decimal(subRate.amount)),
  );
  return subRates.map((subRate, index) => ({
    name: subRate.name,
    rate: subRate.amount,
    amount: centMoney(currencyOf(cart), shares[index]!),
  }));
}

interface NetAndGross {
  readonly net: bigint;
  readonly gross: bigint;
  readonly portions: readonly TaxPortion[];
}

function taxedPrice(cart: ModelCart, { net, gross, portions }: NetAndGross): TaxedItemPrice {
  const currency = currencyOf(cart);
  return {
    totalNet: centMoney(currency, net),
    totalGross: centMoney(currency, gross),
    taxPortions: [...portions],
    totalTax: centMoney(currency, gross - net),
  };
}

interface Target {
  readonly shippingKey: string;
  readonly address: Address;
  readonly quantity: number;
}

/** How the units of an item go to the shipping methods, in their order (8.8). */
function targetsOf(cart: ModelCart, { shippingDetails }: ModelItem): readonly Target[] {
  return cart.shipping.flatMap(({ shippingKey, shippingAddress: address }) => {
    const targets = (shippingDetails?.targets ?? []).filter(
      ({ shippingMethodKey }) => shippingMethodKey === shippingKey,
    );
    const quantity = targets.reduce((total, target) => total + target.quantity, 0);
    return quantity === 0 ? [] : [{ shippingKey, address, quantity }];
  });
}

/** 8.8: single units go to the methods in order; each method taxes its part of the total. */
function taxByMethod(cart: ModelCart, item: ModelItem): void {
  item.taxedPricePortions = dealt(cart, item).map(({ shippingKey, units: single, total }) => {
    const own = item.perMethodTaxRate.find(({ shippingMethodKey }) => shippingMethodKey === shippingKey)?.taxRate;
    const rate = own ?? (cart.taxMode === 'External' ? item.taxRate : undefined);
    const units = isTaxedByUnit(item)
      ? single.map((unit) => ({ unit, quantity: 1 }))
      : [{ unit: rational(total), quantity: 1 }];
    const price = taxed(cart, { total, units, rate });
    return price === undefined
      ? { shippingMethodKey: shippingKey }
      : { shippingMethodKey: shippingKey, taxedPrice: price };
  });
  taxWhole(cart, item);
}

interface Dealt extends Target {
  readonly units: readonly Rational[];
  /** Its part of the total of the item, in cents. */
  readonly total: bigint;
}

function dealt(cart: ModelCart, item: ModelItem): readonly Dealt[] {
  const singles = singlesOf(item);
  const targets = targetsOf(cart, item).map((target) => ({ ...target, units: singles.splice(0, target.quantity) }));
  const weights = [...targets.map(({ units }) => totalOfUnits(units)), totalOfUnits(singles)];
  const totals = largestRemainder(cents(item.totalPrice), weights);
  return targets.map((target, index) => ({ ...target, total: totals[index]! }));
}

/** The item is taxed as its methods are, where all of it goes with some. */
function taxWhole(cart: ModelCart, item: ModelItem): void {
  const parts = item.taxedPricePortions.map((portion) => portion.taxedPrice);
  const distributed = targetsOf(cart, item).reduce((total, { quantity }) => total + quantity, 0);
  assign(item, 'taxedPrice', distributed === item.quantity ? totalOf(cart, parts) : undefined);
}

/** A total that was given is the same for each unit. */
function singlesOf(item: ModelItem): Rational[] {
  const { quantity, totalPrice } = item;
  if (!isTaxedByUnit(item))
    return Array.from({ length: quantity }, () => rational(cents(totalPrice), BigInt(quantity)));
  return unitsOf(item).flatMap((units) => Array.from({ length: units.quantity }, () => units.unit));
}

function totalOfUnits(units: readonly Rational[]): Rational {
  return units.reduce(add, zero);
}

// 7.5, 7.6
function taxCart(cart: ModelCart): void {
  const ofShipping = shippingInfosOf(cart).map((info) => info.taxedPrice);
  // Gifts come after what costs something.
  const items = [...itemsOf(cart).filter((item) => !isGift(item)), ...itemsOf(cart).filter(isGift)];
  const hasAddress = cart.shippingMode === 'Multiple' || cart.shippingAddress !== undefined;
  const total = totalOf(cart, [...items.map((item) => item.taxedPrice), ...ofShipping]);
  assign(cart, 'taxedPrice', hasAddress && items.length > 0 ? total : undefined);
  assign(cart, 'taxedShippingPrice', ofShipping.length > 0 ? totalOf(cart, ofShipping) : undefined);
}

/** The sum, if there is one of everything; nothing is computed anew (7.5). */
function totalOf(cart: ModelCart, prices: readonly (TaxedItemPrice | undefined)[]): TaxedItemPrice | undefined {
  const portions: TaxPortion[] = [];
  let net = 0n;
  let gross = 0n;
  for (const price of prices) {
    if (price === undefined) return undefined;
    net += cents(price.totalNet);
    gross += cents(price.totalGross);
    for (const portion of price.taxPortions) {
      const index = portions.findIndex(({ name, rate }) => name === portion.name && rate === portion.rate);
      if (index < 0) portions.push(portion);
      else portions[index] = { ...portion, amount: added(cart, portions[index]!, portion) };
    }
  }
  return taxedPrice(cart, { net, gross, portions });
}

function added(cart: ModelCart, a: TaxPortion, b: TaxPortion): TaxPortion['amount'] {
  return centMoney(currencyOf(cart), cents(a.amount) + cents(b.amount));
}

/** 7.9: what is left of a taxed price when `discount` was taken off a total of `total` cents. */
export function scaled(
  cart: ModelCart,
  price: TaxedItemPrice,
  { discount, total }: { readonly discount: bigint; readonly total: bigint },
): TaxedItemPrice {
  const left = (value: bigint): bigint => value - round(rational(value * discount, total), cart.taxRoundingMode);
  const net = left(cents(price.totalNet));
  const gross = left(cents(price.totalGross));
  const weights = price.taxPortions.map(({ amount }) => rational(cents(amount)));
  const shares = largestRemainder(gross - net, weights);
  const portions = price.taxPortions.map((portion, index) => ({
    ...portion,
    amount: centMoney(currencyOf(cart), shares[index]!),
  }));
  return taxedPrice(cart, { net, gross, portions });
}

/** 7.8: amounts that a client gave stay as long as the totals do that they were given for. */
function keepTaxAmounts(cart: ModelCart, request: Request | undefined): void {
  delete cart.taxedShippingPrice;
  for (const item of itemsOf(cart)) {
    if (cart.shippingMode === 'Multiple') keepAmountsByMethod(cart, item, request);
    else keepAmount(cart, item, item.totalPrice.centAmount, request?.newTaxAmounts.has(taxAmountName(item, undefined)));
  }
  for (const info of shippingInfosOf(cart)) {
    const total = amountOf((info.discountedPrice ?? { value: info.price }).value).amount;
    keepAmount(cart, info, Number(total), request?.newTaxAmounts.has(''));
  }
}

/** What `Request.newTaxAmounts` has for an amount of an item. */
export function taxAmountName({ id }: ModelItem, shippingKey: string | undefined): string {
  return shippingKey === undefined ? id : `${id} with ${shippingKey}`;
}

function keepAmountsByMethod(cart: ModelCart, item: ModelItem, request: Request | undefined): void {
  const before = item.taxedPricePortions;
  item.taxedPricePortions = dealt(cart, item).map(({ shippingKey, total }) => {
    const isOwn = (of: { readonly shippingMethodKey: string }): boolean => of.shippingMethodKey === shippingKey;
    const own: Pick<ModelItem, 'taxRate' | 'taxedPrice'> = {};
    assign(own, 'taxRate', item.perMethodTaxRate.find(isOwn)?.taxRate);
    assign(own, 'taxedPrice', before.find(isOwn)?.taxedPrice);
    keepAmount(cart, own, Number(total), request?.newTaxAmounts.has(taxAmountName(item, shippingKey)));
    return { shippingMethodKey: shippingKey, ...(own.taxedPrice !== undefined && { taxedPrice: own.taxedPrice }) };
  });
  taxWhole(cart, item);
}

function keepAmount(
  cart: ModelCart,
  taxable: Pick<ModelItem | ModelShippingInfo, 'taxRate' | 'taxedPrice'>,
  total: number,
  isNew: boolean | undefined,
): void {
  const { taxedPrice: given, taxRate } = taxable;
  if (given === undefined || taxRate === undefined) return;
  if (isNew !== true && given.totalNet.centAmount !== total) {
    delete taxable.taxedPrice;
    return;
  }
  const gross = cents(given.totalGross);
  const net = BigInt(total);
  // 7.8: no tax is below zero, but that of what costs less than nothing.
  refuseIf(isNew === true && (net < 0n ? gross > net : gross < net), 'InvalidField');
  taxable.taxedPrice = taxedPrice(cart, { net, gross, portions: portionsOf(cart, taxRate, gross - net) });
}

/** 7.8: the tax of the whole cart as a client gave it, after the cart's total is known. */
export function keepTotalTax(cart: ModelCart, request: Request): void {
  if (cart.taxMode !== 'ExternalAmount' || cart.taxedPrice === undefined) return;
  const { totalGross, totalNet, taxPortions } = cart.taxedPrice;
  if (!request.hasNewTotalTax && totalNet.centAmount !== cart.totalPrice.centAmount) {
    delete cart.taxedPrice;
    return;
  }
  const gross = cents(totalGross);
  const net = cents(cart.totalPrice);
  const isPlain = itemsOf(cart).every((item) => cents(item.totalPrice) >= 0n);
  refuseIf(request.hasNewTotalTax && isPlain && (net < 0n ? gross > net : gross < net), 'InvalidField');
  cart.taxedPrice = taxedPrice(cart, { net: cents(cart.totalPrice), gross, portions: taxPortions });
}

/** Sets a member, or removes it where there is no value. */
export function assign<Owner extends object, Name extends keyof Owner>(
  owner: Owner,
  name: Name,
  value: Owner[Name] | undefined,
): void {
  if (value === undefined) delete owner[name];
  else owner[name] = value;
}

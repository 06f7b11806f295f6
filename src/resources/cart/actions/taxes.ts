/** Tax rates and amounts that clients give, in the modes that take them (carts 7.7, 7.8). */
import { action, invalidOperation } from '../../../engine/actions.ts';
import type { Action } from '../../../engine/resource.ts';
import type { PartNames } from '../../../engine/parts.ts';
import { type Fields, optional, required, type ValueOf } from '../../../fields/field.ts';
import { centMoney } from '../../../fields/money.ts';
import { key } from '../../../fields/scalar.ts';
import type { TaxRate as AmountedRate } from '../../../pricing/cart/taxes.ts';
import { type Cart, taxModes } from '../fields.ts';
import type { CustomLineItem, LineItem } from '../item-fields.ts';
import type { ShippingInfo } from '../shipping-fields.ts';
import { externalTaxAmount, externalTaxRate, type TaxedPrice, taxPortions, type TaxRate } from '../tax-fields.ts';
import { type GivenAmounts, requireCurrency } from './currency.ts';
import { methodsOf } from './shipping-details.ts';

export function requireTaxMode({ taxMode }: Cart, mode: Cart['taxMode']): void {
  if (taxMode !== mode) throw invalidOperation(`That needs the tax mode ${mode}, but the cart has ${taxMode}.`);
}

/** In which the client gives rates. */
const external: ReadonlySet<Cart['taxMode']> = new Set(['External', 'ExternalAmount']);

/** What was given for another mode goes, but rates from one in which clients give them to the other (carts 7.7). */
export const changeTaxMode = action({ taxMode: required(taxModes) }, (cart: Cart, { taxMode }) => {
  if (cart.taxMode === taxMode) return;
  const isKept = external.has(cart.taxMode) && external.has(taxMode);
  cart.taxMode = taxMode;
  const items = [...cart.lineItems, ...cart.customLineItems];
  const infos = [cart.shippingInfo, ...cart.shipping.map(({ shippingInfo }) => shippingInfo)];
  for (const part of [...items, ...infos.filter((info) => info !== undefined)]) {
    delete part.taxedPrice;
    if (!isKept) delete part.taxRate;
  }
  for (const item of items) {
    item.taxedPricePortions = [];
    if (!isKept) item.perMethodTaxRate = [];
  }
  delete cart.taxedPrice;
  delete cart.taxedShippingPrice;
});

type Taxable = Pick<LineItem | CustomLineItem | ShippingInfo, 'taxRate' | 'taxedPrice'>;

/** What a client has said of them, or what follows from a rate. */
export function forgetTaxes(part: Taxable): void {
  delete part.taxRate;
  delete part.taxedPrice;
}

type Amount = ValueOf<{ totalGross: typeof gross; taxRate: typeof rate }>;
const gross = required(centMoney());
const rate = required(externalTaxRate);

function setAmount(cart: Cart, part: Taxable, given: Amount | undefined): void {
  forgetTaxes(part);
  if (given !== undefined) Object.assign(part, givenTaxes(cart, given));
}

/** The net is what is taxed costs, which is known when the cart is computed. */
function givenTaxes(
  cart: Cart,
  { totalGross, taxRate }: Amount,
): { readonly taxRate: TaxRate; readonly taxedPrice: TaxedPrice } {
  requireCurrency(cart, { 'externalTaxAmount.totalGross': totalGross });
  return { taxRate, taxedPrice: { totalNet: undefined, totalGross, taxPortions: [] } as unknown as TaxedPrice };
}

const shippingKey = optional(key());

/** The actions of a kind of items. */
export function itemTaxActions<Names extends string>(
  identifier: PartNames<Names>['identifier'],
  itemIn: (cart: Cart, input: Readonly<Partial<Record<Names, string>>>) => LineItem | CustomLineItem,
): { readonly setRate: Action; readonly setAmount: Action } {
  type Input = Readonly<Partial<Record<Names, string>>>;
  return {
    setRate: action(
      { ...(identifier as Fields), externalTaxRate: optional(externalTaxRate), shippingKey },
      (cart: Cart, { externalTaxRate: given, shippingKey: method, ...input }) => {
        requireTaxMode(cart, 'External');
        // Parsed by the kinds of the members.
        const item = itemIn(cart, input as Input);
        const taxRate = given as TaxRate | undefined;
        const named = methodOf(cart, method as string | undefined);
        if (named !== undefined)
          item.perMethodTaxRate = withMethod(item.perMethodTaxRate, named, taxRate && { taxRate });
        else if (taxRate === undefined) delete item.taxRate;
        else item.taxRate = taxRate;
      },
    ),
    setAmount: action(
      { ...(identifier as Fields), externalTaxAmount: optional(externalTaxAmount), shippingKey },
      (cart: Cart, { externalTaxAmount: given, shippingKey: method, ...input }) => {
        requireTaxMode(cart, 'ExternalAmount');
        const item = itemIn(cart, input as Input);
        const amount = given as Amount | undefined;
        const named = methodOf(cart, method as string | undefined);
        if (named === undefined) setAmount(cart, item, amount);
        else setMethodAmount(cart, item, { shippingKey: named, amount });
      },
    ),
  };
}

/** The method of which a client speaks, in carts that have several; undefined in others. Throws InvalidOperation. */
function methodOf({ shippingMode }: Cart, named: string | undefined): string | undefined {
  if ((shippingMode === 'Multiple') === (named !== undefined)) return named;
  throw invalidOperation(
    named === undefined
      ? 'A cart with the shippingMode Multiple has taxes of items by the shippingKey.'
      : 'A shippingKey needs the shippingMode Multiple, but the cart has Single.',
  );
}

/** An amount is for the units that the method takes, so it takes some. */
function setMethodAmount(
  cart: Cart,
  item: LineItem | CustomLineItem,
  { shippingKey: method, amount }: { readonly shippingKey: string; readonly amount: Amount | undefined },
): void {
  if (!methodsOf(item, cart).some((each) => each.shippingKey === method))
    throw invalidOperation(`No units of the item go to a shipping method with the key '${method}'.`);
  const given = amount && givenTaxes(cart, amount);
  item.perMethodTaxRate = withMethod(item.perMethodTaxRate, method, given && { taxRate: given.taxRate });
  item.taxedPricePortions = withMethod(item.taxedPricePortions, method, given && { taxedPrice: given.taxedPrice });
}

/** What a client said of the taxes of an item with a method goes with that, for another one may take its key. */
export function forgetMethod(item: LineItem | CustomLineItem, shippingMethodKey: string): void {
  item.perMethodTaxRate = withMethod(item.perMethodTaxRate, shippingMethodKey, undefined);
  item.taxedPricePortions = withMethod(item.taxedPricePortions, shippingMethodKey, undefined);
}

/** What a list has for methods, with what it has for one of them or, without that, without it. */
function withMethod<T extends { shippingMethodKey: string }>(
  list: readonly T[],
  shippingMethodKey: string,
  own: Omit<T, 'shippingMethodKey'> | undefined,
): T[] {
  const others = list.filter((each) => each.shippingMethodKey !== shippingMethodKey);
  return own === undefined ? others : [...others, { ...own, shippingMethodKey } as T];
}

export const setShippingMethodTaxRate = action(
  { shippingKey, externalTaxRate: optional(externalTaxRate) },
  (cart: Cart, { shippingKey: named, externalTaxRate: given }) => {
    requireTaxMode(cart, 'External');
    const info = shippingInfoIn(cart, named);
    if (given === undefined) delete info.taxRate;
    else info.taxRate = given;
  },
);

export const setShippingMethodTaxAmount = action(
  { shippingKey, externalTaxAmount: optional(externalTaxAmount) },
  (cart: Cart, { shippingKey: named, externalTaxAmount: given }) => {
    requireTaxMode(cart, 'ExternalAmount');
    setAmount(cart, shippingInfoIn(cart, named), given);
  },
);

/** The one of the cart, or of several the one that is named. Throws InvalidOperation. */
export function shippingInfoIn(
  cart: Pick<Cart, 'shippingMode' | 'shippingInfo' | 'shipping'>,
  named: string | undefined,
): ShippingInfo {
  const info =
    cart.shippingMode === 'Single' && named === undefined
      ? cart.shippingInfo
      : cart.shipping.find((each) => each.shippingKey === named)?.shippingInfo;
  if (info !== undefined) return info;
  throw invalidOperation(
    named === undefined ? 'There is no shipping method.' : `There is no shipping method with the key '${named}'.`,
  );
}

/** Its net is the total of the cart, which is known when that is computed. */
export const setCartTotalTax = action(
  { externalTotalGross: required(centMoney()), externalTaxPortions: optional(taxPortions) },
  (cart: Cart, { externalTotalGross, externalTaxPortions }) => {
    requireTaxMode(cart, 'ExternalAmount');
    const portions = (externalTaxPortions ?? []).map(({ amount }, index) => [
      `externalTaxPortions[${index}].amount`,
      amount,
    ]);
    requireCurrency(cart, { externalTotalGross, ...(Object.fromEntries(portions) as GivenAmounts) });
    cart.taxedPrice = {
      totalNet: undefined,
      totalGross: externalTotalGross,
      taxPortions: externalTaxPortions ?? [],
    } as unknown as TaxedPrice;
  },
);

/** A rate as stored always has its amount. */
export function ratedTaxes(rate: TaxRate): AmountedRate {
  return { ...rate, amount: rate.amount! };
}

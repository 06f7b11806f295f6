/** Tax rates and amounts that clients give, in the modes that take them (carts 7.7, 7.8). */
import { action, invalidOperation } from '../../../engine/actions.ts';
import type { Action } from '../../../engine/resource.ts';
import type { PartNames } from '../../../engine/parts.ts';
import { apiError } from '../../../errors/api-error.ts';
import { type Fields, optional, required, type ValueOf } from '../../../fields/field.ts';
import { centMoney } from '../../../fields/money.ts';
import { key } from '../../../fields/scalar.ts';
import type { CentPrecisionMoney } from '../../../money/money.ts';
import type { TaxRate as AmountedRate } from '../../../pricing/cart/taxes.ts';
import { type Cart, taxModes } from '../fields.ts';
import type { CustomLineItem, LineItem } from '../item-fields.ts';
import type { ShippingInfo } from '../shipping-fields.ts';
import { externalTaxAmount, externalTaxRate, type TaxedPrice, taxPortions, type TaxRate } from '../tax-fields.ts';

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
  if (!isKept) for (const item of items) item.perMethodTaxRate = [];
  delete cart.taxedPrice;
  delete cart.taxedShippingPrice;
});

type Taxable = Pick<LineItem | CustomLineItem | ShippingInfo, 'taxRate' | 'taxedPrice'>;

function forgetTaxes(part: Taxable): void {
  delete part.taxRate;
  delete part.taxedPrice;
}

type Amount = ValueOf<{ totalGross: typeof gross; taxRate: typeof rate }>;
const gross = required(centMoney());
const rate = required(externalTaxRate);

/** Its net is what the part costs without it, which is known when the cart is computed. */
function setAmount(cart: Cart, part: Taxable, given: Amount | undefined): void {
  forgetTaxes(part);
  if (given === undefined) return;
  requireCurrency(cart, 'externalTaxAmount.totalGross', given.totalGross);
  part.taxRate = given.taxRate;
  part.taxedPrice = { totalNet: undefined, totalGross: given.totalGross, taxPortions: [] } as unknown as TaxedPrice;
}

/** Amounts of taxes are computed with those of the cart. */
function requireCurrency({ totalPrice: { currencyCode } }: Cart, field: string, given: CentPrecisionMoney): void {
  if (given.currencyCode === currencyCode) return;
  throw apiError(
    'InvalidField',
    `The field '${field}' is in ${given.currencyCode}, but the cart is in ${currencyCode}.`,
    {
      field,
      invalidValue: given.currencyCode,
    },
  );
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
        setItemRate(itemIn(cart, input as Input), given as TaxRate | undefined, method as string | undefined);
      },
    ),
    setAmount: action(
      { ...(identifier as Fields), externalTaxAmount: optional(externalTaxAmount), shippingKey },
      (cart: Cart, { externalTaxAmount: given, shippingKey: _, ...input }) => {
        requireTaxMode(cart, 'ExternalAmount');
        setAmount(cart, itemIn(cart, input as Input), given as Amount | undefined);
      },
    ),
  };
}

function setItemRate(item: LineItem | CustomLineItem, given: TaxRate | undefined, method: string | undefined): void {
  if (method === undefined) {
    if (given === undefined) delete item.taxRate;
    else item.taxRate = given;
    return;
  }
  const others = item.perMethodTaxRate.filter(({ shippingMethodKey }) => shippingMethodKey !== method);
  item.perMethodTaxRate = given === undefined ? others : [...others, { shippingMethodKey: method, taxRate: given }];
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
export function shippingInfoIn(cart: Cart, named: string | undefined): ShippingInfo {
  const info =
    cart.shippingMode === 'Single' && named === undefined
      ? cart.shippingInfo
      : cart.shipping.find((each) => each.shippingKey === named)?.shippingInfo;
  if (info !== undefined) return info;
  throw invalidOperation(
    named === undefined
      ? 'The cart has no shipping method.'
      : `The cart has no shipping method with the key '${named}'.`,
  );
}

/** Its net is the total of the cart, which is known when that is computed. */
export const setCartTotalTax = action(
  { externalTotalGross: required(centMoney()), externalTaxPortions: optional(taxPortions) },
  (cart: Cart, { externalTotalGross, externalTaxPortions }) => {
    requireTaxMode(cart, 'ExternalAmount');
    requireCurrency(cart, 'externalTotalGross', externalTotalGross);
    for (const { amount } of externalTaxPortions ?? []) requireCurrency(cart, 'externalTaxPortions.amount', amount);
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

/** How a cart comes to cost what it does: the steps of its computation, each with what it found. */
import type { RequestContext } from '../../../engine/context.ts';
import type { Fixed } from '../../../engine/document.ts';
import { documentOf } from '../../../engine/json.ts';
import type { Engine } from '../../../engine/resource.ts';
import type { Computed } from '../../../pricing/cart/compute.ts';
import { discountsAt, type Outcome } from '../../../pricing/cart/discounts.ts';
import { isForStore } from '../../../pricing/stores.ts';
import { fractionDigitsOf } from '../../../money/currency.ts';
import type { CartDiscount } from '../../cart-discount/fields.ts';
import type { TypedMoney } from '../../../money/money.ts';
import type { Cart } from '../fields.ts';
import { itemName, type LineItem } from '../item-fields.ts';
import { anew } from './anew.ts';
import { type StepName, steps, type Working } from './computation.ts';
import { indexed } from './indexed.ts';
import { costedParts, pricedParts } from './priced-parts.ts';
import { unitPrice } from './prices.ts';

/** What one step says, a line for each thing. */
export interface Explanation {
  readonly step: string;
  readonly lines: readonly string[];
}

/**
 * Computes the stored cart as a request without actions would, and keeps nothing of it. Throws what would refuse the cart;
 * undefined where there is none.
 */
export async function explainCart(
  engine: Engine,
  context: Pick<RequestContext, 'project' | 'now'>,
  id: string,
): Promise<readonly Explanation[] | undefined> {
  const [stored] = await engine.store.find(context.project.key, [{ kind: 'cart', id }]);
  if (stored === undefined) return undefined;
  const cart = documentOf<Cart>(stored.json);
  if (cart.cartState === 'Ordered' || cart.cartState === 'Merged')
    return [{ step: `nothing changes any more: the cart is ${cart.cartState}`, lines: [] }];
  const working = await anew(engine, context, { cart, compute: { ...engine.compute, stepsMin: Infinity } });
  const explanations: Explanation[] = [];
  for (const { name, run } of steps) {
    await run(working);
    explanations.push({ step: name, lines: tellers[name]?.(working) ?? [] });
  }
  return explanations;
}

type Teller = (working: Working) => readonly string[];

/** Of those that have more to say than that they were there. */
const tellers: Readonly<Partial<Record<StepName, Teller>>> = {
  'prices of lines': ({ cart, isFrozen }) => [
    ...(isFrozen ? ['frozen: prices stay'] : []),
    ...cart.lineItems.map(priceLine),
  ],
  'rates of shipping methods': ({ cart }) =>
    pricedParts(cart).shipping.map(({ shippingMethodName, shippingRate }) => {
      return `${shippingMethodName}: ${amount(shippingRate.price)}${shippingRate.tiers.length > 0 ? ', with tiers' : ''}`;
    }),
  'tax rates': ({ cart }) => itemsIn(cart).map((item) => `${itemName(item)}: ${rateText(item)}`),
  'whether shipping methods fit': ({ cart }) =>
    pricedParts(cart).shipping.map((info) => `${info.shippingMethodName}: ${info.shippingMethodState}`),
  'discount codes, and discounts in their order': discountLines,
  'what it costs': costLines,
  'states of discount codes': ({ cart, codes }) =>
    cart.discountCodes.map(({ discountCode, state }) => {
      return `${codes?.find(({ code }) => code.id === discountCode.id)?.code.code ?? discountCode.id}: ${state}`;
    }),
};

function priceLine(line: LineItem): string {
  const { price, quantity, priceMode } = line;
  const unit = unitPrice(price);
  const from = price.discounted === undefined ? '' : `, before product discounts ${amount(price.value)}`;
  return `${itemName(line)}: ${quantity} at ${amount(unit)}, ${priceMode === 'Platform' ? `price ${price.id}` : priceMode}${from}`;
}

type Item = Cart['lineItems'][number] | Cart['customLineItems'][number];

function itemsIn({ lineItems, customLineItems }: Cart): readonly Item[] {
  return [...lineItems, ...customLineItems];
}

/** One, or those of the methods that ship it. */
function rateText({ taxRate, perMethodTaxRate }: Item): string {
  const text = (rate: Item['taxRate']): string =>
    rate === undefined ? 'none' : `${rate.name}, ${String(rate.amount)}`;
  const ofMethods = perMethodTaxRate.map(
    ({ shippingMethodKey, taxRate: rate }) => `${shippingMethodKey} ${text(rate)}`,
  );
  return [...(taxRate === undefined ? [] : [text(taxRate)]), ...ofMethods].join('; ') || 'none';
}

/** Those that are looked at, and why others are not: those that carts may have, and those that a code of the cart brings. */
function discountLines({ cart, found, codes, places = [], isHardFrozen, now }: Working): readonly string[] {
  if (isHardFrozen) return ['frozen: discounts stay'];
  const discounts = indexed(found.all('cart-discount')) as unknown as ReadonlyMap<string, Fixed<CartDiscount>>;
  const looked = new Set(places.flatMap(discountsAt).map(({ discount }) => discount.link.id));
  const named = (id: string): string => discounts.get(id)?.key ?? id;
  const inOrder = places.map((place) =>
    'members' in place
      ? `group ${place.group}: ${place.members.map(({ discount }) => named(discount.link.id)).join(', ')}`
      : named(place.discount.link.id),
  );
  const asked = new Set((codes ?? []).flatMap(({ code }) => code.cartDiscounts.map(({ id }) => id)));
  const others = [...discounts.values()].filter(({ id }) => !looked.has(id));
  const told = others.filter((discount) => asked.has(discount.id) || whyOff(discount, now) === undefined);
  return [
    ...inOrder,
    ...told.map((discount) => `not ${named(discount.id)}: ${whyNot(discount, { cart, now })}`),
    ...(told.length < others.length ? [`not ${others.length - told.length} that are not active or not valid now`] : []),
  ];
}

/** Why no cart has it; undefined where some may. */
function whyOff({ isActive, validFrom, validUntil }: Fixed<CartDiscount>, now: string): string | undefined {
  if (!isActive) return 'it is not active';
  const isValid = (validFrom === undefined || validFrom <= now) && (validUntil === undefined || now < validUntil);
  return isValid ? undefined : 'it is not valid now';
}

function whyNot(discount: Fixed<CartDiscount>, { cart, now }: { readonly cart: Cart; readonly now: string }): string {
  const { stores, requiresDiscountCode } = discount;
  if (cart.directDiscounts.length > 0) return 'the cart has direct discounts';
  const off = whyOff(discount, now);
  if (off !== undefined) return off;
  if (!isForStore(stores, cart.store)) return 'it is for other stores';
  return requiresDiscountCode ? 'no usable code of the cart brings it' : 'its group is not active';
}

const outcomeTexts: Readonly<Record<Outcome, string>> = {
  applied: 'applied',
  withoutEffect: 'not applied: it takes nothing off',
  doesNotMatchCart: 'not applied: its predicate does not hold for the cart',
  stopped: 'not applied: one before it lets none pass',
  worseThanOthersOfGroup: 'not applied: another of its group saves more',
};

function costLines({ cart, computed, found }: Working): readonly string[] {
  const { shipping, outcomes, onTotal, off, total } = computed!;
  const parts = costedParts(cart, computed!);
  const discounts = indexed(found.all('cart-discount'));
  const named = (id: string): string => (discounts.get(id)?.key as string | undefined) ?? id;
  const { currencyCode } = cart.totalPrice;
  const cents = (value: number): string => decimal(value, fractionDigitsOf(currencyCode)!, currencyCode);
  const ofItem = ([item, costs]: readonly [Item, Computed['items'][number]]): string => {
    const { fractionDigits } = costs;
    const units = costs.parts.map(({ quantity, price, portions }) => {
      const off = portions.map(
        ({ discount, amount: less }) => ` −${decimal(less, fractionDigits, '')} ${named(discount.id)}`,
      );
      return `${quantity} × ${decimal(price, fractionDigits, '')}${off.join('')}`;
    });
    return `${itemName(item)}: ${units.join(' + ')} = ${cents(costs.total)}`;
  };
  return [
    ...[...outcomes].map(([id, outcome]) => `${named(id)}: ${outcomeTexts[outcome]}`),
    ...[...parts.lines, ...parts.customLines].map(ofItem),
    ...cart.lineItems
      .filter(({ lineItemMode }) => lineItemMode === 'GiftLineItem')
      .map((line) => `${itemName(line)}: ${line.quantity} as a gift = ${cents(0)}`),
    ...shipping.map(
      ({ price, discounted }) =>
        `shipping: ${cents(price)}${discounted === undefined ? '' : `, after discounts ${cents(discounted.value)}`}`,
    ),
    ...onTotal.map(({ discount, amount: less }) => `off the total: ${cents(less)} by ${named(discount.id)}`),
    ...(onTotal.reduce((sum, { amount: less }) => sum + less, 0) === off
      ? []
      : [`of which as much as there is: ${cents(off)}`]),
    `total: ${cents(total)}`,
    ...(cart.taxedPrice === undefined
      ? ['taxes: none for the cart as a whole']
      : [`net ${amount(cart.taxedPrice.totalNet)}, gross ${amount(cart.taxedPrice.totalGross)}`]),
  ];
}

function amount(money: Fixed<TypedMoney>): string {
  const units = money.type === 'highPrecision' ? money.preciseAmount : money.centAmount;
  return decimal(units, money.fractionDigits, money.currencyCode);
}

function decimal(units: number, digits: number, currencyCode: string): string {
  const text = String(Math.abs(units)).padStart(digits + 1, '0');
  const point = text.length - digits;
  const number = digits === 0 ? text : `${text.slice(0, point)}.${text.slice(point)}`;
  return `${units < 0 ? '-' : ''}${number}${currencyCode === '' ? '' : ` ${currencyCode}`}`;
}

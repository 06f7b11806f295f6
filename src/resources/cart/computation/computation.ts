/** What a cart costs and how it ships, found anew after the last action of each request (carts 4). */
import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Fixed } from '../../../engine/document.ts';
import type { ProjectSettings } from '../../../engine/context.ts';
import type { Computation, Engine, Found } from '../../../engine/resource.ts';
import { invalidOperation } from '../../../engine/actions.ts';
import { ApiError, apiError } from '../../../errors/api-error.ts';
import { centPrecision } from '../../../money/money.ts';
import {
  cartCosts,
  type CartRequest,
  costsOf,
  type NamedPlace,
  receivedCosts,
} from '../../../pricing/cart/cart-task.ts';
import { charactersOf, componentCountOf, type StoredDiscount } from '../../../pricing/cart/stored-discounts.ts';
import { isForThread, valuesIn } from '../../../predicate/steps.ts';
import type { Computed } from '../../../pricing/cart/compute.ts';
import { discountsAt, type PlaceOf } from '../../../pricing/cart/discounts.ts';
import { requireTaxed } from '../../../pricing/cart/item-taxes.ts';
import { type DiscountLink, partsMax } from '../../../pricing/cart/units.ts';
import { hasChannel } from '../../../pricing/stores.ts';
import { allVariants, keepForStore, type ProductCopy } from '../../product/offers.ts';
import type { CartDiscount } from '../../cart-discount/fields.ts';
import type { Customer } from '../../customer/fields.ts';
import type { DiscountCode } from '../../discount-code/fields.ts';
import type { DiscountGroup } from '../../discount-group/fields.ts';
import { type Effect, planEffects } from '../../reservation/offers.ts';
import type { TaxCategory } from '../../tax-category/fields.ts';
import { addedName, isStale, snapshotOf } from '../actions/line-items.ts';
import { settleShippingDetails } from '../actions/shipping-details.ts';
import { freezesNow } from '../actions/states.ts';
import type { Cart } from '../fields.ts';
import type { LineItem } from '../item-fields.ts';
import type { GivenTaxedPrice } from '../tax-fields.ts';
import { type CartCode, codesOf, judgedCode, predicatesOfCode, requireUsable, stateOf } from './codes.ts';
import { asInGroup, type NamedDiscount, placesFor } from './discounts.ts';
import { type CartFacts, factsForMethods, factsOf, keyedKinds } from './facts.ts';
import { gatherForCart } from './gather.ts';
import type { Gathered } from './gathered.ts';
import { holdingOn } from './holding.ts';
import { ready } from './ready.ts';
import { giftOf } from './gift-value.ts';
import { isGiftOf, newGift, priceGift } from './gifts.ts';
import { indexed } from './indexed.ts';
import { leaveOutUnsold } from './left-out.ts';
import { giverOf, plainCosts, pricedCart, pricedGift } from './priced.ts';
import { requireWithinLimits } from './quantity-limits.ts';
import { reserveStock } from './reservations.ts';
import { type Buyer, buyerOf, selectPrices } from './prices.ts';
import { chooseRates, judgeMethods, predicatesOfMethods, type ShippingCatalog } from './shipping.ts';
import { chooseLineRate, chooseTaxRates, type Taxation } from './tax-rates.ts';
import { writeCombination, writeComputed } from './write.ts';

/** A cart while it is computed, with what that needs and what was found so far. */
export interface Working {
  readonly cart: Cart;
  readonly found: Found;
  readonly gathered: Gathered;
  readonly said: ReadonlySet<string>;
  readonly now: string;
  readonly settings: ProjectSettings;
  readonly compute: Engine['compute'];
  readonly before: Fixed<Cart> | undefined;
  readonly warn: Context['warn'];
  readonly leave: Context['leave'];
  readonly catalog: ShippingCatalog;
  readonly taxation: Taxation;
  /** Prices of lines stay as they are; where it is frozen hard, all that was frozen with them, too. */
  readonly isFrozen: boolean;
  readonly isHardFrozen: boolean;
  buyer?: Buyer;
  /** Keys of shipping methods that do not ship to their addresses. */
  stuck?: ReadonlySet<string>;
  facts?: CartFacts;
  /** How many values are in the facts, once somebody had to know. */
  factsSize?: number;
  codes?: readonly CartCode[];
  places?: readonly PlaceOf<NamedDiscount>[];
  /** Of the discounts that give them. */
  gifts?: Map<string, LineItem>;
  computed?: Computed;
}

export interface Step {
  readonly name: string;
  run(working: Working): void | Promise<void>;
}

/** The order in which a cart is computed. What comes after its discounts are known is in `pricing/cart/compute.ts`. */
export const steps = [
  { name: 'who buys', run: knowBuyer },
  {
    name: 'items of another cart that are left out',
    run: ({ cart, buyer, gathered, taxation, said }) =>
      leaveOutUnsold(cart, { buyer: buyer!, gathered, taxation, said }),
  },
  { name: 'what the cart may hold', run: requireFitting },
  { name: 'how many units a line may have', run: ({ cart, gathered }) => requireWithinLimits(cart, gathered) },
  { name: 'what is reserved for lines', run: reserve },
  { name: 'where units of items go', run: ({ cart }) => settleShippingDetails(cart) },
  { name: 'product data of lines', run: updateSnapshots },
  {
    name: 'prices of lines',
    run: ({ cart, buyer, gathered, isFrozen }) => {
      if (!isFrozen) selectPrices(cart, buyer!, gathered);
    },
  },
  { name: 'rates of shipping methods', run: chooseShippingRates },
  { name: 'tax rates', run: ({ cart, gathered, taxation }) => chooseTaxRates(cart, gathered, taxation) },
  { name: 'facts for predicates', run: stateFacts },
  { name: 'whether shipping methods fit', run: judgeShipping },
  { name: 'discount codes, and discounts in their order', run: chooseDiscounts },
  { name: 'what it costs', run: computeCosts },
  { name: 'states of discount codes', run: stateCodes },
] as const satisfies readonly Step[];

export type StepName = (typeof steps)[number]['name'];

export const costs: Computation<Cart, Gathered> = {
  reads: { customer: ['customerId'], 'discount-code': ['discountCodes[*].discountCode.id'] },
  readsAll: ['cart-discount', 'discount-group', 'zone', ...keyedKinds],
  gather: gatherForCart,
  compute: async (cart, found, context) => {
    // Nothing of them changes any more.
    if (cart.cartState === 'Ordered') return;
    const working = workingOf(cart, found, context);
    if (cart.cartState === 'Merged') return reserve(working);
    for (const step of steps) await step.run(working);
  },
  beside: (engine, context, { document, effects }) =>
    // What the step leaves.
    planEffects(engine, context, { cartId: document.id, effects: effects as readonly Effect[] }),
};

type Context = Omit<Parameters<Computation<Cart, Gathered>['compute']>[2], 'turn'>;

export function workingOf(cart: Cart, found: Found, context: Context): Working {
  const { gathered, said, now, project, compute, before, warn, leave } = context;
  const isFrozen = cart.cartState === 'Frozen' && !said.has(freezesNow);
  return {
    cart,
    found,
    gathered,
    said,
    now,
    compute,
    // The engine computes carts.
    before: before as unknown as Fixed<Cart> | undefined,
    warn,
    leave,
    settings: project.settings,
    catalog: {
      // Stored resources were parsed by their kinds.
      methods: found.all('shipping-method') as unknown as ShippingCatalog['methods'],
      zones: found.all('zone') as unknown as ShippingCatalog['zones'],
    },
    taxation: {
      categories: indexed(found.all('tax-category')) as unknown as ReadonlyMap<string, Fixed<TaxCategory>>,
      isCountryEnough: project.settings.carts?.countryTaxRateFallbackEnabled === true,
    },
    isFrozen,
    isHardFrozen: isFrozen && cart.freezeStrategy === 'HardFreeze',
  };
}

function reserve({ cart, gathered: { stocks }, settings, ...reserving }: Working): void {
  reserveStock(cart, { ...reserving, stocks, minutes: settings.inventory?.reservationExpirationInMinutes });
}

/** What was added is sold in the store, and a country or a channel that the request names is one of the store's. */
function requireFitting(working: Working): void {
  requireStoreCountry(working);
  const { cart, said } = working;
  for (const line of cart.lineItems) if (said.has(addedName(line.id))) requireSelected(working, line);
  requireStoreChannels(working);
}

function requireSelected({ cart, gathered }: Working, { productId, variant }: Cart['lineItems'][number]): void {
  const shows = gathered.isShown.get(productId);
  if (shows?.(variant.sku) !== false) return;
  const product = gathered.products.get(productId);
  const isProductShown = product !== undefined && allVariants(product.masterData.current).some(({ sku }) => shows(sku));
  const what = isProductShown ? `variant ${variant.id} of the product` : 'product';
  throw apiError(
    'InvalidInput',
    `The ${what} '${productId}' is in no product selection that is active in the store '${cart.store?.key}'.`,
  );
}

function requireStoreCountry({ cart, before, gathered: { store } }: Working): void {
  const storeCountries = store?.countries.map(({ code }) => code) ?? [];
  const { country } = cart;
  const isNew = country !== before?.country || cart.store?.key !== before?.store?.key;
  if (country !== undefined && isNew && storeCountries.length > 0 && !storeCountries.includes(country))
    throw apiError(
      'CountryNotConfiguredInStore',
      `The store '${store!.key}' does not sell to the country ${country}.`,
      {
        storeCountries,
        country,
      },
    );
}

function requireStoreChannels({ cart, before, gathered: { store }, said }: Working): void {
  if (store === undefined || store.distributionChannels.length === 0) return;
  const known = new Map(before?.lineItems.map(({ id, distributionChannel }) => [id, distributionChannel?.id]));
  for (const { id, distributionChannel: channel } of cart.lineItems) {
    const isNamed = said.has(addedName(id)) || known.get(id) !== channel?.id;
    if (isNamed && !hasChannel(store.distributionChannels, channel))
      throw invalidOperation(`The store '${store.key}' does not sell by the channel '${channel!.id}'.`);
  }
}

function updateSnapshots(working: Working): void {
  const { cart, before, gathered, said, now } = working;
  const known = new Set(before?.lineItems.map(({ id }) => id));
  for (const line of cart.lineItems) {
    // What is there already stays the copy that it is.
    if (!known.has(line.id)) keepToStore(working, line);
    if (!isStale(line, said)) continue;
    const product = gathered.wholeProducts.get(line.productId);
    if (product?.masterData.published !== true) continue;
    const variant = allVariants(product.masterData.current).find(({ id }) => id === line.variant.id);
    if (variant === undefined) continue;
    const { productKey: _, ...others } = line;
    const snapshot = snapshotOf(product, variant);
    keepToStore(working, snapshot);
    if (isDeepStrictEqual({ ...others, ...snapshot }, line)) continue;
    // The product may have lost its key.
    delete line.productKey;
    Object.assign(line, snapshot);
    line.lastModifiedAt = now;
  }
}

function keepToStore({ gathered: { store }, settings }: Working, copy: ProductCopy): void {
  if (store !== undefined) keepForStore(copy, store, settings.languages);
}

function knowBuyer(working: Working): void {
  const { cart, gathered, now } = working;
  const customer = customerOf(working);
  // A customer's cart has the group of the customer.
  if (customer !== undefined) {
    if (customer.customerGroup === undefined) delete cart.customerGroup;
    else cart.customerGroup = { ...customer.customerGroup };
  }
  const assignedGroups = customer?.customerGroupAssignments.map(({ customerGroup }) => customerGroup.id) ?? [];
  working.buyer = buyerOf(cart, { assignedGroups, store: gathered.store, now });
}

export function customerOf({ cart, found }: Working): Fixed<Customer> | undefined {
  // Stored customers were parsed by their kind.
  return cart.customerId === undefined
    ? undefined
    : (found.one('customer', cart.customerId) as Fixed<Customer> | undefined);
}

function stateFacts(working: Working): void {
  const { cart, found, gathered, settings } = working;
  const tierType = settings.shippingRateInputType?.type;
  working.facts = factsOf(cart, { gathered, found, plain: plainCosts(cart, tierType) });
}

/** What is frozen hard ships as it did. */
export function chooseShippingRates(working: Working): void {
  const { cart, catalog, said, isHardFrozen } = working;
  if (!isHardFrozen) working.stuck = chooseRates(cart, catalog, said);
}

/** Nor is it judged anew whether that fits. */
async function judgeShipping(working: Working): Promise<void> {
  const { cart, catalog, compute, facts, said, stuck, isHardFrozen } = working;
  if (isHardFrozen) return;
  const predicates = predicatesOfMethods(cart, catalog);
  const ofMethods = factsForMethods(facts!);
  // They have next to all of the cart's values.
  const holds = await holdingOn(compute, { facts: ofMethods, values: () => valuesInFacts(working), predicates });
  judgeMethods(cart, { catalog, holds, said, stuck: stuck! });
}

/** To count what a cart says takes longer than most else of it. */
function valuesInFacts(working: Working): number {
  return (working.factsSize ??= valuesIn(working.facts));
}

async function chooseDiscounts(working: Working): Promise<void> {
  const { cart, compute, found, facts, gathered, now, said, isHardFrozen } = working;
  const discounts = found.all('cart-discount') as unknown as readonly Fixed<CartDiscount>[];
  const byId = indexed(found.all('cart-discount')) as unknown as ReadonlyMap<string, Fixed<CartDiscount>>;
  const groups = found.all('discount-group') as unknown as readonly Fixed<DiscountGroup>[];
  const set = codesOf(cart, {
    codeOf: (id) => found.one('discount-code', id) as Fixed<DiscountCode> | undefined,
    discountOf: (id) => asInGroup(byId.get(id), groups),
  });
  const predicates = set.flatMap(predicatesOfCode);
  const holds = await holdingOn(compute, { facts: facts!, values: () => valuesInFacts(working), predicates });
  const codes = set.map((each) => judgedCode(each, { cart, now, holds, uses: gathered.codeUses }));
  requireUsable(codes, { cart, now, said });
  working.codes = codes;
  const usable = codes.filter(({ refused }) => refused === undefined);
  const brought = new Set(usable.flatMap((code) => code.discounts.map(({ id }) => id)));
  working.places = isHardFrozen ? [] : placesFor(cart, { discounts, groups, brought, now });
}

async function computeCosts(working: Working): Promise<void> {
  const { cart, facts, settings, isHardFrozen } = working;
  const given = cart.taxedPrice;
  const isBestDeal = settings.discounts?.discountCombinationMode === 'BestDeal';
  const lines = new Map<string, LineItem>();
  for (const line of cart.lineItems) {
    const giver = giverOf(line);
    if (giver !== undefined) lines.set(giver.id, line);
  }
  if (isHardFrozen) for (const line of lines.values()) chooseLineRate(cart, line, working);
  const gives = givenBy(working, lines);
  const tierType = settings.shippingRateInputType?.type;
  const priced = pricedCart(cart, { facts: facts!, tierType, isBestDeal, isHardFrozen });
  const computed = await costsIn(working, { cart: priced, gives });
  working.computed = computed;
  writeComputed(cart, computed, (discountId) => lines.get(discountId)!);
  if (!isHardFrozen) writeCombination(cart, computed, isBestDeal);
  if (cart.taxMode === 'ExternalAmount') writeGivenTotal(cart, given);
}

/** In a thread where that is worth the way there. */
async function costsIn(working: Working, asked: Pick<CartRequest, 'cart' | 'gives'>): Promise<Computed> {
  const { places: named, compute } = working;
  const discounts = new Map(
    named!.flatMap((place) => discountsAt(place).map(({ name, discount }) => [name, discount])),
  );
  const characters = [...discounts.values()].reduce((sum, discount) => sum + charactersOf(discount), 0);
  const steps = stepsOf(asked.cart, [...discounts.values()]);
  if (!isForThread(compute.stepsMin, { steps, characters, values: () => valuesInFacts(working) }))
    return costsOf({ ...asked, places: named! }, (name) => ready(name, discounts.get(name)!));
  const places = named!.map((place) =>
    'members' in place ? { ...place, members: place.members.map(nameOf) } : nameOf(place),
  );
  const request = { ...asked, places };
  const parts = { names: [...discounts.keys()], part: (name: string) => discounts.get(name)! };
  return receivedCosts(request, await compute.run(cartCosts, request, parts));
}

/** Looks at items, and of patterns at units, to which other discounts may have given prices of their own. */
function stepsOf({ items }: CartRequest['cart'], discounts: readonly StoredDiscount[]): number {
  const components = discounts.reduce((sum, discount) => sum + componentCountOf(discount), 0);
  const units = items.reduce((sum, { quantity }) => sum + Math.min(quantity, partsMax), 0);
  return items.length * discounts.length + units * components;
}

function nameOf({ name }: NamedDiscount): NamedPlace {
  return { name };
}

/** What discounts in force would give, with its line, or the error that a cart is refused with that is given it. */
function givenBy(working: Working, lines: Map<string, LineItem>): CartRequest['gives'] {
  return working.places!.flatMap(discountsAt).flatMap(({ discount: { link, value } }): CartRequest['gives'] => {
    if (value.type !== 'giftLineItem') return [];
    try {
      const line = giftLine(working, link, lines.get(link.id));
      if (line === undefined) return [];
      lines.set(link.id, line);
      return [pricedGift(line, working.cart, link)];
    } catch (error) {
      if (error instanceof ApiError) return [{ discount: link, errors: error.errors }];
      throw error;
    }
  });
}

/** The line of what a discount gives: the one that there is, or a new one. Undefined for what the buyer has refused. */
function giftLine(working: Working, { id }: DiscountLink, known: LineItem | undefined): LineItem | undefined {
  const { cart, found, gathered, taxation, buyer, isFrozen, now } = working;
  if (cart.refusedGifts.some((refused) => refused.id === id)) return undefined;
  const discounts = indexed(found.all('cart-discount')) as unknown as ReadonlyMap<string, Fixed<CartDiscount>>;
  const value = giftOf((discounts.get(id) ?? cart.directDiscounts.find((each) => each.id === id)!).value)!;
  const isKnown = known !== undefined && isGiftOf(known, value);
  const product = gathered.wholeProducts.get(value.product.id);
  if (isKnown && !isFrozen) priceGift(known, buyer!, gathered);
  const line = isKnown ? known : newGift(value, { product, buyer: buyer!, gathered, newId: randomUUID, now });
  if (line === undefined) return undefined;
  if (!isKnown) keepToStore(working, line);
  chooseLineRate(cart, line, { gathered, taxation });
  return line;
}

/** Taxes of the whole cart are those that the client gave, for as long as it costs the same (carts 7.8). */
function writeGivenTotal(cart: Cart, given: GivenTaxedPrice | undefined): void {
  delete cart.taxedShippingPrice;
  delete cart.taxedPrice;
  delete cart.discountOnTotalPrice?.discountedNetAmount;
  delete cart.discountOnTotalPrice?.discountedGrossAmount;
  if (given === undefined) return;
  const { centAmount: total, currencyCode } = cart.totalPrice;
  const { totalNet: net, totalGross, taxPortions } = given;
  if (net !== undefined && net.centAmount !== total) return;
  // Where some of it costs less than nothing, that may have the higher rate.
  const isPlain = [...cart.lineItems, ...cart.customLineItems].every(({ totalPrice }) => totalPrice.centAmount >= 0);
  if (net === undefined && isPlain) requireTaxed(total, totalGross.centAmount, 'externalTotalGross');
  cart.taxedPrice = {
    totalNet: centPrecision(currencyCode, total),
    totalGross,
    taxPortions,
    totalTax: centPrecision(currencyCode, totalGross.centAmount - total),
  };
}

function stateCodes({ cart, codes, computed, isHardFrozen }: Working): void {
  if (isHardFrozen) return;
  const states = new Map(codes!.map((each) => [each.code.id, stateOf(each, computed!.outcomes)]));
  for (const info of cart.discountCodes) {
    const state = states.get(info.discountCode.id);
    // Of a code that has gone nothing is active.
    info.state = state ?? 'NotActive';
  }
}

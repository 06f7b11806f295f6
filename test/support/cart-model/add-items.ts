/** Section 3: how items come into a cart. */
import { isDeepStrictEqual } from 'node:util';
import type {
  CustomLineItemDraft,
  ItemShippingDetails,
  ItemShippingTarget,
  LineItemDraft,
  Price,
  Product,
  ProductVariant,
} from '@commercetools/platform-sdk';
import { type AnyMoney, centMoney, typedMoney } from './amounts.ts';
import {
  currencyOf,
  type ModelCart,
  type ModelCustomLine,
  type ModelItem,
  type ModelLine,
  type ModelWorld,
} from './cart-shapes.ts';
import { customOf } from './custom-fields.ts';
import { copyOfProduct } from './line-copies.ts';
import { variantsOf } from './line-prices.ts';
import { refuse, refuseIf } from './model-error.ts';
import { externalRate } from './taxes.ts';

/** 3.1, 3.2 */
export function addLineItem(world: ModelWorld, cart: ModelCart, draft: LineItemDraft): void {
  checkTwice((draft.perMethodExternalTaxRate ?? []).map(({ shippingMethodKey }) => shippingMethodKey));
  checkTargets(draft.shippingDetails?.targets);
  const { product, variant } = findVariant(world, draft);
  checkSelected(world, cart, product);
  refuseIf(draft.externalTaxRate !== undefined && cart.taxMode !== 'External', 'InvalidOperation');
  const existing = cart.lineItems.find((line) => isSameLine(line, { draft, product, variant }));
  const quantity = draft.quantity ?? 1;
  if (existing === undefined) {
    cart.lineItems.push(newLine(cart, { draft, copy: copyOfProduct(world, cart, { product, variant }) }));
    return;
  }
  existing.quantity += quantity;
  // As where they are set.
  detailsOf(cart, draft.shippingDetails?.targets ?? []);
  for (const target of draft.shippingDetails?.targets ?? []) addTarget(existing, target);
}

interface Found {
  readonly product: Product;
  readonly variant: ProductVariant;
}

// 3.1
function findVariant({ products }: ModelWorld, { sku, productId, variantId = 1 }: LineItemDraft): Found {
  for (const product of products) {
    if (!product.masterData.published) continue;
    for (const variant of variantsOf(product)) {
      const isMeant = sku === undefined ? product.id === productId && variant.id === variantId : variant.sku === sku;
      if (isMeant) return { product, variant };
    }
  }
  return refuse('ReferencedResourceNotFound');
}

// 2.13
function checkSelected(world: ModelWorld, cart: ModelCart, { id }: Product): void {
  const store = world.stores.find(({ key }) => key === cart.store?.key);
  const selections = (store?.productSelections ?? []).filter(({ active }) => active);
  const isSelected = selections.some(({ productSelection }) =>
    world.selectedProducts[productSelection.id]?.includes(id),
  );
  refuseIf(selections.length > 0 && !isSelected, 'InvalidInput');
}

// 3.2
function isSameLine(line: ModelLine, { draft, product, variant }: Found & { readonly draft: LineItemDraft }): boolean {
  const custom = draft.custom === undefined ? undefined : customOf(draft.custom);
  return (
    line.productId === product.id &&
    line.variant.id === variant.id &&
    line.lineItemMode === 'Standard' &&
    line.priceMode === 'Platform' &&
    draft.externalPrice === undefined &&
    draft.externalTotalPrice === undefined &&
    line.supplyChannel?.id === draft.supplyChannel?.id &&
    line.distributionChannel?.id === draft.distributionChannel?.id &&
    isDeepStrictEqual(line.custom, custom)
  );
}

function newLine(
  cart: ModelCart,
  { draft, copy }: { readonly draft: LineItemDraft; readonly copy: ReturnType<typeof copyOfProduct> },
): ModelLine {
  const { key, inventoryMode, custom, shippingDetails, externalTaxRate, supplyChannel, distributionChannel } = draft;
  const line: ModelLine = {
    id: `line-${cart.nextId++}`,
    ...copy,
    // A price of mode Platform is selected when the cart is computed.
    price: externalPrice({ currencyCode: currencyOf(cart), centAmount: 0 }),
    quantity: draft.quantity ?? 1,
    totalPrice: centMoney(currencyOf(cart), 0n),
    discountedPricePerQuantity: [],
    taxedPricePortions: [],
    state: [],
    perMethodTaxRate: [],
    priceMode: 'Platform',
    lineItemMode: 'Standard',
  };
  if (key !== undefined) line.key = key;
  if (inventoryMode !== undefined) line.inventoryMode = inventoryMode;
  if (custom !== undefined) line.custom = customOf(custom);
  if (shippingDetails !== undefined) line.shippingDetails = detailsOf(cart, shippingDetails.targets);
  // With several methods it is taken and says nothing (R LineItemDraft).
  if (externalTaxRate !== undefined && cart.shippingMode === 'Single') line.taxRate = externalRate(externalTaxRate);
  for (const { shippingMethodKey, taxRate } of draft.perMethodExternalTaxRate ?? [])
    line.perMethodTaxRate.push({ shippingMethodKey, ...(taxRate && { taxRate: externalRate(taxRate) }) });
  if (supplyChannel?.id !== undefined) line.supplyChannel = { typeId: 'channel', id: supplyChannel.id };
  if (distributionChannel?.id !== undefined)
    line.distributionChannel = { typeId: 'channel', id: distributionChannel.id };
  setPriceMode(cart, line, draft);
  return line;
}

export interface ExternalPrices {
  readonly externalPrice?: AnyMoney;
  readonly externalTotalPrice?: { readonly price: AnyMoney; readonly totalPrice: AnyMoney };
}

/** 2.11, 2.12: what a client gives as the price, or nothing, for mode Platform. */
export function setPriceMode(cart: ModelCart, line: ModelLine, given: ExternalPrices): void {
  line.priceMode = 'Platform';
  refuseIf(given.externalPrice !== undefined && given.externalTotalPrice !== undefined, 'InvalidInput');
  if (given.externalPrice !== undefined) {
    checkCurrency(cart, given.externalPrice);
    line.priceMode = 'ExternalPrice';
    line.price = externalPrice(given.externalPrice);
  }
  if (given.externalTotalPrice !== undefined) {
    const { price, totalPrice } = given.externalTotalPrice;
    checkCurrency(cart, price);
    checkCurrency(cart, totalPrice);
    line.priceMode = 'ExternalTotal';
    line.price = externalPrice(price);
    line.totalPrice = centMoney(currencyOf(cart), BigInt(totalPrice.centAmount ?? 0));
  }
}

function externalPrice(money: AnyMoney): Price {
  return { id: 'external', value: typedMoney(money) };
}

// 1.6
export function checkCurrency(cart: ModelCart, { currencyCode }: AnyMoney): void {
  refuseIf(currencyCode !== currencyOf(cart), 'InvalidField');
}

/** 3.4 */
export function addCustomLineItem(cart: ModelCart, draft: CustomLineItemDraft): void {
  checkTargets(draft.shippingDetails?.targets);
  checkCurrency(cart, draft.money);
  refuseIf(draft.externalTaxRate !== undefined && cart.taxMode !== 'External', 'InvalidOperation');
  const line = newCustomLine(cart, draft);
  const existing = cart.customLineItems.find(({ slug }) => slug === draft.slug);
  if (existing === undefined) {
    cart.customLineItems.push(line);
    return;
  }
  const isSame = (['name', 'money', 'taxCategory', 'custom'] as const).every((member) =>
    isDeepStrictEqual(existing[member], line[member]),
  );
  refuseIf(!isSame, 'InvalidOperation');
  existing.quantity += line.quantity;
  // As where they are set.
  detailsOf(cart, draft.shippingDetails?.targets ?? []);
  for (const target of draft.shippingDetails?.targets ?? []) addTarget(existing, target);
}

function newCustomLine(cart: ModelCart, draft: CustomLineItemDraft): ModelCustomLine {
  const { key, custom, shippingDetails, externalTaxRate, taxCategory } = draft;
  const line: ModelCustomLine = {
    id: `custom-line-${cart.nextId++}`,
    name: draft.name,
    money: typedMoney(draft.money),
    slug: draft.slug,
    quantity: draft.quantity ?? 1,
    totalPrice: centMoney(currencyOf(cart), 0n),
    discountedPricePerQuantity: [],
    taxedPricePortions: [],
    state: [],
    perMethodTaxRate: [],
    priceMode: draft.priceMode ?? 'Standard',
  };
  if (key !== undefined) line.key = key;
  if (custom !== undefined) line.custom = customOf(custom);
  if (shippingDetails !== undefined) line.shippingDetails = detailsOf(cart, shippingDetails.targets);
  if (externalTaxRate !== undefined) line.taxRate = externalRate(externalTaxRate);
  if (taxCategory?.id !== undefined) line.taxCategory = { typeId: 'tax-category', id: taxCategory.id };
  return line;
}

/** 3.7: one target for each address, or address and method. */
export function checkTargets(targets: readonly ItemShippingTarget[] = []): void {
  checkTwice(targets.map(({ addressKey, shippingMethodKey }) => JSON.stringify([addressKey, shippingMethodKey])));
}

function checkTwice(names: readonly string[]): void {
  refuseIf(new Set(names).size < names.length, 'InvalidField');
}

/** 3.7: `valid` is computed with the cart, and the addresses have to be there then. */
export function detailsOf(cart: ModelCart, targets: readonly ItemShippingTarget[]): ItemShippingDetails {
  // 8.8
  const isOfMethod = targets.every(({ shippingMethodKey }) => shippingMethodKey !== undefined);
  refuseIf(cart.shippingMode === 'Multiple' && !isOfMethod, 'InvalidOperation');
  return { targets: targets.filter(({ quantity }) => quantity !== 0).map((target) => ({ ...target })), valid: false };
}

/** Adds to the target of the same address and method; one of quantity 0 goes. */
export function addTarget(item: ModelItem, target: ItemShippingTarget): void {
  const targets = [...(item.shippingDetails?.targets ?? [])];
  const index = targets.findIndex(
    ({ addressKey, shippingMethodKey }) =>
      addressKey === target.addressKey && shippingMethodKey === target.shippingMethodKey,
  );
  const existing = targets[index];
  if (existing === undefined) targets.push({ ...target });
  else targets[index] = { ...existing, quantity: existing.quantity + target.quantity };
  item.shippingDetails = { targets: targets.filter(({ quantity }) => quantity > 0), valid: false };
}

/** Line items: what they are made of, and what becomes of them. What they cost is found after the last action. */
import { action, invalidOperation } from '../../../engine/actions.ts';
import { setCustomField, setCustomType } from '../../../engine/custom-actions.ts';
import type { Fixed } from '../../../engine/document.ts';
import { namedParts } from '../../../engine/parts.ts';
import type { Action, ApplyContext } from '../../../engine/resource.ts';
import { sameCustom } from '../../../engine/same-custom.ts';
import { ApiError, apiError } from '../../../errors/api-error.ts';
import { optional, required } from '../../../fields/field.ts';
import { list } from '../../../fields/list.ts';
import { money } from '../../../fields/money.ts';
import type { TypedMoney } from '../../../money/money.ts';
import { integer, text } from '../../../fields/scalar.ts';
import { notFor } from '../../../fields/unavailable.ts';
import type { Product, ProductData } from '../../product/fields.ts';
import { allVariants, namesFault, withProductAttributes } from '../../product/offers.ts';
import type { Price } from '../../product/fields.ts';
import type { Variant } from '../../product/fields.ts';
import type { Cart } from '../fields.ts';
import {
  channel,
  externalTotalPrice,
  type ExternalTotalPrice,
  inventoryMode,
  type LineItem,
  type LineItemDraft,
  lineItemDraftFields,
  ownLineItemDraftFields,
  shippingDetailsDraft,
  type ShippingTarget,
} from '../item-fields.ts';
import { stockUnique } from '../../inventory-entry/offers.ts';
import { lineItemsMax } from '../limits.ts';
import { requireCurrency } from './currency.ts';
import { detailsWith, newDetails, removeTargets } from './shipping-details.ts';
import { updatesProductData } from './states.ts';
import { requireTaxMode } from './taxes.ts';

/** Named by `lineItemId` or `lineItemKey`. */
export const { identifier, indexIn } = namedParts('lineItem', 'lineItems');

export function lineIn({ lineItems }: Pick<Cart, 'lineItems'>, input: Parameters<typeof indexIn>[1]): LineItem {
  return lineItems[indexIn(lineItems, input)]!;
}

/** What members of a draft are looked up by: the product, and the stock that may limit the quantity. */
export function productHolders({
  sku,
  supplyChannel,
}: {
  readonly sku?: string | undefined;
  readonly supplyChannel?: { readonly id?: unknown } | undefined;
}): ReturnType<NonNullable<Action['holders']>> {
  if (sku === undefined) return [];
  const product = { kind: 'product', unique: { field: 'sku', value: sku } };
  // A channel may be named by its key, of which the id is not known yet.
  const channelId = supplyChannel?.id;
  if (supplyChannel !== undefined && typeof channelId !== 'string') return [product];
  return [product, { kind: 'inventory-entry', unique: stockUnique(sku, channelId as string | undefined) }];
}

/** Asked of drafts as well, before each line is compared with those before it. */
export function requireFewLines(count: number): void {
  if (count > lineItemsMax) throw invalidOperation(`A cart has at most ${lineItemsMax} line items.`);
}

/** As much work as it is to compare two lines. */
const comparisonBytes = 16;

/** Adds a line, or its units to the line that there is of the same (carts 3.2). */
export function addLine(cart: Cart, draft: LineItemDraft, context: ApplyContext): void {
  const { product, variant } = soldVariant(draft, context);
  // GraphQL gives an empty list where nothing is said.
  if (draft.externalTaxRate !== undefined || (draft.perMethodExternalTaxRate ?? []).length > 0)
    requireTaxMode(cart, 'External');
  if ((draft.perMethodExternalTaxRate ?? []).length > 0 && cart.shippingMode !== 'Multiple')
    throw invalidOperation('Tax rates by shipping methods need the shippingMode Multiple, but the cart has Single.');
  const hasSameCustom = withCustomOf(draft, context);
  context.work.bytes += comparisonBytes * cart.lineItems.length;
  const same = cart.lineItems.find((line) => isSame(line, draft, { product, variant }) && hasSameCustom(line));
  if (same !== undefined) {
    same.quantity += draft.quantity;
    same.lastModifiedAt = context.now;
    if (draft.shippingDetails !== undefined)
      same.shippingDetails = detailsWith(cart, same, draft.shippingDetails.targets);
    context.said.add(addedName(same.id)).add(limitedName(same.id));
    return;
  }
  requireFewLines(cart.lineItems.length + 1);
  const pricing = externalPricing(cart, draft, context);
  const line = newLine(draft, { product, variant, pricing, shippingMode: cart.shippingMode, context });
  cart.lineItems.push(line);
  context.said.add(addedName(line.id)).add(limitedName(line.id));
}

/** Said of lines that a request has added to, which have to be sold in the store of the cart. */
export function addedName(lineId: string): string {
  return `added line ${lineId}`;
}

/** Said of lines whose product data is taken over anew, as `recalculate` can have it of all. */
export function staleName(lineId: string): string {
  return `stale line ${lineId}`;
}

/** Whether product data of the line is taken over anew. */
export function isStale({ id }: Pick<LineItem, 'id'>, said: ReadonlySet<string>): boolean {
  return said.has(updatesProductData) || said.has(staleName(id));
}

/** Said of lines that a request names with a quantity or a mode, be it the one that they have: what has ended is reserved anew. */
export function reservingName(lineId: string): string {
  return `reserving line ${lineId}`;
}

/** Said of lines of which a request changes the quantity or the stock, whose limits hold then. */
export function limitedName(lineId: string): string {
  return `limited line ${lineId}`;
}

interface Sold {
  readonly product: Fixed<Product>;
  readonly variant: Fixed<Variant>;
}

/** What is sold under an SKU, or as a variant of a product; nothing else is known of those who only shop. */
function soldVariant({ sku, productId, variantId }: LineItemDraft, { found }: ApplyContext): Sold {
  if (sku === undefined && productId === undefined)
    throw apiError('InvalidInput', 'A line item is named by its sku or by its productId.');
  // Products were parsed by their kind.
  const product = (sku === undefined ? found.one('product', productId!) : found.holder('product', 'sku', sku)) as
    Fixed<Product> | undefined;
  const { published, current } = product?.masterData ?? { published: false, current: undefined };
  const variant = published
    ? allVariants(current!).find((each) => (sku === undefined ? each.id === (variantId ?? 1) : each.sku === sku))
    : undefined;
  if (product !== undefined && variant !== undefined) {
    const fault = namesFault({ sku, productId, variantId }, { productId: product.id, variantId: variant.id });
    if (fault !== undefined) throw new ApiError([fault]);
    return { product, variant };
  }
  const named =
    sku === undefined ? `variant ${variantId ?? 1} of the product '${productId}'` : `variant with the SKU '${sku}'`;
  throw apiError('ReferencedResourceNotFound', `There is no published ${named}.`, {
    typeId: 'product',
    ...(productId !== undefined && { id: productId }),
  });
}

const { withCustomOf, copyCustom } = sameCustom('line-item');

function isSame(line: LineItem, draft: LineItemDraft, { product, variant }: Sold): boolean {
  return (
    line.productId === product.id &&
    line.variant.id === variant.id &&
    line.lineItemMode === 'Standard' &&
    line.priceMode === 'Platform' &&
    draft.externalPrice === undefined &&
    draft.externalTotalPrice === undefined &&
    line.supplyChannel?.id === draft.supplyChannel?.id &&
    line.distributionChannel?.id === draft.distributionChannel?.id
  );
}

/** What a line takes over of its product when it is added, and when `recalculate` updates it. `data` is what has the variant. */
export function snapshotOf(
  product: Fixed<Product>,
  variant: Fixed<Variant>,
  data: Fixed<ProductData> = product.masterData.current,
): Pick<LineItem, 'productId' | 'productKey' | 'name' | 'productSlug' | 'productType' | 'variant'> {
  const { id, key, productType, masterData } = product;
  const { name, slug } = masterData.current;
  return structuredClone({
    productId: id,
    ...(key !== undefined && { productKey: key }),
    name,
    productSlug: slug,
    productType,
    variant: withProductAttributes(variant, data),
  }) as ReturnType<typeof snapshotOf>;
}

function newLine(
  draft: LineItemDraft,
  {
    product,
    variant,
    pricing,
    shippingMode,
    context,
  }: Sold & Pick<Cart, 'shippingMode'> & { readonly pricing: Pricing; readonly context: ApplyContext },
): LineItem {
  const { key, quantity, custom, supplyChannel, distributionChannel, inventoryMode, shippingDetails, addedAt } = draft;
  const { now } = context;
  return {
    id: context.newId(),
    ...(key !== undefined && { key }),
    ...snapshotOf(product, variant),
    quantity,
    ...pricing,
    discountedPricePerQuantity: [],
    // With several methods rates are theirs: one of the whole line is taken and says nothing.
    ...(draft.externalTaxRate !== undefined && shippingMode === 'Single' && { taxRate: draft.externalTaxRate }),
    perMethodTaxRate: draft.perMethodExternalTaxRate ?? [],
    taxedPricePortions: [],
    state: [],
    ...(shippingDetails !== undefined && { shippingDetails: newDetails({ shippingMode }, shippingDetails.targets) }),
    ...(supplyChannel !== undefined && { supplyChannel }),
    ...(distributionChannel !== undefined && { distributionChannel }),
    lineItemMode: 'Standard',
    ...(inventoryMode !== undefined && { inventoryMode }),
    // It may be that of a list.
    ...(custom !== undefined && { custom: copyCustom(custom, context) }),
    addedAt: addedAt ?? now,
    lastModifiedAt: now,
  };
}

interface Given {
  readonly externalPrice?: TypedMoney | undefined;
  readonly externalTotalPrice?: ExternalTotalPrice | undefined;
}

type Pricing = Pick<LineItem, 'priceMode' | 'price' | 'totalPrice'>;

/** Prices that the client gives, or none, which the computation of the cart then finds or refuses the request. */
function externalPricing(
  cart: Cart,
  { externalPrice, externalTotalPrice: total }: Given,
  { newId }: ApplyContext,
): Pricing {
  requireCurrency(cart, {
    externalPrice,
    'externalTotalPrice.price': total?.price,
    'externalTotalPrice.totalPrice': total?.totalPrice,
  });
  if (externalPrice !== undefined && total !== undefined)
    throw apiError('InvalidInput', 'A line item has either an externalPrice or an externalTotalPrice.');
  const value = total?.price ?? externalPrice;
  const priceMode = total !== undefined ? 'ExternalTotal' : value !== undefined ? 'ExternalPrice' : 'Platform';
  return {
    priceMode,
    price: value === undefined ? (undefined as unknown as Price) : { id: newId(), value },
    totalPrice: total?.totalPrice as LineItem['totalPrice'],
  };
}

/** The line with what the client says of its price, or with the platform's; of what is not sold any more it keeps its last. */
function reprice(
  cart: Cart,
  line: LineItem,
  { given, context }: { readonly given: Given; readonly context: ApplyContext },
): void {
  const { price } = line;
  Object.assign(line, externalPricing(cart, given, context));
  line.price ??= price;
  line.lastModifiedAt = context.now;
}

export const addLineItem: Action = {
  ...action(lineItemDraftFields, addLine),
  holders: productHolders,
};

/** Shoppers have no say in prices and taxes. */
export const addOwnLineItem: Action = { ...action(ownLineItemDraftFields, addLine), holders: productHolders };

const newPrices = { externalPrice: optional(money()), externalTotalPrice: optional(externalTotalPrice) };
/** Shoppers have no say in prices. */
const noPrices = {
  externalPrice: optional(notFor('shoppers', money())),
  externalTotalPrice: optional(notFor('shoppers', externalTotalPrice)),
};

function changeQuantity(
  cart: Cart,
  input: Parameters<typeof indexIn>[1] & Given & { readonly quantity: number },
  context: ApplyContext,
): void {
  const index = indexIn(cart.lineItems, input);
  const line = cart.lineItems[index]!;
  if (input.quantity <= 0) return removeAt(cart, index);
  const { externalPrice, externalTotalPrice } = input;
  const isGiven = externalPrice !== undefined || externalTotalPrice !== undefined;
  if (line.lineItemMode === 'GiftLineItem' && (isGiven || input.quantity !== line.quantity))
    throw invalidOperation('The quantity and the price of a gift follow from its discount.');
  if (line.priceMode === 'ExternalPrice' && !isGiven)
    throw invalidOperation('The line item has an external price, so a new quantity needs an externalPrice again.');
  if (input.quantity !== line.quantity) context.said.add(limitedName(line.id));
  context.said.add(reservingName(line.id));
  line.quantity = input.quantity;
  // Carts 2.12: a total is that of one quantity alone.
  if (isGiven || line.priceMode === 'ExternalTotal')
    reprice(cart, line, { given: { externalPrice, externalTotalPrice }, context });
  line.lastModifiedAt = context.now;
}

/** What is a gift is refused, and its discount gives it no more. */
function removeAt(cart: Cart, index: number): void {
  const [line] = cart.lineItems.splice(index, 1);
  if (line?.lineItemMode !== 'GiftLineItem') return;
  const discount = line.discountedPricePerQuantity[0]?.discountedPrice.includedDiscounts[0]?.discount;
  if (discount !== undefined && !cart.refusedGifts.some(({ id }) => id === discount.id))
    cart.refusedGifts.push({ typeId: 'cart-discount', id: discount.id });
}

const quantity = required(integer({ min: 0 }));

export const changeLineItemQuantity = action({ ...identifier, quantity, ...newPrices }, changeQuantity);
export const changeOwnLineItemQuantity = action({ ...identifier, quantity, ...noPrices }, changeQuantity);

const removal = {
  ...identifier,
  /** By default all. */
  quantity: optional(integer({ min: 1 })),
  shippingDetailsToRemove: optional(shippingDetailsDraft),
};

function remove(
  cart: Cart,
  input: Parameters<typeof indexIn>[1] &
    Given & {
      readonly quantity?: number | undefined;
      readonly shippingDetailsToRemove?: { readonly targets: readonly ShippingTarget[] } | undefined;
    },
  context: ApplyContext,
): void {
  const line = lineIn(cart, input);
  const { shippingDetailsToRemove } = input;
  if (shippingDetailsToRemove !== undefined) removeTargets(line, shippingDetailsToRemove.targets);
  const left = input.quantity === undefined ? 0 : line.quantity - input.quantity;
  changeQuantity(cart, { ...input, quantity: Math.max(0, left) }, context);
}

export const removeLineItem = action({ ...removal, ...newPrices }, remove);
export const removeOwnLineItem = action({ ...removal, ...noPrices }, remove);

/** Without a price the platform's is found again. */
export const setLineItemPrice = action(
  { ...identifier, externalPrice: optional(money()) },
  (cart: Cart, { externalPrice, ...input }, context) =>
    reprice(cart, standardLine(cart, input), { given: { externalPrice }, context }),
);

export const setLineItemTotalPrice = action(
  { ...identifier, externalTotalPrice: optional(externalTotalPrice) },
  (cart: Cart, { externalTotalPrice, ...input }, context) =>
    reprice(cart, standardLine(cart, input), { given: { externalTotalPrice }, context }),
);

function standardLine(cart: Cart, input: Parameters<typeof indexIn>[1]): LineItem {
  const line = lineIn(cart, input);
  if (line.lineItemMode !== 'Standard')
    throw invalidOperation('The price and the channels of a gift follow from its discount.');
  return line;
}

function setChannel(member: 'supplyChannel' | 'distributionChannel'): Action {
  return action({ ...identifier, [member]: optional(channel) }, (cart: Cart, input, context) => {
    const line = standardLine(cart, input as Parameters<typeof indexIn>[1]);
    const given = (input as { readonly [name in typeof member]?: LineItem['supplyChannel'] })[member];
    if (given === undefined) delete line[member];
    else line[member] = given;
    if (member === 'supplyChannel') context.said.add(limitedName(line.id));
    line.lastModifiedAt = context.now;
  });
}

export const setLineItemSupplyChannel = setChannel('supplyChannel');
export const setLineItemDistributionChannel = setChannel('distributionChannel');

export const setLineItemInventoryMode = action(
  { ...identifier, inventoryMode: optional(inventoryMode) },
  (cart: Cart, { inventoryMode: mode, ...input }, { now, said }) => {
    const line = lineIn(cart, input);
    said.add(reservingName(line.id));
    if (mode === undefined) delete line.inventoryMode;
    else line.inventoryMode = mode;
    line.lastModifiedAt = now;
  },
);

export const changeLineItemsOrder = action(
  { lineItemOrder: required(list(text(['{lineItems[0].id}']))) },
  (cart: Cart, { lineItemOrder }) => {
    const byId = new Map(cart.lineItems.map((line) => [line.id, line]));
    const ordered = [...new Set(lineItemOrder)].flatMap((id) => byId.get(id) ?? []);
    if (ordered.length !== byId.size || lineItemOrder.length !== byId.size)
      throw invalidOperation('The order has to name each line item of the cart once.');
    cart.lineItems = ordered;
  },
);

export const lineItemPartActions = {
  setLineItemCustomType: setCustomType(lineIn, identifier),
  setLineItemCustomField: setCustomField(lineIn, identifier),
};

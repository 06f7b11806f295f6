import { invalidOperation } from '../../engine/actions.ts';
import type { Document, Fixed } from '../../engine/document.ts';
import { notFound } from '../../engine/load.ts';
import type { ApplyContext } from '../../engine/resource.ts';
import { sameCustom } from '../../engine/same-custom.ts';
import type { UniqueLookup } from '../../engine/store.ts';
import { apiError, ApiError } from '../../errors/api-error.ts';
import type { Product, ProductData } from '../product/fields.ts';
import { allVariants, namesFault, sidesIn } from '../product/offers.ts';
import type { LineItem, LineItemDraft, ShoppingList, TextLineItemDraft } from './fields.ts';
import { requireWithinLimit } from './rules.ts';
import { variantIn } from './shown-product.ts';

type Named = Pick<LineItemDraft, 'productId' | 'variantId' | 'sku'>;

const { withCustomOf } = sameCustom('line-item');

/** What has to be looked up for an item that is named by its SKU. */
export function holdersOf({ sku }: Named): readonly UniqueLookup[] {
  return sku === undefined ? [] : [skuLookup(sku)];
}

function skuLookup(sku: string): UniqueLookup {
  return { kind: 'product', unique: { field: 'sku', value: sku } };
}

/**
 * One more line item, or more of the one that means the same variant with the same custom fields: the variant that happens
 * to be the master is another one than the master variant. What follows from the product comes after the last action.
 */
export function addLineItem({ lineItems }: ShoppingList, draft: LineItemDraft, context: ApplyContext): void {
  const { quantity, key, addedAt = context.now, custom } = draft;
  const { product, variantId } = namedVariant(draft, context);
  const hasSameCustom = withCustomOf(draft, context);
  const same = lineItems.find(
    (item) => item.productId === product.id && item.variantId === variantId && hasSameCustom(item),
  );
  if (same !== undefined) {
    same.quantity += quantity;
    return;
  }
  requireWithinLimit('lineItems', lineItems.length + 1);
  lineItems.push({
    id: context.newId(),
    ...(key !== undefined && { key }),
    productId: product.id,
    ...(variantId !== undefined && { variantId }),
    quantity,
    addedAt,
    ...(custom !== undefined && { custom }),
    ...ofProduct(product),
  });
}

/** Throws for a variant that is not there, or is named in two ways that differ. */
function namedVariant(
  named: Named,
  { found, initiator }: ApplyContext,
): { readonly product: Fixed<Product>; readonly variantId: number | undefined } {
  const { productId, variantId, sku } = named;
  if (sku !== undefined) {
    const product = asProduct(found.holder('product', 'sku', sku));
    return variantWithSku(named, product && { product, sides: knownSides(product, initiator) });
  }
  if (productId === undefined)
    throw apiError('InvalidInput', 'A line item is named by its productId, maybe with a variantId, or by its sku.');
  const product = asProduct(found.one('product', productId))!;
  const sides = knownSides(product, initiator);
  if (sides.length === 0) throw new ApiError([notFound({ typeId: 'product', id: productId })]);
  if (variantIn(sides, named) === undefined)
    throw apiError(
      'ReferencedResourceNotFound',
      `The product with ID '${productId}' has no variant with the id ${variantId}.`,
      { typeId: 'product', id: productId },
    );
  return { product, variantId };
}

/** Those who only shop know what is published. */
function knownSides(
  { masterData }: Fixed<Product>,
  { customer, anonymousId }: ApplyContext['initiator'],
): readonly Fixed<ProductData>[] {
  if (customer === undefined && anonymousId === undefined) return sidesIn(masterData);
  return masterData.published ? [masterData.current] : [];
}

function variantWithSku(
  named: Named,
  known: { readonly product: Fixed<Product>; readonly sides: readonly Fixed<ProductData>[] } | undefined,
): ReturnType<typeof namedVariant> {
  const variant = known?.sides.flatMap((data) => allVariants(data)).find((one) => one.sku === named.sku);
  if (known === undefined || variant === undefined)
    throw apiError('ReferencedResourceNotFound', `There is no product variant with the SKU '${named.sku}'.`, {
      typeId: 'product',
    });
  const fault = namesFault(named, { productId: known.product.id, variantId: variant.id });
  if (fault !== undefined) throw new ApiError([fault]);
  return { product: known.product, variantId: variant.id };
}

/** Documents of the kind were parsed by it. */
export function asProduct(document: Fixed<Document> | undefined): Fixed<Product> | undefined {
  return document as Fixed<Product> | undefined;
}

/** What a line item says of its product, which it goes on saying when the product has gone. */
export function ofProduct({
  masterData,
  productType,
}: Fixed<Product>): Pick<LineItem, 'name' | 'productType' | 'published'> {
  return { name: { ...masterData.current.name }, productType: { ...productType }, published: masterData.published };
}

export function addTextLineItem(
  { textLineItems }: ShoppingList,
  draft: TextLineItemDraft,
  context: ApplyContext,
): void {
  requireWithinLimit('textLineItems', textLineItems.length + 1);
  textLineItems.push({ ...draft, id: context.newId(), addedAt: draft.addedAt ?? context.now });
}

/** Takes away so many, or the whole item, which goes with the last of them. */
export function takeAway(items: { quantity: number }[], index: number, quantity: number | undefined): void {
  setQuantity(items, index, quantity === undefined ? 0 : items[index]!.quantity - quantity);
}

/** None left is no item. */
export function setQuantity(items: { quantity: number }[], index: number, quantity: number): void {
  if (quantity <= 0) items.splice(index, 1);
  else items[index]!.quantity = quantity;
}

/** The items in the order of these ids, which are exactly theirs. */
export function inOrder<Item extends { readonly id: string }>(items: readonly Item[], ids: readonly string[]): Item[] {
  const byId = new Map(items.map((item) => [item.id, item]));
  if (ids.length !== items.length || new Set(ids).size !== ids.length || ids.some((id) => !byId.has(id)))
    throw invalidOperation('The order has to name each item of the list exactly once, by its id.');
  return ids.map((id) => byId.get(id)!);
}

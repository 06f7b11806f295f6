/**
 * How many units of a line item a cart may have, as the inventory entry of its SKU and supply channel says. The limits hold
 * when a line is added, and when its quantity or its supply channel changes: what is in a cart stays when they move, and
 * lines that are copied from another cart come with the quantity that they had there.
 */
import type { Fixed } from '../../../engine/document.ts';
import { documentOf } from '../../../engine/json.ts';
import type { ComputeGathering } from '../../../engine/resource.ts';
import { apiError } from '../../../errors/api-error.ts';
import type { InventoryEntry } from '../../inventory-entry/fields.ts';
import { limitedName } from '../actions/line-items.ts';
import type { Cart } from '../fields.ts';
import type { LineItem } from '../item-fields.ts';
import type { Gathered } from './gathered.ts';

/** The entries of lines that the request gives another quantity or another stock. Other carts cost no read. */
export async function limitsOf(
  { store }: ComputeGathering['engine'],
  project: string,
  { cart, said }: { readonly cart: Fixed<Cart>; readonly said: ReadonlySet<string> },
): Promise<Gathered['limits']> {
  const lines = cart.lineItems.filter(
    ({ id, lineItemMode }) => lineItemMode === 'Standard' && said.has(limitedName(id)),
  );
  const skus = new Set(lines.flatMap(({ variant }) => variant.sku ?? []));
  if (skus.size === 0) return new Map();
  const found = await store.findGrouped(project, { kind: 'inventory-entry', member: 'sku', values: [...skus] });
  const entries = found.map(({ json }) => documentOf<InventoryEntry>(json));
  return new Map(
    lines.flatMap((line) => {
      const entry = entries.find((each) => isStockOf(each, line));
      return entry === undefined ? [] : [[line.id, entry] as const];
    }),
  );
}

/** An entry without channel is that of lines without one. */
function isStockOf({ sku, supplyChannel }: Fixed<InventoryEntry>, line: Fixed<LineItem>): boolean {
  return sku === line.variant.sku && supplyChannel?.id === line.supplyChannel?.id;
}

/** Throws LineItemQuantityBelowLimit and LineItemQuantityAboveLimit. */
export function requireWithinLimits({ lineItems }: Fixed<Cart>, { limits }: Pick<Gathered, 'limits'>): void {
  if (limits.size === 0) return;
  for (const { id: lineItem, quantity } of lineItems) {
    const { minCartQuantity = 0, maxCartQuantity = Infinity } = limits.get(lineItem) ?? {};
    if (quantity < minCartQuantity)
      throw apiError(
        'LineItemQuantityBelowLimit',
        `The line item '${lineItem}' has the quantity ${quantity}, but ${minCartQuantity} is the least that a cart takes.`,
        { quantity, minCartQuantity, lineItem },
      );
    if (quantity > maxCartQuantity)
      throw apiError(
        'LineItemQuantityAboveLimit',
        `The line item '${lineItem}' has the quantity ${quantity}, but ${maxCartQuantity} is the most that a cart takes.`,
        { quantity, maxCartQuantity, lineItem },
      );
  }
}

/**
 * How many units of a line item a cart may have, as the inventory entry of its SKU and supply channel says. The limits hold
 * when a line is added, and when its quantity or its supply channel changes: what is in a cart stays when they move, and
 * lines that are copied from another cart come with the quantity that they had there.
 */
import type { Fixed } from '../../../engine/document.ts';
import { readHolders } from '../../../engine/computation.ts';
import { Readings } from '../../../engine/readings.ts';
import type { ComputeGathering } from '../../../engine/resource.ts';
import { apiError } from '../../../errors/api-error.ts';
import type { InventoryEntry } from '../../inventory-entry/fields.ts';
import { stockUnique } from '../../inventory-entry/offers.ts';
import { limitedName } from '../actions/line-items.ts';
import type { Cart } from '../fields.ts';
import type { Gathered } from './gathered.ts';

/**
 * The entries of lines that the request gives another quantity or another stock. Those of lines that are added by their SKUs
 * are read with the cart; other carts cost no read.
 */
export async function limitsOf(
  { engine, project, found }: Pick<ComputeGathering, 'engine' | 'project' | 'found'>,
  { cart, said }: { readonly cart: Fixed<Cart>; readonly said: ReadonlySet<string> },
): Promise<Gathered['limits']> {
  const stocks = cart.lineItems.flatMap(({ id, lineItemMode, variant: { sku }, supplyChannel }) => {
    const isLimited = lineItemMode === 'Standard' && sku !== undefined && said.has(limitedName(id));
    return isLimited ? [{ id, unique: stockUnique(sku, supplyChannel?.id) }] : [];
  });
  const lookups = stocks.map(({ unique }) => ({ kind: 'inventory-entry', unique }));
  const missing = lookups.filter(({ kind, unique: { field, value } }) => !found.hasSought(kind, field, value));
  const read = new Readings();
  await readHolders(engine, project, { holders: missing, into: read });
  return new Map(
    stocks.flatMap(({ id, unique: { field, value } }) => {
      const entry = found.holder('inventory-entry', field, value) ?? read.holder('inventory-entry', field, value);
      // Stored entries were parsed by their kind.
      return entry === undefined ? [] : [[id, entry as unknown as Fixed<InventoryEntry>] as const];
    }),
  );
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

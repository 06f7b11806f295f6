import { invalidOperation } from '../../engine/actions.ts';
import type { RequestContext } from '../../engine/context.ts';
import type { Fixed } from '../../engine/document.ts';
import { documentOf } from '../../engine/json.ts';
import { Readings } from '../../engine/readings.ts';
import type { Engine, Planned } from '../../engine/resource.ts';
import { apiError, type ErrorElement } from '../../errors/api-error.ts';
import type { InventoryEntry } from './fields.ts';

const kind = 'inventory-entry';

/** By which the entry of a SKU and a supply channel is found: that of no channel is one of its own. */
export function stockUnique(
  sku: string,
  supplyChannelId: string | undefined,
): { readonly field: string; readonly value: string } {
  return { field: 'sku', value: JSON.stringify([sku, supplyChannelId]) };
}

/** Stocks as these writes leave them, for what is planned to be committed with them. */
export async function stocksAfter(
  { store }: Engine,
  { project }: Pick<RequestContext, 'project'>,
  planned: readonly Planned[],
): Promise<Readings> {
  const found = new Readings();
  const changes = new Map<string, number>();
  for (const { write } of planned) {
    if (write.type !== 'increment' || write.kind !== kind) continue;
    changes.set(write.id, (changes.get(write.id) ?? 0) + write.by);
  }
  if (changes.size === 0) return found;
  const lookups = [...changes.keys()].map((id) => ({ kind, id }));
  for (const stored of await store.find(project.key, lookups)) {
    if (stored === undefined) continue;
    const entry = documentOf<InventoryEntry>(stored.json);
    // What is passed on is there, though it may be more than is on stock by now.
    entry.availableQuantity = Math.max(0, entry.availableQuantity) + changes.get(entry.id)!;
    const holder = { kind, unique: stockUnique(entry.sku, entry.supplyChannel?.id) };
    found.addHolder(holder, { ...stored, json: JSON.stringify(entry) });
    found.addSought([holder]);
  }
  return found;
}

/** Units of a line item that are sold. */
export interface Sold {
  readonly lineItemId: string;
  readonly sku: string | undefined;
  readonly supplyChannelId: string | undefined;
  readonly quantity: number;
  /** They are counted whether there are as many or not. */
  readonly isTrackedAlone: boolean;
  /** They were held back, and are not among what is available. */
  readonly isReserved: boolean;
}

interface Sale {
  readonly planned: readonly Planned[];
  /** OutOfStock, of all lines of which there are not as many. */
  readonly shortage: ErrorElement | undefined;
}

/** The writes that take what is sold from its stocks (orders 16). */
export async function planSale(
  { store, registry }: Engine,
  { project, now }: RequestContext,
  sold: readonly Sold[],
): Promise<Sale> {
  const resource = registry.byKind.get(kind)!;
  const found = await store.findHolders(
    project.key,
    sold.map(({ sku = '', supplyChannelId }) => ({ kind, unique: stockUnique(sku, supplyChannelId) })),
  );
  const byEntry = new Map<string, { readonly entry: Fixed<InventoryEntry>; readonly lines: Sold[] }>();
  const short: Sold[] = [];
  for (const [index, line] of sold.entries()) {
    const stored = line.sku === undefined ? undefined : found[index];
    if (stored === undefined) short.push(line);
    else if (byEntry.has(stored.id)) byEntry.get(stored.id)!.lines.push(line);
    else byEntry.set(stored.id, { entry: documentOf<InventoryEntry>(stored.json), lines: [line] });
  }
  const planned = [...byEntry.values()].map(({ entry, lines }): Planned => {
    const needed = lines.filter(({ isTrackedAlone, isReserved }) => !isTrackedAlone && !isReserved);
    const isBounded = needed.length > 0 && entry.restockableInDays === undefined;
    if (isBounded && entry.availableQuantity < sumOf(lines.filter(({ isReserved }) => !isReserved)))
      short.push(...needed);
    const by = -sumOf(lines.filter(({ isReserved }) => !isReserved));
    const onStock = -sumOf(lines);
    requireExact(entry, { by, onStock });
    return {
      resource,
      write: {
        type: 'increment',
        kind,
        id: entry.id,
        member: 'availableQuantity',
        by,
        min: isBounded ? 0 : Number.MIN_SAFE_INTEGER,
        max: Number.MAX_SAFE_INTEGER,
        also: { member: 'quantityOnStock', by: onStock },
        now,
        groupedBy: resource.groupedBy,
      },
    };
  });
  return { planned, shortage: short.length === 0 ? undefined : outOfStock(short) };
}

/** A number that is rounded would stay wrong. Orders that were made elsewhere may have any quantities. */
function requireExact(
  { sku, availableQuantity, quantityOnStock }: Fixed<InventoryEntry>,
  { by, onStock }: { readonly by: number; readonly onStock: number },
): void {
  if (Number.isSafeInteger(availableQuantity + by) && Number.isSafeInteger(quantityOnStock + onStock)) return;
  throw invalidOperation(`With the quantities ordered the stock of '${sku}' is a number that cannot be kept exactly.`);
}

function sumOf(lines: readonly Sold[]): number {
  return lines.reduce((sum, { quantity }) => sum + quantity, 0);
}

function outOfStock(short: readonly Sold[]): ErrorElement {
  const skus = [...new Set(short.flatMap(({ sku }) => sku ?? []))];
  return apiError(
    'OutOfStock',
    `There are not as many of ${skus.join(', ') || 'a variant without an SKU'} as are ordered.`,
    {
      lineItems: short.map(({ lineItemId }) => lineItemId),
      skus,
    },
  ).errors[0];
}

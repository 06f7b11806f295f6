import type { RequestContext } from '../../engine/context.ts';
import { documentOf } from '../../engine/json.ts';
import { Readings } from '../../engine/readings.ts';
import type { Engine, Planned } from '../../engine/resource.ts';
import type { InventoryEntry } from './fields.ts';

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
  const kind = 'inventory-entry';
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

/** What reservations do to the stock that they are of. */
import type { RequestContext } from '../../engine/context.ts';
import type { Fixed } from '../../engine/document.ts';
import type { Engine, Planned } from '../../engine/resource.ts';
import { liveStates, type Reservation } from './fields.ts';

const stock = 'inventory-entry';

/** Takes units from what is available of a stock, or (below zero) gives them back. It never takes more than there are. */
export function planTaking(
  { registry }: Pick<Engine, 'registry'>,
  { now }: RequestContext,
  { id, quantity }: { readonly id: string; readonly quantity: number },
): Planned {
  const resource = registry.byKind.get(stock)!;
  const { groupedBy } = resource;
  const bound = quantity > 0 ? { min: 0 } : {};
  const member = 'availableQuantity';
  return {
    resource,
    write: { type: 'increment', kind: stock, id, member, by: -quantity, ...bound, now, groupedBy },
  };
}

/** Gives back what these hold, to the stocks that are there still. */
export async function planRelease(
  engine: Engine,
  context: RequestContext,
  reservations: readonly Fixed<Reservation>[],
): Promise<readonly Planned[]> {
  const held = reservations.filter(isLive);
  const ids = [...new Set(held.map(({ inventoryEntry }) => inventoryEntry.id))];
  if (ids.length === 0) return [];
  const found = await engine.store.find(
    context.project.key,
    ids.map((id) => ({ kind: stock, id })),
  );
  const there = new Set(found.flatMap((stored) => stored?.id ?? []));
  return held
    .filter(({ inventoryEntry }) => there.has(inventoryEntry.id))
    .map(({ inventoryEntry: { id }, quantity }) => planTaking(engine, context, { id, quantity: -quantity }));
}

/** Whether it holds units back. */
export function isLive({ state }: Pick<Fixed<Reservation>, 'state'>): boolean {
  return liveStates.includes(state);
}

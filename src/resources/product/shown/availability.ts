import type { Fixed } from '../../../engine/document.ts';
import type { InventoryEntry } from '../../inventory-entry/fields.ts';
import type { Store } from '../../store/fields.ts';

interface Stock {
  readonly isOnStock: boolean;
  readonly availableQuantity: number;
  readonly restockableInDays?: number;
  readonly id: string;
  readonly version: number;
}

/** What there is of a variant: without a channel, and by the channels (catalog 44). */
export interface Availability extends Partial<Stock> {
  readonly channels?: Readonly<Record<string, Stock>>;
}

/** Ids of the channels whose stock counts in a store; undefined where it names none, which filters nothing. */
export function suppliersOf({ supplyChannels }: Pick<Store, 'supplyChannels'>): ReadonlySet<string> | undefined {
  return supplyChannels.length === 0 ? undefined : new Set(supplyChannels.map(({ id }) => id));
}

/** Undefined for an SKU without a stock. `channels` are those that count; by default all do. */
export function availabilityOf(
  entries: readonly Fixed<InventoryEntry>[],
  channels: ReadonlySet<string> | undefined,
): Availability | undefined {
  const everywhere = entries.find(({ supplyChannel }) => supplyChannel === undefined);
  const byChannel = entries.flatMap((entry) => {
    const { supplyChannel } = entry;
    if (supplyChannel === undefined || channels?.has(supplyChannel.id) === false) return [];
    return [[supplyChannel.id, stockOf(entry)] as const];
  });
  if (everywhere === undefined && byChannel.length === 0) return undefined;
  return {
    ...(everywhere !== undefined && stockOf(everywhere)),
    ...(byChannel.length > 0 && { channels: Object.fromEntries(byChannel) }),
  };
}

function stockOf({ availableQuantity, restockableInDays, id, version }: Fixed<InventoryEntry>): Stock {
  return {
    isOnStock: availableQuantity > 0,
    availableQuantity,
    ...(restockableInDays !== undefined && { restockableInDays }),
    id,
    version,
  };
}

import { type GroupReading, readGrouped } from '../../../engine/groups.ts';
import { documentOf, type Json } from '../../../engine/json.ts';
import type { Gathering } from '../../../engine/resource.ts';
import type { GroupLookup } from '../../../engine/store.ts';
import { apiError } from '../../../errors/api-error.ts';
import type { InventoryEntry } from '../../inventory-entry/fields.ts';
import { assignmentsOfProducts } from '../../product-selection-assignment/offers.ts';
import type { ProductSelection } from '../../product-selection/fields.ts';
import { availabilityIn } from '../../product-selection/offers.ts';
import type { Store } from '../../store/fields.ts';
import { allVariants } from '../all-variants.ts';
import type { Price } from '../price.ts';

/** A price of an SKU that stands in no product. */
export interface PriceOfSku extends Price {
  readonly sku: string;
  readonly active: boolean;
}

/** What was read of other resources to show some products. */
export interface Others {
  readonly store: Store | undefined;
  /** By their SKUs. */
  readonly stocks: ReadonlyMap<string, readonly InventoryEntry[]>;
  readonly standalonePrices: ReadonlyMap<string, readonly PriceOfSku[]>;
  /** By the ids of products which of their variants the store has; undefined where that does not matter. */
  readonly available: ReadonlyMap<string, (sku: string | undefined) => boolean> | undefined;
}

export interface OthersWanted {
  readonly storeKey: string | undefined;
  /** Of variants whose stock is shown. */
  readonly stocked: readonly string[];
  /** Of variants whose price is one that stands alone. */
  readonly pricedAlone: readonly string[];
  /** Ids of the products that are asked for in the store, and not just as it shows them. */
  readonly inStore: readonly string[];
}

/** Throws ResourceNotFound for a store that is not there. */
export async function gatherOthers(
  gathering: Pick<Gathering, 'context' | 'store'> & GroupsGathering,
  { storeKey, stocked, pricedAlone, inStore }: OthersWanted,
): Promise<Others> {
  const [store, stocks, standalonePrices] = await Promise.all([
    storeOf(gathering, storeKey),
    readBySku<InventoryEntry>(gathering, 'inventory-entry', stocked),
    readBySku<PriceOfSku>(gathering, 'standalone-price', pricedAlone),
  ]);
  const available =
    store === undefined || inStore.length === 0 ? undefined : await availableIn(gathering, store, inStore);
  return { store, stocks, standalonePrices, available };
}

/** Throws ResourceNotFound for a store that is not there. */
export async function storeOf(
  { context, store }: Pick<Gathering, 'context' | 'store'>,
  key: string | undefined,
): Promise<Store | undefined> {
  if (key === undefined) return undefined;
  const [found] = await store.find(context.project.key, [{ kind: 'store', key }]);
  if (found === undefined) throw apiError('ResourceNotFound', `The Store with key '${key}' was not found.`);
  // What is stored was parsed by the fields of its kind.
  return documentOf(found.json) as unknown as Store;
}

/** By the active product selections of the store, and the assignments of the products to them (catalog 57). */
async function availableIn(
  { context, store: reading }: Pick<Gathering, 'context' | 'store'>,
  store: Store,
  products: readonly string[],
): Promise<NonNullable<Others['available']>> {
  const project = context.project.key;
  const active = store.productSelections.flatMap((each) => (each.active ? each.productSelection.id : []));
  if (active.length === 0) return new Map();
  const [found, assigned] = await Promise.all([
    reading.find(
      project,
      active.map((id) => ({ kind: 'product-selection', id })),
    ),
    assignmentsOfProducts(reading, project, products),
  ]);
  const selections = found.flatMap((stored) => (stored === undefined ? [] : [selectionOf(stored.json)]));
  const modesOfActive = new Map(selections.map(({ id, mode }) => [id, mode]));
  return new Map(
    products.map((id) => [
      id,
      availabilityIn(
        modesOfActive,
        assigned.filter(({ product }) => product.id === id),
      ),
    ]),
  );
}

/**
 * Changes the projections of a product, which are their caller's own; false where the store has no variant of it. A master
 * variant that is not available stays, for there is always one.
 */
export function keepAvailable<V extends { readonly sku?: string }>(
  sides: readonly { readonly masterVariant: V; variants: V[] }[],
  isAvailable: (sku: string | undefined) => boolean,
): boolean {
  if (!sides.flatMap(allVariants).some(({ sku }) => isAvailable(sku))) return false;
  for (const data of sides) data.variants = data.variants.filter(({ sku }) => isAvailable(sku));
  return true;
}

/** What is stored was parsed by its kind. */
function selectionOf(json: Json): ProductSelection {
  return documentOf(json) as unknown as ProductSelection;
}

/** A request that shows products, or what shows them to nobody and takes no turns. */
interface GroupsGathering extends Pick<GroupReading, 'store' | 'turn'> {
  readonly context: { readonly project: { readonly key: string } };
}

export async function readBySku<T extends { readonly sku: string }>(
  { context, store, turn }: GroupsGathering,
  kind: string,
  skus: readonly string[],
): Promise<ReadonlyMap<string, readonly T[]>> {
  return bySku(await readGrouped<T>({ store, project: context.project.key, turn }, ofSkus(kind, skus)));
}

export function ofSkus(kind: string, skus: readonly string[]): GroupLookup {
  return { kind, member: 'sku', values: skus };
}

export function bySku<T extends { readonly sku: string }>(found: readonly T[]): ReadonlyMap<string, readonly T[]> {
  const grouped = new Map<string, T[]>();
  for (const document of found) {
    const group = grouped.get(document.sku);
    if (group === undefined) grouped.set(document.sku, [document]);
    else group.push(document);
  }
  return grouped;
}

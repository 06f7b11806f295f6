/** What products are searched by: what of them and of others goes into the documents of product search, and what reaches them. */
import { isDeepStrictEqual } from 'node:util';
import type { Document, Fixed } from '../../engine/document.ts';
import { groupId, groupKind } from '../../engine/groups.ts';
import type { Engine } from '../../engine/resource.ts';
import type { FactKey, Facts, MakeDocument, Reach, Searched } from '../../engine/searched.ts';
import {
  documentVersion,
  type SearchedBeside,
  type SearchedProduct,
  searchDocument,
  type Side,
} from '../../product-search/document.ts';
import type { Category } from '../category/fields.ts';
import type { InventoryEntry } from '../inventory-entry/fields.ts';
import type { ProductSelection } from '../product-selection/fields.ts';
import { availabilityIn } from '../product-selection/offers.ts';
import { type Assignment, assignmentsOfProducts } from '../product-selection-assignment/offers.ts';
import type { ProductType } from '../product-type/fields.ts';
import type { Store } from '../store/fields.ts';
import type { Product, ProductData } from './fields.ts';
import { type Availability, availabilityOf } from './shown/availability.ts';
import { readBySku, type PriceOfSku } from './shown/others.ts';
import { candidatesOf } from './shown/selected-price.ts';
import { allVariants, skusIn } from './all-variants.ts';

/** The rest of what documents are made of. Little of it, which most changes of these resources leave as it is. */
const facts = {
  /** Ids of the ancestors. They follow a move of any of these, each category for itself. */
  category: {
    members: ['ancestors'],
    of: ({ ancestors }: Category) => ancestors.map(({ id }) => id),
  },
  /** Names of attributes, and whether they are searchable. */
  'product-type': {
    members: ['attributes'],
    of: ({ attributes }: ProductType) => attributes.map(({ name, isSearchable }) => [name, isSearchable] as const),
  },
  'product-selection': { members: ['mode'], of: ({ mode }: ProductSelection) => mode },
  /** With the ids of its active product selections. */
  store: {
    members: ['key', 'productSelections'],
    of: ({ key, productSelections }: Store) => ({
      key,
      selections: productSelections.flatMap(({ active, productSelection }) => (active ? [productSelection.id] : [])),
    }),
  },
} as const;

type FactKind = keyof typeof facts;
type FactOf<Kind extends FactKind> = ReturnType<(typeof facts)[Kind]['of']>;
type SellingStore = FactOf<'store'>;

/** What the feeder of product search has to know of products, beside how it reads what is beside them (`gatherSearched`). */
export const searchedProducts = {
  kind: 'product',
  documentVersion,
  /** What is beside a product under its SKUs, or its id. */
  groups: [
    groupKind('inventory-entry', 'sku'),
    groupKind('standalone-price', 'sku'),
    groupKind('product-selection-assignment', 'product.id'),
  ],
  assignments: { kind: 'product-selection-assignment', selection: 'productSelection.id', assigned: 'product.id' },
  factMembers: Object.fromEntries(Object.entries(facts).map(([kind, { members }]) => [kind, members])),
  // What is stored was parsed by the fields of its kind.
  factOf: (kind: string, members: unknown): unknown => facts[kind as FactKind].of(members as never),
  reachOf,
  sourcesOf,
} as const satisfies Omit<Searched, 'gather'>;

function factsOf<Kind extends FactKind>(all: Facts, kind: Kind): ReadonlyMap<string, FactOf<Kind>> {
  // They were made by `factOf`.
  return (all.get(kind) ?? new Map()) as ReadonlyMap<string, FactOf<Kind>>;
}

/** Which products the change of facts reaches: by the ids of sources, by those of selections that they are in, or all. */
function reachOf(before: Facts, after: Facts, changed: readonly FactKey[]): Reach {
  if (changed.length === 0) return { sources: [], selections: [], isOfAll: false };
  const idsOf = (kind: FactKind): readonly string[] => changed.flatMap((one) => (one.kind === kind ? [one.id] : []));
  const types = idsOf('product-type').length === 0 ? [] : typesOfChangedNames(before, after);
  return {
    sources: [...idsOf('category'), ...types],
    ...sellingReach(before, after, { selections: idsOf('product-selection'), stores: idsOf('store') }),
  };
}

/** Of names that are searched no more, or anew: products of each type that defines one of them may have it. */
function typesOfChangedNames(before: Facts, after: Facts): readonly string[] {
  const [was, is] = [hiddenNames(before), hiddenNames(after)];
  const names = new Set([...was, ...is].filter((name) => was.has(name) !== is.has(name)));
  if (names.size === 0) return [];
  const types = [before, after].flatMap((each) => [...factsOf(each, 'product-type')]);
  return [...new Set(types.flatMap(([id, defined]) => (defined.some(([name]) => names.has(name)) ? [id] : [])))];
}

/** Attributes are searched by name, whatever type defines them, unless one of these says that they are not (catalog 61). */
function hiddenNames(all: Facts): ReadonlySet<string> {
  const types = [...factsOf(all, 'product-type').values()];
  return new Set(types.flatMap((defined) => defined.flatMap(([name, isSearchable]) => (isSearchable ? [] : [name]))));
}

/** Selections that come to a store or leave it change what it has of their products, or, where nothing else chooses, of all. */
function sellingReach(
  before: Facts,
  after: Facts,
  changed: { readonly selections: readonly string[]; readonly stores: readonly string[] },
): Pick<Reach, 'selections' | 'isOfAll'> {
  const reached = new Set(changed.selections);
  const stores = new Set(changed.stores);
  if (reached.size > 0)
    for (const [id, { selections }] of factsOf(after, 'store'))
      if (selections.some((selection) => reached.has(selection))) stores.add(id);
  let isOfAll = false;
  for (const id of stores) {
    const [was, is] = [before, after].map((each) => factsOf(each, 'store').get(id));
    isOfAll ||= isOpen(was, before) !== isOpen(is, after);
    for (const [one, other] of [
      [was, is],
      [is, was],
    ])
      for (const selection of one?.selections ?? []) if (!other?.selections.includes(selection)) reached.add(selection);
  }
  return { selections: [...reached], isOfAll };
}

/** Whether a store has all products but those that its selections exclude. */
function isOpen(store: SellingStore | undefined, all: Facts): boolean {
  const modes = store?.selections.map((id) => factsOf(all, 'product-selection').get(id)) ?? [];
  return modes.includes('IndividualExclusion') && !modes.includes('Individual');
}

/** Ids of resources and groups whose changes reach a product. */
function sourcesOf(document: Document): readonly string[] {
  const product = productOf(document);
  const { current, staged } = product.masterData;
  const categories = [...current.categories, ...staged.categories].map(({ id }) => id);
  const groups = [product.id, ...skusOf(product)].map(groupId);
  return [...new Set([product.productType.id, ...categories, ...groups])];
}

function productOf(document: Document): Fixed<Product> {
  // What is stored was parsed by the fields of its kind.
  return document as unknown as Fixed<Product>;
}

function skusOf({ masterData }: Fixed<Product>): readonly string[] {
  return skusIn(masterData.current, masterData.staged);
}

/** What was read of others for some products. */
interface Others {
  readonly availabilities: ReadonlyMap<string, Availability>;
  readonly standalonePrices: ReadonlyMap<string, readonly PriceOfSku[]>;
  readonly assignments: ReadonlyMap<string, readonly Assignment[]>;
  readonly hidden: ReadonlySet<string>;
  readonly selling: Selling;
}

/** Reads what else the documents of these products are made from, and gives what makes one. */
export async function gatherSearched(
  store: Pick<Engine['store'], 'find' | 'findGrouped'>,
  {
    project,
    documents,
    facts,
  }: { readonly project: string; readonly documents: readonly Document[]; readonly facts: Facts },
): Promise<MakeDocument> {
  const products = documents.map(productOf);
  const gathering = { context: { project: { key: project } }, store };
  const alone = products.filter(({ priceMode }) => priceMode === 'Standalone');
  const [stocks, prices, assignments] = await Promise.all([
    readBySku<InventoryEntry>(gathering, 'inventory-entry', products.flatMap(skusOf)),
    readBySku<PriceOfSku>(gathering, 'standalone-price', alone.flatMap(skusOf)),
    assignmentsOfProducts(
      store,
      project,
      products.map(({ id }) => id),
    ),
  ]);
  const others: Others = {
    availabilities: new Map(
      [...stocks].map(([sku, entries]) => [sku, availabilityOf(entries.toSorted(byAge), undefined)!]),
    ),
    standalonePrices: new Map([...prices].map(([sku, each]) => [sku, each.toSorted(byAge)])),
    assignments: byProduct(assignments.toSorted(byAge)),
    hidden: hiddenNames(facts),
    selling: sellingOf(facts),
  };
  return (document) => searched(productOf(document), { facts, others });
}

function byProduct(assignments: readonly Assignment[]): Others['assignments'] {
  const grouped = new Map<string, Assignment[]>();
  for (const assignment of assignments) {
    const others = grouped.get(assignment.product.id);
    if (others === undefined) grouped.set(assignment.product.id, [assignment]);
    else others.push(assignment);
  }
  return grouped;
}

/** The oldest first, so that what is the same makes the same document. */
function byAge(one: Aged, other: Aged): number {
  return compared(one.createdAt, other.createdAt) || compared(one.id, other.id);
}

type Aged = { readonly id: string; readonly createdAt?: string };

function compared(one = '', other = ''): number {
  return one < other ? -1 : Number(one > other);
}

function searched(
  product: Fixed<Product>,
  { facts, others }: { readonly facts: Facts; readonly others: Others },
): object {
  const side = (side: Side): object => {
    const beside: SearchedBeside = {
      ancestors: factsOf(facts, 'category'),
      availabilities: others.availabilities,
      ...placesOf(product, side, others),
      isSearchable: (name) => !others.hidden.has(name),
    };
    return searchDocument(withPrices(product, side, others), side, beside);
  };
  const staged = side('staged');
  if (!product.masterData.published) return { staged };
  const current = side('current');
  return isDeepStrictEqual(current, staged) ? { both: current } : { current, staged };
}

/** The product with the prices that its variants have by its mode. */
function withPrices(product: Fixed<Product>, side: Side, { standalonePrices }: Others): SearchedProduct {
  const { priceMode, masterData } = product;
  if (priceMode !== 'Standalone') return product;
  const data = masterData[side] as ProductData;
  const priced = (variant: ProductData['masterVariant']) => ({
    ...variant,
    standalonePrices: candidatesOf(variant, priceMode, standalonePrices),
  });
  const shown = { ...data, masterVariant: priced(data.masterVariant), variants: data.variants.map(priced) };
  return { ...product, masterData: { ...masterData, [side]: shown } };
}

/** The stores that sell by selections. */
interface Selling {
  readonly modes: ReadonlyMap<string, FactOf<'product-selection'>>;
  readonly bySelection: ReadonlyMap<string, readonly SellingStore[]>;
  readonly open: readonly SellingStore[];
}

function sellingOf(all: Facts): Selling {
  const stores = [...factsOf(all, 'store').values()].filter(({ selections }) => selections.length > 0);
  const bySelection = new Map<string, SellingStore[]>();
  for (const store of stores)
    for (const selection of store.selections) {
      const others = bySelection.get(selection);
      if (others === undefined) bySelection.set(selection, [store]);
      else others.push(store);
    }
  const modes = factsOf(all, 'product-selection');
  return { modes, bySelection, open: stores.filter((store) => isOpen(store, all)) };
}

/**
 * Where a side of a product is found by stores and product selections, which the public texts leave open: in the selections
 * that it is assigned to and that do not exclude, and in the stores with an active selection in which one of its variants is
 * available (catalog 57). A store without active selections, which shows every product, is not searched by.
 */
function placesOf(
  { id, masterData }: Fixed<Product>,
  side: Side,
  { assignments, selling }: Others,
): Pick<SearchedBeside, 'stores' | 'productSelections'> {
  const own = assignments.get(id) ?? [];
  const selections = own.map(({ productSelection }) => productSelection.id);
  const stores = new Set([
    ...selling.open,
    ...selections.flatMap((selection) => selling.bySelection.get(selection) ?? []),
  ]);
  const variants = allVariants(masterData[side]);
  const isSold = ({ selections: active }: SellingStore): boolean => {
    const modesOfActive = active.flatMap((selection) => {
      const mode = selling.modes.get(selection);
      return mode === undefined ? [] : [[selection, mode] as const];
    });
    const isAvailable = availabilityIn(new Map(modesOfActive), own);
    return variants.some(({ sku }) => isAvailable(sku));
  };
  return {
    stores: [...stores].flatMap((store) => (isSold(store) ? [store.key] : [])).toSorted(),
    productSelections: selections.filter((selection) => selling.modes.get(selection) === 'Individual').toSorted(),
  };
}

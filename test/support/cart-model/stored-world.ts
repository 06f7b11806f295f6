/** A world of the model as the platform would have it stored, for its own computation of carts to read. */
import type { CoherentCache, Derived } from '../../../src/engine/coherence.ts';
import type { Project } from '../../../src/engine/context.ts';
import type { Description, Document, Fixed } from '../../../src/engine/document.ts';
import type { Engine, Found } from '../../../src/engine/resource.ts';
import type { GroupLookup, Lookup, Stored } from '../../../src/engine/store.ts';
import { product } from '../../../src/resources/product/resource.ts';
import type { ModelWorld, StoreCode } from './cart-shapes.ts';
import { idOf } from './world-ids.ts';

export interface StoredWorld {
  readonly project: Project;
  readonly now: string;
  readonly found: Found;
  /** What a computation reads through; it can do nothing else. */
  readonly engine: Engine;
}

type Kept = Fixed<Document>;

const known = new WeakMap<ModelWorld, StoredWorld>();

export function storedWorld(world: ModelWorld): StoredWorld {
  let stored = known.get(world);
  if (stored === undefined) known.set(world, (stored = store(world)));
  return stored;
}

function store(world: ModelWorld): StoredWorld {
  const documents = documentsOf(world);
  const byId = new Map(
    [...documents].map(([kind, ofKind]) => [kind, new Map(ofKind.map((each) => [each.id, each]))] as const),
  );
  return {
    project: projectOf(world),
    now: world.now,
    found: {
      hasSought: () => true,
      one: (kind, id) => byId.get(kind)?.get(id),
      holder: (kind, field, value) => documents.get(kind)?.find((each) => holds(each, field, value)),
      all: (kind) => documents.get(kind) ?? [],
    },
    engine: engineOf(documents, byId),
  };
}

function holds(document: Kept, field: string, value: string): boolean {
  if (field !== 'sku') return document[field] === value;
  const { masterVariant, variants } = (document as unknown as ModelWorld['products'][number]).masterData.current;
  return [masterVariant, ...variants].some(({ sku }) => sku === value);
}

function projectOf({ project }: ModelWorld): Project {
  const { carts, shippingRateInputType, discountCombinationMode = 'Stacking', languages = [] } = project;
  const settings = {
    name: 'Shop',
    countries: [],
    currencies: [],
    languages,
    createdAt: '2026-01-01T00:00:00.000Z',
    discounts: { discountCombinationMode },
    ...(carts !== undefined && { carts }),
    ...(shippingRateInputType !== undefined && { shippingRateInputType: { ...shippingRateInputType } }),
  };
  // The public client's enumerations take other texts as well.
  return { key: 'shop', version: 1, settings: settings as Project['settings'] };
}

/** Of what a computation keeps by id and version: worlds have the same ids. */
let versions = 0;

function documentsOf(world: ModelWorld): ReadonlyMap<string, readonly Kept[]> {
  const links = (kind: 'customer-group' | 'product-type', count: number): readonly object[] =>
    Array.from({ length: count }, (_, index) => ({ id: idOf(kind, index + 1) }));
  const selections = Object.entries(world.selectedProducts);
  const kinds: Readonly<Record<string, readonly object[]>> = {
    product: world.products,
    'standalone-price': world.standalonePrices,
    category: world.categories,
    'tax-category': world.taxCategories,
    zone: world.zones,
    'shipping-method': world.shippingMethods,
    'cart-discount': world.cartDiscounts.map((discount) => ({ ...discount, version: (versions += 1) })),
    'discount-code': world.discountCodes.map((code) => withUses(world, code)),
    'discount-group': world.discountGroups,
    customer: world.customers,
    channel: world.channels,
    store: world.stores,
    'customer-group': links('customer-group', 3),
    'product-type': links('product-type', 2),
    'product-discount': [],
    'product-selection': selections.map(([id]) => ({ id, mode: 'Individual' })),
    'product-selection-assignment': selections.flatMap(([id, products]) =>
      products.map((of) => ({ id: `${id} ${of}`, productSelection: { id }, product: { id: of } })),
    ),
  };
  // The read types of the contract are what is stored.
  return new Map(Object.entries(kinds)) as unknown as ReadonlyMap<string, readonly Kept[]>;
}

function withUses({ codeUses }: ModelWorld, code: StoreCode): object {
  return { ...code, applicationCount: codeUses.filter(({ discountCode }) => discountCode === code.id).length };
}

function engineOf(
  documents: ReadonlyMap<string, readonly Kept[]>,
  byId: ReadonlyMap<string, ReadonlyMap<string, Kept>>,
): Engine {
  const find = ({ kind, id, key }: Lookup): Stored | undefined => {
    const found = id === undefined ? documents.get(kind)?.find((each) => each.key === key) : byId.get(kind)?.get(id);
    return found && storedFrom(found);
  };
  const engine = {
    sources: { note: () => {} },
    registry: { byKind: new Map([['product', product]]) },
    store: {
      find: async (_: string, lookups: readonly Lookup[]) => lookups.map(find),
      findGrouped: async (_: string, { kind, member, values }: GroupLookup) =>
        (documents.get(kind) ?? [])
          .filter((each) => values.includes(String(memberAt(each, member))))
          .map((each) => storedFrom(each)),
    },
    descriptions: keepingAll<Description>(),
    derived: keepingAll<Derived>(),
  };
  return engine as unknown as Engine;
}

/** Worlds do not change. */
function keepingAll<V extends object>(): Pick<CoherentCache<V>, 'get'> {
  const kept = new Map<string, Promise<V>>();
  return {
    get: (name, make) => {
      let value = kept.get(name);
      if (value === undefined) kept.set(name, (value = make().then((made) => made.value)));
      return value;
    },
  };
}

const texts = new WeakMap<Kept, string>();

function storedFrom(document: Kept): Stored {
  let json = texts.get(document);
  if (json === undefined) texts.set(document, (json = JSON.stringify(document)));
  return { id: document.id, key: document.key, version: document.version, json };
}

function memberAt(document: Kept, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => (value as Readonly<Record<string, unknown>>)[name], document);
}

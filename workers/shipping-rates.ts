import { LRUCache } from 'lru-cache';
import {
  type CartInput,
  type Catalog,
  compileCatalog,
  type Location,
  matchCart,
  type MethodInput,
  matchLocation,
  type ZoneInput,
} from '../src/pricing/shipping-rate.ts';
import { batched } from '../src/threads/protocol.ts';

/** Projects whose methods and zones a thread keeps compiled. */
const catalogsMax = 100;

const catalogs = new LRUCache<string, Catalog>({ max: catalogsMax });

interface Request {
  /** Differs for every state of a project's methods and zones. */
  readonly catalogVersion: string;
  /** Sent again when the thread did not have this version. */
  readonly catalog?: { readonly methods: readonly MethodInput[]; readonly zones: readonly ZoneInput[] };
  /** A cart's JSON text, or a location, or both. */
  readonly cart?: string;
  readonly location?: Location;
  readonly currencyCode?: string;
  readonly tierType?: string;
}

/** Matches, or what kept the thread from finding them. */
const task = (request: Request): unknown => {
  const catalog = catalogOf(request);
  if (catalog === undefined) return 'catalog-missing';
  const { cart, location, currencyCode, tierType } = request;
  if (cart === undefined) return matchLocation(catalog, location!, currencyCode);
  // The text is the store's representation of a cart.
  const matches = matchCart(catalog, JSON.parse(cart) as CartInput, { tierType, ...(location && { location }) });
  return matches ?? 'address-missing';
};

function catalogOf({ catalogVersion, catalog }: Request): Catalog | undefined {
  const known = catalogs.get(catalogVersion);
  if (known !== undefined || catalog === undefined) return known;
  const compiled = compileCatalog(catalog.methods, catalog.zones);
  catalogs.set(catalogVersion, compiled);
  return compiled;
}

/** The pool calls it with each batch. */
export const run = batched(task);

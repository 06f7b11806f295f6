/**
 * A product as GraphQL has it in a store: where it is available there, with the variants that are (catalog 57), and with the
 * languages, the prices and the stock that projections have of it there.
 */
import { graphqlQuery } from '../../engine/endpoint.ts';
import { documentOf } from '../../engine/json.ts';
import { findBy } from '../../engine/operations/find-by.ts';
import type { Engine, EndpointRequest } from '../../engine/resource.ts';
import type { Stored } from '../../engine/store.ts';
import { apiError } from '../../errors/api-error.ts';
import { optional } from '../../fields/field.ts';
import { text } from '../../fields/scalar.ts';
import { limitsOf, pricesIn } from '../../pricing/store-prices.ts';
import type { Store } from '../store/fields.ts';
import type { Product } from './fields.ts';
import { finding, form, keepProductLocales } from './finding.ts';
import { noteStore } from './noted-product.ts';
import { suppliersOf } from './shown/availability.ts';
import { shownLocales } from './shown/locales.ts';
import { gatherOthers, keepAvailable } from './shown/others.ts';
import { allVariants, sidesIn } from './all-variants.ts';
import type { Variant } from './variant.ts';

type Asking = Pick<EndpointRequest, 'context' | 'resource'>;

interface Named {
  readonly id?: string;
  readonly key?: string;
  readonly sku?: string;
  readonly variantKey?: string;
}

export const productInStore = graphqlQuery({
  name: 'product',
  places: ['inStore'],
  scopes: ['view_products', 'view_products:{storeKey}', 'view_published_products'],
  arguments: {
    ...form,
    id: optional(text()),
    key: optional(text()),
    sku: optional(text()),
    variantKey: optional(text()),
  },
  type: 'Product',
  types: () => [],
  run: async (engine, { parameters, context, resource, storeKey }) => {
    const { localeProjection, ...named } = parameters;
    const stored = await found(engine, { context, resource }, named);
    if (stored === undefined) return null;
    const product = documentOf<Product>(stored.json);
    const { store, available } = await gatherOthers(
      { context, store: engine.store },
      { storeKey, stocked: [], pricedAlone: [], inStore: [product.id] },
    );
    const isAvailable = available?.get(product.id);
    if (isAvailable !== undefined && !keepAvailable(sidesIn(product.masterData), isAvailable)) return null;
    keepProductLocales(product, shownLocales(localeProjection, store));
    if (store !== undefined) limitToStore(sidesIn(product.masterData).flatMap(allVariants), store);
    return product;
  },
});

/** Changes the variants, which are their caller's own. */
function limitToStore(variants: readonly Variant[], store: Store): void {
  const limits = limitsOf(store);
  for (const variant of variants) variant.prices = pricesIn(limits, variant.prices);
  noteStore(variants, { limits, suppliers: suppliersOf(store) });
}

async function found(engine: Engine, asking: Asking, named: Named): Promise<Stored | undefined> {
  const { context, resource } = asking;
  const { id, key } = named;
  if (id !== undefined || key !== undefined) {
    const lookup = id === undefined ? { key: key! } : { id };
    const [stored] = await engine.store.find(context.project.key, [{ kind: resource.kind, ...lookup }]);
    return stored;
  }
  const name = (['sku', 'variantKey'] as const).find((each) => named[each] !== undefined);
  if (name === undefined)
    throw apiError('InvalidInput', 'The Product has to be named by its id, its key, an SKU or the key of a variant.');
  return findBy(engine, asking, { by: finding.one[name]!, value: named[name]! });
}

import { answer } from '../../../engine/answer.ts';
import type { RequestContext } from '../../../engine/context.ts';
import { lookingAt } from '../../../engine/lens.ts';
import { represent } from '../../../engine/operations/represent.ts';
import type { EndpointRequest, Engine, Parameters } from '../../../engine/resource.ts';
import type { IndexAnswer, SelectedPrices } from '../../../product-search/index-query.ts';
import { limitsOf } from '../../../pricing/store-prices.ts';
import type { ProjectionParameters } from '../projection.ts';
import type { AsFound } from '../shown/as-found.ts';
import { projectionIn, projectionView } from '../shown/projection-view.ts';
import { storeOf } from '../shown/others.ts';

/** Who searches, of products. */
export type Asking = Pick<EndpointRequest, 'context' | 'resource'>;

/**
 * Throws what the paths of projections answer to these parameters, such as insufficient_scope where only those who see
 * all products may ask for them.
 */
export function requireAllowed({ context, resource }: Asking, shownBy: Parameters): void {
  projectionView(resource, undefined).place(context, undefined, shownBy);
}

/** The prices that a search speaks of. Throws ResourceNotFound for a store that is not there. */
export async function selectedPrices(
  engine: Engine,
  context: RequestContext,
  { shownBy, pricedAt }: Pick<PageFound, 'shownBy' | 'pricedAt'>,
): Promise<SelectedPrices | undefined> {
  const { priceCurrency, priceCustomerGroup, priceCustomerGroupAssignments = [] } = shownBy;
  const store = await storeOf({ context, store: engine.store }, shownBy.storeProjection);
  if (priceCurrency === undefined) return undefined;
  const groups = [priceCustomerGroup, ...priceCustomerGroupAssignments];
  return {
    now: pricedAt,
    currency: priceCurrency,
    country: shownBy.priceCountry,
    customerGroups: groups.filter((group) => group !== undefined),
    channel: shownBy.priceChannel,
    ...limitsOf(store),
  };
}

export interface PageFound {
  readonly results: IndexAnswer['results'];
  readonly shownBy: ProjectionParameters;
  readonly expand: readonly string[];
  /** The moment at which prices are selected. */
  readonly pricedAt: string;
}

export interface FoundProjection {
  readonly id: string;
  readonly json: Buffer;
}

/**
 * In the order in which they were found, without those that have gone since. How each shows is kept by itself, for searches
 * that differ find the same products.
 */
export async function foundProjections(
  engine: Engine,
  asking: Asking,
  { results, ...found }: PageFound,
): Promise<readonly FoundProjection[]> {
  const shown = await Promise.all(results.map((result) => shownAs(engine, asking, { ...found, result })));
  return results.flatMap(({ id }, index) => {
    const json = shown[index]!;
    return json.length === 0 ? [] : [{ id, json }];
  });
}

/** One of what was found; empty where it has gone. */
function shownAs(
  engine: Engine,
  { context, resource }: Asking,
  {
    result,
    shownBy,
    expand,
    pricedAt,
  }: Omit<PageFound, 'results'> & { readonly result: IndexAnswer['results'][number] },
): Promise<Buffer> {
  // As of the moment of the request it is kept until the clock changes a price.
  const moment = pricedAt === context.now ? undefined : pricedAt;
  const asked = { context, resource: projectionIn(resource), result, shownBy, expand, moment };
  return answer(engine, asked, {
    form: 'found',
    isByGrants: expand.length > 0,
    make: async (reading) => {
      const asFound: AsFound = { found: { matching: new Map([[result.id, result.matching]]), pricedAt } };
      const { store } = lookingAt(reading, { ...asked, shownBy: { ...shownBy, ...asFound } });
      const [stored] = await store.find(context.project.key, [{ kind: resource.kind, id: result.id }]);
      if (stored === undefined) return '';
      const [json] = await represent(reading, context, [stored.json], expand);
      return json!;
    },
  });
}

import type { ProjectionDeclaration } from '../../engine/define.ts';
import { versioned } from '../../engine/document.ts';
import { assigned, defaulted, optional, type ValueOf } from '../../fields/field.ts';
import { list } from '../../fields/list.ts';
import { boolean, key, locale, text } from '../../fields/scalar.ts';
import { dataFields, fields, type Product } from './fields.ts';
import { staged } from './parameters.ts';
import { allVariants, skusIn } from './all-variants.ts';
import { type AsFound, showAsFound } from './shown/as-found.ts';
import { gatherOthers, type Others } from './shown/others.ts';
import { projected } from './shown/projected.ts';
import { type Clock, clockOf, priceSelection, requireCurrency } from './shown/selected-price.ts';

const { id, version, createdAt, lastModifiedAt } = versioned;
const { masterData: _, ...ofProduct } = fields;
const own = { id, version, createdAt, lastModifiedAt, ...ofProduct };
const states = { published: assigned(boolean()), hasStagedChanges: assigned(boolean()) };

/** What paths of projections take to say what shows of products. */
export const projectionParameters = {
  staged: defaulted(staged, () => false),
  ...priceSelection,
  localeProjection: optional(list(locale())),
  storeProjection: optional(key()),
  'filter[attributes]': optional(list(text(['color']))),
};

export type ProjectionParameters = ValueOf<typeof projectionParameters>;

interface Gathered {
  readonly clock: Clock;
  readonly others: Others;
}

/** As the views of projections in stores say. */
function isInStore(shownBy: object): boolean {
  return 'isInStore' in shownBy;
}

/** As searches say. */
function isFound(shownBy: object): shownBy is AsFound {
  return 'found' in shownBy;
}

const sideOf = ({ staged }: ProjectionParameters): 'staged' | 'current' => (staged ? 'staged' : 'current');

/** What is current of the products that are published, or what is staged of all. */
export const productProjection: ProjectionDeclaration<Product, ProjectionParameters, Gathered> = {
  typeName: 'ProductProjection',
  path: 'product-projections',
  scopes: ['view_products', 'view_published_products'],
  fields: { ...own, ...dataFields, ...states },
  parameters: projectionParameters,
  storeParameter: 'storeProjection',
  check: requireCurrency,
  isOfAll: ({ staged }) => staged,
  where: ({ staged }) => (staged ? undefined : 'masterData(published=true)'),
  storedAt: (member, given) => {
    if (Object.hasOwn(own, member)) return [member];
    return Object.hasOwn(states, member) ? ['masterData', member] : ['masterData', sideOf(given), member];
  },
  gather: async (gathering, products, shownBy) => {
    const skusOf = (some: typeof products): readonly string[] =>
      skusIn(...some.map(({ masterData }) => masterData[sideOf(shownBy)]));
    const isPriced = shownBy.priceCurrency !== undefined;
    const others = await gatherOthers(gathering, {
      storeKey: shownBy.storeProjection,
      stocked: skusOf(products),
      inStore: isInStore(shownBy) ? products.map(({ id }) => id) : [],
      pricedAlone: isPriced ? skusOf(products.filter(({ priceMode }) => priceMode === 'Standalone')) : [],
    });
    const clock = isFound(shownBy) ? { ...clockOf(gathering), now: shownBy.found.pricedAt } : clockOf(gathering);
    return { clock, others };
  },
  shown: ({ masterData, createdBy: _by, lastModifiedBy: _last, ...product }, shownBy, gathered) => {
    const { published, hasStagedChanges } = masterData;
    if (!published && !shownBy.staged) return undefined;
    const data = masterData[sideOf(shownBy)];
    const isAvailable = gathered.others.available?.get(product.id);
    if (isAvailable !== undefined) {
      if (!allVariants(data).some(({ sku }) => isAvailable(sku))) return undefined;
      // A master variant that is not available stays, for there is always one.
      data.variants = data.variants.filter(({ sku }) => isAvailable(sku));
    }
    projected(data, { shownBy, ...gathered, priceMode: product.priceMode });
    if (isFound(shownBy)) showAsFound(data, shownBy.found.matching.get(product.id));
    return { ...product, ...data, published, hasStagedChanges };
  },
};

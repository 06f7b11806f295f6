import type { ProjectionDeclaration } from '../../engine/define.ts';
import { versioned } from '../../engine/document.ts';
import { assigned, defaulted, optional, type ValueOf } from '../../fields/field.ts';
import { boolean, key } from '../../fields/scalar.ts';
import { attributeNames, localeProjection, priceParameters } from '../../product-search/showing.ts';
import { dataFields, fields, type Product } from './fields.ts';
import { showsStaged } from './parameters.ts';
import { skusIn } from './all-variants.ts';
import { type AsFound, showAsFound } from './shown/as-found.ts';
import { gatherOthers, keepAvailable, type Others } from './shown/others.ts';
import { projected } from './shown/projected.ts';
import { type Clock, clockOf, requireCurrency } from './shown/selected-price.ts';

const { id, version, createdAt, lastModifiedAt } = versioned;
const { masterData: _, ...ofProduct } = fields;
const own = { id, version, createdAt, lastModifiedAt, ...ofProduct };
const states = { published: assigned(boolean()), hasStagedChanges: assigned(boolean()) };

/** What paths of projections take to say what shows of products. */
export const projectionParameters = {
  staged: defaulted(showsStaged, () => false),
  ...priceParameters,
  localeProjection,
  storeProjection: optional(key()),
  'filter[attributes]': optional(attributeNames),
};

export type ProjectionParameters = ValueOf<typeof projectionParameters>;

/** With what the views of projections in stores say beside them, and searches. */
type PlacedParameters = ProjectionParameters & Partial<AsFound> & { readonly isInStore?: true };

interface Gathered {
  readonly clock: Clock;
  readonly others: Others;
}

const sideOf = ({ staged }: ProjectionParameters): 'staged' | 'current' => (staged ? 'staged' : 'current');

/** What is current of the products that are published, or what is staged of all. */
export const productProjection: ProjectionDeclaration<Product, PlacedParameters, Gathered> = {
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
      inStore: shownBy.isInStore === true ? products.map(({ id }) => id) : [],
      pricedAlone: isPriced ? skusOf(products.filter(({ priceMode }) => priceMode === 'Standalone')) : [],
    });
    const clock = clockOf(gathering);
    return { clock: { ...clock, now: shownBy.found?.pricedAt ?? clock.now }, others };
  },
  shown: ({ masterData, createdBy: _by, lastModifiedBy: _last, ...product }, shownBy, gathered) => {
    const { published, hasStagedChanges } = masterData;
    if (!published && !shownBy.staged) return undefined;
    const data = masterData[sideOf(shownBy)];
    const isAvailable = gathered.others.available?.get(product.id);
    if (isAvailable !== undefined && !keepAvailable([data], isAvailable)) return undefined;
    projected(data, { shownBy, ...gathered, priceMode: product.priceMode });
    if (shownBy.found !== undefined) showAsFound(data, shownBy.found.matching.get(product.id));
    return { ...product, ...data, published, hasStagedChanges };
  },
};

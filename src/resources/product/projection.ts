import type { ProjectionDeclaration } from '../../engine/define.ts';
import { versioned } from '../../engine/document.ts';
import { assigned, defaulted, type ValueOf } from '../../fields/field.ts';
import { boolean } from '../../fields/scalar.ts';
import { unavailable } from '../../fields/unavailable.ts';
import { dataFields, fields, type Product } from './fields.ts';
import { staged } from './parameters.ts';

const { id, version, createdAt, lastModifiedAt } = versioned;
const { masterData: _, ...ofProduct } = fields;
const own = { id, version, createdAt, lastModifiedAt, ...ofProduct };
const states = { published: assigned(boolean()), hasStagedChanges: assigned(boolean()) };

const parameters = {
  staged: defaulted(staged, () => false),
  ...unavailable(
    'priceCurrency',
    'priceCountry',
    'priceCustomerGroup',
    'priceCustomerGroupAssignments',
    'priceChannel',
    'priceRecurrencePolicy',
    'localeProjection',
    'storeProjection',
    'filter[attributes]',
  ),
};

type Parameters = ValueOf<typeof parameters>;

const sideOf = ({ staged }: Parameters): 'staged' | 'current' => (staged ? 'staged' : 'current');

/** What is current of the products that are published, or what is staged of all. */
export const productProjection: ProjectionDeclaration<Product, Parameters> = {
  typeName: 'ProductProjection',
  path: 'product-projections',
  scopes: ['view_products', 'view_published_products'],
  fields: { ...own, ...dataFields, ...states },
  parameters,
  isOfAll: ({ staged }) => staged,
  where: ({ staged }) => (staged ? undefined : 'masterData(published=true)'),
  storedAt: (member, given) => {
    if (Object.hasOwn(own, member)) return [member];
    return Object.hasOwn(states, member) ? ['masterData', member] : ['masterData', sideOf(given), member];
  },
  shown: ({ masterData, createdBy: _by, lastModifiedBy: _last, ...product }, given) => {
    const { published, hasStagedChanges } = masterData;
    const data = masterData[sideOf(given)];
    if (data === undefined || !(published || given.staged)) return undefined;
    return { ...product, ...data, published, hasStagedChanges };
  },
};

/** The GraphQL types of products that a search of projections found, which are read from what REST shows of them. */
import { type OutputField, type OutputObject, type OutputType } from '../../../fields/field.ts';
import { outputObject, outputTypesOf } from '../../../fields/object.ts';
import { allVariants, type Sided } from '../all-variants.ts';
import { productProjection } from '../projection.ts';
import type { Product } from '../fields.ts';
import { notedProduct, noteProduct } from '../noted-product.ts';
import { foundAttribute, foundAttributes } from './found-attributes.ts';
import { foundVariant, foundVariantTypes } from './found-variant-types.ts';
import { plainFields, plainObject } from './plain-types.ts';

type Parent = Readonly<Record<string, unknown>>;

type Projection = Sided<Parent> & Pick<Product, 'priceMode' | 'productType'>;

/** What has other types where it was found, and what GraphQL does not have there. */
const unlike = ['priceMode', 'categoryOrderHints', 'searchKeywords', 'attributes', 'masterVariant', 'variants'];

const alike = Object.fromEntries(Object.entries(productProjection.fields).filter(([name]) => !unlike.includes(name)));

/** The values of a projection were made by its declaration. */
function variantsOf(parent: Parent): readonly Parent[] {
  const projection = parent as unknown as Projection;
  const all = allVariants(projection);
  const { priceMode, productType } = projection;
  if (notedProduct(projection.masterVariant) === undefined)
    noteProduct(all, { priceMode, productTypeId: productType.id });
  return all;
}

function variantsField(name: string, pick: (all: readonly Parent[]) => readonly Parent[]): OutputField {
  return {
    name,
    type: '[ProductSearchVariant!]!',
    args: { onlyMatching: 'Boolean' },
    complexity: 1,
    goesThrough: ({ variants }) => (variants as readonly unknown[]).length,
    read: (parent, { onlyMatching }) =>
      pick(variantsOf(parent)).filter(({ isMatchingVariant }) => onlyMatching !== true || isMatchingVariant === true),
  };
}

/** An object of values by name, as a list. */
function entriesOf(parent: Parent, name: string): readonly (readonly [string, unknown])[] {
  return Object.entries((parent[name] ?? {}) as object);
}

const fields: readonly OutputField[] = [
  {
    name: 'categoryOrderHints',
    type: '[CategoryOrderHintProductSearch!]!',
    complexity: 1,
    read: (parent) =>
      entriesOf(parent, 'categoryOrderHints').map(([categoryId, orderHint]) => ({ categoryId, orderHint })),
  },
  {
    name: 'searchKeywords',
    type: '[SearchKeywordsProductSearch!]!',
    complexity: 1,
    read: (parent) =>
      entriesOf(parent, 'searchKeywords').map(([locale, searchKeywords]) => ({ locale, searchKeywords })),
  },
  {
    name: 'masterVariant',
    type: 'ProductSearchVariant!',
    complexity: 1,
    read: (parent) => {
      // It notes whose they are.
      variantsOf(parent);
      return parent['masterVariant'];
    },
  },
  variantsField('variants', (all) => all.slice(1)),
  variantsField('allVariants', (all) => all),
  foundAttributes,
];

const tokenizerType = plainFields({ type: 'String!' });

const objects: readonly OutputObject[] = [
  { name: productProjection.typeName, fields: [...outputObject('', alike).fields, ...fields] },
  foundVariant,
  foundAttribute,
  plainObject('CategoryOrderHintProductSearch', { categoryId: 'String!', orderHint: 'String!' }),
  plainObject('SearchKeywordsProductSearch', { locale: 'Locale!', searchKeywords: '[SearchKeywordProductSearch!]!' }),
  plainObject('SearchKeywordProductSearch', { text: 'String!', suggestTokenizer: 'SuggestTokenizerProductSearch' }),
];

const tokenizer: OutputType = {
  type: 'interface',
  name: 'SuggestTokenizerProductSearch',
  fields: tokenizerType,
  formOf: ({ type }) => String(type),
  members: {
    whitespace: { name: 'WhitespaceSuggestTokenizerProductSearch', fields: tokenizerType },
    custom: plainObject('CustomSuggestTokenizerProductSearch', { inputs: '[String!]!', type: 'String!' }),
  },
};

/** All that `ProductProjection` needs. */
export function foundTypes(): readonly OutputType[] {
  return [
    ...objects.map((object) => ({ type: 'object', object }) as const),
    tokenizer,
    ...outputTypesOf(alike),
    ...foundVariantTypes(),
  ];
}

import { asset } from '../../fields/asset.ts';
import {
  assigned,
  defaulted,
  type FieldKind,
  optional,
  type OutputArguments,
  type OutputField,
  type OutputType,
  refined,
  type ValueOf,
} from '../../fields/field.ts';
import { image, type Image } from '../../fields/image.ts';
import { list } from '../../fields/list.ts';
import { object } from '../../fields/object.ts';
import { isAmong } from '../../fields/picking.ts';
import { anyKey, integer, text } from '../../fields/scalar.ts';
import { allVariants, type Sided } from './all-variants.ts';
import { variantAttributes } from './attribute.ts';
import { price } from './price.ts';
import { isMatchingVariant } from './matching-variants.ts';
import { pickedByStock, picksByStock, variantFieldsOfOthers, variantTypesOfOthers } from './variant-fields.ts';

/** Each image of a variant is known by its URL (catalog 27). */
const images = refined(list(image), (values: Image[], parsing) => {
  const urls = values.map(({ url }) => url);
  return new Set(urls).size === urls.length ? values : parsing.wrongValue(urls, 'a list with different URLs');
});

const assetExamples = [
  { key: 'example-key', name: { en: 'Front' }, sources: [{ uri: 'https://images.example.org/lamp.jpg' }] },
  {
    key: 'second-asset',
    name: { en: 'Back' },
    sources: [{ uri: 'https://images.example.org/lamp.jpg' }],
    custom: { type: { typeId: 'type', key: 'example-type' }, fields: { note: 'Example' } },
  },
];

export const sku = text(['SKU-1']);

/** What a client gives of a variant; `addVariant` takes the same. */
export const variantContent = {
  sku: optional(sku),
  key: optional(anyKey()),
  prices: defaulted(list(price), () => []),
  attributes: defaulted(variantAttributes, () => []),
  images: defaulted({ ...images, examples: [image.examples] }, () => []),
  assets: defaulted({ ...list(asset), examples: [assetExamples] }, () => []),
};

const variantFields = { id: assigned(integer({ min: 1, type: 'Int' })), ...variantContent };

export type Variant = ValueOf<typeof variantFields>;

export const variantDraft = object('ProductVariantDraft', variantContent, { input: 'ProductVariantInput' });

const parsed = object('ProductVariant', variantFields);

/** In GraphQL a variant tells what stands in other resources, too. */
export const variant: typeof parsed = {
  ...parsed,
  output: {
    ...parsed.output,
    types: () => [...parsed.output.types().map(withFieldsOfOthers), ...variantTypesOfOthers()],
  },
};

function withFieldsOfOthers(declared: OutputType): OutputType {
  if (declared.type !== 'object' || declared.object.name !== 'ProductVariant') return declared;
  return { ...declared, object: { ...declared.object, fields: [...declared.object.fields, ...variantFieldsOfOthers] } };
}

type Holder = Readonly<Record<string, unknown>>;

/** Stored values were parsed by the kinds of the fields. */
function variantsIn(data: Holder): readonly Variant[] {
  return allVariants(data as unknown as Sided<Variant>);
}

/** Without arguments by which some are picked, nothing is gone through that is not given. */
function countOf({ variants }: Holder, args: OutputArguments): number {
  return Object.values(args).some(isDefined) ? 1 + (variants as readonly Variant[]).length : 0;
}

function isDefined(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function isAsked({ sku, images }: Variant, { skus, hasImages }: OutputArguments): boolean {
  if (Array.isArray(skus) && !isAmong(sku, skus)) return false;
  return typeof hasImages !== 'boolean' || hasImages === images.length > 0;
}

const picking = {
  onlyMatching: 'Boolean',
  skus: '[String!]',
  isOnStock: 'Boolean',
  stockChannelIds: '[String!]',
  hasImages: 'Boolean',
};

/** A list of the variants of a projection, of which arguments pick some. */
function variantsField(name: string, among: (all: readonly Variant[]) => readonly Variant[]): OutputField {
  const read = (parent: Holder, args: OutputArguments): readonly Variant[] =>
    among(variantsIn(parent)).filter(
      (one) => isAsked(one, args) && (args['onlyMatching'] !== true || isMatchingVariant(parent, one)),
    );
  return {
    name,
    type: '[ProductVariant!]!',
    args: picking,
    complexity: 1,
    goesThrough: countOf,
    read,
    isOfOthers: picksByStock,
    looksUp: (parent, args, lookups) => pickedByStock(read(parent, args), args, lookups),
  };
}

/** The SKUs of variants, in their order. */
function skusOf(variants: readonly Variant[]): readonly string[] {
  return variants.flatMap(({ sku }) => sku ?? []);
}

const variantOutputs: readonly OutputField[] = [
  variantsField('variants', (all) => all.slice(1)),
  variantsField('allVariants', (all) => all),
  {
    name: 'variant',
    type: 'ProductVariant',
    args: { sku: 'String', key: 'String' },
    complexity: 1,
    goesThrough: countOf,
    read: (parent, { sku, key }) => {
      if (typeof sku !== 'string' && typeof key !== 'string') return undefined;
      return variantsIn(parent).find(
        (one) => (typeof sku !== 'string' || one.sku === sku) && (typeof key !== 'string' || one.key === key),
      );
    },
  },
  { name: 'skus', type: '[String!]!', complexity: 1, read: (parent) => skusOf(variantsIn(parent)) },
];

/** The variants beside the master variant. GraphQL has further ways to them in the same object. */
export const otherVariants: FieldKind<Variant[]> = {
  ...list(variant),
  output: { ...list(variant).output, fields: () => variantOutputs },
};

import type { MessagesDeclaration } from '../../engine/define.ts';
import type { Fixed } from '../../engine/document.ts';
import { messageType, type MessageType, told } from '../../engine/messages.ts';
import { type Teller, whenChanged } from '../../engine/tellers.ts';
import { embedded } from '../../fields/embedded.ts';
import { type FieldKind, optional, type OutputField, plainOutput, required } from '../../fields/field.ts';
import { image } from '../../fields/image.ts';
import { list } from '../../fields/list.ts';
import { localizedString } from '../../fields/localized-string.ts';
import { outputObject } from '../../fields/object.ts';
import type { Reference } from '../../fields/parsing.ts';
import { boolean, enumeration, integer, text } from '../../fields/scalar.ts';
import { allVariants, sidesIn } from './all-variants.ts';
import { category, type Product, type ProductData, state } from './fields.ts';
import { discountsTold, priceTellers, priceTypes } from './price-messages.ts';
import { productProjection } from './projection.ts';
import { variant, type Variant } from './variant.ts';

type Side = 'current' | 'staged';
type Projected = Readonly<Record<string, unknown>>;

/** What projections have in GraphQL to find parts by, which messages do not have, nor the key and the price mode. */
const foundInProjections = [
  'allVariants',
  'categoryOrderHint',
  'key',
  'priceMode',
  'searchKeyword',
  'skus',
  'variant',
  'variants',
];

const payloadType = 'ProductProjectionMessagePayload';

const payloadFields: readonly OutputField[] = [
  ...outputObject(payloadType, productProjection.fields)
    .fields.filter(({ name }) => !foundInProjections.includes(name))
    .map((field) => (field.name === 'attributesRaw' ? { ...field, name: 'attributes' } : field)),
  { name: 'variants', type: '[ProductVariant!]!', complexity: 1, read: (parent) => parent['variants'] },
];

/** In GraphQL it has a type of its own. */
const projection: FieldKind<Projected> = {
  ...embedded<Projected>(payloadType, productProjection.fields, 'ProductProjection'),
  output: plainOutput(payloadType, 1, () => [{ type: 'object', object: { name: payloadType, fields: payloadFields } }]),
};

const staged = required(boolean());
const removedImageUrls = required(list(text()));
const scopes = ['All', 'Prices'] as const;

const created = messageType('ProductCreated', { productProjection: required(projection) });
const published = messageType('ProductPublished', {
  removedImageUrls,
  productProjection: required(projection),
  scope: required(enumeration('PublishScope', scopes)),
});
const unpublished = messageType('ProductUnpublished', {});
const deleted = messageType('ProductDeleted', { removedImageUrls, currentProjection: optional(projection) });
const reverted = messageType('ProductRevertedStagedChanges', { removedImageUrls });
const slugChanged = messageType('ProductSlugChanged', {
  slug: required(localizedString()),
  oldSlug: optional(localizedString()),
});
const stateTransition = messageType('ProductStateTransition', { state: required(state), force: required(boolean()) });

/** GraphQL has the reference alone. */
const categoryLink: typeof category = {
  ...category,
  output: {
    ...category.output,
    fields: (name) => [{ name, type: 'ReferenceId!', complexity: 1, read: (parent) => parent[name] }],
    types: () => [
      {
        type: 'object',
        object: {
          name: 'ReferenceId',
          fields: ['typeId', 'id'].map((name) => ({
            name,
            type: 'String!',
            complexity: 1,
            read: (parent) => parent[name],
          })),
        },
      },
    ],
  },
};
const ofCategory = { category: required(categoryLink), staged };
const addedToCategory = messageType('ProductAddedToCategory', ofCategory);
const removedFromCategory = messageType('ProductRemovedFromCategory', ofCategory);
const variantAdded = messageType('ProductVariantAdded', { variant: required(variant), staged });
const variantDeleted = messageType('ProductVariantDeleted', { variant: optional(variant), removedImageUrls, staged });
const imageAdded = messageType('ProductImageAdded', {
  variantId: required(integer({ type: 'Int' })),
  image: required(image),
  staged,
});

/** One side of a product, in the form that projections have. */
function projectionOf(
  { masterData, createdBy: _by, lastModifiedBy: _last, ...product }: Fixed<Product>,
  side: Side,
): Projected {
  const { published: isPublished, hasStagedChanges } = masterData;
  return { ...product, ...masterData[side], published: isPublished, hasStagedChanges };
}

function imagesIn(...sides: readonly Fixed<ProductData>[]): readonly string[] {
  return [...new Set(sides.flatMap(allVariants).flatMap(({ images }) => images.map(({ url }) => url)))];
}

/** Those of `before` that the product, as it is stored, does not have any more. */
function goneFrom(before: readonly string[], { masterData }: Fixed<Product>): string[] {
  const left = new Set(imagesIn(...sidesIn(masterData)));
  return before.filter((url) => !left.has(url));
}

/** Of actions that are about the whole product: a text of the side, which is copied more easily than that. */
interface Whole {
  readonly isPublished: boolean;
  readonly text: string;
  readonly images: readonly string[];
}

function wholeOf(side: Side): (product: Fixed<Product>) => Whole {
  return ({ masterData }) => ({
    isPublished: masterData.published,
    text: JSON.stringify(masterData[side]),
    images: imagesIn(...sidesIn(masterData)),
  });
}

const isStaged = (input: Readonly<Record<string, unknown>>): boolean => input['staged'] !== false;

function tellsCategory(type: MessageType<typeof ofCategory>): Teller {
  // The actions are declared with the member.
  const linkIn = (input: Readonly<Record<string, unknown>>): Reference => input['category'] as Reference;
  return whenChanged<Product, readonly boolean[]>(
    ({ masterData }, input) =>
      sidesIn(masterData).map(({ categories }) => categories.some(({ id }) => id === linkIn(input).id)),
    ({ input }) => [told(type, { category: { typeId: 'category', id: linkIn(input).id }, staged: isStaged(input) })],
  );
}

const stagedVariants = ({ masterData }: Fixed<Product>): readonly Fixed<Variant>[] => allVariants(masterData.staged);

/** As it is stored: what its attributes and prices name is found after the actions. */
function storedVariant(one: Fixed<Variant>, product: Fixed<Product>): Fixed<Variant> {
  return stagedVariants(product).find(({ id }) => id === one.id) ?? one;
}

const variantTellers = {
  addVariant: whenChanged<Product, readonly number[]>(
    (product) => stagedVariants(product).map(({ id }) => id),
    ({ document, input }) => {
      const one = structuredClone(document.masterData.staged.variants.at(-1)!);
      return [
        told(variantAdded, (product: Fixed<Product>) => ({
          variant: storedVariant(one, product),
          staged: isStaged(input),
        })),
      ];
    },
  ),
  removeVariant: whenChanged<Product, Fixed<Variant> | undefined>(
    (product, { id, sku }) =>
      stagedVariants(product).find((one) => (id === undefined ? one.sku === sku : one.id === id)),
    ({ before, input }) => {
      const gone = before!;
      const urls = gone.images.map(({ url }) => url);
      return [
        told(variantDeleted, (product: Fixed<Product>) => ({
          variant: gone,
          removedImageUrls: goneFrom(urls, product),
          staged: isStaged(input),
        })),
      ];
    },
  ),
  addExternalImage: whenChanged<
    Product,
    { readonly variantId: number; readonly images: Fixed<Variant>['images'] } | undefined
  >(
    (product, { variantId, sku }) => {
      const found = stagedVariants(product).find((one) =>
        variantId === undefined ? one.sku === sku : one.id === variantId,
      );
      return found && { variantId: found.id, images: found.images };
    },
    ({ after, input }) => [
      told(imageAdded, { variantId: after!.variantId, image: after!.images.at(-1)!, staged: isStaged(input) }),
    ],
  ),
};

const publicationTellers = {
  publish: whenChanged<Product, Whole>(wholeOf('current'), ({ before, input }) => [
    told(published, (product: Fixed<Product>) => ({
      removedImageUrls: goneFrom(before.images, product),
      productProjection: projectionOf(product, 'current'),
      scope: scopes.find((scope) => scope === input['scope']) ?? 'All',
    })),
  ]),
  unpublish: whenChanged<Product, boolean>(
    ({ masterData }) => masterData.published,
    () => [told(unpublished, {})],
  ),
  revertStagedChanges: whenChanged<Product, Whole>(wholeOf('staged'), ({ before }) => [
    told(reverted, (product: Fixed<Product>) => ({ removedImageUrls: goneFrom(before.images, product) })),
  ]),
};

export const messages: MessagesDeclaration<Product> = {
  types: [
    created,
    published,
    unpublished,
    deleted,
    reverted,
    slugChanged,
    stateTransition,
    addedToCategory,
    removedFromCategory,
    variantAdded,
    variantDeleted,
    imageAdded,
    ...priceTypes,
  ],
  created: (product) => [told(created, { productProjection: projectionOf(product, 'current') })],
  deleted: (product) => {
    const { masterData } = product;
    return [
      told(deleted, {
        removedImageUrls: [...imagesIn(...sidesIn(masterData))],
        currentProjection: masterData.published ? projectionOf(product, 'current') : undefined,
      }),
    ];
  },
  replaced: discountsTold,
  identifiers: ({ masterData: { current } }) => ({ slug: current.slug, sku: current.masterVariant.sku }),
  actions: {
    changeSlug: whenChanged<Product, readonly Fixed<ProductData>['slug'][]>(
      ({ masterData }) => [masterData.staged.slug, masterData.current.slug],
      ({ before, after }) => [told(slugChanged, { slug: after[0]!, oldSlug: before[0]! })],
    ),
    transitionState: whenChanged<Product, Fixed<Product>['state']>(
      (product) => product.state,
      ({ after, input }) =>
        after === undefined ? [] : [told(stateTransition, { state: after, force: input['force'] === true })],
    ),
    addToCategory: tellsCategory(addedToCategory),
    removeFromCategory: tellsCategory(removedFromCategory),
    ...variantTellers,
    ...publicationTellers,
    ...priceTellers,
  },
};

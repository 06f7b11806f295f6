/**
 * What a page needs to let a shopper choose a variant: the attributes that were asked for, with their labels, and what
 * there is of each variant. The public API has it for catalogs whose variants are resources of their own; here it answers
 * for all products, with the number of a variant as its id.
 */
import { endpoint, graphqlQuery } from '../../engine/endpoint.ts';
import { documentOf, type Json } from '../../engine/json.ts';
import { lookingAt } from '../../engine/lens.ts';
import { existing, type Identity, lookupOf } from '../../engine/operations/get.ts';
import type { AnswerKind, Engine, EndpointRequest } from '../../engine/resource.ts';
import { ApiError, apiError } from '../../errors/api-error.ts';
import { defaulted, optional, plainInput, required } from '../../fields/field.ts';
import { list } from '../../fields/list.ts';
import type { LocalizedString } from '../../fields/localized-string.ts';
import { key, text } from '../../fields/scalar.ts';
import { atMost } from '../../product-search/bounded.ts';
import { attributeNames, localeProjection } from '../../product-search/showing.ts';
import type { ProductType } from '../product-type/fields.ts';
import type { Product, ProductData } from './fields.ts';
import { projectionParameters } from './projection.ts';
import { showsStaged } from './parameters.ts';
import type { Availability } from './shown/availability.ts';
import { keepTexts } from './shown/locales.ts';
import { storeOf } from './shown/others.ts';
import { projectionIn, projectionView } from './shown/projection-view.ts';
import type { ShownVariant } from './shown/projected.ts';
import { allVariants } from './all-variants.ts';
import { variantAttributesOutput, variantAttributesSchema } from './variant-attributes-types.ts';

/** Channels that one request names. */
const channelsMax = 500;
const channelIds = atMost(channelsMax, list(text()));

const parameters = {
  staged: projectionParameters.staged,
  localeProjection,
  'filter[attributes]': required(attributeNames),
  'filter[supplyChannels]': optional(channelIds),
};

/** What is asked for, of whichever product. */
interface AttributesAsked {
  readonly staged: boolean;
  readonly localeProjection?: readonly string[];
  readonly 'filter[attributes]': readonly string[];
  readonly 'filter[supplyChannels]'?: readonly string[];
}

type Asking = Pick<EndpointRequest, 'context' | 'resource' | 'storeKey'>;

/** A projection, as far as the answer is made from it. */
type Shown = Pick<Product, 'id' | 'key' | 'productType'> & ProductData;

const answer: AnswerKind = { output: variantAttributesOutput, schema: variantAttributesSchema };

const scopes = ['view_products', 'view_products:{storeKey}', 'view_published_products'];

const common = {
  isInStore: true,
  scopes,
  answer,
  summary: 'Get the attributes and the stock of all variants of a product, as far as they are asked for.',
  failures: ['ResourceNotFound'],
} as const;

export const variantAttributes = [
  endpoint({
    ...common,
    path: '/product-projections/{ID}/variant-attributes',
    parameters: { ID: required(text()), ...parameters },
    run: (engine, { parameters: { ID, ...asked }, ...asking }) => attributesOf(engine, asking, { id: ID }, asked),
  }),
  endpoint({
    ...common,
    path: '/product-projections/key={key}/variant-attributes',
    parameters: { key: required(text()), ...parameters },
    run: (engine, { parameters: { key: name, ...asked }, ...asking }) =>
      attributesOf(engine, asking, { key: name }, asked),
  }),
];

export const productProjectionVariantAttributes = graphqlQuery({
  name: 'productProjectionVariantAttributes',
  places: ['root', 'inStore'],
  scopes,
  arguments: {
    id: optional(text()),
    key: optional(key()),
    staged: defaulted({ ...showsStaged, input: plainInput('Boolean! = false') }, () => false),
    includeAttributeNames: required(attributeNames),
    localeProjection,
    includeChannelIds: optional(channelIds),
  },
  type: 'ProductProjectionVariantAttributes',
  types: () => variantAttributesOutput.types(),
  run: async (engine, { parameters: given, ...asking }) => {
    const { includeAttributeNames, includeChannelIds, id, key: name, ...shown } = given;
    const asked = {
      ...shown,
      'filter[attributes]': includeAttributeNames,
      ...(includeChannelIds !== undefined && { 'filter[supplyChannels]': includeChannelIds }),
    };
    try {
      return documentOf(await attributesOf(engine, asking, identityOf(id, name), asked));
    } catch (error) {
      // GraphQL says so where there is no such product.
      if (error instanceof ApiError && error.code === 'ResourceNotFound') return null;
      throw error;
    }
  },
});

function identityOf(id: string | undefined, name: string | undefined): Identity {
  if (id !== undefined) return { id };
  if (name !== undefined) return { key: name };
  throw apiError('InvalidInput', 'The product has to be named by its id or its key.');
}

/** Throws ResourceNotFound for a product that is not there, and insufficient_scope for what is staged. */
async function attributesOf(
  engine: Engine,
  { context, resource, storeKey }: Asking,
  identity: Identity,
  asked: AttributesAsked,
): Promise<Json> {
  const { staged: isStaged, localeProjection: locales } = asked;
  const shownBy = { staged: isStaged, ...(locales !== undefined && { localeProjection: locales }) };
  const projection = projectionIn(resource);
  const place = projectionView(resource, storeKey).place(context, storeKey, shownBy);
  const { store } = lookingAt(engine, { context, resource: projection, ...place });
  const [found] = await store.find(context.project.key, [lookupOf(resource, identity)]);
  // It shows as projections do.
  const shown = documentOf<Shown>(existing(found, { resource: projection, identity }).json);
  const [[type], inStore] = await Promise.all([
    engine.store.find(context.project.key, [{ kind: 'product-type', id: shown.productType.id }]),
    locales === undefined ? storeOf({ context, store: engine.store }, storeKey) : undefined,
  ]);
  const wanted = new Set(asked['filter[attributes]']);
  const defined = type === undefined ? [] : documentOf<ProductType>(type.json).attributes;
  const definitions = defined.filter(({ name, level }) => level === 'Variant' && wanted.has(name));
  const isShown = new Set(definitions.map(({ name }) => name));
  const channels = asked['filter[supplyChannels]'];
  return JSON.stringify({
    productId: shown.id,
    ...(shown.key !== undefined && { productKey: shown.key }),
    attributes: definitions.map(({ name, label, type: { name: typeName } }) => {
      return { name, label: inLocales(label, locales ?? inStore?.languages ?? []), type: typeName };
    }),
    // Those of a projection show what there is of them.
    variants: (allVariants(shown) as readonly ShownVariant[]).map(
      ({ id, sku, key: name, availability, attributes }) => ({
        id: String(id),
        ...(sku !== undefined && { sku }),
        ...(name !== undefined && { key: name }),
        ...(availability !== undefined && { availability: plainAvailability(availability, channels) }),
        attributes: attributes.filter((attribute) => isShown.has(attribute.name)),
      }),
    ),
  });
}

/** Without any locale all of them stay, as in projections. */
function inLocales(label: LocalizedString, locales: readonly string[]): LocalizedString {
  const kept = { ...label };
  if (locales.length > 0) keepTexts(kept, new Set(locales));
  return kept;
}

/** What there is without a channel, and of the channels those that are asked for. */
function plainAvailability(availability: Availability, channels: readonly string[] | undefined): object {
  const { isOnStock, availableQuantity } = availability;
  const wanted = new Set(channels);
  const shown = Object.entries(availability.channels ?? {}).filter(([id]) => wanted.has(id));
  return {
    ...(isOnStock !== undefined && { isOnStock, availableQuantity }),
    ...(channels !== undefined && {
      channels: Object.fromEntries(
        shown.map(([id, stock]) => [id, { isOnStock: stock.isOnStock, availableQuantity: stock.availableQuantity }]),
      ),
    }),
  };
}

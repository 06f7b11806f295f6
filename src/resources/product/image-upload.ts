import { imageTypes } from '../../engine/image-store.ts';
import { documentOf } from '../../engine/json.ts';
import { shownAfterWrite } from '../../engine/lens.ts';
import { endpoint } from '../../engine/endpoint.ts';
import { tooManyRivals } from '../../engine/operations/commit.ts';
import { Contention } from '../../engine/operations/contention.ts';
import { existing } from '../../engine/operations/get.ts';
import { represent } from '../../engine/operations/represent.ts';
import { applied } from '../../engine/operations/update.ts';
import type { EndpointRequest, Engine } from '../../engine/resource.ts';
import type { Stored } from '../../engine/store.ts';
import { ApiError, apiError } from '../../errors/api-error.ts';
import { defaulted, optional, required } from '../../fields/field.ts';
import type { Image } from '../../fields/image.ts';
import { boolean, text } from '../../fields/scalar.ts';
import type { Product } from './fields.ts';
import { imageHeader } from './image-header.ts';
import { noVariant, variantId, variantIn, type VariantPlace } from './sides.ts';
import { sku } from './variant.ts';

/** What the public API takes (catalog 27). */
const imageBytesMax = 10 * 1024 * 1024;

/** Times that the product is read where others change it meanwhile, who take turns with it: the request names no version. */
const attemptsMax = 16;

/** The file itself is the body. It is kept before the product names it, so that the URL leads to it from the first read on. */
export const uploadImage = endpoint({
  path: '{ID}/images',
  method: 'POST',
  scopes: ['manage_products'],
  parameters: {
    ID: required(text()),
    filename: optional(text()),
    variant: optional(variantId),
    sku: optional(sku),
    staged: defaulted(boolean(), () => true),
  },
  file: { mediaTypes: imageTypes, bytesMax: imageBytesMax },
  answer: 'one',
  summary: 'Upload an image of a product variant, by default of the master variant.',
  failures: ['ContentTooLarge', 'ResourceNotFound'],
  run: async (engine, request) => {
    const { context, parameters, expand } = request;
    const { filename, variant, sku, staged } = parameters;
    // The endpoint takes a file.
    const { mediaType, bytes } = request.file!;
    const header = imageHeader(bytes);
    if (header === undefined || header.mediaType !== mediaType)
      throw apiError('InvalidInput', `The body is not an image of the type '${mediaType}'.`);
    const { masterData } = productIn(await stored(engine, request));
    const named = variant === undefined && sku === undefined ? { variantId: masterData.staged.masterVariant.id } : {};
    const place: VariantPlace = {
      ...named,
      ...(variant !== undefined && { variantId: variant }),
      ...(sku !== undefined && { sku }),
      staged,
    };
    if (variantIn(masterData.staged, place) === undefined) throw noVariant(place);
    const url = await engine.images.keep(context.project.key, { mediaType: header.mediaType, bytes, title: filename });
    const written = await added(engine, request, { ...place, image: { url, dimensions: header.dimensions } });
    const shown = await shownAfterWrite(engine, { context, resource: request.resource, shownBy: {} }, written);
    return (await represent(engine, context, [shown], expand))[0]!;
  },
});

type Upload = Pick<EndpointRequest, 'context' | 'resource'> & { readonly parameters: { readonly ID: string } };

async function stored(engine: Engine, { context, resource, parameters }: Upload): Promise<Stored> {
  const identity = { id: parameters.ID };
  const [found] = await engine.store.find(context.project.key, [{ kind: resource.kind, ...identity }]);
  return existing(found, { resource, identity });
}

/** Stored products were parsed by their fields. */
function productIn({ json }: Stored): Product {
  return documentOf(json) as unknown as Product;
}

/** Does what the action of an update would do with an image that is elsewhere. */
async function added(
  engine: Engine,
  request: Upload,
  input: VariantPlace & { readonly image: Image },
): Promise<Stored> {
  const { context, resource } = request;
  const steps = [{ action: resource.actions.get('addExternalImage')!, input: { ...input } }];
  const contention = new Contention(context);
  try {
    for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
      const before = await stored(engine, request);
      try {
        return { ...before, json: await applied(engine, { context, resource, stored: before, steps }) };
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== 'ConcurrentModification') throw error;
        await contention.next({ kind: resource.kind, id: before.id });
      }
    }
    throw tooManyRivals();
  } finally {
    contention.end();
  }
}

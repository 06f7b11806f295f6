import { action, invalidOperation } from '../../../engine/actions.ts';
import { foundIn } from '../../../engine/parts.ts';
import { apiError } from '../../../errors/api-error.ts';
import { optional, required } from '../../../fields/field.ts';
import { image } from '../../../fields/image.ts';
import { integer, text } from '../../../fields/scalar.ts';
import type { Product } from '../fields.ts';
import { staged, type VariantPlace, variantNames, variantsAt } from '../sides.ts';
import type { Variant } from '../variant.ts';

const imageUrl = required(text(['{masterData.staged.masterVariant.images[0].url}']));

type ImagePlace = VariantPlace & { readonly imageUrl: string };

interface Placed {
  readonly images: Variant['images'];
  readonly index: number;
}

/** Where the image stands in the variants that the action means. */
function imagesAt(product: Product, place: ImagePlace): readonly Placed[] {
  return foundIn(
    variantsAt(product, place),
    ({ images }) => {
      const index = images.findIndex(({ url }) => url === place.imageUrl);
      return index < 0 ? undefined : { images, index };
    },
    () => invalidOperation(`The variant has no image with the URL '${place.imageUrl}'.`),
  );
}

const setImageLabel = action(
  { ...variantNames, imageUrl, label: optional(text()), staged },
  (product: Product, { label, ...place }) => {
    for (const { images, index } of imagesAt(product, place)) {
      if (label === undefined) delete images[index]!.label;
      else images[index]!.label = label;
    }
  },
);

export const imageActions = {
  addExternalImage: action(
    { ...variantNames, image: required(image), staged },
    (product: Product, { image, ...place }) => {
      for (const { images } of variantsAt(product, place)) {
        if (images.some(({ url }) => url === image.url)) {
          throw apiError('InvalidField', `The variant has an image with the URL '${image.url}' already.`, {
            field: 'image.url',
            invalidValue: image.url,
          });
        }
        images.push(structuredClone(image));
      }
    },
  ),
  moveImageToPosition: action(
    { ...variantNames, imageUrl, position: required(integer({ min: 0, type: 'Int' })), staged },
    (product: Product, { position, ...place }) => {
      const [first, ...others] = imagesAt(product, place);
      // There is a first one, or else an error.
      if (position >= first!.images.length)
        throw invalidOperation(`The variant has no position ${position}: it has ${first!.images.length} images.`);
      for (const { images, index } of [first!, ...others])
        images.splice(Math.min(position, images.length - 1), 0, ...images.splice(index, 1));
    },
  ),
  setImageLabel,
  /** Its earlier name, which GraphQL has kept. */
  changeImageLabel: setImageLabel,
  removeImage: action({ ...variantNames, imageUrl, staged }, (product: Product, place) => {
    for (const { images, index } of imagesAt(product, place)) images.splice(index, 1);
  }),
};

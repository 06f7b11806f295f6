import { randomUUID } from 'node:crypto';
import { customFields } from './custom-fields.ts';
import { assigned, defaulted, type FieldKind, optional, refined, required, type ValueOf } from './field.ts';
import { keyedList, list } from './list.ts';
import { localizedString } from './localized-string.ts';
import { object } from './object.ts';
import { integer, key, text } from './scalar.ts';

const pixels = integer({ min: 0, type: 'Int' });

/** In pixels. GraphQL spells the names out. */
const dimensions: FieldKind<{ w: number; h: number }> = {
  ...object(
    'AssetDimensions',
    { w: required(pixels), h: required(pixels) },
    {
      output: [
        { name: 'width', type: 'Int!', complexity: 1, read: (parent) => parent['w'] },
        { name: 'height', type: 'Int!', complexity: 1, read: (parent) => parent['h'] },
      ],
    },
  ),
  input: {
    type: 'AssetDimensionsInput',
    types: () => [
      {
        name: 'AssetDimensionsInput',
        fields: [
          { name: 'width', type: 'Int!' },
          { name: 'height', type: 'Int!' },
        ],
      },
    ],
    read: (given) => {
      const { width, height } = given as { width: number; height: number };
      return { w: width, h: height };
    },
  },
};

const source = object(
  'AssetSource',
  {
    uri: required(text(['https://images.example.org/lamp.jpg'])),
    key: optional(key()),
    dimensions: optional(dimensions),
    contentType: optional(text(['image/jpeg'])),
  },
  { input: 'AssetSourceInput' },
);

const sources = refined(keyedList(source), (given, parsing) => {
  return given.length > 0 ? given : parsing.wrongValue(given, 'at least one source');
});

export const assetFields = {
  id: assigned(text(), () => randomUUID()),
  key: optional(key()),
  sources: required(sources),
  name: required(localizedString()),
  description: optional(localizedString()),
  tags: defaulted(list(text(['cover'])), () => []),
  custom: optional(customFields('asset')),
};

/** A media file of a category or product variant, such as a manual (specification 2.5). */
export type Asset = ValueOf<typeof assetFields>;

export const asset = object('Asset', assetFields, { input: 'AssetDraftInput' });

export function assets(): FieldKind<Asset[]> {
  return keyedList(asset);
}

import { randomUUID } from 'node:crypto';
import { customFields } from './custom-fields.ts';
import { assigned, defaulted, type FieldKind, optional, refined, required, type ValueOf } from './field.ts';
import { dimensions } from './image.ts';
import { keyedList, list } from './list.ts';
import { localizedString } from './localized-string.ts';
import { object } from './object.ts';
import { key, text } from './scalar.ts';

const source = object(
  'AssetSource',
  {
    uri: required(text(['https://images.example.org/lamp.jpg'])),
    key: optional(key()),
    dimensions: optional(dimensions('AssetDimensions', 'AssetDimensionsInput')),
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

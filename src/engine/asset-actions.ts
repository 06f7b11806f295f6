import { apiError } from '../errors/api-error.ts';
import { type Asset, asset, assetFields } from '../fields/asset.ts';
import { optional, required } from '../fields/field.ts';
import { list } from '../fields/list.ts';
import { integer, text } from '../fields/scalar.ts';
import { setCustomField, setCustomType } from './custom-actions.ts';
import { action, invalidOperation } from './actions.ts';
import { namedParts } from './parts.ts';

/** What has assets. */
interface Holder {
  assets: Asset[];
}

const { identifier, indexIn } = namedParts('asset', 'assets');

type Named = Parameters<typeof indexIn>[1];

function assetOf({ assets }: Holder, input: Named): Asset {
  return assets[indexIn(assets, input)]!;
}

/** The keys of assets are distinct within their resource. */
function requireFreeKey({ assets }: Holder, key: string | undefined): void {
  if (key !== undefined && assets.some((other) => other.key === key)) {
    throw apiError('DuplicateField', `There is an asset with the key '${key}' already.`, {
      field: 'assetKey',
      duplicateValue: key,
    });
  }
}

/** The update actions of resources with the member `assets`. */
export const assetActions = {
  addAsset: action(
    { asset: required(asset), position: optional(integer({ min: 0, type: 'Int' })) },
    (holder: Holder, { asset, position = holder.assets.length }) => {
      requireFreeKey(holder, asset.key);
      holder.assets.splice(position, 0, asset);
    },
  ),
  removeAsset: action(identifier, (holder: Holder, input) => {
    holder.assets.splice(indexIn(holder.assets, input), 1);
  }),
  setAssetKey: action(
    { assetId: required(identifier.assetId.kind), assetKey: identifier.assetKey },
    (holder: Holder, { assetId, assetKey }) => {
      const asset = assetOf(holder, { assetId });
      if (asset.key !== assetKey) requireFreeKey(holder, assetKey);
      if (assetKey === undefined) delete asset.key;
      else asset.key = assetKey;
    },
  ),
  changeAssetOrder: action({ assetOrder: required(list(text())) }, (holder: Holder, { assetOrder }) => {
    const byId = new Map(holder.assets.map((asset) => [asset.id, asset]));
    const ordered = assetOrder.flatMap((id) => byId.get(id) ?? []);
    if (new Set(assetOrder).size !== byId.size || ordered.length !== byId.size)
      throw invalidOperation('The order has to name every asset by its id, and each once.');
    holder.assets = ordered;
  }),
  changeAssetName: action({ ...identifier, name: assetFields.name }, (holder: Holder, { name, ...named }) => {
    assetOf(holder, named).name = name;
  }),
  setAssetDescription: action(
    { ...identifier, description: assetFields.description },
    (holder: Holder, { description, ...named }) => {
      const asset = assetOf(holder, named);
      if (description === undefined) delete asset.description;
      else asset.description = description;
    },
  ),
  setAssetTags: action({ ...identifier, tags: assetFields.tags }, (holder: Holder, { tags, ...named }) => {
    assetOf(holder, named).tags = tags;
  }),
  setAssetSources: action({ ...identifier, sources: assetFields.sources }, (holder: Holder, { sources, ...named }) => {
    assetOf(holder, named).sources = sources;
  }),
  setAssetCustomType: setCustomType(assetOf, identifier),
  setAssetCustomField: setCustomField(assetOf, identifier),
};

const source = { uri: 'https://images.example.org/lamp.jpg' };

/** Examples for resources with assets. */
export const assetExamples = {
  draft: {
    assets: [
      { key: 'example-key', name: { en: 'Front' }, sources: [source] },
      {
        key: 'second-asset',
        name: { en: 'Back' },
        sources: [source],
        custom: { type: { typeId: 'type', key: 'example-type' }, fields: { note: 'Example' } },
      },
    ],
  },
  actions: {
    addAsset: { asset: { key: 'third-asset', name: { en: 'Side' }, sources: [source] } },
    setAssetKey: { assetKey: 'other-asset' },
    changeAssetOrder: { assetOrder: ['{assets[1].id}', '{assets[0].id}'] },
    setAssetSources: { sources: [{ uri: 'https://images.example.org/other.jpg' }] },
  },
};

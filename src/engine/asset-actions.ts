import { apiError } from '../errors/api-error.ts';
import { type Asset, asset, assetFields } from '../fields/asset.ts';
import { type Fields, optional, required, type ValueOf } from '../fields/field.ts';
import { list } from '../fields/list.ts';
import { integer, text } from '../fields/scalar.ts';
import type { Action } from './resource.ts';
import { setCustomField, setCustomType } from './custom-actions.ts';
import { action, invalidOperation } from './actions.ts';
import { namedParts } from './parts.ts';

/** What has assets. */
interface Holder {
  assets: Asset[];
}

/** Where a resource has its assets. */
interface Holding<D extends object, F extends Fields> {
  /** Members by which actions name what has the assets. */
  readonly identifier: F;
  /** Where the list of the first one of the example stands. */
  readonly path: string;
  /** What has them. An asset that an action names has to be in the first; where others lack it, they stay as they are. */
  holdersOf(document: D, input: ValueOf<F>): readonly Holder[];
}

/** The keys of assets are distinct within their holder. */
function requireFreeKey({ assets }: Holder, key: string | undefined): void {
  if (key !== undefined && assets.some((other) => other.key === key)) {
    throw apiError('DuplicateField', `There is an asset with the key '${key}' already.`, {
      field: 'assetKey',
      duplicateValue: key,
    });
  }
}

function inOrder({ assets }: Holder, assetOrder: readonly string[]): Asset[] | undefined {
  const byId = new Map(assets.map((asset) => [asset.id, asset]));
  const ordered = assetOrder.flatMap((id) => byId.get(id) ?? []);
  return new Set(assetOrder).size === byId.size && ordered.length === byId.size ? ordered : undefined;
}

/** The update actions of what has assets. */
export function assetActionsOf<D extends object, const F extends Fields>({
  identifier: place,
  path,
  holdersOf,
}: Holding<D, F>) {
  const { identifier, placesIn } = namedParts('asset', path);
  type Named = Parameters<typeof placesIn>[1];
  const placesOf = (holders: readonly Holder[], named: Named): ReturnType<typeof placesIn<Asset>> => {
    const lists = holders.map(({ assets }) => assets);
    return placesIn(lists, named);
  };
  // Parsed by the fields of both.
  const assetsOf = (document: D, input: object): readonly Asset[] =>
    placesOf(holdersOf(document, input as ValueOf<F>), input as Named).map(({ parts, index }) => parts[index]!);
  const ofHolders = <const M extends Fields>(
    members: M,
    apply: (holders: readonly Holder[], input: ValueOf<M>) => void,
  ): Action =>
    action({ ...place, ...members } as Fields, (document: D, input) => {
      // Parsed by both sets of fields.
      apply(holdersOf(document, input as ValueOf<F>), input as ValueOf<M>);
    });
  const ofAssets = <const M extends Fields>(members: M, apply: (asset: Asset, input: ValueOf<M>) => void): Action =>
    ofHolders({ ...identifier, ...members } as M, (holders, input) => {
      // The identifier is among the fields.
      for (const { parts, index } of placesOf(holders, input as Named)) apply(parts[index]!, structuredClone(input));
    });
  return {
    addAsset: ofHolders(
      { asset: required(asset), position: optional(integer({ min: 0, type: 'Int' })) },
      (holders, { asset, position }) => {
        const { length } = holders[0]!.assets;
        if (position !== undefined && position > length)
          throw invalidOperation(`There is no position ${position} among ${length} assets for another one.`);
        for (const holder of holders) {
          requireFreeKey(holder, asset.key);
          holder.assets.splice(position ?? holder.assets.length, 0, structuredClone(asset));
        }
      },
    ),
    removeAsset: ofHolders(identifier, (holders, named) => {
      for (const { parts, index } of placesOf(holders, named)) parts.splice(index, 1);
    }),
    setAssetKey: ofHolders(
      { assetId: required(identifier.assetId.kind), assetKey: identifier.assetKey },
      (holders, { assetId, assetKey }) => {
        for (const { parts, index } of placesOf(holders, { assetId })) {
          const asset = parts[index]!;
          if (asset.key !== assetKey) requireFreeKey({ assets: parts }, assetKey);
          if (assetKey === undefined) delete asset.key;
          else asset.key = assetKey;
        }
      },
    ),
    changeAssetOrder: ofHolders({ assetOrder: required(list(text())) }, (holders, { assetOrder }) => {
      for (const [index, holder] of holders.entries()) {
        const ordered = inOrder(holder, assetOrder);
        if (ordered !== undefined) holder.assets = ordered;
        else if (index === 0)
          throw apiError('InvalidInput', 'The order has to name every asset by its id, and each once.');
      }
    }),
    changeAssetName: ofAssets({ name: assetFields.name }, (asset, { name }) => {
      asset.name = name;
    }),
    setAssetDescription: ofAssets({ description: assetFields.description }, (asset, { description }) => {
      if (description === undefined) delete asset.description;
      else asset.description = description;
    }),
    setAssetTags: ofAssets({ tags: assetFields.tags }, (asset, { tags }) => {
      asset.tags = tags;
    }),
    setAssetSources: ofAssets({ sources: assetFields.sources }, (asset, { sources }) => {
      asset.sources = sources;
    }),
    setAssetCustomType: setCustomType<D>(assetsOf, { ...place, ...identifier }),
    setAssetCustomField: setCustomField<D>(assetsOf, { ...place, ...identifier }),
  };
}

/** The update actions of resources with the member `assets`. */
export const assetActions = assetActionsOf({
  identifier: {},
  path: 'assets',
  holdersOf: (resource: Holder) => [resource],
});

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

/**
 * A plain model of products: what each update action makes of what is staged and of what is current, written from rules 11,
 * 12 and 16 to 29 of the catalog. Values are those of requests once they are parsed; nothing here is ever changed in place.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Fixed } from '../../../src/engine/document.ts';
import type { Asset } from '../../../src/fields/asset.ts';
import type { CustomFields } from '../../../src/fields/custom-fields.ts';
import type { Image } from '../../../src/fields/image.ts';
import type { Reference } from '../../../src/fields/parsing.ts';
import type { Attribute } from '../../../src/resources/product/attribute.ts';
import type { Price, Product, ProductData, Variant } from '../../../src/resources/product/fields.ts';

export type Side = Fixed<ProductData>;
type OneVariant = Fixed<Variant>;
type OnePrice = Fixed<Price>;
type OneAsset = Fixed<Asset>;

export interface Model {
  readonly product: Fixed<Pick<Product, 'key' | 'taxCategory' | 'state' | 'priceMode' | 'masterData'>>;
  /** The highest id that a variant ever had. */
  readonly lastId: number;
}

/** Members of all actions, as far as one has them. */
export interface Input {
  readonly staged?: boolean;
  readonly variantId?: number;
  readonly id?: number;
  readonly sku?: string;
  readonly key?: string;
  /** Of an asset or a product in each language, or that of an attribute or a custom field. */
  readonly name?: Readonly<Record<string, string>> | string;
  readonly value?: unknown;
  readonly slug?: Side['slug'];
  readonly description?: Side['slug'];
  readonly metaTitle?: Side['slug'];
  readonly metaDescription?: Side['slug'];
  readonly metaKeywords?: Side['slug'];
  readonly searchKeywords?: Side['searchKeywords'];
  readonly category?: Reference;
  readonly categoryId?: string;
  readonly orderHint?: string;
  readonly priceId?: string;
  readonly price?: OnePrice;
  readonly prices?: readonly OnePrice[];
  readonly discounted?: Fixed<NonNullable<Price['discounted']>>;
  readonly image?: Fixed<Image>;
  readonly images?: readonly Fixed<Image>[];
  readonly imageUrl?: string;
  readonly label?: string;
  readonly position?: number;
  readonly asset?: OneAsset;
  readonly assets?: readonly OneAsset[];
  readonly assetId?: string;
  readonly assetKey?: string;
  readonly assetOrder?: readonly string[];
  readonly tags?: readonly string[];
  readonly sources?: OneAsset['sources'];
  readonly attributes?: readonly Fixed<Attribute>[];
  readonly type?: Reference;
  readonly fields?: Fixed<CustomFields>['fields'];
  readonly taxCategory?: Reference;
  readonly state?: Reference;
  readonly force?: boolean;
  readonly priceMode?: 'Embedded' | 'Standalone';
  readonly scope?: 'All' | 'Prices';
}

/** What the type of all these products says of its attributes, each of which is a text. */
export const attributesOfType = {
  brand: { level: 'Product', attributeConstraint: 'None' },
  note: { level: 'Variant', attributeConstraint: 'None' },
  serial: { level: 'Variant', attributeConstraint: 'Unique' },
  material: { level: 'Variant', attributeConstraint: 'SameForAll' },
  size: { level: 'Variant', attributeConstraint: 'CombinationUnique' },
  color: { level: 'Variant', attributeConstraint: 'CombinationUnique' },
} as const;

/** From each state those to which a product may go on; from the one in the middle to any. */
export const states: Readonly<Record<string, { readonly initial: boolean; readonly transitions?: readonly string[] }>> =
  {
    planned: { initial: true, transitions: ['checked'] },
    checked: { initial: false },
    ended: { initial: false, transitions: [] },
  };

/** Where what an action names is not there, or it is not allowed. */
type None = 'missing' | 'refused';
type Outcome<T> = T | None;

function isNone(outcome: unknown): outcome is None {
  return outcome === 'missing' || outcome === 'refused';
}

function changed<A, B>(outcome: Outcome<A>, change: (value: A) => Outcome<B>): Outcome<B> {
  return isNone(outcome) ? outcome : change(outcome);
}

/** With another value of a member, or without it. */
function having<T extends object, N extends keyof T>(object: T, member: N, value: T[N] | undefined): T {
  const { [member]: _, ...others } = object;
  return (value === undefined ? others : { ...object, [member]: value }) as T;
}

function replaced<T>(list: readonly T[], before: T, after: T | undefined): readonly T[] {
  return list.flatMap((one) => (one !== before ? [one] : after === undefined ? [] : [after]));
}

export function variantsOf({ masterVariant, variants }: Side): readonly OneVariant[] {
  return [masterVariant, ...variants];
}

function withVariants(side: Side, all: readonly OneVariant[]): Side {
  const [masterVariant, ...variants] = all;
  return { ...side, masterVariant: masterVariant!, variants };
}

function withVariant(side: Side, input: Input, change: (variant: OneVariant) => Outcome<OneVariant>): Outcome<Side> {
  return changed(variantIn(side, input), (variant) =>
    changed(change(variant), (after) => withVariants(side, replaced(variantsOf(side), variant, after))),
  );
}

/** The id counts where the SKU is given, too. */
function variantIn(side: Side, { variantId, sku }: Input): Outcome<OneVariant> {
  if (variantId === undefined && sku === undefined) return 'refused';
  const isIt = (one: OneVariant): boolean => (variantId === undefined ? one.sku === sku : one.id === variantId);
  return variantsOf(side).find(isIt) ?? 'missing';
}

function withPrice(
  side: Side,
  id: string | undefined,
  change: (price: OnePrice) => Outcome<OnePrice | undefined>,
): Outcome<Side> {
  for (const { id: variantId, prices } of variantsOf(side)) {
    const price = prices.find((one) => one.id === id);
    if (price === undefined) continue;
    return changed(change(price), (after) =>
      withVariant(side, { variantId }, (variant) => ({ ...variant, prices: replaced(prices, price, after) })),
    );
  }
  return 'missing';
}

function withImages(
  side: Side,
  { imageUrl, ...input }: Input,
  change: (images: readonly Fixed<Image>[], image: Fixed<Image>) => Outcome<readonly Fixed<Image>[]>,
): Outcome<Side> {
  return withVariant(side, input, (variant) => {
    const image = variant.images.find(({ url }) => url === imageUrl);
    if (image === undefined) return 'missing';
    return changed(change(variant.images, image), (images) => ({ ...variant, images }));
  });
}

function withAsset(
  side: Side,
  { assetId, assetKey, ...input }: Input,
  change: (asset: OneAsset, assets: readonly OneAsset[]) => Outcome<OneAsset | undefined>,
): Outcome<Side> {
  if (assetId === undefined && assetKey === undefined) return 'refused';
  return withVariant(side, input, (variant) => {
    const { assets } = variant;
    const asset = assets.find(({ id, key }) => (assetId === undefined ? key === assetKey : id === assetId));
    if (asset === undefined) return 'missing';
    return changed(change(asset, assets), (after) => ({ ...variant, assets: replaced(assets, asset, after) }));
  });
}

function isKeyTaken(assets: readonly OneAsset[], key: string | undefined): boolean {
  return key !== undefined && assets.some((one) => one.key === key);
}

interface Customized {
  readonly custom?: Fixed<CustomFields>;
}

function withCustomType<T extends Customized>(holder: T, { type, fields = {} }: Input): T {
  return having<Customized, 'custom'>(holder, 'custom', type && { type, fields }) as T;
}

function withCustomField<T extends Customized>(holder: T, { name, value }: Input): Outcome<T> {
  const { custom } = holder;
  const field = name as string;
  if (custom === undefined || (value === undefined && !Object.hasOwn(custom.fields, field))) return 'refused';
  return { ...holder, custom: { ...custom, fields: having(custom.fields, field, value as never) } };
}

function isValid(level: 'Product' | 'Variant', name: string, value: unknown): boolean {
  if (value === undefined) return true;
  const defined = Object.entries(attributesOfType).find(([one]) => one === name)?.[1];
  return defined?.level === level && typeof value === 'string';
}

function withAttribute<T extends { readonly attributes: readonly Fixed<Attribute>[] }>(
  level: 'Product' | 'Variant',
  holder: T,
  input: Input,
): Outcome<T> {
  const name = input.name as string;
  if (!isValid(level, name, input.value)) return 'refused';
  const before = holder.attributes.find((one) => one.name === name);
  const after = input.value === undefined ? undefined : { name, value: input.value };
  if (before !== undefined) return { ...holder, attributes: replaced(holder.attributes, before, after) };
  return after === undefined ? holder : { ...holder, attributes: [...holder.attributes, after] };
}

/** Whether the variants keep what the type says of them together. */
function isAsDescribed(side: Side): boolean {
  const all = variantsOf(side).map(
    ({ attributes }) => new Map(attributes.map(({ name, value }) => [name, value as string])),
  );
  const areDifferent = (values: readonly unknown[]): boolean => new Set(values).size === values.length;
  const combinations = all.map((one) => [one.get('size'), one.get('color')]);
  return (
    areDifferent(all.flatMap((one) => one.get('serial') ?? [])) &&
    new Set(all.map((one) => one.get('material'))).size === 1 &&
    areDifferent(
      combinations.filter((one) => one.some((value) => value !== undefined)).map((one) => JSON.stringify(one)),
    )
  );
}

function described(outcome: Outcome<Side>): Outcome<Side> {
  return changed(outcome, (side) => (isAsDescribed(side) ? side : 'refused'));
}

type TextMember = 'name' | 'slug' | 'description' | 'metaTitle' | 'metaDescription' | 'metaKeywords' | 'searchKeywords';

function setting(...members: readonly TextMember[]) {
  return (side: Side, input: Input): Side =>
    members.reduce((data, member) => having(data, member, input[member] as never), side);
}

function withHint(side: Side, id: string, hint: string | undefined): Side {
  return { ...side, categoryOrderHints: having(side.categoryOrderHints, id, hint) };
}

function isIn({ categories }: Side, id: string): boolean {
  return categories.some((one) => one.id === id);
}

/** What they make of one projection, each for itself. */
const ofSides: Readonly<Record<string, (side: Side, input: Input, lastId: number) => Outcome<Side>>> = {
  changeName: setting('name'),
  changeSlug: setting('slug'),
  setDescription: setting('description'),
  setMetaTitle: setting('metaTitle'),
  setMetaDescription: setting('metaDescription'),
  setMetaKeywords: setting('metaKeywords'),
  setMetaAttributes: setting('metaTitle', 'metaDescription', 'metaKeywords'),
  setSearchKeywords: setting('searchKeywords'),

  addToCategory: (side, { category, orderHint }) => {
    const { id } = category!;
    const categories = isIn(side, id) ? side.categories : [...side.categories, category!];
    return withHint({ ...side, categories }, id, orderHint);
  },
  removeFromCategory: (side, { category }) => {
    const { id } = category!;
    return withHint({ ...side, categories: side.categories.filter((one) => one.id !== id) }, id, undefined);
  },
  setCategoryOrderHint: (side, { categoryId, orderHint }) =>
    orderHint === undefined || isIn(side, categoryId!) ? withHint(side, categoryId!, orderHint) : 'missing',

  addVariant: (side, { staged: _, ...content }, lastId) => {
    const { attributes = [] } = content;
    if (!attributes.every(({ name, value }) => isValid('Variant', name, value))) return 'refused';
    return described(withVariants(side, [...variantsOf(side), { ...content, id: lastId + 1 } as OneVariant]));
  },
  removeVariant: (side, { id, sku }) =>
    changed(
      variantIn(side, { ...(id !== undefined && { variantId: id }), ...(sku !== undefined && { sku }) }),
      (variant) =>
        variant === side.masterVariant ? 'refused' : withVariants(side, replaced(variantsOf(side), variant, undefined)),
    ),
  changeMasterVariant: (side, input) =>
    changed(variantIn(side, input), (master) =>
      withVariants(side, [master, ...variantsOf(side).filter((one) => one !== master)]),
    ),
  setProductVariantKey: (side, { key, ...input }) => withVariant(side, input, (one) => having(one, 'key', key)),
  setSku: (side, { variantId, sku }) => withVariant(side, { variantId: variantId! }, (one) => having(one, 'sku', sku)),

  addPrice: (side, { price, ...input }) =>
    withVariant(side, input, (one) => ({ ...one, prices: [...one.prices, price!] })),
  setPrices: (side, { prices, ...input }) => withVariant(side, input, (one) => ({ ...one, prices: prices! })),
  changePrice: (side, { priceId, price }) => withPrice(side, priceId, ({ id }) => ({ ...price!, id })),
  removePrice: (side, { priceId, price, ...input }) => {
    if (priceId !== undefined) return withPrice(side, priceId, () => undefined);
    if (price === undefined) return 'refused';
    const contentOf = ({ id: _, discounted: __, ...content }: OnePrice): object => content;
    return withVariant(side, input, (variant) => {
      const found = variant.prices.find((one) => isDeepStrictEqual(contentOf(one), contentOf(price)));
      return found === undefined ? 'missing' : { ...variant, prices: replaced(variant.prices, found, undefined) };
    });
  },
  setPriceKey: (side, { priceId, key }) => withPrice(side, priceId, (price) => having(price, 'key', key)),
  setDiscountedPrice: (side, { priceId, discounted }) =>
    withPrice(side, priceId, (price) => {
      const isPossible = discounted === undefined || discounted.value.currencyCode === price.value.currencyCode;
      return isPossible ? having(price, 'discounted', discounted) : 'refused';
    }),
  setProductPriceCustomType: (side, input) => withPrice(side, input.priceId, (price) => withCustomType(price, input)),
  setProductPriceCustomField: (side, input) => withPrice(side, input.priceId, (price) => withCustomField(price, input)),

  addExternalImage: (side, { image, ...input }) =>
    withVariant(side, input, (one) =>
      one.images.some(({ url }) => url === image!.url) ? 'refused' : { ...one, images: [...one.images, image!] },
    ),
  removeImage: (side, input) => withImages(side, input, (images, image) => replaced(images, image, undefined)),
  setImageLabel: (side, { label, ...input }) =>
    withImages(side, input, (images, image) => replaced(images, image, having(image, 'label', label))),
  /** Only what is staged has to have the position; `expected` looks at that. */
  moveImageToPosition: (side, { position, ...input }) =>
    withImages(side, input, (images, image) => replaced(images, image, undefined).toSpliced(position!, 0, image)),

  /** The same of the position. */
  addAsset: (side, { asset, position, ...input }) =>
    withVariant(side, input, (one) =>
      isKeyTaken(one.assets, asset!.key)
        ? 'refused'
        : { ...one, assets: one.assets.toSpliced(position ?? one.assets.length, 0, asset!) },
    ),
  removeAsset: (side, input) => withAsset(side, input, () => undefined),
  setAssetKey: (side, { assetKey, ...input }) =>
    withAsset(side, input, (asset, assets) =>
      asset.key !== assetKey && isKeyTaken(assets, assetKey) ? 'refused' : having(asset, 'key', assetKey),
    ),
  changeAssetOrder: (side, { assetOrder, ...input }) =>
    withVariant(side, input, (one) => {
      const ids = one.assets.map(({ id }) => id);
      if (!isDeepStrictEqual(ids.toSorted(), assetOrder!.toSorted())) return 'missing';
      return { ...one, assets: assetOrder!.map((id) => one.assets.find((asset) => asset.id === id)!) };
    }),
  changeAssetName: (side, { name, ...input }) =>
    withAsset(side, input, (asset) => ({ ...asset, name: name as OneAsset['name'] })),
  setAssetDescription: (side, { description, ...input }) =>
    withAsset(side, input, (asset) => having(asset, 'description', description)),
  setAssetTags: (side, { tags, ...input }) => withAsset(side, input, (asset) => ({ ...asset, tags: tags! })),
  setAssetSources: (side, { sources, ...input }) =>
    withAsset(side, input, (asset) => ({ ...asset, sources: sources! })),
  setAssetCustomType: (side, input) => withAsset(side, input, (asset) => withCustomType(asset, input)),
  setAssetCustomField: (side, input) => withAsset(side, input, (asset) => withCustomField(asset, input)),

  setAttribute: (side, input) =>
    described(withVariant(side, input, (variant) => withAttribute('Variant', variant, input))),
  setAttributeInAllVariants: (side, input) =>
    described(
      variantsOf(side).reduce<Outcome<Side>>(
        (outcome, { id }) =>
          changed(outcome, (data) =>
            withVariant(data, { variantId: id }, (variant) => withAttribute('Variant', variant, input)),
          ),
        side,
      ),
    ),
  setProductAttribute: (side, input) => withAttribute('Product', side, input),
};

/** Other names of the same. */
const synonyms: Readonly<Record<string, string>> = { changeImageLabel: 'setImageLabel', setSKU: 'setSku' };

function lengthOf(side: Side, input: Input, list: 'assets' | 'images'): number {
  const variant = variantIn(side, input);
  return typeof variant === 'string' ? 0 : variant[list].length;
}

/** Whether a place that is named is one of what is staged. */
function isPlaceThere(name: string, staged: Side, input: Input): boolean {
  if (input.position === undefined) return true;
  if (name === 'moveImageToPosition') return input.position < lengthOf(staged, input, 'images');
  return name !== 'addAsset' || input.position <= lengthOf(staged, input, 'assets');
}

function withMasterData({ product, lastId }: Model, changes: Partial<Model['product']['masterData']>): Model {
  return { lastId, product: { ...product, masterData: { ...product.masterData, ...changes } } };
}

function withMember(member: 'key' | 'taxCategory' | 'priceMode') {
  return ({ product, ...others }: Model, input: Input): Model => ({
    ...others,
    product: having<Model['product'], typeof member>(product, member, input[member]),
  });
}

const ofProducts: Readonly<Record<string, (model: Model, input: Input) => Outcome<Model>>> = {
  setKey: withMember('key'),
  setTaxCategory: withMember('taxCategory'),
  setPriceMode: (model, { priceMode = 'Embedded' }) => withMember('priceMode')(model, { priceMode }),
  transitionState: ({ product, lastId }, { state: next, force }) => {
    const after = { lastId, product: having(product, 'state', next) };
    if (next === undefined || force === true) return after;
    if (product.state === undefined) return states[next.id]!.initial ? after : 'refused';
    const { transitions } = states[product.state.id]!;
    return transitions === undefined || transitions.includes(next.id) ? after : 'refused';
  },

  publish: (model, { scope }) => {
    const { staged, current, published } = model.product.masterData;
    if (scope === 'All') return withMasterData(model, { published: true, current: staged });
    if (!published) return 'refused';
    const variants = variantsOf(current).map((one) => {
      const other = variantIn(staged, { variantId: one.id });
      return typeof other === 'string' ? one : { ...one, prices: other.prices };
    });
    return withMasterData(model, { current: withVariants(current, variants) });
  },
  unpublish: (model) => withMasterData(model, { published: false }),
  revertStagedChanges: (model) => withMasterData(model, { staged: model.product.masterData.current }),
  revertStagedVariantChanges: (model, { variantId }) => {
    const { staged, current } = model.product.masterData;
    return changed(variantIn(current, { variantId: variantId! }), (variant) => {
      const before = variantIn(staged, { variantId: variantId! });
      const variants =
        typeof before === 'string' ? [...variantsOf(staged), variant] : replaced(variantsOf(staged), before, variant);
      return changed(described(withVariants(staged, variants)), (side) => withMasterData(model, { staged: side }));
    });
  },
};

export const sideActionNames: readonly string[] = [...Object.keys(ofSides), ...Object.keys(synonyms)];
export const productActionNames: readonly string[] = Object.keys(ofProducts);

/** What the action makes of the product. Undefined where it is refused. */
export function expected(model: Model, name: string, input: Input): Model | undefined {
  const after = name in ofProducts ? ofProducts[name]!(model, input) : changedSides(model, name, input);
  return typeof after === 'string' ? undefined : withMasterData(after, { hasStagedChanges: hasChanges(after) });
}

/** What is named has to be staged. Where only what is current lacks it, that stays as it is. */
function changedSides(model: Model, name: string, input: Input): Outcome<Model> {
  const { staged: before, current } = model.product.masterData;
  const change = ofSides[synonyms[name] ?? name]!;
  const staged = isPlaceThere(name, before, input) ? change(before, input, model.lastId) : 'refused';
  // In its earlier form an action has no such member.
  const isStaged = name === 'setSKU' || input.staged === true;
  const other = isStaged ? current : change(current, input, model.lastId);
  if (typeof staged === 'string' || other === 'refused') return 'refused';
  const after = withMasterData(model, { staged, current: other === 'missing' ? current : other });
  return name === 'addVariant' ? { ...after, lastId: model.lastId + 1 } : after;
}

/** What discounts make of prices is no change. */
function hasChanges({ product: { masterData } }: Model): boolean {
  const [staged, current] = [masterData.staged, masterData.current].map((side) =>
    withVariants(
      side,
      variantsOf(side).map((one) => ({
        ...one,
        prices: one.prices.map((price) => having(price, 'discounted', undefined)),
      })),
    ),
  );
  return !isDeepStrictEqual(staged, current);
}

/** Random update actions of products, drawn by what a product holds. */
import type { Random } from '../../../src/demo/random.ts';
import {
  attributesOfType,
  type Input,
  type Model,
  productActionNames,
  sideActionNames,
  states,
  variantsOf,
} from './model.ts';

export const actionNames: readonly string[] = [...sideActionNames, ...productActionNames];

type Price = NonNullable<Input['price']>;
type Asset = NonNullable<Input['asset']>;

/** No two parts share it, as none do that are parsed. */
function noted() {
  return { type: { typeId: 'type', id: 'noted' }, fields: { note: 'of the draft' } } as const;
}

const currencies = ['EUR', 'EUR', 'EUR', 'USD'] as const;

/** Draws what actions say. Texts and ids that have to be new are numbered. */
class Draws {
  readonly #random: Random;
  readonly #model: Model;
  #last = 0;

  constructor(random: Random, model: Model, last: number) {
    this.#random = random;
    this.#model = model;
    this.#last = last;
  }

  get last(): number {
    return this.#last;
  }

  next(): number {
    this.#last += 1;
    return this.#last;
  }

  text(): Readonly<Record<string, string>> {
    return { en: `text ${this.next()}` };
  }

  /** Sometimes nothing. */
  maybe<T extends object>(value: T, probability = 0.7): T | Record<string, never> {
    return this.#random.chance(probability) ? value : {};
  }

  pick<T>(values: readonly T[]): T {
    return this.#random.pick(values);
  }

  /** One of what is there, as a rule. */
  known<T>(values: readonly T[], unknown: T): T {
    return values.length > 0 && this.#random.chance(0.95) ? this.pick(values) : unknown;
  }

  get variants() {
    const { staged, current } = this.#model.product.masterData;
    return [...variantsOf(staged), ...variantsOf(current)];
  }

  /** A variant that is named by its id, its SKU, both, or not at all. */
  place(): Input {
    const { id, sku } = this.pick(this.variants);
    const way = this.#random.integer(0, 29);
    if (way === 0) return {};
    if (way === 1) return { variantId: 99 };
    if (way > 9 || sku === undefined) return { variantId: id };
    return way > 3 ? { sku } : { variantId: id, sku: 'sku-1' };
  }

  price(): Price {
    const currencyCode = this.pick(currencies);
    const centAmount = this.#random.integer(1, 5);
    return {
      id: `price-${this.next()}`,
      value: { type: 'centPrecision', currencyCode, centAmount, fractionDigits: 2 },
      ...this.maybe({ key: `price-${this.#last}` }, 0.2),
      ...this.maybe({ discounted: this.discounted(currencyCode) }, 0.1),
      ...this.maybe({ custom: noted() }, 0.4),
    };
  }

  discounted(currencyCode: 'EUR' | 'USD' = this.pick(currencies)): NonNullable<Price['discounted']> {
    const value = { type: 'centPrecision', currencyCode, centAmount: 1, fractionDigits: 2 } as const;
    return { value, discount: { typeId: 'product-discount', id: 'sale' } };
  }

  asset(): Asset {
    const id = this.next();
    return {
      id: `asset-${id}`,
      name: { en: `asset ${id}` },
      sources: [{ uri: `asset-${id}.pdf` }],
      tags: [],
      ...this.maybe({ key: this.assetKey() }),
      ...this.maybe({ custom: noted() }, 0.4),
    };
  }

  assetKey(): string {
    return this.pick(['front', 'back', 'side', 'top']);
  }

  /** A variant and one of its assets. */
  assetPlace(): Input {
    const place = this.place();
    const held = this.variants.find(({ id, sku }) =>
      place.variantId === undefined ? sku === place.sku : id === place.variantId,
    );
    const { id, key } = this.known(held?.assets ?? [], this.asset());
    if (this.#random.chance(0.02)) return place;
    if (key !== undefined && this.#random.chance(0.3)) return { ...place, assetKey: key };
    return { ...place, assetId: id };
  }

  assetOrder(): Input {
    const { id, assets } = this.pick(this.variants);
    const assetOrder = assets.map((asset) => asset.id).toReversed();
    if (this.#random.chance(0.1)) assetOrder.pop();
    if (this.#random.chance(0.1)) assetOrder.push(...assetOrder.slice(0, 1));
    return { variantId: id, assetOrder };
  }

  priceId(): string {
    return this.known(
      this.variants.flatMap(({ prices }) => prices.map(({ id }) => id)),
      'nowhere',
    );
  }

  image(): NonNullable<Input['image']> {
    return { url: this.url(), dimensions: { w: 1, h: 1 } };
  }

  url(): string {
    return this.pick(['a.png', 'b.png', 'c.png']);
  }

  attribute(): Input {
    const name = this.known(Object.keys(attributesOfType), 'unknown');
    return { name, ...this.maybe({ value: this.attributeValue() }, 0.8) };
  }

  attributeValue(): unknown {
    return this.#random.chance(0.04) ? 5 : this.pick(['one', 'two', 'three', 'four']);
  }

  /** Mostly what a further variant may have. */
  attributes(): NonNullable<Input['attributes']> {
    const { masterVariant } = this.#model.product.masterData.staged;
    const same = masterVariant.attributes.filter(({ name }) => name === 'material' && this.#random.chance(0.95));
    const others = ['note', 'serial', 'size', 'color'].filter(() => this.#random.chance(0.3));
    return [...same, ...others.map((name) => ({ name, value: this.attributeValue() }))];
  }

  reference<const Kind extends string>(
    typeId: Kind,
    ids: readonly string[],
  ): { readonly typeId: Kind; readonly id: string } {
    return { typeId, id: this.pick(ids) };
  }

  category(): NonNullable<Input['category']> {
    return this.reference('category', ['lamps', 'tables', 'chairs']);
  }

  customType(): Input {
    return this.maybe({
      type: { typeId: 'type', id: 'noted' },
      ...this.maybe({ fields: { note: `note ${this.next()}` } }),
    });
  }

  customField(): Input {
    return { name: this.pick(['note', 'size']), ...this.maybe({ value: `value ${this.next()}` }) };
  }
}

/** What each says besides the projections that it changes. */
const inputs: Readonly<Record<string, (draws: Draws) => Input>> = {
  changeName: (draws) => ({ name: draws.text() }),
  changeSlug: (draws) => ({ slug: draws.text() }),
  setDescription: (draws) => draws.maybe({ description: draws.text() }),
  setMetaTitle: (draws) => draws.maybe({ metaTitle: draws.text() }),
  setMetaDescription: (draws) => draws.maybe({ metaDescription: draws.text() }),
  setMetaKeywords: (draws) => draws.maybe({ metaKeywords: draws.text() }),
  setMetaAttributes: (draws) => ({
    ...draws.maybe({ metaTitle: draws.text() }),
    ...draws.maybe({ metaDescription: draws.text() }),
    ...draws.maybe({ metaKeywords: draws.text() }),
  }),
  setSearchKeywords: (draws) => ({ searchKeywords: draws.maybe({ en: [{ text: `keyword ${draws.next()}` }] }) }),
  addToCategory: (draws) => ({ category: draws.category(), ...draws.maybe({ orderHint: '0.5' }) }),
  removeFromCategory: (draws) => ({ category: draws.category() }),
  setCategoryOrderHint: (draws) => ({ categoryId: draws.category().id, ...draws.maybe({ orderHint: '0.7' }) }),
  addVariant: (draws) => ({
    ...draws.maybe({ sku: `sku-${draws.next()}` }),
    ...draws.maybe({ key: `key-${draws.next()}` }),
    prices: [draws.price()],
    images: [draws.image()],
    assets: [draws.asset()],
    attributes: draws.attributes(),
  }),
  removeVariant: (draws) => {
    const { variantId, sku } = draws.place();
    return { ...(variantId !== undefined && { id: variantId }), ...(sku !== undefined && { sku }) };
  },
  changeMasterVariant: (draws) => draws.place(),
  setProductVariantKey: (draws) => ({ ...draws.place(), ...draws.maybe({ key: `key-${draws.next()}` }) }),
  setSku: (draws) => ({ variantId: draws.pick(draws.variants).id, ...draws.maybe({ sku: `sku-${draws.next()}` }) }),
  addPrice: (draws) => ({ ...draws.place(), price: draws.price() }),
  setPrices: (draws) => ({ ...draws.place(), prices: [draws.price(), draws.price()] }),
  changePrice: (draws) => ({ priceId: draws.priceId(), price: draws.price() }),
  removePrice: (draws) =>
    draws.pick<() => Input>([
      () => ({ priceId: draws.priceId() }),
      () => ({ ...draws.place(), price: draws.price() }),
      () => {
        const { id, prices } = draws.pick(draws.variants);
        return { variantId: id, price: { ...draws.known(prices, draws.price()), id: 'of the draft' } };
      },
      () => draws.place(),
    ])(),
  setPriceKey: (draws) => ({ priceId: draws.priceId(), ...draws.maybe({ key: `price-${draws.next()}` }) }),
  setDiscountedPrice: (draws) => ({ priceId: draws.priceId(), ...draws.maybe({ discounted: draws.discounted() }) }),
  setProductPriceCustomType: (draws) => ({ priceId: draws.priceId(), ...draws.customType() }),
  setProductPriceCustomField: (draws) => ({ priceId: draws.priceId(), ...draws.customField() }),
  addExternalImage: (draws) => ({ ...draws.place(), image: draws.image() }),
  removeImage: (draws) => ({ ...draws.place(), imageUrl: draws.url() }),
  setImageLabel: (draws) => ({ ...draws.place(), imageUrl: draws.url(), ...draws.maybe({ label: `${draws.next()}` }) }),
  moveImageToPosition: (draws) => ({ ...draws.place(), imageUrl: draws.url(), position: draws.pick([0, 0, 1, 1, 2]) }),
  addAsset: (draws) => ({
    ...draws.place(),
    asset: draws.asset(),
    ...draws.maybe({ position: draws.pick([0, 1, 2]) }),
  }),
  removeAsset: (draws) => draws.assetPlace(),
  setAssetKey: (draws) => {
    const { assetKey: _, assetId = 'nowhere', ...place } = draws.assetPlace();
    return { ...place, assetId, ...draws.maybe({ assetKey: draws.assetKey() }) };
  },
  changeAssetOrder: (draws) => draws.assetOrder(),
  changeAssetName: (draws) => ({ ...draws.assetPlace(), name: draws.text() }),
  setAssetDescription: (draws) => ({ ...draws.assetPlace(), ...draws.maybe({ description: draws.text() }) }),
  setAssetTags: (draws) => ({ ...draws.assetPlace(), tags: [`tag ${draws.next()}`] }),
  setAssetSources: (draws) => ({ ...draws.assetPlace(), sources: [{ uri: `source-${draws.next()}` }] }),
  setAssetCustomType: (draws) => ({ ...draws.assetPlace(), ...draws.customType() }),
  setAssetCustomField: (draws) => ({ ...draws.assetPlace(), ...draws.customField() }),
  setAttribute: (draws) => ({ ...draws.place(), ...draws.attribute() }),
  setAttributeInAllVariants: (draws) => draws.attribute(),
  setProductAttribute: (draws) => draws.attribute(),
  setKey: (draws) => draws.maybe({ key: `key-${draws.next()}` }),
  setTaxCategory: (draws) => draws.maybe({ taxCategory: draws.reference('tax-category', ['full', 'reduced']) }),
  setPriceMode: (draws) => draws.maybe({ priceMode: draws.pick(['Embedded', 'Standalone'] as const) }),
  transitionState: (draws) => ({
    ...draws.maybe({ state: draws.reference('state', Object.keys(states)) }, 0.9),
    force: draws.pick([true, false, false]),
  }),
  publish: (draws) => ({ scope: draws.pick(['All', 'Prices'] as const) }),
  unpublish: () => ({}),
  revertStagedChanges: () => ({}),
  revertStagedVariantChanges: (draws) => ({
    variantId: draws.known(
      draws.variants.map(({ id }) => id),
      99,
    ),
  }),
};
const earlierNames = { changeImageLabel: 'setImageLabel', setSKU: 'setSku' };

export interface RandomAction {
  readonly name: string;
  readonly input: Input;
}

/** Actions for one product after another. */
export class RandomActions {
  readonly #random: Random;
  #last = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  next(model: Model): RandomAction {
    const name = this.#random.pick(actionNames);
    const draws = new Draws(this.#random, model, this.#last);
    const given = inputs[earlierNames[name as keyof typeof earlierNames] ?? name]!(draws);
    this.#last = draws.last;
    const isOfSides = sideActionNames.includes(name) && name !== 'setSKU';
    return { name, input: isOfSides ? { ...given, staged: this.#random.chance(0.5) } : given };
  }
}

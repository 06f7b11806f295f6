/** Actions of products against a plain model of what is current and what is staged: thousands of them, at random. */
import t from 'tap';
import { Random } from '../../src/demo/random.ts';
import type { ApplyContext } from '../../src/engine/resource.ts';
import { ApiError } from '../../src/errors/api-error.ts';
import type { Fields } from '../../src/fields/field.ts';
import { Parsing } from '../../src/fields/parsing.ts';
import type { Product, ProductData, ProductDraft } from '../../src/resources/product/fields.ts';
import { productFrom } from '../../src/resources/product/create.ts';
import { product as resource } from '../../src/resources/product/resource.ts';
import { productType } from '../support/attribute-values.ts';

interface Variant {
  readonly id: number;
  readonly key?: string | undefined;
  readonly images: readonly string[];
  readonly prices: readonly string[];
}

/** One side: the first variant is the master. */
interface Side {
  readonly name: string;
  readonly categories: readonly string[];
  readonly variants: readonly Variant[];
}

interface Model {
  readonly isPublished: boolean;
  readonly lastId: number;
  readonly staged: Side;
  readonly current: Side;
}

type Input = Readonly<Record<string, unknown>> & { readonly staged: boolean };

/** What an action makes of one side: another one, nothing where it lacks what is named, or a refusal. */
type Outcome = Side | 'missing' | 'refused';

const refusal = 'refused';

function changedVariant(
  side: Side,
  id: unknown,
  change: (variant: Variant) => Variant | 'missing' | 'refused',
): Outcome {
  const variant = side.variants.find((one) => one.id === id);
  const after = variant === undefined ? 'missing' : change(variant);
  if (typeof after === 'string') return after;
  return { ...side, variants: side.variants.map((one) => (one.id === id ? after : one)) };
}

const sideActions: Readonly<Record<string, (side: Side, input: Input, lastId: number) => Outcome>> = {
  changeName: (side, { name }) => ({ ...side, name: (name as { en: string }).en }),
  addToCategory: (side, { category }) => {
    const { id } = category as { id: string };
    return side.categories.includes(id) ? side : { ...side, categories: [...side.categories, id] };
  },
  removeFromCategory: (side, { category }) => ({
    ...side,
    categories: side.categories.filter((id) => id !== (category as { id: string }).id),
  }),
  addVariant: (side, { key }, lastId) => ({
    ...side,
    variants: [...side.variants, { id: lastId + 1, key: key as string, images: [], prices: [] }],
  }),
  removeVariant: (side, { id }) => {
    if (!side.variants.some((one) => one.id === id)) return 'missing';
    if (side.variants[0]!.id === id) return 'refused';
    return { ...side, variants: side.variants.filter((one) => one.id !== id) };
  },
  changeMasterVariant: (side, { variantId }) => {
    const master = side.variants.find(({ id }) => id === variantId);
    if (master === undefined) return 'missing';
    return { ...side, variants: [master, ...side.variants.filter((one) => one !== master)] };
  },
  setProductVariantKey: (side, { variantId, key }) =>
    changedVariant(side, variantId, (one) => ({ ...one, key: key as string | undefined })),
  addExternalImage: (side, { variantId, image }) =>
    changedVariant(side, variantId, (one) => {
      const { url } = image as { url: string };
      return one.images.includes(url) ? 'refused' : { ...one, images: [...one.images, url] };
    }),
  removeImage: (side, { variantId, imageUrl }) =>
    changedVariant(side, variantId, (one) =>
      one.images.includes(imageUrl as string)
        ? { ...one, images: one.images.filter((url) => url !== imageUrl) }
        : 'missing',
    ),
  addPrice: (side, { variantId, price }) =>
    changedVariant(side, variantId, (one) => ({ ...one, prices: [...one.prices, (price as { id: string }).id] })),
  removePrice: (side, { priceId }) => {
    const holder = side.variants.find(({ prices }) => prices.includes(priceId as string));
    return changedVariant(side, holder?.id, (one) => ({ ...one, prices: one.prices.filter((id) => id !== priceId) }));
  },
};

const wholeActions: Readonly<Record<string, (model: Model, input: Input) => Model | 'refused'>> = {
  publish: (model, { scope }) => {
    if (scope === 'All') return { ...model, isPublished: true, current: model.staged };
    if (!model.isPublished) return refusal;
    const staged = new Map(model.staged.variants.map(({ id, prices }) => [id, prices]));
    const variants = model.current.variants.map((one) => ({ ...one, prices: staged.get(one.id) ?? one.prices }));
    return { ...model, current: { ...model.current, variants } };
  },
  unpublish: (model) => ({ ...model, isPublished: false }),
  revertStagedChanges: (model) => ({ ...model, staged: model.current }),
  revertStagedVariantChanges: ({ staged, current, ...others }, { variantId }) => {
    const variant = current.variants.find(({ id }) => id === variantId);
    if (variant === undefined) return refusal;
    const isThere = staged.variants.some(({ id }) => id === variantId);
    const variants = isThere
      ? staged.variants.map((one) => (one.id === variantId ? variant : one))
      : [...staged.variants, variant];
    return { ...others, current, staged: { ...staged, variants } };
  },
};

/** Undefined where the action is refused. */
function expected(model: Model, name: string, input: Input): Model | undefined {
  const whole = wholeActions[name];
  if (whole !== undefined) {
    const after = whole(model, input);
    return after === 'refused' ? undefined : after;
  }
  const change = sideActions[name]!;
  const staged = change(model.staged, input, model.lastId);
  const current = input.staged ? model.current : change(model.current, input, model.lastId);
  if (typeof staged === 'string' || current === 'refused') return undefined;
  return {
    ...model,
    lastId: name === 'addVariant' ? model.lastId + 1 : model.lastId,
    staged,
    current: current === 'missing' ? model.current : current,
  };
}

function modelOf({ masterData }: Product): Omit<Model, 'lastId'> {
  const sideOf = ({ name, categories, masterVariant, variants }: ProductData): Side => ({
    name: name['en']!,
    categories: categories.map(({ id }) => id),
    variants: [masterVariant, ...variants].map(({ id, key, images, prices }) => ({
      id,
      key,
      images: images.map(({ url }) => url),
      prices: prices.map((price) => price.id),
    })),
  });
  const { published, staged, current } = masterData;
  return { isPublished: published, staged: sideOf(staged), current: sideOf(current) };
}

let ids = 0;

function randomAction(random: Random, { staged, current }: Model): { name: string; input: Input } {
  const name = random.pick([...Object.keys(sideActions), ...Object.keys(wholeActions)]);
  const id = random.integer(1, 6);
  const url = random.pick(['a', 'b', 'c']);
  const known = [...staged.variants, ...current.variants].flatMap(({ prices }) => prices);
  ids += 1;
  const price = { id: `price-${ids}`, value: { type: 'centPrecision', currencyCode: 'EUR', centAmount: ids } };
  return {
    name,
    input: {
      staged: random.chance(0.5),
      name: { en: `name-${ids}` },
      category: { typeId: 'category', id: random.pick(['lamps', 'tables', 'chairs']) },
      key: random.chance(0.8) ? `key-${ids}` : undefined,
      id,
      variantId: id,
      image: { url, dimensions: { w: 1, h: 1 } },
      imageUrl: url,
      price: name === 'removePrice' ? undefined : price,
      priceId: known.length > 0 && random.chance(0.9) ? random.pick(known) : 'nowhere',
      scope: random.chance(0.5) ? 'All' : 'Prices',
      prices: [],
      images: [],
      assets: [],
      attributes: [],
    },
  };
}

/** As the fields would have parsed it. */
function givenOf(fields: Fields, input: Input): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(structuredClone(input)).filter(([name]) => Object.hasOwn(fields, name)));
}

const type = productType('any', []);

/** What a request gives to actions, as far as these ask for it. */
function contextOf(internals: Record<string, unknown>): ApplyContext {
  const found = {
    one: (kind: string) => (kind === 'product-type' ? (type as never) : undefined),
    holder: () => undefined,
  };
  return { found, internals, parsing: new Parsing() } as unknown as ApplyContext;
}

t.test('actions change what is staged and what is current as a plain model says', async (t) => {
  const random = new Random(14);
  for (let round = 0; round < 60; round += 1) {
    let internals: Record<string, unknown> = {};
    const draft = {
      productType: { typeId: 'product-type', id: 'any' },
      name: { en: 'name' },
      slug: { en: 'slug' },
      categories: [],
      categoryOrderHints: {},
      searchKeywords: {},
      attributes: [],
      priceMode: 'Embedded',
      publish: false,
      variants: [],
    };
    let product = productFrom(draft as unknown as ProductDraft, contextOf(internals)) as unknown as Product;
    let model: Model = { ...modelOf(product), lastId: 1 };
    for (let step = 0; step < 150; step += 1) {
      const { name, input } = randomAction(random, model);
      const after = expected(model, name, input);
      const [changed, kept] = [structuredClone(product), structuredClone(internals)];
      const context = contextOf(kept);
      let isRefused = false;
      try {
        const { fields, apply } = resource.actions.get(name)!;
        apply(changed as never, givenOf(fields, input), context);
        context.parsing.settle();
        for (const completion of context.parsing.completions()) completion();
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        isRefused = true;
      }
      if (isRefused !== (after === undefined)) return void t.fail(`${name} ${JSON.stringify({ input, model })}`);
      if (after === undefined) continue;
      const { lastId: _, ...sides } = after;
      if (!t.strictSame(modelOf(changed), sides, name)) return;
      [product, internals, model] = [changed, kept, after];
    }
  }
});

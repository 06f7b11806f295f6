import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import type { Document } from '../../src/engine/document.ts';
import { customTypeFor, keepMessages, messagesOf, type Teller, tellerOf } from '../support/messages.ts';
import { png } from '../support/image-files.ts';
import { type Platform, startPlatform } from '../support/platform.ts';
import { eventually } from '../support/services.ts';

interface Variant {
  readonly id: number;
  readonly prices: readonly (Readonly<Record<string, unknown>> & { readonly id: string })[];
  readonly images: readonly object[];
}

interface Side {
  readonly masterVariant: Variant;
  readonly variants: readonly Variant[];
}

const euros = (centAmount: number): object => ({
  type: 'centPrecision',
  currencyCode: 'EUR',
  centAmount,
  fractionDigits: 2,
});

const imageOf = (name: string): { readonly url: string; readonly dimensions: object } => ({
  url: `https://images.example.org/${name}.jpg`,
  dimensions: { w: 1, h: 1 },
});

async function made({ request }: Platform, path: string, draft: object): Promise<Document> {
  const { status, text, body } = await request('POST', path, draft);
  if (status !== 201) throw new Error(text);
  return body as Document;
}

async function keeping(t: Test, options = {}): Promise<Platform> {
  const platform = await startPlatform(t, options);
  await keepMessages(platform);
  const attributes = [{ type: { name: 'text' }, name: 'color', label: { en: 'Color' }, isRequired: false }];
  await made(platform, '/product-types', { key: 'plain', name: 'Plain', description: 'Plain', attributes });
  return platform;
}

function lampOf(t: Test, platform: Platform, draft: object = {}): Promise<Teller> {
  const productType = { typeId: 'product-type', key: 'plain' };
  const whole = { key: 'lamp', productType, name: { en: 'Lamp' }, slug: { en: 'lamp' }, ...draft };
  return tellerOf(t, platform, { path: '/products', typeId: 'product', draft: whole });
}

function sideOf({ body }: Teller, side: 'current' | 'staged' = 'staged'): Side {
  return (body['masterData'] as Readonly<Record<typeof side, Side>>)[side];
}

/** The product as its current projection shows it. */
function projectionOf({ body }: Teller): object {
  const { masterData, createdBy: _by, lastModifiedBy: _last, ...product } = body;
  const { published, hasStagedChanges, current } = masterData as Readonly<Record<string, unknown>>;
  return { ...product, ...(current as object), published, hasStagedChanges };
}

t.test('products tell of being created, published and gone', async (t) => {
  const platform = await keeping(t);
  const one = imageOf('one');
  const product = await lampOf(t, platform, { masterVariant: { sku: 'lamp', images: [one] } });
  t.strictSame(product.created, [{ type: 'ProductCreated', productProjection: projectionOf(product) }]);
  const projection = (await platform.request('GET', `/product-projections/${product.id}?staged=true`)).body;
  t.strictSame(projectionOf(product), projection, 'in the form of projections');
  t.strictSame(await product.tells({ action: 'publish' }), [
    { type: 'ProductPublished', removedImageUrls: [], productProjection: projectionOf(product), scope: 'All' },
  ]);
  t.strictSame(await product.tells({ action: 'publish' }), []);
  const two = imageOf('two');
  t.strictSame(
    await product.tells(
      { action: 'changeSlug', slug: { en: 'lamp-2' } },
      { action: 'removeImage', variantId: 1, imageUrl: one.url },
      { action: 'addExternalImage', variantId: 1, image: two },
    ),
    [
      { type: 'ProductSlugChanged', slug: { en: 'lamp-2' }, oldSlug: { en: 'lamp' } },
      { type: 'ProductImageAdded', variantId: 1, image: two, staged: true },
    ],
  );
  t.strictSame(await product.tells({ action: 'publish' }), [
    { type: 'ProductPublished', removedImageUrls: [one.url], productProjection: projectionOf(product), scope: 'All' },
  ]);
  const three = imageOf('three');
  t.strictSame(await product.tells({ action: 'addExternalImage', sku: 'lamp', image: three, staged: false }), [
    { type: 'ProductImageAdded', variantId: 1, image: three, staged: false },
  ]);
  await product.tells({ action: 'addExternalImage', variantId: 1, image: one });
  t.strictSame(await product.tells({ action: 'revertStagedChanges' }), [
    { type: 'ProductRevertedStagedChanges', removedImageUrls: [one.url] },
  ]);
  const last = (await messagesOf(platform, product.id)).at(-1)!;
  t.strictSame(last['resourceUserProvidedIdentifiers'], { key: 'lamp', sku: 'lamp', slug: { en: 'lamp-2' } });
  const current = projectionOf(product);
  t.strictSame(await product.deleted(), [
    { type: 'ProductDeleted', removedImageUrls: [two.url, three.url], currentProjection: current },
  ]);
  const other = await lampOf(t, platform);
  await other.tells({ action: 'publish' });
  t.strictSame(await other.tells({ action: 'unpublish' }), [{ type: 'ProductUnpublished' }]);
  t.strictSame(await other.deleted(), [{ type: 'ProductDeleted', removedImageUrls: [] }]);
});

t.test('an image that is uploaded is told like one that is elsewhere', async (t) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'tradepost-told-images-'));
  t.teardown(() => rmSync(dataDir, { recursive: true }));
  const platform = await keeping(t, { dataDir });
  const product = await lampOf(t, platform, { masterVariant: { sku: 'lamp' } });
  const headers = { 'content-type': 'image/png' };
  const { status } = await platform.request('POST', `/products/${product.id}/images?variant=1`, png(2, 3), headers);
  t.equal(status, 200);
  const told = await product.since();
  t.strictSame(told, [
    { type: 'ProductImageAdded', variantId: 1, image: sideOf(product).masterVariant.images[0], staged: true },
  ]);
});

t.test('products tell of categories, states and variants', async (t) => {
  const platform = await keeping(t);
  const categoryOf = async (name: string): Promise<object> => {
    const { id } = await made(platform, '/categories', { name: { en: name }, slug: { en: name } });
    return { typeId: 'category', id };
  };
  const [lamps, sale] = [await categoryOf('lamps'), await categoryOf('sale')];
  const product = await lampOf(t, platform, { masterVariant: { sku: 'lamp' } });
  t.strictSame(
    await product.tells(
      { action: 'addToCategory', category: lamps },
      { action: 'addToCategory', category: lamps, orderHint: '0.1' },
      { action: 'addToCategory', category: sale, staged: false },
      { action: 'removeFromCategory', category: lamps },
    ),
    [
      { type: 'ProductAddedToCategory', category: lamps, staged: true },
      { type: 'ProductAddedToCategory', category: sale, staged: false },
      { type: 'ProductRemovedFromCategory', category: lamps, staged: true },
    ],
  );
  const stateOf = async (key: string, draft: object): Promise<object> => {
    const { id } = await made(platform, '/states', { key, type: 'ProductState', ...draft });
    return { typeId: 'state', id };
  };
  const [first, second] = [await stateOf('first', { initial: true }), await stateOf('second', {})];
  t.strictSame(
    await product.tells(
      { action: 'transitionState', state: first },
      { action: 'transitionState', state: second, force: true },
    ),
    [
      { type: 'ProductStateTransition', state: first, force: false },
      { type: 'ProductStateTransition', state: second, force: true },
    ],
  );
  const image = imageOf('red');
  const attributes = [{ name: 'color', value: 'red' }];
  const added = await product.tells({ action: 'addVariant', sku: 'red', images: [image], attributes });
  const [variant] = sideOf(product).variants;
  t.strictSame(added, [{ type: 'ProductVariantAdded', variant, staged: true }]);
  t.strictSame(await product.tells({ action: 'removeVariant', sku: 'red' }), [
    { type: 'ProductVariantDeleted', variant, removedImageUrls: [image.url], staged: true },
  ]);
  t.strictSame(await product.tells({ action: 'addVariant', sku: 'blue', staged: false }), [
    { type: 'ProductVariantAdded', variant: sideOf(product).variants[0], staged: false },
  ]);
});

t.test('products tell of their prices', async (t) => {
  const platform = await keeping(t);
  const type = await customTypeFor(platform, 'product-price');
  const prices = [{ key: 'one', value: euros(1000) }];
  const product = await lampOf(t, platform, { masterVariant: { sku: 'lamp', prices }, publish: true });
  const stored = (): Variant['prices'] => sideOf(product).masterVariant.prices;
  const [one] = stored();
  const custom = { type: { typeId: 'type', id: type }, fields: { fee: { currencyCode: 'EUR', centAmount: 5 } } };
  const added = await product.tells(
    { action: 'addPrice', variantId: 1, price: { value: euros(900), country: 'DE', custom } },
    { action: 'addPrice', sku: 'lamp', price: { value: euros(800), country: 'FR' }, staged: false },
  );
  t.strictSame(added, [
    { type: 'ProductPriceAdded', variantId: 1, price: stored()[1], staged: true },
    { type: 'ProductPriceAdded', variantId: 1, price: stored()[2], staged: false },
  ]);
  t.match(added, [{ price: { custom: { fields: { fee: euros(5) } } } }]);
  const german = stored()[1]!;
  const changed = await product.tells({ action: 'changePrice', priceId: one!.id, price: { value: euros(1100) } });
  t.strictSame(changed, [
    { type: 'ProductPriceChanged', variantId: 1, oldPrice: one, newPrice: stored()[0], staged: true },
  ]);
  const [second] = stored();
  const again = await product.tells({
    action: 'changePrice',
    priceId: one!.id,
    price: { value: euros(1200) },
    staged: false,
  });
  t.strictSame(again, [
    {
      type: 'ProductPriceChanged',
      variantId: 1,
      oldPrice: one,
      newPrice: stored()[0],
      staged: false,
      oldStagedPrice: second,
    },
  ]);
  t.strictSame(
    await product.tells(
      { action: 'setPriceKey', priceId: german.id, key: 'german' },
      { action: 'setPriceMode', priceMode: 'Standalone' },
    ),
    [
      { type: 'ProductPriceKeySet', variantId: 1, priceId: german.id, key: 'german', staged: true },
      { type: 'ProductPriceModeSet', to: 'Standalone' },
    ],
  );
  t.strictSame(await product.tells({ action: 'removePrice', priceId: german.id }), [
    { type: 'ProductPriceRemoved', variantId: 1, price: { ...german, key: 'german' }, staged: true },
  ]);
  const priceId = stored()[0]!.id;
  await tellsCustomPriceFields(t, product, { type, priceId });
  const set = await product.tells({
    action: 'setPrices',
    variantId: 1,
    prices: [{ value: euros(500) }],
    staged: false,
  });
  t.strictSame(set, [{ type: 'ProductPricesSet', variantId: 1, prices: stored(), staged: false }]);
});

async function tellsCustomPriceFields(
  t: Test,
  { tells }: Teller,
  { type, priceId }: { readonly type: string; readonly priceId: string },
): Promise<void> {
  const part = { priceId, variantId: 1, staged: true };
  const reference = { typeId: 'type', id: type };
  const setType = { action: 'setProductPriceCustomType', priceId };
  const setField = { action: 'setProductPriceCustomField', priceId, name: 'note' };
  t.strictSame(
    await tells(
      { ...setType, type: reference, fields: {} },
      { ...setField, value: 'one' },
      { ...setField, value: 'two' },
      setField,
    ),
    [
      { type: 'ProductPriceCustomFieldsSet', ...part, customField: { type: reference, fields: {} } },
      { type: 'ProductPriceCustomFieldAdded', ...part, name: 'note', value: 'one' },
      { type: 'ProductPriceCustomFieldChanged', ...part, name: 'note', value: 'two' },
      { type: 'ProductPriceCustomFieldRemoved', ...part, name: 'note' },
    ],
  );
  t.strictSame(await tells({ ...setType, type: reference, fields: { note: 'x' } }), [
    {
      type: 'ProductPriceCustomFieldsSet',
      ...part,
      customField: { type: reference, fields: { note: 'x' } },
      oldTypeId: type,
    },
  ]);
  t.strictSame(await tells(setType), [{ type: 'ProductPriceCustomFieldsRemoved', ...part }]);
}

t.test('products tell of discounts, of external ones by who says them', async (t) => {
  const platform = await keeping(t, { feeder: true, meilisearch: 'none' });
  const prices = [{ value: euros(1000) }];
  const product = await lampOf(t, platform, { masterVariant: { sku: 'lamp', prices }, publish: true });
  const discountOf = async (value: object, sortOrder: string): Promise<object> => {
    const draft = { name: { en: sortOrder }, value, predicate: '1=1', sortOrder, isActive: true };
    return { typeId: 'product-discount', id: (await made(platform, '/product-discounts', draft)).id };
  };
  const [{ id: priceId }] = sideOf(product).masterVariant.prices as [{ readonly id: string }];
  const discounted = { value: euros(700), discount: await discountOf({ type: 'external' }, '0.1') };
  const named = { variantId: 1, sku: 'lamp', priceId };
  t.strictSame(await product.tells({ action: 'setDiscountedPrice', priceId, discounted, staged: false }), [
    { type: 'ProductPriceExternalDiscountSet', ...named, discounted, staged: false },
  ]);
  t.strictSame(await product.tells({ action: 'setDiscountedPrice', priceId, staged: false }), [
    { type: 'ProductPriceExternalDiscountSet', ...named, staged: false },
  ]);
  const half = { value: euros(500), discount: await discountOf({ type: 'relative', permyriad: 5000 }, '0.2') };
  await eventually(async () => ((await messagesOf(platform, product.id)).length > 3 ? true : undefined));
  t.strictSame(await product.since(), [
    {
      type: 'ProductPriceDiscountsSet',
      updatedPrices: [
        { ...named, discounted: half, staged: false },
        { ...named, discounted: half, staged: true },
      ],
    },
  ]);
});

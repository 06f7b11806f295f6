import t, { type Test } from 'tap';
import type { Document } from '../../src/engine/document.ts';
import { keepMessages, messagesOf, tellerOf, toldIn } from '../support/messages.ts';
import { type Platform, startPlatform } from '../support/platform.ts';
import { eventually } from '../support/services.ts';

async function keeping(t: Test, options = {}): Promise<Platform> {
  const platform = await startPlatform(t, options);
  await keepMessages(platform);
  return platform;
}

async function made({ request }: Platform, path: string, draft: object): Promise<Document> {
  const { status, text, body } = await request('POST', path, draft);
  if (status !== 201) throw new Error(text);
  return body as Document;
}

const discountDraft = {
  key: 'ten',
  name: { en: 'Ten' },
  value: { type: 'relative', permyriad: 1000 },
  cartPredicate: '1=1',
  target: { type: 'lineItems', predicate: '1=1' },
};

t.test('cart discounts, their groups and codes tell what becomes of them', async (t) => {
  const platform = await keeping(t);
  for (const key of ['north', 'south']) await made(platform, '/stores', { key });
  const [north, south] = ['north', 'south'].map((key) => ({ typeId: 'store', key }));
  const draft = { ...discountDraft, sortOrder: '0.1' };
  const discount = await tellerOf(t, platform, { path: '/cart-discounts', typeId: 'cart-discount', draft });
  t.strictSame(discount.created, [{ type: 'CartDiscountCreated', cartDiscount: discount.body }]);
  t.strictSame(
    await discount.tells(
      { action: 'setStores', stores: [north] },
      { action: 'addStore', store: south },
      { action: 'addStore', store: south },
      { action: 'removeStore', store: north },
      { action: 'changeIsActive', isActive: false },
    ),
    [
      { type: 'CartDiscountStoresSet', stores: [north] },
      { type: 'CartDiscountStoreAdded', store: south },
      { type: 'CartDiscountStoreRemoved', store: north },
    ],
  );

  const cartDiscounts = [{ typeId: 'cart-discount', id: discount.id }];
  const code = await tellerOf(t, platform, {
    path: '/discount-codes',
    typeId: 'discount-code',
    draft: { code: 'TEN', cartDiscounts },
  });
  t.strictSame(code.created, [{ type: 'DiscountCodeCreated', discountCode: code.body }]);
  t.strictSame(await code.tells({ action: 'setKey', key: 'ten' }), [{ type: 'DiscountCodeKeySet', key: 'ten' }]);
  t.strictSame(await code.tells({ action: 'setKey' }), [{ type: 'DiscountCodeKeySet', oldKey: 'ten' }]);
  t.strictSame(await code.deleted(), [{ type: 'DiscountCodeDeleted' }]);
  t.strictSame(await discount.deleted(), [{ type: 'CartDiscountDeleted' }]);

  const group = await tellerOf(t, platform, {
    path: '/discount-groups',
    typeId: 'discount-group',
    draft: { key: 'best', sortOrder: '0.2' },
  });
  t.strictSame(group.created, [{ type: 'DiscountGroupCreated', discountGroup: group.body }]);
  t.strictSame(
    await group.tells(
      { action: 'setIsActive', isActive: false },
      { action: 'setKey', key: 'better' },
      { action: 'setSortOrder', sortOrder: '0.3' },
      { action: 'setName', name: { en: 'Better' } },
    ),
    [
      { type: 'DiscountGroupIsActiveSet', isActive: false, oldIsActive: true },
      { type: 'DiscountGroupKeySet', key: 'better', oldKey: 'best' },
      { type: 'DiscountGroupSortOrderSet', sortOrder: '0.3', oldSortOrder: '0.2' },
    ],
  );
  t.strictSame(await group.deleted(), [{ type: 'DiscountGroupDeleted' }]);
});

const euros = (centAmount: number): object => ({
  type: 'centPrecision',
  currencyCode: 'EUR',
  centAmount,
  fractionDigits: 2,
});

t.test('prices that stand alone tell what becomes of them', async (t) => {
  const platform = await keeping(t);
  const draft = { key: 'one', sku: 'lamp', value: euros(500) };
  const price = await tellerOf(t, platform, { path: '/standalone-prices', typeId: 'standalone-price', draft });
  t.strictSame(price.created, [{ type: 'StandalonePriceCreated', standalonePrice: price.body }]);
  const tier = (minimumQuantity: number, centAmount: number): object => ({ minimumQuantity, value: euros(centAmount) });
  t.strictSame(
    await price.tells(
      { action: 'setKey', key: 'two' },
      { action: 'changeActive', active: false },
      { action: 'changeValue', value: euros(600) },
      { action: 'changeValue', value: euros(700), staged: true },
      { action: 'changeValue', value: euros(800), staged: true },
      { action: 'applyStagedChanges' },
      { action: 'changeValue', value: euros(900), staged: true },
      { action: 'removeStagedChanges' },
      { action: 'removeStagedChanges' },
    ),
    [
      { type: 'StandalonePriceKeySet', key: 'two', oldKey: 'one' },
      { type: 'StandalonePriceActiveChanged', active: false, oldActive: true },
      { type: 'StandalonePriceValueChanged', value: euros(600), staged: false, oldValue: euros(500) },
      { type: 'StandalonePriceValueChanged', value: euros(700), staged: true },
      { type: 'StandalonePriceValueChanged', value: euros(800), staged: true, oldValue: euros(700) },
      { type: 'StandalonePriceStagedChangesApplied', stagedChanges: { value: euros(800) } },
      { type: 'StandalonePriceValueChanged', value: euros(900), staged: true },
      { type: 'StandalonePriceStagedChangesRemoved', stagedChanges: { value: euros(900) } },
    ],
  );
  t.strictSame(
    await price.tells(
      { action: 'addPriceTier', tier: tier(10, 400) },
      { action: 'setPriceTiers', tiers: [tier(10, 400), tier(20, 300)] },
      { action: 'removePriceTier', minimumQuantity: 10 },
    ),
    [
      { type: 'StandalonePriceTierAdded', tier: tier(10, 400) },
      {
        type: 'StandalonePriceTiersSet',
        tiers: [tier(10, 400), tier(20, 300)],
        previousTiers: [tier(10, 400)],
      },
      { type: 'StandalonePriceTierRemoved', removedTier: tier(10, 400) },
    ],
  );
  const [first, second, third] = ['2030-01-01', '2031-01-01', '2032-01-01'].map((day) => `${day}T00:00:00.000Z`);
  t.strictSame(
    await price.tells(
      { action: 'setValidFrom', validFrom: first },
      { action: 'setValidUntil', validUntil: second },
      { action: 'setValidFromAndUntil', validUntil: third },
    ),
    [
      { type: 'StandalonePriceValidFromSet', validFrom: first },
      { type: 'StandalonePriceValidUntilSet', validUntil: second },
      {
        type: 'StandalonePriceValidFromAndUntilSet',
        validUntil: third,
        previousValidFrom: first,
        previousValidUntil: second,
      },
    ],
  );
  t.strictSame(await price.deleted(), [{ type: 'StandalonePriceDeleted', sku: 'lamp' }]);
});

t.test('what product discounts make of a price is told when it follows them', async (t) => {
  const platform = await keeping(t, { feeder: true, meilisearch: 'none' });
  await made(platform, '/product-types', { key: 'plain', name: 'Plain', description: 'Plain' });
  const productType = { typeId: 'product-type', key: 'plain' };
  const names = { productType, name: { en: 'Lamp' }, slug: { en: 'lamp' } };
  await made(platform, '/products', { ...names, masterVariant: { sku: 'lamp' }, publish: true });
  const draft = { sku: 'lamp', value: euros(500) };
  const price = await tellerOf(t, platform, { path: '/standalone-prices', typeId: 'standalone-price', draft });
  const external = await made(platform, '/product-discounts', {
    ...discountDraft,
    target: undefined,
    predicate: '1=1',
    value: { type: 'external' },
    sortOrder: '0.1',
    isActive: true,
  });
  const discounted = { value: euros(450), discount: { typeId: 'product-discount', id: external.id } };
  t.strictSame(await price.tells({ action: 'setDiscountedPrice', discounted }), [
    { type: 'StandalonePriceExternalDiscountSet', discounted },
  ]);
  t.strictSame(await price.tells({ action: 'setDiscountedPrice' }), [{ type: 'StandalonePriceExternalDiscountSet' }]);
  const relative = await made(platform, '/product-discounts', {
    ...discountDraft,
    key: 'follows',
    target: undefined,
    predicate: '1=1',
    sortOrder: '0.2',
    isActive: true,
  });
  const last = await eventually(async () => {
    const all = await messagesOf(platform, price.id);
    return all.length > 3 ? all.at(-1) : undefined;
  });
  t.equal(last.sequenceNumber, 4);
  t.strictSame(toldIn(last), {
    type: 'StandalonePriceDiscountSet',
    discounted: { value: euros(450), discount: { typeId: 'product-discount', id: relative.id } },
  });
});

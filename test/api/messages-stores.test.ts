import t, { type Test } from 'tap';
import type { Document } from '../../src/engine/document.ts';
import { keepMessages, tellerOf } from '../support/messages.ts';
import { type Platform, startPlatform } from '../support/platform.ts';

async function keeping(t: Test): Promise<Platform> {
  const platform = await startPlatform(t);
  await keepMessages(platform);
  return platform;
}

async function made({ request }: Platform, path: string, draft: object): Promise<Document> {
  const { status, text, body } = await request('POST', path, draft);
  if (status !== 201) throw new Error(text);
  return body as Document;
}

t.test('stores tell of their lists by what has come and gone', async (t) => {
  const platform = await keeping(t);
  const channelOf = async (key: string, role: string): Promise<object> => {
    const { id } = await made(platform, '/channels', { key, roles: [role] });
    return { typeId: 'channel', id };
  };
  const [east, west] = [await channelOf('east', 'ProductDistribution'), await channelOf('west', 'ProductDistribution')];
  const supply = await channelOf('supply', 'InventorySupply');
  const selection = await made(platform, '/product-selections', { key: 'all', name: { en: 'All' } });
  const productSelection = { typeId: 'product-selection', id: selection.id };
  const draft = { key: 'north', name: { en: 'North' }, countries: [{ code: 'DE' }], distributionChannels: [east] };
  const store = await tellerOf(t, platform, { path: '/stores', typeId: 'store', draft });
  t.strictSame(store.created, [
    {
      type: 'StoreCreated',
      name: { en: 'North' },
      languages: [],
      countries: [{ code: 'DE' }],
      distributionChannels: [east],
      supplyChannels: [],
      productSelections: [],
    },
  ]);
  t.strictSame(
    await store.tells(
      { action: 'setName' },
      { action: 'setCountries', countries: [{ code: 'FR' }, { code: 'AT' }] },
      { action: 'addCountry', country: { code: 'DE' } },
      { action: 'removeCountry', country: { code: 'AT' } },
      { action: 'setCountries', countries: [{ code: 'DE' }, { code: 'FR' }] },
      { action: 'setLanguages', languages: ['en'] },
      { action: 'setDistributionChannels', distributionChannels: [west] },
      { action: 'addDistributionChannel', distributionChannel: east },
      { action: 'removeDistributionChannel', distributionChannel: west },
      { action: 'setSupplyChannels', supplyChannels: [supply] },
      { action: 'removeSupplyChannel', supplyChannel: supply },
      { action: 'addSupplyChannel', supplyChannel: supply },
    ),
    [
      { type: 'StoreNameSet' },
      {
        type: 'StoreCountriesChanged',
        addedCountries: [{ code: 'FR' }, { code: 'AT' }],
        removedCountries: [{ code: 'DE' }],
      },
      { type: 'StoreCountriesChanged', addedCountries: [{ code: 'DE' }] },
      { type: 'StoreCountriesChanged', removedCountries: [{ code: 'AT' }] },
      { type: 'StoreLanguagesChanged', addedLanguages: ['en'] },
      {
        type: 'StoreDistributionChannelsChanged',
        addedDistributionChannels: [west],
        removedDistributionChannels: [east],
      },
      { type: 'StoreDistributionChannelsChanged', addedDistributionChannels: [east] },
      { type: 'StoreDistributionChannelsChanged', removedDistributionChannels: [west] },
      { type: 'StoreSupplyChannelsChanged', addedSupplyChannels: [supply] },
      { type: 'StoreSupplyChannelsChanged', removedSupplyChannels: [supply] },
      { type: 'StoreSupplyChannelsChanged', addedSupplyChannels: [supply] },
    ],
  );
  const setting = (active: boolean): object => ({ productSelection, active });
  t.strictSame(
    await store.tells(
      { action: 'addProductSelection', ...setting(false) },
      { action: 'changeProductSelectionActive', ...setting(true) },
      { action: 'removeProductSelection', productSelection },
      { action: 'setProductSelections', productSelections: [setting(true)] },
    ),
    [
      { type: 'StoreProductSelectionsChanged', addedProductSelections: [setting(false)] },
      { type: 'StoreProductSelectionsChanged', updatedProductSelections: [setting(true)] },
      { type: 'StoreProductSelectionsChanged', removedProductSelections: [setting(true)] },
      { type: 'StoreProductSelectionsChanged', addedProductSelections: [setting(true)] },
    ],
  );
  const pages = [
    'CheckoutUrlTemplate',
    'ContactUrl',
    'CookiePolicyUrl',
    'FaqUrl',
    'ImprintUrl',
    'OrderUrlTemplate',
    'PrivacyPolicyUrl',
    'RefundPolicyUrl',
    'ShippingPolicyUrl',
    'TermsOfServiceUrl',
  ];
  const url = 'https://shop.example.org';
  const member = (page: string): string => `${page[0]!.toLowerCase()}${page.slice(1)}`;
  t.strictSame(
    await store.tells(...pages.map((page) => ({ action: `set${page}`, [member(page)]: url }))),
    pages.map((page) => ({ type: `Store${page}Set`, [member(page)]: url })),
  );
  t.strictSame(await store.tells({ action: 'setFaqUrl' }), [{ type: 'StoreFaqUrlSet' }]);
  t.strictSame(await store.deleted(), [{ type: 'StoreDeleted' }]);
});

t.test('selections tell of the products in them', async (t) => {
  const platform = await keeping(t);
  await made(platform, '/product-types', { key: 'plain', name: 'Plain', description: 'Plain' });
  const productType = { typeId: 'product-type', key: 'plain' };
  const lamp = await made(platform, '/products', { productType, name: { en: 'Lamp' }, slug: { en: 'lamp' } });
  const product = { typeId: 'product', id: lamp.id };
  const about = { path: '/product-selections', typeId: 'product-selection' };
  const some = await tellerOf(t, platform, { ...about, draft: { key: 'some', name: { en: 'Some' } } });
  t.strictSame(some.created, [{ type: 'ProductSelectionCreated', productSelection: some.body }]);
  const only = { type: 'includeOnly', skus: ['one'] };
  const except = { type: 'includeAllExcept', skus: ['two'] };
  t.strictSame(
    await some.tells(
      { action: 'addProduct', product, variantSelection: only },
      { action: 'addProduct', product, variantSelection: only },
      { action: 'setVariantSelection', product, variantSelection: except },
    ),
    [
      { type: 'ProductSelectionProductAdded', product, variantSelection: only },
      {
        type: 'ProductSelectionVariantSelectionChanged',
        product,
        oldVariantSelection: only,
        newVariantSelection: except,
      },
    ],
  );
  t.strictSame(await some.tells({ action: 'setVariantSelection', product }), [
    { type: 'ProductSelectionVariantSelectionChanged', product, oldVariantSelection: except },
  ]);
  t.strictSame(await some.tells({ action: 'removeProduct', product: { typeId: 'product', id: lamp.id } }), [
    { type: 'ProductSelectionProductRemoved', product },
  ]);
  t.strictSame(await some.deleted(), [{ type: 'ProductSelectionDeleted' }]);

  const draft = { key: 'others', name: { en: 'Others' }, mode: 'IndividualExclusion' };
  const others = await tellerOf(t, platform, { ...about, draft });
  const variantExclusion = { skus: ['one'] };
  t.strictSame(
    await others.tells(
      { action: 'excludeProduct', product, variantExclusion },
      { action: 'setVariantExclusion', product },
      { action: 'setVariantExclusion', product, variantExclusion },
    ),
    [
      { type: 'ProductSelectionProductExcluded', product, variantExclusion },
      { type: 'ProductSelectionVariantExclusionChanged', product, oldVariantExclusion: variantExclusion },
      { type: 'ProductSelectionVariantExclusionChanged', product, newVariantExclusion: variantExclusion },
    ],
  );
});

import type { CategoryUpdateAction } from '@commercetools/platform-sdk';
import t from 'tap';
import { type Platform, startProject } from '../support/platform.ts';

/** A type with the field `note` for parts of resources. */
async function createType({ api }: Platform): Promise<void> {
  await api
    .types()
    .post({
      body: {
        key: 'notes',
        name: { en: 'Notes' },
        resourceTypeIds: ['asset', 'order', 'custom-line-item', 'address'],
        fieldDefinitions: [{ name: 'note', label: { en: 'Note' }, required: true, type: { name: 'String' } }],
      },
    })
    .execute();
}

const type = { typeId: 'type', key: 'notes' } as const;
const source = { uri: 'https://images.example.org/a.jpg', key: 'small', dimensions: { w: 40, h: 30 } };

t.test('assets of a category are changed one by one', async (t) => {
  const platform = await startProject();
  await createType(platform);
  const { api, request } = platform;
  const { body: created } = await api
    .categories()
    .post({
      body: {
        key: 'lamps',
        name: { en: 'Lamps' },
        slug: { en: 'lamps' },
        assets: [
          { key: 'first', name: { en: 'First' }, sources: [source] },
          { name: { en: 'Second' }, sources: [source], custom: { type, fields: { note: 'two' } } },
        ],
      },
    })
    .execute();
  t.match(created.assets, [{ key: 'first', sources: [source] }, { custom: { fields: { note: 'two' } } }]);
  const [first, second] = created.assets!.map(({ id }) => id);
  t.not(first, second);
  let version = created.version;
  const update = async (...actions: CategoryUpdateAction[]) => {
    const { body } = await api.categories().withKey({ key: 'lamps' }).post({ body: { version, actions } }).execute();
    ({ version } = body);
    return body.assets!;
  };
  const refused = async (action: object, code: string): Promise<void> => {
    const { status, body } = await request('POST', '/categories/key=lamps', { version, actions: [action] });
    t.match({ status, body }, { status: 400, body: { errors: [{ code }] } }, JSON.stringify(action));
  };
  const added = await update({
    action: 'addAsset',
    position: 0,
    asset: { key: 'third', name: { en: 'Third' }, sources: [source] },
  });
  t.strictSame(
    added.map(({ name }) => name['en']),
    ['Third', 'First', 'Second'],
  );
  const changed = await update(
    { action: 'changeAssetOrder', assetOrder: [first!, second!, added[0]!.id] },
    { action: 'changeAssetName', assetKey: 'first', name: { en: 'One' } },
    { action: 'setAssetDescription', assetId: first!, description: { en: 'A lamp' } },
    { action: 'setAssetTags', assetKey: 'first', tags: ['cover'] },
    { action: 'setAssetSources', assetId: second!, sources: [{ uri: 'https://images.example.org/b.jpg' }] },
    { action: 'setAssetKey', assetId: second!, assetKey: 'second' },
    { action: 'setAssetCustomField', assetKey: 'second', name: 'note', value: 'changed' },
    { action: 'setAssetCustomType', assetKey: 'first', type, fields: { note: 'one' } },
    { action: 'removeAsset', assetKey: 'third' },
  );
  t.match(changed, [
    {
      id: first,
      name: { en: 'One' },
      description: { en: 'A lamp' },
      tags: ['cover'],
      custom: { fields: { note: 'one' } },
    },
    { id: second, key: 'second', sources: [{ uri: /b\.jpg$/ }], custom: { fields: { note: 'changed' } } },
  ]);
  t.equal(changed.length, 2);
  const emptied = await update(
    { action: 'setAssetKey', assetId: second! },
    { action: 'setAssetTags', assetKey: 'first' },
    { action: 'setAssetDescription', assetKey: 'first' },
    { action: 'setAssetCustomType', assetKey: 'first' },
  );
  t.strictSame(emptied[0]!.tags, []);
  for (const name of ['description', 'custom'] as const) t.notOk(name in emptied[0]!, name);
  t.notOk('key' in emptied[1]!);

  await refused({ action: 'removeAsset' }, 'InvalidOperation');
  await refused({ action: 'removeAsset', assetKey: 'nowhere' }, 'InvalidOperation');
  await refused({ action: 'setAssetKey', assetId: second, assetKey: 'first' }, 'DuplicateField');
  await refused({ action: 'addAsset', asset: { key: 'first', name: {}, sources: [source] } }, 'DuplicateField');
  await refused({ action: 'addAsset', asset: { name: {}, sources: [] } }, 'InvalidField');
  await refused({ action: 'addAsset', asset: { name: {}, sources: [source, source] } }, 'InvalidField');
  await refused({ action: 'changeAssetOrder', assetOrder: [first, first] }, 'InvalidInput');
  await refused({ action: 'setAssetCustomField', assetId: second, name: 'note' }, 'RequiredField');
  const query =
    '{ category(key: "lamps") { assets { id key name(locale: "en") sources { uri dimensions { width height } } } } }';
  const { body } = await request('POST', '/graphql', { query });
  t.match(body, {
    data: {
      category: { assets: [{ name: 'One', sources: [{ dimensions: { width: 40, height: 30 } }] }, { key: null }] },
    },
  });
});

t.test('a cart and its parts have custom fields', async (t) => {
  const platform = await startProject();
  await createType(platform);
  const { api, request } = platform;
  const custom = { type, fields: { note: 'given' } };
  const money = { currencyCode: 'EUR', centAmount: 100 };
  const { body: cart } = await api
    .carts()
    .post({
      body: {
        currency: 'EUR',
        taxMode: 'Disabled',
        custom,
        shippingAddress: { country: 'DE', custom },
        billingAddress: { country: 'DE' },
        customLineItems: [{ key: 'wrap', name: { en: 'Wrap' }, slug: 'wrap', money, custom }],
      },
    })
    .execute();
  const given = { fields: { note: 'given' } };
  t.match(cart, { custom: given, shippingAddress: { custom: given }, customLineItems: [{ custom: given }] });
  const { body: changed } = await api
    .carts()
    .withId({ ID: cart.id })
    .post({
      body: {
        version: cart.version,
        actions: [
          { action: 'setCustomField', name: 'note', value: 'cart' },
          { action: 'setCustomLineItemCustomField', customLineItemKey: 'wrap', name: 'note', value: 'item' },
          { action: 'setShippingAddressCustomField', name: 'note', value: 'shipping' },
          { action: 'setBillingAddressCustomType', type, fields: { note: 'billing' } },
        ],
      },
    })
    .execute();
  t.match(changed, {
    custom: { fields: { note: 'cart' } },
    customLineItems: [{ custom: { fields: { note: 'item' } } }],
    shippingAddress: { custom: { fields: { note: 'shipping' } } },
    billingAddress: { custom: { fields: { note: 'billing' } } },
  });
  const update = (actions: object[]) => request('POST', `/carts/${cart.id}`, { version: changed.version, actions });
  const { body: wrong } = await update([
    { action: 'setCustomField', name: 'note', value: 5 },
    { action: 'setCustomLineItemCustomType', customLineItemKey: 'wrap', type, fields: { nonsense: 1 } },
  ]);
  t.match(wrong, {
    errors: [
      { code: 'InvalidJsonInput', message: /custom\.fields\.note/ },
      { field: 'customLineItems[0].custom.fields.nonsense' },
      { code: 'RequiredField', field: 'customLineItems[0].custom.fields.note' },
    ],
  });
  t.match((await update([{ action: 'setShippingAddress' }, { action: 'setShippingAddressCustomType', type }])).body, {
    errors: [{ code: 'InvalidOperation' }],
  });
  const where = encodeURIComponent('custom(fields(note="cart"))');
  t.match((await request('GET', `/carts?where=${where}`)).body, { results: [{ id: cart.id }] });
});

t.test('a reference that is set to what it is keeps its target, and lets it go when it is gone', async (t) => {
  const { request } = await startProject();
  for (const key of ['standard', 'reduced']) await request('POST', '/tax-categories', { key, name: key });
  await request('POST', '/shipping-methods', { key: 'post', name: 'Post', taxCategory: { key: 'standard' } });
  const change = (version: number, key: string, name: string) =>
    request('POST', '/shipping-methods/key=post', {
      version,
      actions: [
        { action: 'changeTaxCategory', taxCategory: { key } },
        { action: 'changeName', name },
      ],
    });
  const removed = async () => (await request('DELETE', '/tax-categories/key=standard?version=1')).status;
  t.match(await change(1, 'standard', 'Mail'), { status: 200, body: { name: 'Mail' } });
  t.equal(await removed(), 400);
  t.match(await change(2, 'reduced', 'Parcel'), { status: 200, body: { name: 'Parcel' } });
  t.equal(await removed(), 200);
});

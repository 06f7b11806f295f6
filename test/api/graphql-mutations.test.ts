import t, { type Test } from 'tap';
import { type Platform, startPlatform } from '../support/platform.ts';

type Query = (
  query: string,
  variables?: object,
) => Promise<{ status: number; data: Record<string, never>; errors?: object[] }>;

async function start(t: Test): Promise<Platform & { query: Query }> {
  const platform = await startPlatform(t);
  const query: Query = async (text, variables = {}) => {
    const { status, body } = await platform.request('POST', '/graphql', { query: text, variables });
    return { status, ...body } as Awaited<ReturnType<Query>>;
  };
  return { ...platform, query };
}

t.test('a zone is created, updated and deleted, and each answer is fresh', async (t) => {
  const { query } = await start(t);
  const created = await query(
    'mutation ($draft: CreateZone!) { createZone(draft: $draft) { id version locations { country state } } }',
    { draft: { name: 'Europe', key: 'europe', locations: [{ country: 'DE' }, { country: 'US', state: 'NY' }] } },
  );
  t.strictSame(created.errors, undefined);
  t.match(created.data, { createZone: { version: 1, locations: [{ country: 'DE' }, { country: 'US', state: 'NY' }] } });
  const change = `mutation {
    updateZone(key: "europe", version: 1, actions: [
      { changeName: { name: "EU" } }, { addLocation: { location: { country: "FR" } } }, { setDescription: {} }
    ]) { version name locations { country } lastModifiedBy { clientId } }
  }`;
  t.match((await query(change)).data, { updateZone: { version: 2, name: 'EU' } });
  const again = await query(change);
  t.match(again, { status: 200, errors: [{ extensions: { code: 'ConcurrentModification', currentVersion: 2 } }] });
  t.match((await query('mutation { deleteZone(key: "europe", version: 2) { name } }')).data, {
    deleteZone: { name: 'EU' },
  });
  t.match((await query('{ zone(key: "europe") { id } zones { exists total } }')).data, {
    zone: null,
    zones: { exists: false, total: 0 },
  });
});

t.test('mutations need exactly one member an action, the right scope, and a name', async (t) => {
  const { query, request, tokenWith, projectKey } = await start(t);
  await query('mutation { createZone(draft: { name: "Z", key: "z1" }) { id } }');
  const both =
    'mutation { updateZone(key: "z1", version: 1, actions: [{ changeName: { name: "A" }, setKey: {} }]) { id } }';
  t.match(await query(both), { errors: [{ extensions: { code: 'InvalidInput' } }] });
  t.match(await query('mutation { deleteZone(version: 1) { id } }'), {
    errors: [{ extensions: { code: 'InvalidInput' } }],
  });
  const token = await tokenWith([`view_zones:${projectKey}`]);
  const body = { query: 'mutation { deleteZone(key: "z1", version: 1) { id } }' };
  t.match(await request('POST', '/graphql', body, { authorization: `Bearer ${token}` }), {
    status: 403,
    body: { errors: [{ extensions: { code: 'insufficient_scope' } }] },
  });
});

t.test('what was written is never told as a failure, whatever is shown of it', async (t) => {
  const { request, tokenWith, projectKey } = await start(t);
  const authorization = `Bearer ${await tokenWith([`manage_zones:${projectKey}`, `view_states:${projectKey}`])}`;
  const ask = (query: string) => request('POST', '/graphql', { query }, { authorization });
  const denied = { errors: [{ extensions: { code: 'insufficient_scope' } }] };
  const group = 'b: createCustomerGroup(draft: { groupName: "g" }) { id }';
  const signUp = 'b: customerSignUp(draft: { email: "a@example.org", password: "Secret12" }) { customer { id } }';
  for (const [index, [shown, other]] of [
    ['description', group],
    ['locations { country }', group],
    ['id', signUp],
  ].entries()) {
    const answer = await ask(
      `mutation { a: createZone(draft: { name: "Zone", key: "zone-${index}" }) { ${shown} } ${other} }`,
    );
    t.match(answer, { status: 200, body: denied }, `${shown}, ${other}`);
    t.equal((await request('GET', `/zones/key=zone-${index}`)).status, 200);
  }
  t.match(await ask(`mutation { ${group} }`), { status: 403, body: denied });
  t.match(await ask(`mutation { ${signUp} }`), { status: 403, body: denied });
  t.match(await ask('{ a: zones(where: "key = \\"none\\"") { results { id } } b: customerGroup(key: "x") { id } }'), {
    status: 200,
    body: denied,
  });
  t.match(await ask('{ b: customerGroup(key: "x") { id } c: customers { total } }'), { status: 403, body: denied });
});

t.test('a mutation shows the stock and the price as those before it left them', async (t) => {
  const { query, request } = await start(t);
  const type = { key: 'plain', name: 'Plain', description: 'Without attributes' };
  await request('POST', '/product-types', type);
  await request('POST', '/products', {
    key: 'lamp',
    name: { en: 'Lamp' },
    slug: { en: 'lamp' },
    productType: { typeId: 'product-type', key: 'plain' },
    priceMode: 'Standalone',
    masterVariant: { sku: 'LAMP' },
  });
  const money = (centAmount: number): object => ({ currencyCode: 'EUR', centAmount });
  await request('POST', '/standalone-prices', { key: 'price', sku: 'LAMP', value: money(100) });
  await request('POST', '/inventory', { key: 'stock', sku: 'LAMP', quantityOnStock: 10 });
  const shown = `masterData { staged { masterVariant {
    availability { noChannel { availableQuantity } } price(currency: "EUR") { value { centAmount } }
  } } }`;
  const { data, errors } = await query(`mutation {
    before: updateProduct(key: "lamp", version: 1, actions: []) { ${shown} }
    updateInventoryEntry(key: "stock", version: 1, actions: [{ addQuantity: { quantity: 5 } }]) { version }
    updateStandalonePrice(key: "price", version: 1, actions: [
      { changeValue: { value: { centPrecision: { currencyCode: "EUR", centAmount: 120 } } } }
    ]) { version }
    after: updateProduct(key: "lamp", version: 1, actions: []) { ${shown} }
  }`);
  t.equal(errors, undefined);
  const seen = (availableQuantity: number, centAmount: number): object => ({
    masterData: {
      staged: {
        masterVariant: { availability: { noChannel: { availableQuantity } }, price: { value: { centAmount } } },
      },
    },
  });
  t.match(data, { before: seen(10, 100), after: seen(15, 120) });
});

t.test('what was written is no failure though the answer is too large', async (t) => {
  const { query, request } = await start(t);
  const value = JSON.stringify('x'.repeat(900_000));
  const keys = Array.from({ length: 20 }, (_, index) => `k${index}`);
  const fields = keys.map(
    (key) =>
      `${key}: createOrUpdateCustomObject(draft: { container: "large", key: "${key}", value: $value }) { value }`,
  );
  const { status, data, errors } = await query(`mutation ($value: String!) { ${fields.join(' ')} }`, { value });
  t.match(
    { status, data, errors },
    {
      status: 200,
      data: null,
      errors: [{ extensions: { code: 'QueryComplexityLimitExceeded' } }],
    },
  );
  t.match((await request('GET', '/custom-objects?where=container = "large"&limit=1')).body, { total: keys.length });
});

t.test('types, custom fields, money, tiers and links go in and come out', async (t) => {
  const { query } = await start(t);
  t.match(
    await query(`mutation {
      createTypeDefinition(draft: {
        key: "extra", name: [{ locale: "en", value: "Extra" }], resourceTypeIds: ["shipping-method"],
        fieldDefinitions: [
          { name: "note", label: [{ locale: "en", value: "Note" }], required: false, inputHint: SingleLine, type: { String: {} } },
          { name: "sizes", label: [], required: false, inputHint: SingleLine,
            type: { Set: { elementType: { Enum: { values: [{ key: "s", label: "S" }] } } } } },
          { name: "zone", label: [], required: false, inputHint: SingleLine, type: { Reference: { referenceTypeId: "zone" } } }
        ]
      }) { id resourceTypeIds fieldDefinitions(includeNames: ["sizes"]) { name type { name ... on SetType { elementType { name ... on EnumType { values { key } } } } } } }
      createZone(draft: { name: "Europe", key: "europe" }) { id }
      createTaxCategory(draft: { name: "Tax", key: "tax" }) { id }
      createStore(draft: { key: "north", name: [{ locale: "en", value: "North" }] }) { key }
    }`),
    {
      data: {
        createTypeDefinition: {
          resourceTypeIds: ['shipping-method'],
          fieldDefinitions: [
            { name: 'sizes', type: { name: 'Set', elementType: { name: 'Enum', values: [{ key: 's' }] } } },
          ],
        },
      },
    },
  );
  const fields = `name(locale: "en") nameAllLocales { value }`;
  const created = await query(
    `mutation ($fields: [CustomFieldInput!]) {
      createShippingMethod(draft: {
        key: "m1", name: "Method", isDefault: true, taxCategory: { key: "tax", typeId: "tax-category" },
        localizedName: [{ locale: "en", value: "Standard" }], stores: [{ key: "north" }],
        zoneRates: [{ zone: { key: "europe" }, shippingRates: [{
          price: { currencyCode: "EUR", centAmount: 490 },
          tiers: [{ CartScore: { score: 2, priceFunction: { currencyCode: "EUR", function: "x * 100" } } }]
        }] }],
        custom: { typeKey: "extra", fields: $fields }
      }) {
        localizedName(locale: "en") taxCategory { name } taxCategoryRef { id } storesRef { key } stores { ${fields} }
        zoneRates { zone { key } shippingRates { price { centAmount } tiers { type ... on ShippingRateCartScorePriceTier { score priceFunction { function } } } } }
        custom { typeRef { typeId } type { key } customFieldsRaw(excludeNames: ["note"]) { name value referencedResource { id ... on Zone { key } } } }
      }
    }`,
    {
      fields: [
        { name: 'note', value: '"hello"' },
        { name: 'sizes', value: '["s"]' },
        { name: 'zone', value: '{ "typeId": "zone", "key": "europe" }' },
      ],
    },
  );
  t.notOk(created.errors, JSON.stringify(created.errors));
  t.match(created.data, {
    createShippingMethod: {
      localizedName: 'Standard',
      taxCategory: { name: 'Tax' },
      storesRef: [{ key: 'north' }],
      stores: [{ name: 'North', nameAllLocales: [{ value: 'North' }] }],
      zoneRates: [
        {
          zone: { key: 'europe' },
          shippingRates: [
            {
              price: { centAmount: 490 },
              tiers: [{ type: 'CartScore', score: 2, priceFunction: { function: 'x * 100' } }],
            },
          ],
        },
      ],
      custom: {
        typeRef: { typeId: 'type' },
        type: { key: 'extra' },
        customFieldsRaw: [
          { name: 'sizes', value: ['s'] },
          { name: 'zone', referencedResource: { key: 'europe' } },
        ],
      },
    },
  });
  const changed = await query(`mutation {
    updateShippingMethod(key: "m1", version: 1, actions: [
      { setCustomField: { name: "note", value: "\\"bye\\"" } }, { setStores: { stores: [] } }
    ]) { version stores { key } custom { customFieldsRaw(includeNames: ["note"]) { value } } }
  }`);
  t.match(changed.data, {
    updateShippingMethod: { version: 2, stores: [], custom: { customFieldsRaw: [{ value: 'bye' }] } },
  });
  t.match(
    await query(
      'mutation { updateShippingMethod(key: "m1", version: 2, actions: [{ setCustomField: { name: "note", value: "no json" } }]) { id } }',
    ),
    { errors: [{ extensions: { code: 'InvalidInput' } }] },
  );
});

t.test('custom objects and API clients have their own mutations', async (t) => {
  const { query, projectKey } = await start(t);
  const upsert =
    'mutation ($value: String!) { createOrUpdateCustomObject(draft: { container: "c", key: "k", value: $value }) { version value } }';
  t.match((await query(upsert, { value: '{ "a": 1 }' })).data, {
    createOrUpdateCustomObject: { version: 1, value: { a: 1 } },
  });
  t.match((await query(upsert, { value: '2' })).data, { createOrUpdateCustomObject: { version: 2, value: 2 } });
  t.match(
    (await query('{ customObject(container: "c", key: "k") { value } customObjects(container: "c") { total } }')).data,
    {
      customObject: { value: 2 },
      customObjects: { total: 1 },
    },
  );
  t.match(
    (await query('mutation { deleteCustomObject(container: "c", key: "k", personalDataErasure: true) { version } }'))
      .data,
    { deleteCustomObject: { version: 2 } },
  );
  const made = await query(
    'mutation ($draft: CreateApiClient!) { createApiClient(draft: $draft) { id secret scope } }',
    {
      draft: { name: 'New', scope: `view_zones:${projectKey}` },
    },
  );
  t.match(made.data, { createApiClient: { secret: /./, scope: `view_zones:${projectKey}` } });
  const { id } = (made.data as unknown as { createApiClient: { id: string } }).createApiClient;
  t.match((await query('mutation ($id: String!) { deleteApiClient(id: $id) { name } }', { id })).data, {
    deleteApiClient: { name: 'New' },
  });
});

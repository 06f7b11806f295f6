import t from 'tap';
import { prepareDatabase } from '../../src/administration.ts';
import { isCountryCode } from '../../src/fields/country.ts';
import { meilisearch, eventually } from '../support/services.ts';
import { requestToken, send, startPlatform, startProject } from '../support/platform.ts';

t.test('a project shows its settings with every default, and keeps them to those who may see them', async (t) => {
  const { api, request, projectKey, tokenWith } = await startProject();
  const { body } = await api.get().execute();
  t.match(body, {
    key: projectKey,
    version: 1,
    name: projectKey,
    messages: { enabled: false, deleteDaysAfterCreation: 15 },
    carts: { deleteDaysAfterLastModification: 90, countryTaxRateFallbackEnabled: false, taxRoundingMode: 'HalfEven' },
    shoppingLists: { deleteDaysAfterLastModification: 360 },
    inventory: { releaseExpiredReservations: true },
    discounts: { discountCombinationMode: 'Stacking' },
    createdAt: /Z$/,
  });
  t.equal((await request('HEAD', '')).status, 200);
  t.equal((await request('DELETE', '')).status, 405);
  t.equal((await request('GET', '/')).status, 200, 'as older clients write it');
  const token = await tokenWith([`view_zones:${projectKey}`]);
  const headers = { authorization: `Bearer ${token}` };
  t.equal((await request('GET', '', undefined, headers)).status, 403);
  const viewer = { authorization: `Bearer ${await tokenWith([`view_project_settings:${projectKey}`])}` };
  t.equal((await request('GET', '', undefined, viewer)).status, 200);
  t.equal((await request('POST', '', { version: 1, actions: [] }, viewer)).status, 403);
});

t.test('update actions change the settings, all or none, at one version', async (t) => {
  const { api, request } = await startProject();
  const values = [{ key: 'small', label: { en: 'Small' } }];
  const classification = { type: 'CartClassification' as const, values };
  const changed = await api
    .post({
      body: {
        version: 1,
        actions: [
          { action: 'changeName', name: 'Shop' },
          { action: 'changeCountries', countries: ['DE', 'FR'] },
          { action: 'changeCurrencies', currencies: ['EUR'] },
          { action: 'changeLanguages', languages: ['de', 'en'] },
          {
            action: 'changeMessagesConfiguration',
            messagesConfiguration: { enabled: true, deleteDaysAfterCreation: 30 },
          },
          { action: 'changeCartsConfiguration', cartsConfiguration: { deleteDaysAfterLastModification: 10 } },
          { action: 'changeTaxRoundingMode', taxRoundingMode: 'HalfUp' },
          {
            action: 'changeShoppingListsConfiguration',
            shoppingListsConfiguration: { deleteDaysAfterLastModification: 5 },
          },
          { action: 'changeOrderSearchStatus', status: 'Activated' },
          { action: 'setShippingRateInputType', shippingRateInputType: classification },
          {
            action: 'setExternalOAuth',
            externalOAuth: { url: 'https://auth.example.org/i', authorizationHeader: 'Bearer x' },
          },
        ],
      },
    })
    .execute();
  t.match(changed.body, {
    version: 2,
    name: 'Shop',
    countries: ['DE', 'FR'],
    messages: { enabled: true, deleteDaysAfterCreation: 30 },
    carts: { deleteDaysAfterLastModification: 10, taxRoundingMode: 'HalfUp' },
    searchIndexing: { orders: { status: 'Activated', lastModifiedBy: { clientId: /./ } } },
    shippingRateInputType: classification,
    externalOAuth: { url: 'https://auth.example.org/i', authorizationHeader: '****' },
  });
  t.notOk((await request('GET', '')).text.includes('Bearer x'), 'the header is a secret');
  t.match(await request('POST', '', { version: 1, actions: [{ action: 'changeName', name: 'Late' }] }), {
    status: 409,
    body: { errors: [{ code: 'ConcurrentModification', message: /^The Project with /, currentVersion: 2 }] },
  });
  t.match(await request('POST', '', { version: 2, actions: [{ action: 'changeName', name: 'Shop' }] }), {
    status: 200,
    body: { version: 2 },
  });
  const undecided = { action: 'setDiscountsConfiguration', discountsConfiguration: {} };
  const refused = [
    { action: 'changeLanguages', languages: ['german'] },
    { action: 'changeCurrencies', currencies: ['XXZ'] },
    { action: 'changeCountries' },
    { action: 'changeCartsConfiguration', cartsConfiguration: { deleteDaysAfterLastModification: 0 } },
    undecided,
    { action: 'setExternalOAuth', externalOAuth: { url: 'ftp://x', authorizationHeader: 'x' } },
    {
      action: 'setShippingRateInputType',
      shippingRateInputType: { ...classification, values: [...classification.values, ...classification.values] },
    },
    { action: 'unknown' },
  ];
  for (const action of refused) {
    const answer = await request('POST', '', { version: 2, actions: [{ action: 'changeName', name: 'Half' }, action] });
    t.equal(answer.status, 400, JSON.stringify(action));
    t.notMatch(answer.text, 'ProjectProjection', 'errors call the type what REST calls it');
  }
  t.match(await request('POST', '', { version: 2, actions: [undecided] }), {
    body: { errors: [{ code: 'RequiredField', field: 'actions[0].discountsConfiguration.discountCombinationMode' }] },
  });
  const unknown = await request('POST', '', { version: 2, actions: [{ action: 'unknown' }] });
  t.match(unknown.body, { errors: [{ message: /does not exist for Project\. Known actions: changeName, / }] });
  t.match((await request('GET', '')).body, { version: 2, name: 'Shop' });
});

t.test('a project sells in all the world', async (t) => {
  const { request } = await startProject();
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  const countries = letters.flatMap((one) => letters.map((other) => `${one}${other}`)).filter(isCountryCode);
  t.equal(countries.length, 249);
  // So many that they are no longer written in one part.
  const languages = countries.flatMap((country) =>
    ['ar', 'de', 'en', 'es', 'fr', 'pt', 'sw', 'zh'].map((one) => `${one}-${country}`),
  );
  const { body } = await request('GET', '');
  const version = Number(body['version']);
  const actions = [
    { action: 'changeCountries', countries },
    { action: 'changeLanguages', languages },
  ];
  const changed = await request('POST', '', { version, actions });
  t.match(changed, { status: 200, body: { version: version + 1, countries, languages } });
  const again = { version: version + 1, actions: [{ action: 'changeName', name: 'World' }] };
  t.match(await request('POST', '', again), { status: 200, body: { name: 'World', countries, languages } });
  t.match((await request('GET', '')).body, { version: version + 2, countries, languages });
});

t.test('a first project without the demo shop tiers no shipping rates', async (t) => {
  const { config, request, projectKey, baseUrl } = await startProject();
  t.match((await request('GET', '')).body, { shippingRateInputType: { type: 'CartScore' } });
  const empty = { ...config, projectKey: `${projectKey}-empty`, demoProducts: 0 };
  const client = await prepareDatabase(empty);
  const token = await requestToken(baseUrl, client!);
  const headers = { authorization: `Bearer ${token}` };
  const settings = await fetch(`${baseUrl}/${empty.projectKey}`, { headers }).then((answer) => answer.json() as object);
  t.match(settings, { key: empty.projectKey, currencies: ['EUR', 'CHF', 'GBP', 'USD', 'JPY'] });
  t.notOk('shippingRateInputType' in settings);
});

t.test('of many updates of one version of the settings one wins', async (t) => {
  const { request } = await startProject();
  const answers = await Promise.all(
    Array.from({ length: 16 }, (_, index) =>
      request('POST', '', { version: 1, actions: [{ action: 'changeName', name: `Name ${index}` }] }),
    ),
  );
  t.equal(answers.filter(({ status }) => status === 200).length, 1);
  for (const { status, body } of answers)
    if (status !== 200) t.match(body, { errors: [{ code: 'ConcurrentModification', currentVersion: 2 }] });
});

t.test('a language that a store speaks cannot be removed', async (t) => {
  const { api, request } = await startProject();
  await api
    .stores()
    .post({ body: { key: 'north', languages: ['fr'] } })
    .execute();
  const change = (languages: readonly string[]) =>
    request('POST', '', { version: 1, actions: [{ action: 'changeLanguages', languages }] });
  t.match((await change(['en', 'de'])).body, { errors: [{ code: 'LanguageUsedInStores' }] });
  t.match((await change(['en', 'fr'])).body, { version: 2, languages: ['en', 'fr'] });
  t.match((await request('POST', '/stores', { key: 'south', languages: ['de'] })).body, {
    errors: [{ code: 'ProjectNotConfiguredForLanguages', languages: ['de'] }],
  });
});

t.test('GraphQL reads and changes the same settings', async (t) => {
  const { request } = await startProject();
  const ask = async (query: string) => (await request('POST', '/graphql', { query })).body;
  const query =
    '{ project { version name languages carts { deleteDaysAfterLastModification } shippingRateInputType { type } searchIndexing { products { status } } } }';
  t.match(await ask(query), { data: { project: { version: 1, shippingRateInputType: { type: 'CartScore' } } } });
  const mutation = `mutation { updateProject(version: 1, actions: [
    { changeName: { name: "Shop" } },
    { setShippingRateInputType: { shippingRateInputType: { CartClassification: { values: [{ key: "s", label: [{ locale: "en", value: "S" }] }] } } } }
  ]) { version name shippingRateInputType { type ... on CartClassificationType { values { key label(locale: "en") } } } } }`;
  t.match(await ask(mutation), {
    data: {
      updateProject: {
        version: 2,
        name: 'Shop',
        shippingRateInputType: { type: 'CartClassification', values: [{ key: 's', label: 'S' }] },
      },
    },
  });
  t.match(await ask(query), { data: { project: { version: 2, name: 'Shop' } } });
});

t.test('product search is switched off and on again', async (t) => {
  const { projectKey, request } = await startPlatform(t, { feeder: true });
  await request('POST', '/product-types', { key: 'any', name: 'Any', description: 'Any' });
  await request('POST', '/products', {
    productType: { key: 'any' },
    name: { en: 'Knife' },
    slug: { en: 'knife' },
    publish: true,
    searchKeywords: { en: [{ text: 'Knife' }] },
  });
  const suggest = async () => (await request('GET', '/product-projections/suggest?searchKeywords.en=kni')).body;
  const found = { 'searchKeywords.en': [{ text: 'Knife' }] };
  const isFound = async () => (JSON.stringify(await suggest()) === JSON.stringify(found) ? true : undefined);
  await eventually(isFound);
  const switchTo = async (enabled: boolean) => {
    const { body } = await request('GET', '');
    const action = { action: 'changeProductSearchIndexingEnabled', enabled };
    return (await request('POST', '', { version: body['version'], actions: [action] })).body;
  };
  t.match(await switchTo(false), { searchIndexing: { products: { status: 'Deactivated' } } });
  t.match(await suggest(), { errors: [{ code: 'SearchDeactivated' }] });
  const { url, key } = meilisearch();
  const indexes = async () =>
    (
      await send({
        baseUrl: url,
        method: 'GET',
        path: '/indexes?limit=1000',
        headers: { authorization: `Bearer ${key}` },
      })
    ).text;
  await eventually(async () => ((await indexes()).includes(projectKey) ? undefined : true));
  t.match(await switchTo(true), { searchIndexing: { products: { status: 'Indexing' } } });
  t.match(await switchTo(true), { searchIndexing: { products: { status: /Indexing|Activated/ } } });
  await eventually(isFound);
});

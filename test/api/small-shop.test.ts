/** An unmodified client of the public API builds a small shop from nothing, and a storefront finds its way in it. */
import type { CategoryReference, ProductDraft, ProductProjection } from '@commercetools/platform-sdk';
import t from 'tap';
import { startPlatform } from '../support/platform.ts';
import { eventually } from '../support/services.ts';

const { api } = await startPlatform(t, { search: true });

const label = (en: string, de: string) => ({ en, de });
const eur = (centAmount: number) => ({ currencyCode: 'EUR', centAmount });
const sold = { priceCurrency: 'EUR', priceCountry: 'DE' };

async function furnish(): Promise<void> {
  const definition = { attributeConstraint: 'None', isRequired: false, isSearchable: true } as const;
  await api
    .productTypes()
    .post({
      body: {
        key: 'lamp',
        name: 'Lamp',
        description: 'What gives light',
        attributes: [
          {
            ...definition,
            name: 'color',
            label: label('Color', 'Farbe'),
            type: {
              name: 'lenum',
              values: [
                { key: 'red', label: label('red', 'rot') },
                { key: 'blue', label: label('blue', 'blau') },
              ],
            },
          },
          { ...definition, name: 'watts', label: label('Watts', 'Watt'), type: { name: 'number' } },
          {
            ...definition,
            name: 'rooms',
            label: label('Rooms', 'Räume'),
            type: { name: 'set', elementType: { name: 'text' } },
          },
        ],
      },
    })
    .execute();
  let parent: { parent?: { typeId: 'category'; key: string } } = {};
  for (const key of ['home', 'light', 'desk-lamps']) {
    await api
      .categories()
      .post({ body: { key, name: { en: key }, slug: { en: key }, ...parent } })
      .execute();
    parent = { parent: { typeId: 'category', key } };
  }
  await api
    .customerGroups()
    .post({ body: { key: 'members', groupName: 'Members' } })
    .execute();
  await api
    .channels()
    .post({ body: { key: 'warehouse', roles: ['InventorySupply', 'ProductDistribution'] } })
    .execute();
  await api
    .productDiscounts()
    .post({
      body: {
        key: 'tenth',
        name: { en: 'A tenth off' },
        value: { type: 'relative', permyriad: 1000 },
        predicate: 'categoriesWithAncestors.key contains "light" and attributes.color.key = "blue"',
        sortOrder: '0.5',
        isActive: true,
      },
    })
    .execute();
}

function lamp(key: string, colors: readonly string[], centAmount: number): ProductDraft {
  const variants = colors.map((color, index) => ({
    sku: `${key}-${color}`,
    attributes: [
      { name: 'color', value: color },
      { name: 'watts', value: 40 + 20 * index },
      { name: 'rooms', value: ['office', 'bedroom'] },
    ],
    prices: [
      { value: eur(centAmount), tiers: [{ minimumQuantity: 10, value: eur(centAmount - 100) }] },
      { value: eur(centAmount - 50), country: 'DE' },
      { value: eur(centAmount - 200), customerGroup: { typeId: 'customer-group' as const, key: 'members' } },
    ],
  }));
  return {
    key,
    productType: { typeId: 'product-type', key: 'lamp' },
    name: label(`Lamp ${key}`, `Lampe ${key}`),
    slug: label(`lamp-${key}`, `lampe-${key}`),
    categories: [{ typeId: 'category', key: 'desk-lamps' }],
    searchKeywords: { en: [{ text: `bright ${key}`, suggestTokenizer: { type: 'whitespace' } }] },
    masterVariant: variants[0]!,
    variants: variants.slice(1),
    publish: true,
  };
}

const projection = async (key: string): Promise<ProductProjection> =>
  (await api.productProjections().withKey({ key }).get({ queryArgs: sold }).execute()).body;

t.test('a shop is built, changed and found as the public client does it', async (t) => {
  await furnish();
  for (const draft of [lamp('arc', ['red', 'blue'], 5000), lamp('bow', ['blue'], 3000), lamp('cup', ['red'], 1000)])
    await api.products().post({ body: draft }).execute();

  const arc = await projection('arc');
  t.match(arc.masterVariant.price, { country: 'DE', value: { centAmount: 4950 } });
  t.notOk(arc.masterVariant.price!.discounted, 'red ones are not cheaper');
  t.match(arc.variants[0]!.price!.discounted, { value: { centAmount: 4455 } });
  const [category] = arc.categories as [CategoryReference];
  const { body: desk } = await api
    .categories()
    .withId({ ID: category.id })
    .get({ queryArgs: { expand: ['ancestors[*]'] } })
    .execute();
  t.strictSame(
    desk.ancestors.map(({ obj }) => obj!.key),
    ['home', 'light'],
  );

  await api
    .inventory()
    .post({ body: { sku: 'arc-red', quantityOnStock: 3, supplyChannel: { typeId: 'channel', key: 'warehouse' } } })
    .execute();
  await api
    .inventory()
    .post({ body: { sku: 'arc-red', quantityOnStock: 2 } })
    .execute();
  t.match((await projection('arc')).masterVariant.availability, { isOnStock: true, availableQuantity: 2 });

  const staged = await api
    .products()
    .withKey({ key: 'cup' })
    .post({
      body: {
        version: (await api.products().withKey({ key: 'cup' }).get().execute()).body.version,
        actions: [
          { action: 'changeName', name: label('Cup of light', 'Becher voll Licht') },
          { action: 'setPriceMode', priceMode: 'Standalone' },
        ],
      },
    })
    .execute();
  t.equal(staged.body.masterData.hasStagedChanges, true);
  t.equal((await projection('cup')).name['en'], 'Lamp cup');
  await api
    .standalonePrices()
    .post({ body: { sku: 'cup-red', value: eur(900) } })
    .execute();
  const { version } = staged.body;
  await api
    .products()
    .withKey({ key: 'cup' })
    .post({ body: { version, actions: [{ action: 'publish' }] } })
    .execute();
  t.match(await projection('cup'), {
    name: { en: 'Cup of light' },
    masterVariant: { price: { value: { centAmount: 900 } } },
  });

  const { body: selection } = await api
    .productSelections()
    .post({ body: { key: 'north', name: { en: 'North' } } })
    .execute();
  await api
    .productSelections()
    .withKey({ key: 'north' })
    .post({
      body: {
        version: selection.version,
        actions: [{ action: 'addProduct', product: { typeId: 'product', key: 'arc' } }],
      },
    })
    .execute();
  await api
    .stores()
    .post({
      body: {
        key: 'north',
        name: { en: 'North' },
        languages: ['en'],
        productSelections: [{ productSelection: { typeId: 'product-selection', key: 'north' }, active: true }],
      },
    })
    .execute();
  const inStore = api.inStoreKeyWithStoreKeyValue({ storeKey: 'north' }).productProjections();
  t.strictSame((await inStore.withKey({ key: 'arc' }).get().execute()).body.name, { en: 'Lamp arc' });
  await t.rejects(inStore.withKey({ key: 'bow' }).get().execute(), { code: 'ResourceNotFound' } as object as Error);

  const review = { rating: 5, authorName: 'Ann', target: { typeId: 'product' as const, key: 'arc' } };
  await api.reviews().post({ body: review }).execute();
  t.match((await projection('arc')).reviewRatingStatistics, { averageRating: 5, count: 1 });
});

t.test('a storefront finds what is there', async (t) => {
  const search = async (queryArgs: object) =>
    (
      await api
        .productProjections()
        .search()
        .get({ queryArgs: { ...sold, ...queryArgs } })
        .execute()
    ).body;
  const page = await eventually(async () => {
    // It is refused while products are indexed for the first time.
    const found = await search({
      'filter.query': `categories.id:subtree("${(await api.categories().withKey({ key: 'home' }).get().execute()).body.id}")`,
      facet: ['variants.attributes.color.key', 'variants.scopedPrice.value.centAmount:range (0 to 2000), (2000 to *)'],
      sort: 'variants.scopedPrice.currentValue.centAmount asc',
    }).catch(() => undefined);
    return found?.total === 3 && found.results[0]!.name['en'] === 'Cup of light' ? found : undefined;
  });
  t.strictSame(
    page.results.map(({ key }) => key),
    ['cup', 'bow', 'arc'],
  );
  t.match(page.facets, {
    'variants.attributes.color.key': { terms: [{ count: 2 }, { count: 2 }] },
    'variants.scopedPrice.value.centAmount': { ranges: [{ count: 1 }, { count: 3 }] },
  });
  const blue = await search({
    'text.en': 'lamp',
    filter: 'variants.attributes.color.label.de:"blau"',
    markMatchingVariants: true,
  });
  t.strictSame(blue.results.map(({ key }) => key!).toSorted(), ['arc', 'bow']);

  const suggested = async (): Promise<readonly string[]> => {
    const { body } = await api
      .productProjections()
      .suggest()
      .get({ queryArgs: { 'searchKeywords.en': 'bri' } })
      .execute();
    // The type of the client has no index.
    const { 'searchKeywords.en': texts } = body as unknown as Record<string, readonly { text: string }[]>;
    return texts!.map(({ text }) => text).toSorted();
  };
  const texts = await eventually(async () => ((await suggested()).length === 3 ? suggested() : undefined));
  t.strictSame(texts, ['bright arc', 'bright bow', 'bright cup']);
  const { body: staged } = await api
    .productProjections()
    .get({
      queryArgs: { where: 'masterVariant(attributes(name="watts" and value >= 40))', sort: 'key asc', staged: true },
    })
    .execute();
  t.strictSame(
    staged.results.map(({ key }) => key),
    ['arc', 'bow', 'cup'],
  );
});

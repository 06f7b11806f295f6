/** Products as the catalog's rules 14 to 30 have them; what every resource has, the contract suite tests. */
import t, { type Test } from 'tap';
import { type Answer, startProject } from '../support/platform.ts';

type Body = Readonly<Record<string, unknown>>;

interface Variant {
  readonly id: number;
  readonly sku?: string;
  readonly prices: readonly { readonly id: string; readonly key?: string }[];
  readonly images: readonly { readonly url: string; readonly label?: string }[];
  readonly assets: readonly { readonly id: string; readonly key?: string }[];
  readonly attributes: readonly { readonly name: string; readonly value: unknown }[];
}

interface Data {
  readonly name: Body;
  readonly masterVariant: Variant;
  readonly variants: readonly Variant[];
  readonly categories: readonly { readonly id: string }[];
  readonly categoryOrderHints: Body;
  readonly attributes: Variant['attributes'];
}

interface Product {
  readonly id: string;
  readonly version: number;
  readonly state?: { readonly id: string };
  readonly masterData: {
    readonly published: boolean;
    readonly hasStagedChanges: boolean;
    readonly current: Data;
    readonly staged: Data;
  };
}

const { request } = await startProject();

const definition = (name: string, type: Body, rest: Body = {}): Body => ({
  name,
  type,
  label: { en: name },
  isRequired: false,
  ...rest,
});

const sizes = ['small', 'large'].map((key) => ({ key, label: key.toUpperCase() }));

await request('POST', '/product-types', {
  key: 'lamp',
  name: 'Lamp',
  description: 'Lamps',
  attributes: [
    definition('watts', { name: 'number' }),
    definition('size', { name: 'enum', values: sizes }),
    definition('brand', { name: 'text' }, { attributeConstraint: 'SameForAll' }),
    definition('serial', { name: 'text' }, { attributeConstraint: 'Unique' }),
    definition('shop', { name: 'reference', referenceTypeId: 'channel' }, { attributeConstraint: 'Unique' }),
    definition('origin', { name: 'text' }, { level: 'Product' }),
  ],
});
for (const key of ['north', 'south']) await request('POST', '/channels', { key });
await request('POST', '/types', {
  key: 'note',
  name: { en: 'Note' },
  resourceTypeIds: ['product-price', 'asset'],
  fieldDefinitions: [{ name: 'note', type: { name: 'String' }, label: { en: 'Note' }, required: false }],
});

let count = 0;

function draftOf(rest: Body = {}): Body {
  count += 1;
  return { productType: { key: 'lamp' }, name: { en: 'Lamp' }, slug: { en: `lamp-${count}` }, ...rest };
}

async function made(rest: Body = {}): Promise<Product> {
  const { status, body, text } = await request('POST', '/products', draftOf(rest));
  if (status !== 201) throw new Error(text);
  return body as unknown as Product;
}

function update({ id, version }: Product, ...actions: readonly Body[]): Promise<Answer> {
  return request('POST', `/products/${id}`, { version, actions });
}

async function changed(product: Product, ...actions: readonly Body[]): Promise<Product> {
  const { status, body, text } = await update(product, ...actions);
  if (status !== 200) throw new Error(text);
  return body as unknown as Product;
}

function refused(t: Test, { status, body }: Answer, error: string | Body, message?: string): void {
  const expected = typeof error === 'string' ? { code: error } : error;
  t.match({ status, body }, { status: 400, body: { errors: [expected] } }, message ?? JSON.stringify(expected));
}

const eur = (centAmount: number, rest: Body = {}): Body => ({ value: { currencyCode: 'EUR', centAmount }, ...rest });
const image = (name: string): Body => ({ url: `https://images.example.org/${name}`, dimensions: { w: 1, h: 1 } });
const asset = (key: string): Body => ({ key, name: { en: key }, sources: [{ uri: 'https://images.example.org/a' }] });
const idsOf = ({ masterVariant, variants }: Data): readonly number[] =>
  [masterVariant, ...variants].map(({ id }) => id);

t.test('a draft makes both projections, with variants in its order', async (t) => {
  const empty = await made();
  t.match(empty.masterData, { published: false, hasStagedChanges: false, current: { variants: [] } });
  t.strictSame(empty.masterData.current.masterVariant, { id: 1, prices: [], images: [], attributes: [], assets: [] });
  const { masterData } = await made({
    masterVariant: { sku: 'draft-1' },
    variants: [{ sku: 'draft-2' }, { sku: 'draft-3' }],
    publish: true,
  });
  t.strictSame(idsOf(masterData.current), [1, 2, 3]);
  t.strictSame(masterData.staged, masterData.current);
  t.ok(masterData.published);
  refused(t, await request('POST', '/products', draftOf({ variants: [{ sku: 'x' }] })), {
    code: 'RequiredField',
    field: 'masterVariant',
  });
  const many = {
    masterVariant: {},
    variants: Array.from({ length: 101 }, (_, index) => ({ key: `variant-${index}` })),
  };
  refused(t, await request('POST', '/products', draftOf(many)), 'InvalidOperation');
});

t.test('what is staged stays so until it is published, and can be taken back', async (t) => {
  const product = await made({ publish: true });
  const staged = await changed(product, { action: 'changeName', name: { en: 'New' } });
  t.match(staged.masterData, {
    hasStagedChanges: true,
    current: { name: { en: 'Lamp' } },
    staged: { name: { en: 'New' } },
  });
  const both = await changed(staged, { action: 'setDescription', description: { en: 'Both' }, staged: false });
  t.match(both.masterData, { current: { name: { en: 'Lamp' }, description: { en: 'Both' } } });
  const back = await changed(both, { action: 'revertStagedChanges' });
  t.match(back.masterData, { hasStagedChanges: false, staged: { name: { en: 'Lamp' } } });
  const off = await changed(back, { action: 'unpublish' }, { action: 'changeName', name: { en: 'Off' } });
  t.match(off.masterData, { published: false, current: { name: { en: 'Lamp' } } });
  t.match((await changed(off, { action: 'publish' })).masterData, {
    published: true,
    current: { name: { en: 'Off' } },
  });
});

t.test('prices alone are published of variants that both projections have', async (t) => {
  const product = await made({ masterVariant: { prices: [eur(100)] }, variants: [{ key: 'other' }] });
  refused(t, await update(product, { action: 'publish', scope: 'Prices' }), 'InvalidOperation');
  const { masterData } = await changed(
    product,
    { action: 'publish' },
    { action: 'addPrice', variantId: 1, price: eur(200, { country: 'DE' }) },
    { action: 'removeVariant', id: 2 },
    { action: 'addVariant', key: 'third', prices: [eur(300)] },
    { action: 'changeName', name: { en: 'Staged' } },
    { action: 'publish', scope: 'Prices' },
  );
  t.strictSame(masterData.current.masterVariant.prices, masterData.staged.masterVariant.prices);
  t.strictSame(
    [idsOf(masterData.current), idsOf(masterData.staged)],
    [
      [1, 2],
      [1, 3],
    ],
  );
  t.match(masterData.current.name, { en: 'Lamp' });
});

t.test('ids of variants are never given again', async (t) => {
  const product = await made({ masterVariant: {}, variants: [{ key: 'second' }] });
  const removed = await changed(product, { action: 'removeVariant', id: 2, staged: false });
  const added = await changed(removed, { action: 'addVariant', key: 'third' });
  t.strictSame([idsOf(added.masterData.current), idsOf(added.masterData.staged)], [[1], [1, 3]]);
  const again = await changed(
    added,
    { action: 'revertStagedChanges' },
    { action: 'addVariant', key: 'fourth', staged: false },
  );
  t.strictSame(
    [idsOf(again.masterData.current), idsOf(again.masterData.staged)],
    [
      [1, 4],
      [1, 4],
    ],
  );
});

t.test('SKUs and slugs are one product’s in both projections, and keys of variants their product’s', async (t) => {
  const taken = await made({ masterVariant: { sku: 'taken' } });
  await changed(
    taken,
    { action: 'setSku', variantId: 1, sku: 'staged-sku' },
    { action: 'changeSlug', slug: { en: 'staged-slug' } },
  );
  for (const sku of ['taken', 'staged-sku'])
    refused(t, await request('POST', '/products', draftOf({ masterVariant: { sku } })), {
      code: 'DuplicateField',
      field: 'sku',
      duplicateValue: sku,
    });
  refused(t, await request('POST', '/products', draftOf({ slug: { en: 'staged-slug' } })), {
    code: 'DuplicateField',
    field: 'slug.en',
  });
  await made({ slug: { de: 'staged-slug' } });
  refused(t, await request('POST', '/products', draftOf({ slug: { en: 'no blank' } })), {
    code: 'InvalidField',
    field: 'slug.en',
  });
  const product = await made({ masterVariant: { sku: 'mine', key: 'mine' }, variants: [{ key: 'other' }] });
  const duplicate = (field: string): Body => ({ code: 'DuplicateField', field, duplicateValue: 'mine' });
  refused(t, await update(product, { action: 'addVariant', sku: 'mine' }), duplicate('sku'));
  refused(t, await update(product, { action: 'setProductVariantKey', variantId: 2, key: 'mine' }), duplicate('key'));
});

t.test('rules hold on the current side as well, where it is another than what is staged', async (t) => {
  const product = await made({ publish: true, masterVariant: { sku: 'side-1' }, variants: [{ sku: 'side-2' }] });
  const staged = await changed(product, { action: 'setSku', variantId: 2, sku: 'side-3' });
  // What is staged would have side-2 once then, and what is current twice.
  const answer = await update(staged, { action: 'setSku', variantId: 1, sku: 'side-2', staged: false });
  refused(t, answer, { code: 'DuplicateField', field: 'sku', duplicateValue: 'side-2' });
  await changed(staged, { action: 'setSku', variantId: 1, sku: 'side-2' });
});

t.test('a large product is published and reverted a few times in an update, and not hundreds of times', async (t) => {
  const product = await made({ publish: true, description: { en: 'x'.repeat(1_000_000) } });
  const back = { action: 'revertStagedChanges' };
  refused(t, await update(product, ...Array.from({ length: 200 }, () => back)), 'InvalidOperation');
  const both = Array.from({ length: 60 }, () => [{ action: 'publish' }, back]).flat();
  t.equal((await update(product, ...both)).status, 200);
});

t.test('two variants of a projection are not alike', async (t) => {
  const alike = { prices: [eur(100)], attributes: [{ name: 'watts', value: 5 }] };
  refused(t, await request('POST', '/products', draftOf({ masterVariant: alike, variants: [alike] })), {
    code: 'DuplicateVariantValues',
    variantValues: { attributes: [{ name: 'watts', value: 5 }] },
  });
  const product = await made({ masterVariant: alike });
  refused(t, await update(product, { action: 'addVariant', ...alike }), 'DuplicateVariantValues');
  const { masterData } = await changed(
    product,
    { action: 'addVariant', ...alike },
    { action: 'addExternalImage', variantId: 2, image: image('other') },
  );
  t.equal(masterData.staged.variants.length, 1, 'it is looked at after the last action');
});

t.test('variants come back, go and change places', async (t) => {
  const product = await made({
    masterVariant: { key: 'one' },
    variants: [{ key: 'two', sku: 'place-2' }, { key: 'three' }],
  });
  const moved = await changed(product, { action: 'changeMasterVariant', sku: 'place-2' });
  t.strictSame(
    [idsOf(moved.masterData.staged), idsOf(moved.masterData.current)],
    [
      [2, 1, 3],
      [1, 2, 3],
    ],
  );
  refused(t, await update(moved, { action: 'removeVariant', id: 2 }), 'InvalidOperation', 'the master stays');
  refused(
    t,
    await update(moved, { action: 'removeVariant', id: 1, staged: false }),
    'InvalidOperation',
    'so it does where it is current',
  );
  const removed = await changed(
    moved,
    { action: 'removeVariant', id: 3 },
    { action: 'setProductVariantKey', variantId: 1, key: 'new' },
  );
  const back = await changed(
    removed,
    ...[3, 1].map((variantId) => ({ action: 'revertStagedVariantChanges', variantId })),
  );
  t.strictSame(idsOf(back.masterData.staged), [2, 1, 3]);
  t.match(back.masterData.staged.variants[0], { key: 'one' });
  const added = await changed(back, { action: 'addVariant', key: 'four' });
  refused(t, await update(added, { action: 'revertStagedVariantChanges', variantId: 4 }), 'InvalidOperation');
  refused(t, await update(added, { action: 'setProductVariantKey', key: 'nowhere' }), 'InvalidInput');
  refused(t, await update(added, { action: 'setProductVariantKey', variantId: 9, key: 'nowhere' }), 'InvalidOperation');
  const image4 = { action: 'addExternalImage', variantId: 4, image: image('4'), staged: false };
  t.equal((await changed(added, image4)).masterData.current.variants.length, 2, 'what is current alone may lack it');
});

t.test('an SKU with an inventory entry stays', async (t) => {
  await request('POST', '/inventory', { sku: 'stocked', quantityOnStock: 1 });
  const product = await made({
    masterVariant: { key: 'master' },
    variants: [{ sku: 'stocked' }, { sku: 'unstocked' }],
  });
  for (const action of ['setSku', 'setSKU']) {
    refused(t, await update(product, { action, variantId: 2, sku: 'another' }), 'InvalidOperation');
    refused(t, await update(product, { action, variantId: 2 }), 'InvalidOperation');
  }
  const other = await changed(product, { action: 'setSku', variantId: 3, sku: 'renamed', staged: false });
  await changed(other, { action: 'removeVariant', id: 2, staged: false });
});

t.test('GraphQL takes the variant of a price that is changed by its id', async (t) => {
  const product = await made({ masterVariant: { prices: [eur(100)] }, variants: [{ sku: 'unpriced' }] });
  const [{ id: priceId }] = product.masterData.staged.masterVariant.prices as [{ id: string }];
  const price = '{ value: { centPrecision: { currencyCode: "EUR", centAmount: 200 } } }';
  const change = (named: string) => {
    const query = `mutation { updateProduct(id: "${product.id}", version: 1, actions: [
      { changePrice: { ${named}, price: ${price} } }
    ]) { masterData { staged { masterVariant { prices { id value { centAmount } } } } } } }`;
    return request('POST', '/graphql', { query });
  };
  t.match((await change('variantId: 1, sku: "any"')).body, { errors: [{ extensions: { code: 'RequiredField' } }] });
  t.strictSame((await change(`priceId: "${priceId}", variantId: 1, sku: "any"`)).body, {
    data: {
      updateProduct: {
        masterData: { staged: { masterVariant: { prices: [{ id: priceId, value: { centAmount: 200 } }] } } },
      },
    },
  });
});

t.test('prices keep their ids, and are replaced whole', async (t) => {
  const product = await made({ masterVariant: { prices: [eur(100, { key: 'first', country: 'DE' })] }, publish: true });
  const [{ id: priceId }] = product.masterData.current.masterVariant.prices as [{ id: string }];
  const other = await changed(product, { action: 'changePrice', priceId, price: eur(200), staged: false });
  const money = { type: 'centPrecision', currencyCode: 'EUR', centAmount: 200, fractionDigits: 2 };
  t.strictSame(other.masterData.current.masterVariant.prices, [{ id: priceId, value: money }]);
  t.strictSame(other.masterData.staged, other.masterData.current);
  const type = { typeId: 'type', key: 'note' };
  const noted = await changed(
    other,
    { action: 'setPriceKey', priceId, key: 'keyed', staged: false },
    { action: 'setProductPriceCustomType', priceId, type, fields: { note: 'a' }, staged: false },
    { action: 'setProductPriceCustomField', priceId, name: 'note', value: 'b' },
  );
  t.match(noted.masterData, {
    current: { masterVariant: { prices: [{ key: 'keyed', custom: { fields: { note: 'a' } } }] } },
    staged: { masterVariant: { prices: [{ key: 'keyed', custom: { fields: { note: 'b' } } }] } },
  });
  const unset = { action: 'setProductPriceCustomField', priceId, name: 'note' };
  refused(t, await update(noted, unset, unset), 'InvalidOperation', 'a field that is not there cannot be removed');
  refused(t, await update(noted, { action: 'removePrice', priceId: 'nowhere' }), 'InvalidOperation');
  refused(t, await update(noted, { action: 'removePrice', variantId: 1 }), 'InvalidInput');
  const set = await changed(noted, { action: 'setPrices', variantId: 1, prices: [eur(200)], staged: false });
  t.not(set.masterData.staged.masterVariant.prices[0]!.id, priceId, 'new prices have new ids');
  const byContent = { action: 'removePrice', variantId: 1, price: eur(200) };
  const emptied = await changed(set, byContent);
  t.strictSame(emptied.masterData.staged.masterVariant.prices, []);
  const discount = { typeId: 'product-discount', id: '7e3ea3c3-5ffd-4c53-a9d3-5e2e0c1f8a11' };
  const discounted = { value: { currencyCode: 'EUR', centAmount: 1 }, discount };
  refused(
    t,
    await update(emptied, { action: 'addPrice', variantId: 1, price: eur(1, { country: 'DE', discounted }) }),
    'ReferencedResourceNotFound',
  );
  const recurrencePolicy = { typeId: 'recurrence-policy', key: 'monthly' };
  refused(
    t,
    await update(emptied, { action: 'addPrice', variantId: 1, price: eur(1, { recurrencePolicy }) }),
    'InvalidInput',
  );
});

t.test('prices of one scope and time exclude each other', async (t) => {
  const [first, second, third] = ['2030-01-01', '2030-02-01', '2030-03-01'].map((day) => `${day}T00:00:00.000Z`);
  const channel = { typeId: 'channel', key: 'north' };
  const product = await made({
    masterVariant: {
      prices: [
        eur(1),
        eur(2, { country: 'DE' }),
        eur(3, { channel, validFrom: first, validUntil: second, key: 'taken' }),
      ],
    },
  });
  const add = (price: Body): Promise<Answer> => update(product, { action: 'addPrice', variantId: 1, price });
  refused(t, await add(eur(9)), {
    code: 'DuplicatePriceScope',
    conflictingPrice: { id: /./ },
    conflictingPrices: [{}, {}],
  });
  refused(t, await add(eur(9, { channel, validFrom: first, validUntil: second })), 'DuplicatePriceScope');
  refused(t, await add(eur(9, { channel, validFrom: first })), {
    code: 'OverlappingPriceValidity',
    conflictingPrice: /./,
    currency: 'EUR',
    channel: { typeId: 'channel' },
    validFrom: first,
    conflictingValidFrom: first,
    conflictingValidUntil: second,
  });
  refused(t, await add(eur(9, { country: 'FR', key: 'taken' })), {
    code: 'DuplicatePriceKey',
    conflictingPrice: { key: 'taken' },
  });
  refused(t, await add(eur(9, { validFrom: second, validUntil: second })), 'InvalidField');
  const tiers = (...quantities: readonly number[]): Body => ({
    tiers: quantities.map((minimumQuantity) => ({ minimumQuantity, value: { currencyCode: 'EUR', centAmount: 1 } })),
  });
  refused(t, await add(eur(9, tiers(1))), 'InvalidField');
  refused(t, await add(eur(9, tiers(2, 2))), 'InvalidField');
  const dollars = { tiers: [{ minimumQuantity: 2, value: { currencyCode: 'USD', centAmount: 1 } }] };
  refused(t, await add(eur(9, dollars)), 'InvalidField');
  const many = Array.from({ length: 101 }, (_, day) =>
    eur(day, { validFrom: `${2000 + day}-01-01T00:00:00Z`, validUntil: `${2000 + day}-02-01T00:00:00Z` }),
  );
  refused(t, await update(product, { action: 'setPrices', variantId: 1, prices: many }), 'InvalidOperation');
  t.equal((await add(eur(9, { channel, validFrom: second, validUntil: third, ...tiers(2, 3) }))).status, 200);
});

t.test('categories have order hints', async (t) => {
  const category = async (name: string): Promise<string> => {
    const { body } = await request('POST', '/categories', {
      key: name,
      name: { en: name },
      slug: { en: name },
      orderHint: '0.5',
    });
    return String(body['id']);
  };
  const [lamps, tables] = [await category('hinted-lamps'), await category('hinted-tables')];
  const hints = { [lamps]: '0.1' };
  refused(t, await request('POST', '/products', draftOf({ categoryOrderHints: hints })), 'InvalidOperation');
  for (const hint of ['0.10', `0.${'1'.repeat(101)}`])
    refused(t, await request('POST', '/products', draftOf({ categoryOrderHints: { [lamps]: hint } })), 'InvalidField');
  const product = await made({ categories: [{ id: lamps }, { id: lamps }], categoryOrderHints: hints });
  t.strictSame(product.masterData.current.categories, [{ typeId: 'category', id: lamps }]);
  const add = { action: 'addToCategory', category: { id: tables } };
  const longest = `0.${'1'.repeat(100)}`;
  const both = await changed(
    product,
    { ...add, orderHint: longest },
    { action: 'setCategoryOrderHint', categoryId: lamps, orderHint: '0.3' },
  );
  t.strictSame(both.masterData.staged.categoryOrderHints, { [lamps]: '0.3', [tables]: longest });
  const again = await changed(both, add, { action: 'setCategoryOrderHint', categoryId: lamps });
  t.strictSame([again.masterData.staged.categories.length, again.masterData.staged.categoryOrderHints], [2, {}]);
  const remove = { action: 'removeFromCategory', category: { id: lamps } };
  const out = await changed(again, { ...remove, staged: false }, remove);
  t.strictSame(out.masterData.current, { ...out.masterData.current, categories: [], categoryOrderHints: {} });
  refused(
    t,
    await update(out, { action: 'setCategoryOrderHint', categoryId: lamps, orderHint: '0.3' }),
    'InvalidOperation',
  );
  // Clients that compare two states of a product take the hint away after the category.
  const unhinted = await update(out, { action: 'setCategoryOrderHint', categoryId: lamps });
  t.match(unhinted, { status: 200, body: { version: out.version } }, 'there is none to take away');
});

t.test('texts for search engines are set one by one or together', async (t) => {
  const texts = { metaTitle: { en: 'T' }, metaDescription: { en: 'D' }, metaKeywords: { en: 'K' } };
  const product = await made({ publish: true });
  const together = await changed(product, { action: 'setMetaAttributes', ...texts, staged: false });
  t.match(together.masterData, { current: texts, staged: texts });
  const { staged } = (await changed(together, { action: 'setMetaAttributes', metaTitle: { en: 'U' } })).masterData;
  t.match(staged, { metaTitle: { en: 'U' } });
  t.notOk('metaDescription' in staged || 'metaKeywords' in staged, 'what is not named is removed');
});

t.test('images are known by their URLs', async (t) => {
  refused(
    t,
    await request('POST', '/products', draftOf({ masterVariant: { images: [image('a'), image('a')] } })),
    'InvalidField',
  );
  const product = await made({ masterVariant: { images: ['a', 'b', 'c'].map(image) }, publish: true });
  const at = (name: string): Body => ({ variantId: 1, imageUrl: image(name)['url'] });
  const after = await changed(
    product,
    { action: 'moveImageToPosition', ...at('a'), position: 2 },
    { action: 'setImageLabel', ...at('b'), label: 'A', staged: false },
    { action: 'changeImageLabel', ...at('b'), label: 'B', staged: false },
    { action: 'removeImage', ...at('c') },
  );
  const seen = ({ masterVariant }: Data): unknown =>
    masterVariant.images.map(({ url, label }) => `${url.at(-1)}${label ?? ''}`);
  t.strictSame(
    [seen(after.masterData.current), seen(after.masterData.staged)],
    [
      ['a', 'bB', 'c'],
      ['bB', 'a'],
    ],
  );
  refused(t, await update(after, { action: 'addExternalImage', variantId: 1, image: image('a') }), 'InvalidField');
  refused(t, await update(after, { action: 'moveImageToPosition', ...at('a'), position: 2 }), 'InvalidOperation');
  refused(t, await update(after, { action: 'removeImage', ...at('c') }), 'InvalidOperation');
});

t.test('assets belong to a variant', async (t) => {
  const twice = { masterVariant: { assets: [asset('one'), asset('one')] } };
  refused(t, await request('POST', '/products', draftOf(twice)), { code: 'DuplicateField', field: 'key' });
  const product = await made({
    masterVariant: { assets: [asset('one'), asset('two')] },
    variants: [{ sku: 'asset-2' }],
  });
  const keys = ({ assets }: Variant): unknown => assets.map(({ key }) => key);
  const after = await changed(
    product,
    { action: 'addAsset', variantId: 1, asset: asset('three'), position: 1, staged: false },
    { action: 'addAsset', sku: 'asset-2', asset: asset('one') },
    { action: 'removeAsset', variantId: 1, assetKey: 'one' },
    { action: 'changeAssetName', variantId: 1, assetKey: 'two', name: { en: 'Two' }, staged: false },
  );
  const { current, staged } = after.masterData;
  t.strictSame(keys(current.masterVariant), ['one', 'three', 'two']);
  t.strictSame([keys(staged.masterVariant), keys(staged.variants[0]!)], [['three', 'two'], ['one']]);
  t.match(current.masterVariant.assets[2], { name: { en: 'Two' } });
  t.equal(current.masterVariant.assets[1]!.id, staged.masterVariant.assets[0]!.id);
  refused(t, await update(after, { action: 'addAsset', variantId: 1, asset: asset('two') }), 'DuplicateField');
  refused(
    t,
    await update(after, { action: 'addAsset', variantId: 1, asset: asset('new'), position: 3 }),
    'InvalidOperation',
  );
  refused(t, await update(after, { action: 'changeAssetOrder', variantId: 1, assetOrder: [] }), 'InvalidInput');
  refused(t, await update(after, { action: 'removeAsset', variantId: 1, assetKey: 'one' }), 'InvalidOperation');
});

t.test('attributes are what the product type says', async (t) => {
  const value = (name: string, given: unknown): Body => ({ name, value: given });
  const create = (attributes: readonly Body[], rest: Body = {}): Promise<Answer> =>
    request('POST', '/products', draftOf({ masterVariant: { attributes }, ...rest }));
  refused(t, await create([value('size', 'huge')]), {
    code: 'InvalidField',
    field: 'size',
    allowedValues: ['small', 'large'],
  });
  refused(t, await create([value('unknown', 1)]), 'InvalidField');
  refused(t, await create([value('watts', 1), value('watts', 2)]), 'InvalidField');
  refused(t, await create([value('origin', 'here')]), 'InvalidOperation');
  refused(t, await create([], { attributes: [value('watts', 1)] }), 'InvalidOperation');
  refused(t, await create([value('shop', { typeId: 'channel', key: 'nowhere' })]), 'ReferencedResourceNotFound');

  const product = await made({
    masterVariant: { attributes: [value('size', 'small'), value('brand', 'A'), value('serial', '1')] },
    variants: [{ attributes: [value('brand', 'A'), value('serial', '2')] }],
    attributes: [value('origin', 'here')],
  });
  t.strictSame(product.masterData.current.masterVariant.attributes[0], value('size', sizes[0]));
  const set = (variantId: number, attribute: Body, staged = true): Body => ({
    action: 'setAttribute',
    variantId,
    ...attribute,
    staged,
  });
  refused(t, await update(product, set(1, value('brand', 'B'))), { code: 'InvalidField', field: 'brand' });
  refused(
    t,
    await update(product, set(1, value('brand', 'B')), set(2, value('brand', 'B'))),
    'InvalidField',
    'each action keeps the constraints',
  );
  refused(t, await update(product, set(2, value('serial', '1'))), {
    code: 'DuplicateAttributeValue',
    attribute: { name: 'serial' },
  });
  const shop = (key: string): Body => value('shop', { typeId: 'channel', key });
  const after = await changed(
    product,
    { action: 'setAttributeInAllVariants', ...value('brand', 'B'), staged: false },
    set(1, shop('north'), false),
    set(2, shop('south')),
    set(1, { name: 'size' }),
    set(1, { name: 'size' }),
    { action: 'setProductAttribute', name: 'origin', value: null },
    { action: 'publish' },
  );
  t.match(after.masterData.current, {
    attributes: [],
    masterVariant: {
      attributes: [value('brand', 'B'), value('serial', '1'), value('shop', { typeId: 'channel', id: /./ })],
    },
  });
  t.strictSame(after.masterData.current, after.masterData.staged, 'a reference is found wherever it was put');
  refused(t, await update(after, set(2, shop('north'))), {
    code: 'DuplicateAttributeValue',
    attribute: { name: 'shop' },
  });
});

t.test('a variant comes back beside others only where it keeps the constraints', async (t) => {
  const value = (text: string): Body => ({ name: 'brand', value: text });
  const variant = { attributes: [value('A')] };
  const product = await made({ masterVariant: variant, variants: [{ key: 'two', ...variant }] });
  const revert = { action: 'revertStagedVariantChanges', variantId: 2 };
  const other = await changed(product, { action: 'setAttributeInAllVariants', ...value('B') });
  refused(t, await update(other, revert), { code: 'InvalidField', field: 'brand' });
  const both = await changed(other, { action: 'setAttributeInAllVariants', ...value('A') }, revert);
  t.strictSame(both.masterData.staged.variants[0]!.attributes, [value('A')]);
});

t.test('required attributes are there, and follow the product type', async (t) => {
  const { body: type } = await request('POST', '/product-types', {
    key: 'strict',
    name: 'Strict',
    description: '',
    attributes: [definition('must', { name: 'enum', values: sizes }, { isRequired: true })],
  });
  const productType = { key: 'strict' };
  refused(t, await request('POST', '/products', draftOf({ productType })), {
    code: 'RequiredField',
    field: 'masterVariant',
  });
  refused(t, await request('POST', '/products', draftOf({ productType, masterVariant: {} })), {
    code: 'RequiredField',
    field: 'must',
  });
  const product = await made({ productType, masterVariant: { attributes: [{ name: 'must', value: 'small' }] } });
  refused(t, await update(product, { action: 'setAttribute', variantId: 1, name: 'must' }), {
    code: 'RequiredField',
    field: 'must',
  });
  refused(t, await update(product, { action: 'addVariant', key: 'empty' }), 'RequiredField');
  const renamed = { action: 'changeAttributeName', attributeName: 'must', newAttributeName: 'has' };
  const relabeled = {
    action: 'changePlainEnumValueLabel',
    attributeName: 'has',
    newValue: { key: 'small', label: 'S' },
  };
  const { status } = await request('POST', '/product-types/key=strict', {
    version: type['version'],
    actions: [renamed, relabeled],
  });
  t.equal(status, 200);
  const { masterData } = await changed(product, {
    action: 'setAttribute',
    variantId: 1,
    name: 'has',
    value: 'small',
    staged: false,
  });
  t.strictSame(masterData.current.masterVariant.attributes, [{ name: 'has', value: { key: 'small', label: 'S' } }]);
});

t.test('moments and times in attributes are found as a request writes them', async (t) => {
  const { status } = await request('POST', '/product-types', {
    key: 'dated',
    name: 'Dated',
    description: '',
    attributes: [definition('at', { name: 'datetime' }), definition('opens', { name: 'time' })],
  });
  t.equal(status, 201);
  const attributes = [
    { name: 'at', value: '2030-02-02T10:00:00+02:00' },
    { name: 'opens', value: '10:20:30' },
  ];
  const product = await made({ productType: { key: 'dated' }, masterVariant: { attributes } });
  for (const [name, test, isFound] of [
    ['at', '= "2030-02-02T10:00:00+02:00"', true],
    ['at', '= "2030-02-02T08:00:00Z"', true],
    ['at', '>= "2030-02-02T08:00:00Z"', true],
    ['at', '> "2030-02-02T08:00:00Z"', false],
    ['at', 'in ("2030-02-02T09:00:00+01:00")', true],
    ['opens', '= "10:20:30"', true],
    ['opens', '!= "10:20:30"', false],
    ['opens', '<= "10:20:30"', true],
  ] as const) {
    const where = `masterData(staged(masterVariant(attributes(name="${name}" and value ${test}))))`;
    const { body } = await request('GET', `/products?where=${encodeURIComponent(where)}`);
    const found = (body['results'] as readonly { id: string }[]).map(({ id }) => id);
    t.strictSame(found, isFound ? [product.id] : [], `${name} ${test}`);
  }
});

t.test('what is required later is asked for where it is written', async (t) => {
  const { body: type } = await request('POST', '/product-types', {
    key: 'stricter',
    name: 'Stricter',
    description: '',
    attributes: [definition('before', { name: 'text' })],
  });
  const product = await made({ productType: { key: 'stricter' }, masterVariant: {}, variants: [{ key: 'two' }] });
  const attribute = definition('later', { name: 'text' }, { isRequired: true });
  const { status } = await request('POST', '/product-types/key=stricter', {
    version: type['version'],
    actions: [{ action: 'addAttributeDefinition', attribute }],
  });
  t.equal(status, 200);
  const change = (name: string, staged: boolean) => {
    return { action: 'setAttributeInAllVariants', name, value: 'it', staged };
  };
  for (const staged of [true, false])
    refused(t, await update(product, change('before', staged)), { code: 'RequiredField', field: 'later' });
  const staged = await changed(product, change('later', true));
  t.strictSame(staged.masterData.current.masterVariant.attributes, []);
  refused(t, await update(staged, change('before', false)), { code: 'RequiredField', field: 'later' });
  const without = { action: 'setAttribute', variantId: 1, name: 'later' };
  const publish = { action: 'publish' };
  for (const actions of [
    [without, publish, { ...without, value: 'it' }],
    [{ action: 'addVariant', key: 'three' }, publish, { action: 'removeVariant', id: 3 }],
  ])
    refused(t, await update(staged, ...actions), { code: 'RequiredField', field: 'later' });
  const published = await changed(staged, change('before', true), publish);
  t.strictSame(
    published.masterData.current.variants[0]!.attributes.map(({ name }) => name),
    ['later', 'before'],
  );
});

t.test('what is required later is not asked of what stood there before', async (t) => {
  const stricter = async (key: string, level: 'Product' | 'Variant') => {
    const { body } = await request('POST', '/product-types', { key, name: key, description: '' });
    const product = await made({ productType: { key }, masterVariant: {}, variants: [{ key: `${key}-2` }] });
    const names = ['any', 'later'];
    const attributes = names.map((name) => definition(name, { name: 'text' }, { level, isRequired: name === 'later' }));
    const { status } = await request('POST', `/product-types/key=${key}`, {
      version: body['version'],
      actions: attributes.map((attribute) => ({ action: 'addAttributeDefinition', attribute })),
    });
    t.equal(status, 200);
    return product;
  };
  const set = (variantId: number, name: string, value?: string) => ({ action: 'setAttribute', variantId, name, value });
  const ofVariants = await stricter('variants-stricter', 'Variant');
  const filled = await changed(ofVariants, set(2, 'later', 'it'));
  t.strictSame(filled.masterData.staged.masterVariant.attributes, []);
  refused(t, await update(filled, set(1, 'any', 'it')), { code: 'RequiredField', field: 'later' });
  const reverted = await changed(filled, { action: 'revertStagedVariantChanges', variantId: 2 });
  t.strictSame(reverted.masterData.staged.variants[0]!.attributes, []);
  await changed(reverted, set(1, 'any', 'it'), { action: 'revertStagedChanges' }, { action: 'publish' });

  const ofProduct = await stricter('product-stricter', 'Product');
  const setOfProduct = (name: string, value?: string) => ({ action: 'setProductAttribute', name, value });
  refused(t, await update(ofProduct, setOfProduct('any', 'it')), { code: 'RequiredField', field: 'later' });
  const described = await changed(ofProduct, { action: 'addVariant', key: 'another' }, setOfProduct('later', 'it'));
  refused(t, await update(described, setOfProduct('later')), { code: 'RequiredField', field: 'later' });
});

t.test('states follow each other by their transitions', async (t) => {
  const state = async (key: string, rest: Body = {}): Promise<Body> => {
    const { body } = await request('POST', '/states', { key, type: 'ProductState', initial: false, ...rest });
    return { typeId: 'state', id: body['id'] };
  };
  const open = await state('open', { initial: true });
  const closed = await state('closed', { transitions: [open] });
  const order = await state('order', { type: 'OrderState', initial: true });
  const product = await made({ state: closed });
  const to = (next: Body | undefined, force = false): Body => ({ action: 'transitionState', state: next, force });
  refused(t, await update(product, to(order)), 'InvalidOperation', 'a state of orders');
  refused(t, await request('POST', '/products', draftOf({ state: order })), 'InvalidOperation');
  const opened = await changed(product, to(open));
  t.match(opened, { state: open });
  t.strictSame((await update(opened, to(open))).body, opened, 'a state that names no transitions follows itself');
  const shut = await changed(opened, to(closed));
  t.match(shut, { state: closed }, 'any state follows one that names none');
  const other = await state('other', { initial: true });
  refused(t, await update(shut, to(other)), 'InvalidOperation', 'no transition');
  refused(t, await update(shut, to(closed)), 'InvalidOperation', 'no transition to itself');
  t.match(await changed(shut, to(other, true)), { state: other });
  const without = await made();
  refused(t, await update(without, to(closed)), 'InvalidOperation', 'no initial state');
  const within = await changed(without, to(open));
  t.notHas(await changed(within, to(undefined)), { state: {} });
});

t.test('all actions are done or none, and a published product can be deleted', async (t) => {
  const product = await made({ publish: true });
  refused(
    t,
    await update(
      product,
      { action: 'changeName', name: { en: 'No' } },
      { action: 'removeImage', variantId: 1, imageUrl: 'x' },
    ),
    'InvalidOperation',
  );
  t.strictSame((await request('GET', `/products/${product.id}`)).body, product);
  t.match(await changed(product, { action: 'setPriceMode', priceMode: 'Standalone' }), { priceMode: 'Standalone' });
  t.equal((await request('DELETE', `/products/${product.id}?version=2`)).status, 200);
});

t.test('GraphQL finds variants, SKUs, hints and keywords', async (t) => {
  const { body: category } = await request('POST', '/categories', {
    name: { en: 'Q' },
    slug: { en: 'found-by-graphql' },
    orderHint: '0.5',
  });
  const id = String(category['id']);
  const product = await made({
    categories: [{ id }],
    categoryOrderHints: { [id]: '0.7' },
    searchKeywords: { en: [{ text: 'Light' }] },
    masterVariant: {
      sku: 'graphql-1',
      attributes: [
        { name: 'watts', value: 1 },
        { name: 'shop', value: { typeId: 'channel', key: 'north' } },
      ],
    },
    variants: [{ sku: 'graphql-2', key: 'two', images: [image('two')] }],
  });
  await changed(product, { action: 'setSku', variantId: 2, sku: 'graphql-3' });
  const query = `{ product(id: "${product.id}") { skus masterData { current {
    skus categoryOrderHint(categoryId: "${id}") categoryOrderHints { categoryId orderHint }
    searchKeyword(locale: "en") { text }
    variant(key: "two") { id } none: variant { id }
    variants(hasImages: true) { id } allVariants(skus: ["graphql-1"]) { id }
    masterVariant { attributesRaw(excludeNames: ["watts"]) { name referencedResource { ... on Channel { key } } referencedResourceSet { id } } }
  } } } }`;
  const { body } = await request('POST', '/graphql', { query });
  t.strictSame(body, {
    data: {
      product: {
        skus: ['graphql-1', 'graphql-2', 'graphql-3'],
        masterData: {
          current: {
            skus: ['graphql-1', 'graphql-2'],
            categoryOrderHint: '0.7',
            categoryOrderHints: [{ categoryId: id, orderHint: '0.7' }],
            searchKeyword: [{ text: 'Light' }],
            variant: { id: 2 },
            none: null,
            variants: [{ id: 2 }],
            allVariants: [{ id: 1 }],
            masterVariant: {
              attributesRaw: [{ name: 'shop', referencedResource: { key: 'north' }, referencedResourceSet: [] }],
            },
          },
        },
      },
    },
  });
});

/** What product discounts make of embedded and standalone prices, against a plain model of discounts. */
import t, { type Test } from 'tap';
import { Random } from '../../src/demo/random.ts';
import { type Platform, startPlatform, startProject } from '../support/platform.ts';
import { eventually } from '../support/services.ts';

type Body = Record<string, unknown>;

const euro = (centAmount: number) => ({ currencyCode: 'EUR', centAmount });
const refused = (message: RegExp): object => ({
  status: 400,
  body: { errors: [{ code: 'InvalidOperation', message }] },
});

async function made(platform: Platform, path: string, draft: object): Promise<Body> {
  const { status, body, text } = await platform.request('POST', path, draft);
  if (status !== 201) throw new Error(`${path}: ${text}`);
  return body;
}

/** Following raises versions as well. */
async function changed(platform: Platform, path: string, ...actions: readonly object[]): Promise<void> {
  await eventually(async () => {
    const { body: before } = await platform.request('GET', path);
    const { status, text } = await platform.request('POST', path, { version: before['version'], actions });
    if (status !== 200 && status !== 409) throw new Error(`${path}: ${text}`);
    return status === 200 ? true : undefined;
  });
}

interface Shop {
  readonly platform: Platform;
  /** What the test has done last, by the keys of resources. */
  readonly discounts: Map<string, Discount>;
  readonly colors: Map<string, string>;
  readonly categories: Map<string, string>;
  readonly prices: Map<string, Price>;
}

interface Discount {
  readonly isActive: boolean;
  readonly permyriad: number;
  readonly sortOrder: string;
  readonly predicate: string;
}

interface Price {
  readonly sku: string;
  readonly cents: number;
  readonly staged: number | undefined;
}

const skus = ['sku-0', 'sku-1', 'sku-2', 'sku-3'];
const colors = ['red', 'blue', 'green'];
const leaves = ['left', 'right'];
const roots = ['north', 'south'];

type Meaning = (shop: Shop, sku: string, cents: number) => boolean;

/** What predicates of the test say, each with what it means. */
const predicates: ReadonlyMap<string, Meaning> = new Map<string, Meaning>([
  ['true', () => true],
  ['centAmount > 500', (_shop, _sku, cents) => cents > 500],
  ...colors.map((color): [string, Meaning] => [
    `attributes.color = "${color}"`,
    (shop, sku) => shop.colors.get(sku) === color,
  ]),
  ...skus.map((wanted): [string, Meaning] => [`sku = "${wanted}"`, (_, sku) => sku === wanted]),
  ...roots.map((root): [string, Meaning] => [
    `categoriesWithAncestors.key contains "${root}"`,
    (shop, sku) => shop.categories.get(leafOf(sku)) === root,
  ]),
]);

function leafOf(sku: string): string {
  return leaves[skus.indexOf(sku) % leaves.length]!;
}

/** The cents that are to be paid with the one discount that holds. */
function expected(shop: Shop, sku: string, cents: number): number | undefined {
  const holding = [...shop.discounts.values()]
    .filter(({ isActive, predicate }) => isActive && predicates.get(predicate)!(shop, sku, cents))
    .toSorted((one, other) => Number(other.sortOrder) - Number(one.sortOrder))[0];
  // Half down.
  return holding && Math.ceil((cents * (10_000 - holding.permyriad)) / 10_000 - 0.5);
}

async function openShop(t: Test): Promise<Shop> {
  const platform = await startPlatform(t, { feeder: true });
  const shop: Shop = { platform, discounts: new Map(), colors: new Map(), categories: new Map(), prices: new Map() };
  const color = { name: 'color', type: { name: 'text' }, label: { en: 'Color' }, isRequired: false };
  await made(platform, '/product-types', { key: 'lamp', name: 'Lamp', description: 'Lamps', attributes: [color] });
  for (const key of roots) await made(platform, '/categories', { key, name: { en: key }, slug: { en: key } });
  for (const key of leaves) {
    const parent = { typeId: 'category', key: roots[0] };
    await made(platform, '/categories', { key, name: { en: key }, slug: { en: key }, parent });
    shop.categories.set(key, roots[0]!);
  }
  for (const sku of skus) {
    await made(platform, '/products', {
      key: sku,
      productType: { typeId: 'product-type', key: 'lamp' },
      name: { en: sku },
      slug: { en: sku },
      publish: true,
      categories: [{ typeId: 'category', key: leafOf(sku) }],
      masterVariant: { sku, attributes: [{ name: 'color', value: 'red' }], prices: [{ value: euro(1001) }] },
    });
    shop.colors.set(sku, 'red');
  }
  return shop;
}

async function change(shop: Shop, random: Random, step: number): Promise<void> {
  const { platform, discounts, categories, prices } = shop;
  const sku = random.pick(skus);
  switch (random.integer(0, 5)) {
    case 0: {
      const key = `discount-${step}`;
      const discount = {
        isActive: true,
        permyriad: random.integer(1000, 9999),
        sortOrder: `0.${String(step).padStart(3, '0')}1`,
        predicate: random.pick([...predicates.keys()]),
      };
      const { permyriad, ...given } = discount;
      const value = { type: 'relative', permyriad };
      await made(platform, '/product-discounts', { key, name: { en: key }, value, ...given });
      return void discounts.set(key, discount);
    }
    case 1: {
      const [key, discount] = random.pick([...discounts, ['', undefined] as const]);
      if (discount === undefined) return;
      const isActive = !discount.isActive;
      await changed(platform, `/product-discounts/key=${key}`, { action: 'changeIsActive', isActive });
      return void discounts.set(key, { ...discount, isActive });
    }
    case 2: {
      const value = random.pick(colors);
      const action = { action: 'setAttribute', variantId: 1, name: 'color', value, staged: false };
      await changed(platform, `/products/key=${sku}`, action);
      return void shop.colors.set(sku, value);
    }
    case 3: {
      const leaf = random.pick(leaves);
      const root = random.pick(roots);
      await changed(platform, `/categories/key=${leaf}`, {
        action: 'changeParent',
        parent: { typeId: 'category', key: root },
      });
      return void categories.set(leaf, root);
    }
    case 4: {
      const key = `price-${step}`;
      const [cents, staged] = [random.integer(1, 1000), random.chance(0.5) ? undefined : random.integer(1, 1000)];
      const country = random.pick(['DE', 'AT', 'FR', 'IT', 'ES', 'PL', 'NL', 'BE']);
      const draft = { key, sku, value: euro(cents), ...(staged !== undefined && { staged: { value: euro(staged) } }) };
      // A second price for a country is refused.
      const { status } = await platform.request('POST', '/standalone-prices', { ...draft, country });
      if (status === 201) prices.set(key, { sku, cents, staged });
      return;
    }
    default: {
      const [key, price] = random.pick([...prices, ['', undefined] as const]);
      if (price === undefined) return;
      const cents = random.integer(1, 1000);
      await changed(platform, `/standalone-prices/key=${key}`, { action: 'changeValue', value: euro(cents) });
      return void prices.set(key, { ...price, cents });
    }
  }
}

interface Priced {
  readonly key: string;
  readonly discounted?: { readonly value: { readonly centAmount: number } };
  readonly staged?: Omit<Priced, 'key' | 'staged'>;
}

/** What is shown of all prices, standalone and embedded. */
async function shown({ platform }: Shop): Promise<Body> {
  const { body } = await platform.request('GET', '/standalone-prices?limit=500');
  const alone = (body['results'] as readonly Priced[]).map(({ key, discounted, staged }) => [
    key,
    [discounted?.value.centAmount ?? null, staged?.discounted?.value.centAmount ?? null],
  ]);
  const { body: products } = await platform.request('GET', '/product-projections?limit=500');
  const embedded = (
    products['results'] as readonly { key: string; masterVariant: { prices: readonly Priced[] } }[]
  ).map(({ key, masterVariant }) => [key, masterVariant.prices[0]!.discounted?.value.centAmount ?? null]);
  return Object.fromEntries(
    [...alone, ...embedded].toSorted(([one], [other]) => (String(one) < String(other) ? -1 : 1)),
  );
}

function wanted(shop: Shop): Body {
  const alone = [...shop.prices].map(([key, { sku, cents, staged }]) => [
    key,
    [expected(shop, sku, cents) ?? null, (staged === undefined ? undefined : expected(shop, sku, staged)) ?? null],
  ]);
  const embedded = skus.map((sku) => [sku, expected(shop, sku, 1001) ?? null]);
  return Object.fromEntries(
    [...alone, ...embedded].toSorted(([one], [other]) => (String(one) < String(other) ? -1 : 1)),
  );
}

t.test('embedded and standalone prices follow discounts, products and categories', async (t) => {
  const shop = await openShop(t);
  const random = new Random(1);
  for (let round = 0; round < 6; round += 1) {
    for (let step = 0; step < 12; step += 1) await change(shop, random, round * 12 + step);
    const is = JSON.stringify(wanted(shop));
    let last: Body = {};
    await eventually(async () => {
      last = await shown(shop);
      return JSON.stringify(last) === is ? true : undefined;
    }).catch(() => {});
    t.strictSame(last, wanted(shop), `round ${round}`);
  }
  t.ok(shop.prices.size > 5 && shop.discounts.size > 5, 'of both there are some');
});

t.test('a standalone price is discounted when it is written, and once a product has its SKU', async (t) => {
  const platform = await startPlatform(t, { feeder: true });
  const draft = { key: 'half', name: { en: 'Half' }, predicate: 'product.key = "lamp"', sortOrder: '0.5' };
  await made(platform, '/product-discounts', { ...draft, value: { type: 'relative', permyriad: 5000 } });
  const before = await made(platform, '/standalone-prices', { key: 'early', sku: 'lamp', value: euro(100) });
  t.notOk('discounted' in before, 'no product has the SKU');
  await made(platform, '/product-types', { key: 'lamp', name: 'Lamp', description: 'Lamps' });
  await made(platform, '/products', {
    key: 'lamp',
    productType: { typeId: 'product-type', key: 'lamp' },
    name: { en: 'Lamp' },
    slug: { en: 'lamp' },
    masterVariant: { sku: 'lamp' },
  });
  const late = { key: 'late', sku: 'lamp', value: euro(300), country: 'DE', staged: { value: euro(200) } };
  const half = (centAmount: number) => ({ value: { centAmount }, discount: { typeId: 'product-discount' } });
  t.match(await made(platform, '/standalone-prices', late), {
    discounted: half(150),
    staged: { discounted: half(100) },
  });
  const path = '/standalone-prices/key=early';
  await eventually(async () => ('discounted' in (await platform.request('GET', path)).body ? true : undefined));
  t.match((await platform.request('GET', path)).body, { discounted: half(50) });
  await changed(platform, '/standalone-prices/key=late', { action: 'applyStagedChanges' });
  t.match((await platform.request('GET', '/standalone-prices/key=late')).body, { discounted: half(100) });
});

t.test('what a client says of an external discount that does not hold for the price is refused', async (t) => {
  const platform = await startProject();
  const { request } = platform;
  const external = (key: string, sortOrder: string, members: object) =>
    made(platform, '/product-discounts', {
      key,
      name: { en: key },
      sortOrder,
      value: { type: 'external' },
      ...members,
    });
  await external('out', '0.1', { predicate: 'centAmount > 100' });
  await external('off', '0.2', { predicate: 'true', isActive: false });
  await external('over', '0.3', { predicate: 'true', validUntil: '2020-01-01T00:00:00.000Z' });
  await made(platform, '/product-types', { key: 'lamp', name: 'Lamp', description: 'Lamps' });
  const price = (centAmount: number, key: string) => ({
    value: euro(centAmount),
    discounted: { value: euro(1), discount: { typeId: 'product-discount', key } },
  });
  const product = (...prices: readonly object[]) => ({
    key: 'lamp',
    productType: { typeId: 'product-type', key: 'lamp' },
    name: { en: 'Lamp' },
    slug: { en: 'lamp' },
    masterVariant: { sku: 'lamp', prices },
  });
  const create = (...prices: readonly object[]) => request('POST', '/products', product(...prices));
  t.match(await create(price(100, 'out')), refused(/does not match the price/));
  t.match(await create(price(200, 'off')), refused(/not active/));
  t.match(await create(price(200, 'over')), refused(/not in force/));
  t.match(await create(price(200, 'out')), {
    status: 201,
    body: { masterData: { staged: { masterVariant: { prices: [{ discounted: { value: { centAmount: 1 } } }] } } } },
  });
  const { body } = await request('GET', '/product-projections/key=lamp?staged=true');
  const { prices } = body['masterVariant'] as { readonly prices: readonly { readonly id: string }[] };
  const priceId = prices[0]!.id;
  const update = (...actions: readonly object[]) => request('POST', '/products/key=lamp', { version: 1, actions });
  const named = { variantId: 1 };
  for (const action of [
    { action: 'addPrice', ...named, price: { ...price(50, 'out'), country: 'DE' } },
    { action: 'changePrice', priceId, price: price(50, 'out') },
    { action: 'setPrices', ...named, prices: [price(50, 'out')] },
    { action: 'setDiscountedPrice', priceId, discounted: price(50, 'over').discounted },
    { action: 'addVariant', sku: 'lamp-2', prices: [price(50, 'out')] },
  ])
    t.match(await update(action), refused(/not in force, or does not match/), action.action);
  const again = await update({ action: 'setDiscountedPrice', priceId, discounted: price(200, 'out').discounted });
  t.match(again, { status: 200, body: { version: 1 } }, 'what is said again is no change');
  // What was said before goes without a word when it holds no more.
  const cheaper = await update({ action: 'setDiscountedPrice', priceId });
  t.equal(cheaper.status, 200);
});

t.test(
  'a price that a discount has made cheaper takes an external one in what is staged, and is found by its content',
  async (t) => {
    const platform = await startProject();
    const { request } = platform;
    const discount = (key: string, sortOrder: string, value: object) =>
      made(platform, '/product-discounts', { key, name: { en: key }, sortOrder, predicate: 'true', value });
    const { id: half } = await discount('half', '0.5', { type: 'relative', permyriad: 5000 });
    const { id: said } = await discount('said', '0.1', { type: 'external' });
    await made(platform, '/product-types', { key: 'lamp', name: 'Lamp', description: 'Lamps' });
    const draft = { value: euro(1000) };
    const { id } = await made(platform, '/products', {
      productType: { typeId: 'product-type', key: 'lamp' },
      name: { en: 'Lamp' },
      slug: { en: 'lamp' },
      publish: true,
      masterVariant: { sku: 'lamp', prices: [draft, { ...draft, country: 'DE' }] },
    });
    const path = `/products/${String(id)}`;
    type Side = { masterVariant: { prices: readonly { id: string; discounted?: { discount: { id: string } } }[] } };
    const sides = async (): Promise<{ current: Side; staged: Side }> =>
      (await request('GET', path)).body['masterData'] as { current: Side; staged: Side };
    const byIn = ({ masterVariant }: Side): readonly (string | undefined)[] =>
      masterVariant.prices.map(({ discounted }) => discounted?.discount.id);
    const priceId = (await sides()).staged.masterVariant.prices[0]!.id;
    const discounted = { value: euro(5), discount: { typeId: 'product-discount', id: said } };
    await changed(platform, path, { action: 'setDiscountedPrice', priceId, discounted });
    const { current, staged } = await sides();
    t.strictSame(
      [byIn(current), byIn(staged)],
      [
        [half, half],
        [said, half],
      ],
    );
    await changed(platform, path, { action: 'removePrice', variantId: 1, price: { ...draft, country: 'DE' } });
    t.strictSame(byIn((await sides()).staged), [said]);
  },
);

t.test(
  'a product with more prices than the discounts can be looked up for is refused, and others follow them',
  async (t) => {
    const platform = await startPlatform(t, { feeder: true });
    const { request } = platform;
    await made(platform, '/product-types', { key: 'lamp', name: 'Lamp', description: 'Lamps' });
    const day = (index: number): string => new Date(Date.UTC(2020, 0, 1 + index)).toISOString();
    const prices = Array.from({ length: 100 }, (_, index) => ({
      value: euro(1000),
      validFrom: day(index),
      validUntil: day(index + 1),
    }));
    const variant = (index: number) => ({ sku: `large-${index}`, prices });
    const draft = { productType: { typeId: 'product-type', key: 'lamp' }, publish: true };
    const small = { sku: 'small', prices: [{ value: euro(1000) }] };
    const product = (key: string, masterVariant: object, variants: readonly object[] = []) =>
      made(platform, '/products', { ...draft, key, name: { en: key }, slug: { en: key }, masterVariant, variants });
    await product('before', small);
    const others = Array.from({ length: 79 }, (_, index) => variant(index + 1));
    const { version } = await product('large', variant(0), others);
    await product('behind', { ...small, sku: 'small-2' });
    const predicate = Array.from({ length: 850 }, () => 'centAmount<0').join(' or ');
    for (const [index, name] of ['one', 'two', 'three'].entries()) {
      const value = { type: 'relative', permyriad: 1000 };
      const sortOrder = `0.${index + 2}`;
      await made(platform, '/product-discounts', { key: name, name: { en: name }, value, predicate, sortOrder });
    }
    const half = { value: { type: 'relative', permyriad: 5000 }, predicate: 'true', sortOrder: '0.1' };
    await made(platform, '/product-discounts', { key: 'half', name: { en: 'Half' }, ...half });
    const rename = { action: 'changeName', name: { en: 'Renamed' } };
    t.match(await request('POST', '/products/key=large', { version, actions: [rename] }), refused(/too many prices/));
    for (const key of ['before', 'behind']) {
      const path = `/product-projections/key=${key}`;
      const discounted = await eventually(async () => {
        const { body } = await request('GET', path);
        return (body['masterVariant'] as { prices: readonly Body[] }).prices[0]!['discounted'] as Body | undefined;
      });
      t.match(discounted, { value: { centAmount: 500 } }, `${key} follows`);
    }
    t.equal((await request('GET', '/products/key=large')).body['version'], version, 'the large one stays as it is');
    const names = { key: 'more', name: { en: 'More' }, slug: { en: 'more' } };
    const variants = Array.from({ length: 101 }, (_, index) => variant(index + 101));
    t.match(
      await request('POST', '/products', { ...draft, ...names, masterVariant: variant(100), variants }),
      refused(/at most 100 variants/),
      'more variants than there may be are not looked at',
    );
    await changed(platform, '/product-discounts/key=one', { action: 'changeIsActive', isActive: false });
    await changed(platform, '/products/key=large', rename);
    const { masterData } = (await request('GET', '/products/key=large')).body;
    t.match(masterData, { staged: { name: rename.name } }, 'with fewer discounts in force it can be written');
  },
);

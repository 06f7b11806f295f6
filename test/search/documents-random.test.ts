import { pino } from 'pino';
import t from 'tap';
import { startFeeder } from '../../src/feeder.ts';
import { type Platform, startPlatform } from '../support/platform.ts';
import { choicesOf } from '../support/random.ts';
import { eur, furnish, keyed, requireExact } from '../support/search-documents.ts';

/** Some change; what is refused, such as the update of what has gone, changes nothing. */
async function changeRandomly(platform: Platform, next: (count: number) => number): Promise<void> {
  const one = <T>(values: readonly T[]): T => values[next(values.length)]!;
  const flip = () => next(2) === 0;
  const type = () => one(['lamps', 'tents']);
  const product = () => one(['lamp', 'tent', 'p0', 'p1', 'p2', 'p3']);
  const sku = () => `${product()}-${1 + next(3)}`;
  const category = () => one(['home', 'garden', 'light', 'desk', 'c0', 'c1']);
  const store = () => one(['s0', 's1', 's2']);
  const selections = { summer: 'addProduct', winter: 'addProduct', not: 'excludeProduct' } as const;
  const selection = () => one(Object.keys(selections) as (keyof typeof selections)[]);
  const send = async (method: string, path: string, body?: object) => {
    const answer = await platform.request(method, path, body);
    if (answer.status >= 500) throw new Error(`${path}: ${answer.text}`);
    return answer.body;
  };
  const change = async (path: string, action: object) =>
    send('POST', path, { version: (await send('GET', path))['version'] ?? 1, actions: [action] });
  const drop = async (path: string) =>
    send('DELETE', `${path}?version=${Number((await send('GET', path))['version'] ?? 1)}`);
  const changes: readonly (() => Promise<unknown>)[] = [
    () => {
      const key = product();
      return send('POST', '/products', {
        key,
        name: { en: key },
        slug: { en: key },
        productType: keyed('product-type', type()),
        priceMode: one(['Embedded', 'Standalone']),
        masterVariant: { sku: `${key}-1`, prices: [{ value: eur(next(9)) }] },
        variants: flip() ? [{ sku: `${key}-2` }] : [],
        categories: [keyed('category', category())],
        publish: flip(),
      });
    },
    () => change(`/products/key=${product()}`, { action: 'changeName', name: { en: `name ${next(9)}` } }),
    () => change(`/products/key=${product()}`, { action: one(['publish', 'unpublish']) }),
    () => change(`/products/key=${product()}`, { action: 'addVariant', sku: sku(), staged: flip() }),
    () =>
      change(`/products/key=${product()}`, {
        action: 'setAttribute',
        variantId: 1,
        name: 'color',
        value: one(['red', 'blue']),
      }),
    () => change(`/products/key=${product()}`, { action: 'addToCategory', category: keyed('category', category()) }),
    () => (next(3) === 0 ? drop(`/products/key=${product()}`) : Promise.resolve()),
    () =>
      change(`/product-types/key=${type()}`, {
        action: 'changeIsSearchable',
        attributeName: 'color',
        isSearchable: flip(),
      }),
    () => {
      const key = category();
      return send('POST', '/categories', {
        key,
        name: { en: key },
        slug: { en: `c-${key}` },
        parent: keyed('category', category()),
      });
    },
    () => change(`/categories/key=${category()}`, { action: 'changeParent', parent: keyed('category', category()) }),
    () => (next(4) === 0 ? drop(`/categories/key=${category()}`) : Promise.resolve()),
    () => {
      const key = sku();
      return send('POST', '/inventory', { key: `stock-${key}`, sku: key, quantityOnStock: next(3) });
    },
    () => change(`/inventory/key=stock-${sku()}`, { action: 'changeQuantity', quantity: next(3) }),
    () => drop(`/inventory/key=stock-${sku()}`),
    () => {
      const key = sku();
      return send('POST', '/standalone-prices', {
        key: `price-${key}`,
        sku: key,
        value: eur(next(99)),
        active: flip(),
      });
    },
    () => change(`/standalone-prices/key=price-${sku()}`, { action: 'changeActive', active: flip() }),
    () => drop(`/standalone-prices/key=price-${sku()}`),
    () => {
      const key = selection();
      const mode = key === 'not' ? 'IndividualExclusion' : 'Individual';
      return send('POST', '/product-selections', { key, name: { en: key }, mode });
    },
    () => {
      const key = selection();
      return change(`/product-selections/key=${key}`, {
        action: selections[key],
        product: keyed('product', product()),
      });
    },
    () =>
      change(`/product-selections/key=${selection()}`, {
        action: 'removeProduct',
        product: keyed('product', product()),
      }),
    () => drop(`/product-selections/key=${selection()}`),
    () => send('POST', '/stores', { key: store() }),
    () =>
      change(`/stores/key=${store()}`, {
        action: 'setProductSelections',
        productSelections: Object.keys(selections).flatMap((key) =>
          flip() ? [{ productSelection: keyed('product-selection', key), active: flip() }] : [],
        ),
      }),
    () => drop(`/stores/key=${store()}`),
  ];
  await one(changes)();
}

t.test('documents become what is stored, whatever changes and whenever a feeder ends', async (t) => {
  const platform = await startPlatform(t);
  await furnish(platform);
  const next = choicesOf(23).below;
  const feed = () => startFeeder(platform.config, pino({ level: 'silent' }));
  let feeders = [feed(), feed()];
  t.teardown(() => Promise.all(feeders.map((feeder) => feeder.close())));
  for (let round = 0; round < 40; round += 1) {
    for (let batch = 0; batch < 2; batch += 1) {
      await Promise.all(Array.from({ length: 4 }, () => changeRandomly(platform, next)));
      for (const feeder of feeders) feeder.wake();
    }
    if (round % 5 === 0) {
      // They end wherever they are, and others go on.
      const ended = feeders;
      feeders = [feed(), feed()];
      await Promise.all(ended.map((feeder) => feeder.close()));
    }
    const wake = (): void => {
      for (const feeder of feeders) feeder.wake();
    };
    await requireExact(t, { ...platform, feeder: { wake } }, `round ${round}`);
  }
});

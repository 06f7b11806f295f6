/**
 * What the documents of product search have to be, made anew from all that is stored, and what they are. The functions that
 * make them are those of the feeder: this tells whether a change reaches its documents. What stands in one is told by
 * test/product-search/document.test.ts, and by the product that test/search/document-feeder.test.ts spells out.
 */
import type { Product } from '../../src/resources/product/fields.ts';
import type { Price } from '../../src/resources/product/price.ts';
import { searchDocument, type SearchedBeside } from '../../src/product-search/document.ts';
import { availabilityOf } from '../../src/resources/product/shown/availability.ts';
import { pino } from 'pino';
import type { Test } from 'tap';
import { type RunningFeeder, startFeeder } from '../../src/feeder.ts';
import { type Platform, startPlatform } from './platform.ts';
import { eventually } from './services.ts';

/** A platform with a feeder that is told as often as something is looked for. */
interface Fed extends Platform {
  readonly feeder: RunningFeeder;
}

export async function startFed(t: Test): Promise<Fed> {
  const platform = await startPlatform(t);
  const feeder = startFeeder(platform.config, pino({ level: 'silent' }));
  t.teardown(() => feeder.close());
  return { ...platform, feeder };
}

type Body = Readonly<Record<string, unknown>> & { readonly id: string; readonly version: number };

export async function made(platform: Platform, path: string, draft: object): Promise<Body> {
  const { status, body, text } = await platform.request('POST', path, draft);
  if (status !== 201) throw new Error(`${path}: ${text}`);
  return body as never;
}

/** Updates a resource at the version that it has. */
export async function update(platform: Platform, path: string, ...actions: object[]): Promise<void> {
  const { body } = await platform.request('GET', path);
  const answer = await platform.request('POST', path, { version: body['version'], actions });
  if (answer.status !== 200) throw new Error(`${path}: ${answer.text}`);
}

export async function remove(platform: Platform, path: string): Promise<void> {
  const { body } = await platform.request('GET', path);
  const answer = await platform.request('DELETE', `${path}?version=${String(body['version'])}`);
  if (answer.status !== 200) throw new Error(`${path}: ${answer.text}`);
}

export const keyed = (typeId: string, key: string) => ({ typeId, key });
export const eur = (centAmount: number) => ({ currencyCode: 'EUR', centAmount });

const attribute = (name: string, members: object = {}) => ({
  name,
  type: { name: 'text' },
  label: { en: name },
  isRequired: false,
  isSearchable: true,
  ...members,
});

/** Two product types that share an attribute, categories in a row, and a product of each type. */
export async function furnish(platform: Platform): Promise<{ readonly lamp: string; readonly tent: string }> {
  for (const key of ['lamps', 'tents'])
    await made(platform, '/product-types', {
      key,
      name: key,
      description: key,
      attributes: [attribute('color'), attribute(`of-${key}`)],
    });
  for (const [key, parent] of [['home'], ['garden'], ['light', 'home'], ['desk', 'light']])
    await made(platform, '/categories', {
      key,
      name: { en: key },
      slug: { en: `c-${key}` },
      ...(parent !== undefined && { parent: keyed('category', parent) }),
    });
  const product = async (key: string, type: string, members: object = {}) => {
    const { id } = await made(platform, '/products', {
      key,
      name: { en: key },
      slug: { en: key },
      productType: keyed('product-type', type),
      masterVariant: { sku: `${key}-1`, prices: [{ value: eur(100) }], attributes: [{ name: 'color', value: 'red' }] },
      variants: [{ sku: `${key}-2` }],
      publish: true,
      ...members,
    });
    return id;
  };
  const lamp = await product('lamp', 'lamps', { categories: [keyed('category', 'desk')] });
  return { lamp, tent: await product('tent', 'tents', { priceMode: 'Standalone' }) };
}

export async function requireExact(
  t: Test,
  platform: Platform & { readonly feeder: Pick<RunningFeeder, 'wake'> },
  claim: string,
): Promise<void> {
  await drained(platform);
  t.strictSame(await storedDocuments(platform), await expectedDocuments(platform), claim);
}

type Row = Record<string, never>;

/** Waits until nothing of the project is on a queue, followed or marked. */
export async function drained({
  sql,
  projectKey,
  feeder,
}: Pick<Platform, 'sql' | 'projectKey'> & { readonly feeder: { wake(): void } }): Promise<void> {
  await eventually(async () => {
    feeder.wake();
    const [row] = await sql<{ isIdle: boolean }[]>`
      select not exists (select from outbox where project = ${projectKey})
        and not exists (select from search_dirty where project = ${projectKey})
        and not exists (select from passes where project = ${projectKey} and (due_at is not null or begun_at is not null))
        and exists (select from search_projects where project = ${projectKey} and filled_at is not null) as "isIdle"`;
    return row!.isIdle || undefined;
  });
}

/** By the ids of products, without those that have gone. */
export async function storedDocuments({
  sql,
  projectKey,
}: Pick<Platform, 'sql' | 'projectKey'>): Promise<ReadonlyMap<string, unknown>> {
  const rows = await sql<{ id: string; document: unknown }[]>`
    select product_id as id, document from search_documents where project = ${projectKey} and document is not null
    order by product_id`;
  return new Map(rows.map(({ id, document }) => [id, document]));
}

export async function expectedDocuments({
  sql,
  projectKey,
}: Pick<Platform, 'sql' | 'projectKey'>): Promise<ReadonlyMap<string, unknown>> {
  const all = async <T = Row>(kind: string): Promise<readonly T[]> => {
    const rows = await sql<{ data: T }[]>`
      select data from documents where project = ${projectKey} and kind = ${kind} order by data ->> 'createdAt', id`;
    return rows.map(({ data }) => data);
  };
  const [products, categories, types, stocks, prices, assignments, selections, stores] = await Promise.all([
    all<Product>('product'),
    all<{ id: string; ancestors: { id: string }[] }>('category'),
    all<{ attributes: { name: string; isSearchable: boolean }[] }>('product-type'),
    all<{ sku: string }>('inventory-entry'),
    all<Price & { sku: string; active: boolean }>('standalone-price'),
    all<Assigned>('product-selection-assignment'),
    all<{ id: string; mode: string }>('product-selection'),
    all<Selling>('store'),
  ]);
  const hidden = new Set(
    types.flatMap(({ attributes }) => attributes.flatMap((each) => (each.isSearchable ? [] : [each.name]))),
  );
  const skus = new Set(stocks.map(({ sku }) => sku));
  const shared = {
    ancestors: new Map(categories.map(({ id, ancestors }) => [id, ancestors.map((above) => above.id)])),
    availabilities: new Map(
      [...skus].map((sku) => [sku, availabilityOf(stocks.filter((each) => each.sku === sku) as never, undefined)!]),
    ),
    isSearchable: (name: string) => !hidden.has(name),
  };
  const made = products.map((product): [string, unknown] => {
    const own = assignments.filter((each) => each.product.id === product.id);
    const side = (name: 'current' | 'staged') => {
      const data = structuredClone(product.masterData[name]);
      const variants = [data.masterVariant, ...data.variants];
      if (product.priceMode === 'Standalone')
        for (const variant of variants)
          Object.assign(variant, {
            standalonePrices: prices.filter(({ sku, active }) => active && sku === variant.sku),
          });
      const beside: SearchedBeside = {
        ...shared,
        stores: stores
          .filter((store) => variants.some(({ sku }) => isSold(store, { own, selections, sku })))
          .map(({ key }) => key)
          .toSorted(),
        productSelections: own
          .map(({ productSelection }) => productSelection.id)
          .filter((id) => selections.some((each) => each.id === id && each.mode === 'Individual'))
          .toSorted(),
      };
      const whole = { ...product, masterData: { ...product.masterData, [name]: data } };
      return searchDocument(whole as unknown as Parameters<typeof searchDocument>[0], name, beside);
    };
    if (!product.masterData.published) return [product.id, { staged: side('staged') }];
    const [current, staged] = [side('current'), side('staged')];
    const isBoth = JSON.stringify(current) === JSON.stringify(staged);
    return [product.id, isBoth ? { both: current } : { current, staged }];
  });
  // As JSON has it, without members that are undefined.
  const written = JSON.parse(JSON.stringify(made)) as typeof made;
  return new Map(written.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

interface Assigned {
  readonly product: { readonly id: string };
  readonly productSelection: { readonly id: string };
  readonly variantSelection?: { readonly type: string; readonly skus: readonly string[] };
  readonly variantExclusion?: { readonly skus: readonly string[] };
}

interface Selling {
  readonly key: string;
  readonly productSelections: readonly {
    readonly productSelection: { readonly id: string };
    readonly active: boolean;
  }[];
}

/** By catalog 57, where a store has active selections. */
function isSold(
  { productSelections }: Selling,
  given: {
    readonly own: readonly Assigned[];
    readonly selections: readonly { readonly id: string; readonly mode: string }[];
    readonly sku: string | undefined;
  },
): boolean {
  const active = productSelections.flatMap((each) => (each.active ? [each.productSelection.id] : []));
  const modes = given.selections.filter(({ id }) => active.includes(id));
  const assignedTo = (mode: string) =>
    given.own.filter((each) => modes.some((one) => one.mode === mode && one.id === each.productSelection.id));
  const names = (skus: readonly string[]) => given.sku !== undefined && skus.includes(given.sku);
  if (modes.length === 0) return false;
  if (
    assignedTo('IndividualExclusion').some(({ variantExclusion }) => !variantExclusion || names(variantExclusion.skus))
  )
    return false;
  if (!modes.some(({ mode }) => mode === 'Individual')) return true;
  return assignedTo('Individual').some(
    ({ variantSelection: only }) => !only || names(only.skus) === ['includeOnly', 'inclusion'].includes(only.type),
  );
}

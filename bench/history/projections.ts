import type { Pool } from 'undici';
import type { Random } from '../../src/demo/random.ts';
import type { Observation, Present } from './checker.ts';
import type { Discounts } from './discounts.ts';
import {
  country,
  currency,
  type Data,
  type Price,
  priceContent,
  product,
  type Product,
  productSelection,
  standalonePrice,
  type Stock,
  stock,
  stockContent,
  textOf,
  type Variant,
} from './goods.ts';
import type { Credentials, Requests } from './requests.ts';

type Side = 'current' | 'staged';

/** How projections are asked for. */
interface View {
  readonly side: Side;
  /** By which prices are selected. */
  readonly selection: 'none' | 'currency' | 'country';
}

const sides: readonly Side[] = ['current', 'staged'];
const selections: readonly View['selection'][] = ['none', 'currency', 'country'];
const views = sides.flatMap((side) => selections.map((selection): View => ({ side, selection })));
/** Two halves of each product, with prices and stocks, cost more than the halves alone. */
const graphqlLimit = 100;

type Named = { readonly id: string } | { readonly key: string };

interface GraphqlAsked {
  readonly server: Pool;
  readonly query: string;
  readonly variables: object;
  readonly name: string;
  readonly credentials?: Credentials;
}

type Projection = Data & Pick<Product, 'id' | 'version' | 'key' | 'priceMode'>;

/**
 * Reads of products as projections, with the prices that are selected for who asks and with their stocks. A projection is a
 * part of one version of its product, and shows stocks and standalone prices as new as if they were asked for.
 */
export class Projections {
  readonly #requests: Requests;
  readonly #random: Random;
  readonly #discounts: Discounts;
  /** Who sees what is published alone. */
  readonly #viewer: Requests['first'];

  constructor(requests: Requests, { random, discounts }: { readonly random: Random; readonly discounts: Discounts }) {
    this.#requests = requests;
    this.#random = random;
    this.#discounts = discounts;
    this.#viewer = { ...requests.first, tokens: [] };
  }

  /** Gets a token of who sees what is published alone. */
  async prepare(): Promise<void> {
    const answer = await this.#requests.grant(this.#requests.servers[0]!, this.#viewer, 'view_published_products');
    if (answer?.status !== 200) throw new Error('There is no token to view what is published.');
  }

  /** Some read. */
  step(server: Pool): Promise<boolean> {
    const random = this.#random;
    const view = random.pick(views);
    const requests = this.#requests;
    // There may be none yet.
    const isNone = requests.handles(product).size === 0;
    const named = isNone ? { key: requests.newKey() } : requests.anyName(product.kind);
    const chance = random.integer(1, 10);
    if (chance <= 4) return this.#one(server, named, view);
    if (chance <= 5) return random.chance(0.5) ? this.#page(server, view) : this.#wholePage(server);
    if (chance <= 6) return this.#pageOfKey(server, requests.newKey(), view);
    if (chance <= 7) return this.#graphqlOne(server, named);
    if (chance <= 8) return this.#graphqlPage(server);
    if (chance <= 9) return this.#priced(server, named, view.selection);
    return random.chance(0.5) ? this.#publishedOne(server, named) : this.#publishedPage(server);
  }

  /** Reads of one product in every form; there is the id as soon as there is the product. */
  async look(server: Pool, { id, key }: { readonly id: string | undefined; readonly key: string }): Promise<void> {
    const named = id === undefined ? { key } : { id };
    await Promise.all([
      ...views.map((view) => this.#one(server, named, view)),
      ...sides.flatMap((side) => [
        this.#one(server, { key }, { side, selection: 'none' }),
        this.#pageOfKey(server, key, { side, selection: 'country' }),
      ]),
      this.#graphqlOne(server, named),
      this.#priced(server, named, 'none'),
      this.#priced(server, named, 'country'),
      this.#publishedOne(server, named),
    ]);
  }

  /** Reads of all products, which those ask for first who may see all of them: what is kept for these is not for others. */
  async lookAtAll(server: Pool): Promise<void> {
    await this.#requests.list(product, server);
    await Promise.all([
      ...sides.map((side) => this.#page(server, { side, selection: 'country' })),
      this.#wholePage(server),
      this.#graphqlPage(server),
      this.#publishedPage(server),
    ]);
  }

  #one(server: Pool, named: Named, view: View): Promise<boolean> {
    const path = `/product-projections/${pathOf(named)}?${queryOf(view)}`;
    return this.#requests.ask({ server, method: 'GET', path, name: `read ${path}` }, ({ status, body }) => {
      if (status === 404) return [noneOf(named, view.side)];
      if (status !== 200) return [];
      // The shape of a projection.
      const found = body as unknown as Projection;
      return this.#projected(found, view, 'key' in named ? named.key : undefined);
    });
  }

  #page(server: Pool, view: View): Promise<boolean> {
    const path = `/product-projections?limit=500&${queryOf(view)}`;
    return this.#requests.ask({ server, method: 'GET', path, name: `list ${path}` }, ({ status, body }) => {
      if (status !== 200) return [];
      // A page of projections.
      const { results, total } = body as unknown as { readonly results: readonly Projection[]; readonly total: number };
      const items = results.map((found) => partOf(found, found, view.side));
      const { kind } = product;
      return [
        { is: 'list', kind, items, total, part: view.side },
        ...results.flatMap((found) => this.#projected(found, view)),
      ];
    });
  }

  #pageOfKey(server: Pool, key: string, view: View): Promise<boolean> {
    const where = encodeURIComponent(`key = "${key}"`);
    const path = `/product-projections?where=${where}&withTotal=false&${queryOf(view)}`;
    return this.#requests.ask({ server, method: 'GET', path, name: `query ${path}` }, ({ status, body }) => {
      if (status !== 200) return [];
      // A page of projections.
      const [found] = body['results'] as readonly Projection[];
      return found === undefined ? [noneOf({ key }, view.side)] : this.#projected(found, view, key);
    });
  }

  /** A product with stocks and selected prices in both halves. */
  #priced(server: Pool, named: Named, selection: View['selection']): Promise<boolean> {
    const path = `/products/${pathOf(named)}?${queryOf({ side: 'current', selection })}`;
    return this.#requests.ask({ server, method: 'GET', path, name: `read ${path}` }, ({ status, body }) => {
      if (status !== 200) return [];
      const found = body as unknown as Product;
      const { priceMode, masterData } = found;
      const prices = sides.flatMap((side) => this.#priceOf(masterData[side].masterVariant, { priceMode, selection }));
      const shown = [...prices, ...stocksOf(found)];
      return [this.#requests.presentOf(product.kind, body), ...shown, ...this.#discounts.observed(found)];
    });
  }

  /** Products as they are, with the stocks of both halves. */
  #wholePage(server: Pool): Promise<boolean> {
    const path = '/products?limit=500&sort=id%20asc';
    return this.#requests.ask(
      { server, method: 'GET', path, name: 'list products, with stocks' },
      ({ status, body }) => {
        if (status !== 200) return [];
        // A page of products.
        const { results, total } = body as unknown as {
          readonly results: readonly (Product & Record<string, unknown>)[];
          readonly total: number;
        };
        const { kind } = product;
        const items = results.map((found) => this.#requests.presentOf(kind, found));
        return [{ is: 'list', kind, items, total }, ...results.flatMap(stocksOf)];
      },
    );
  }

  /** Products as those see them who see what is published alone. */
  #publishedPage(server: Pool): Promise<boolean> {
    const path = '/products?limit=500';
    const asked = { server, method: 'GET', path, name: 'list what is published', credentials: this.#viewing } as const;
    return this.#requests.ask(asked, ({ status, body }) => {
      if (status !== 200) return [];
      // A page of products.
      const { results, total } = body as unknown as { readonly results: readonly Product[]; readonly total: number };
      const shown = results.flatMap((found) => this.#publishedOf(found));
      const items = shown.filter((item) => item.is === 'present');
      return [{ is: 'list', kind: product.kind, items, total, part: 'current' }, ...shown];
    });
  }

  #publishedOne(server: Pool, named: Named): Promise<boolean> {
    const name = 'GraphQL product, as it is published';
    const asked = { server, query: queryOfOne(named, productSelection()), variables: named, name };
    return this.#graphql({ ...asked, credentials: this.#viewing }, (data) => {
      const found = data['product'] as Product | null;
      if (found === null) return [noneOf(named, 'current')];
      return this.#publishedOf(found, 'key' in named ? named.key : undefined);
    });
  }

  #publishedOf(found: Product, askedKey?: string): readonly Observation[] {
    const { current, staged }: Partial<Product['masterData']> = found.masterData;
    if (staged) return [{ is: 'wrong', message: `product ${found.id} shows what is staged, as published` }];
    return [
      { ...partOf(found, current!, 'current'), ...(askedKey !== undefined && { askedKey }) },
      ...this.#discounts.observedIn(found, 'current', current!),
    ];
  }

  get #viewing(): Credentials {
    return { client: this.#viewer, token: this.#viewer.tokens[0]! };
  }

  #graphqlOne(server: Pool, named: Named): Promise<boolean> {
    const query = queryOfOne(named, selectionOfAll);
    return this.#graphql({ server, query, variables: named, name: 'GraphQL product, priced' }, (data) => {
      const found = data['product'] as (Product & Record<string, unknown>) | null;
      if (found === null) {
        const { kind } = product;
        return ['id' in named ? { is: 'absent', kind, id: named.id } : { is: 'free', kind, key: named.key }];
      }
      return this.#whole(found);
    });
  }

  #graphqlPage(server: Pool): Promise<boolean> {
    const query = `{ products(limit: ${graphqlLimit}) { total results ${selectionOfAll} } }`;
    return this.#graphql({ server, query, variables: {}, name: 'GraphQL products, priced' }, (data) => {
      // The shape that the query asks for.
      const { results, total } = data['products'] as {
        readonly results: readonly (Product & Record<string, unknown>)[];
        readonly total: number;
      };
      const { kind } = product;
      const items = results.map((found) => this.#requests.presentOf(kind, found));
      return [{ is: 'list', kind, items, total }, ...results.flatMap((found) => this.#whole(found))];
    });
  }

  #graphql(
    { query, variables, ...asked }: GraphqlAsked,
    read: (data: Record<string, unknown>) => readonly Observation[],
  ): Promise<boolean> {
    const body = { query, variables };
    return this.#requests.ask({ ...asked, method: 'POST', path: '/graphql', body }, (answer) => {
      const isWhole = answer.status === 200 && answer.body['errors'] === undefined;
      return isWhole ? read(answer.body['data'] as Record<string, unknown>) : [];
    });
  }

  /** Both halves, each with its selected price and its stock. */
  #whole(found: Product & Record<string, unknown>): readonly Observation[] {
    const { priceMode, masterData } = found;
    const shown = sides.flatMap((side) => {
      const { masterVariant } = masterData[side];
      return [...this.#priceOf(masterVariant, { priceMode, selection: 'country' }), ...stockOf(masterVariant)];
    });
    return [this.#requests.presentOf(product.kind, found), ...shown, ...this.#discounts.observed(found)];
  }

  #projected(found: Projection, { side, selection }: View, askedKey?: string): readonly Observation[] {
    const { masterVariant, priceMode } = found;
    return [
      { ...partOf(found, found, side), ...(askedKey !== undefined && { askedKey }) },
      ...stockOf(masterVariant),
      ...this.#priceOf(masterVariant, { priceMode, selection }),
      ...this.#discounts.observedIn(found, side, found),
    ];
  }

  /** The selected price is one of those of the variant, or the one that stands alone. */
  #priceOf(
    { sku, price, prices }: Variant,
    { priceMode, selection }: Pick<Product, 'priceMode'> & Pick<View, 'selection'>,
  ): readonly Observation[] {
    const { kind } = standalonePrice;
    if (selection !== 'none' && priceMode === 'Standalone') {
      if (!price) return [{ is: 'free', kind, key: sku! }];
      const content = priceContent(price, sku!);
      return [{ is: 'present', kind, id: price.id, version: undefined, content, askedKey: sku! }];
    }
    const ofCountry = prices.find((each) => each.country === country);
    const expected =
      selection === 'country' && ofCountry !== undefined ? ofCountry : prices.find((each) => !each.country);
    const [shown, right] = [price, selection === 'none' ? undefined : expected].map(textOfPrice);
    return shown === right
      ? []
      : [{ is: 'wrong', message: `of the prices of ${sku} ${shown} is shown, and not ${right}` }];
  }
}

const selectionOfAll = productSelection(
  `price(currency: "${currency}", country: "${country}") { id country value { centAmount } discounted { value { centAmount } } }
  availability { noChannel { id version availableQuantity } }`,
);

function textOfPrice(price: Price | null | undefined): string {
  return price
    ? JSON.stringify([price.id, price.country ?? null, price.value.centAmount, price.discounted?.value.centAmount])
    : 'none';
}

function queryOfOne(named: Named, selection: string): string {
  const variable = 'id' in named ? 'id' : 'key';
  return `query ($${variable}: String) { product(${variable}: $${variable}) ${selection} }`;
}

function pathOf(named: Named): string {
  return 'id' in named ? named.id : `key=${named.key}`;
}

function queryOf({ side, selection }: View): string {
  return new URLSearchParams({
    ...(side === 'staged' && { staged: 'true' }),
    ...(selection !== 'none' && { priceCurrency: currency }),
    ...(selection === 'country' && { priceCountry: country }),
  }).toString();
}

/** Every product has a staged half; a current one shows while it is published. */
function noneOf(named: Named, side: Side): Observation {
  const { kind } = product;
  if ('key' in named) return { is: 'free', kind, key: named.key, part: side };
  return side === 'staged' ? { is: 'absent', kind, id: named.id } : { is: 'hidden', kind, id: named.id, part: side };
}

function partOf({ id, version, key }: Pick<Product, 'id' | 'version' | 'key'>, data: Data, part: Side): Present {
  const content = { text: textOf(data), ...(typeof key === 'string' && { key }) };
  return { is: 'present', kind: product.kind, id, version, content, part };
}

/** The stocks of both halves. */
function stocksOf({ masterData }: Pick<Product, 'masterData'>): readonly Observation[] {
  return sides.flatMap((side) => stockOf(masterData[side].masterVariant));
}

/** The stock of the variant, as REST shows it or as GraphQL does. */
function stockOf({ sku, availability }: Variant): readonly Observation[] {
  const { kind } = stock;
  const shown = availability && 'noChannel' in availability ? availability.noChannel : availability;
  if (!shown) return [{ is: 'free', kind, key: sku! }];
  const { id, version } = shown as Stock;
  return [{ is: 'present', kind, id, version, content: stockContent(shown as Stock, sku!), askedKey: sku! }];
}

/** Carts as storefronts fill them: a line more, and what that costs with all discounts that there are. */
import { topicsOf } from '../src/app.ts';
import { allResources } from '../src/resources/all.ts';
import { cart } from '../src/resources/cart/resource.ts';
import { type Comparison, type Contest, updateContest } from './contests.ts';
import { inTurn, type Request, type Source } from './load.ts';
import type { Stage } from './stage.ts';

const statements = 'pgbench, the same two statements';

export const cartComparisons: readonly Comparison[] = [
  { work: 'addLineItem, 5 discounts', against: statements, goal: '0.50', prepare: adding({ lines: 1, discounts: 5 }) },
  {
    work: 'addLineItem, 20 lines, 50 discounts',
    against: statements,
    goal: '0.40',
    prepare: adding({ lines: 20, discounts: 50 }),
  },
  {
    work: 'addLineItem, 200 lines, 50 discounts',
    against: statements,
    goal: '0.15',
    prepare: adding({ lines: 200, discounts: 50 }),
  },
  {
    work: 'GET by id while 16 clients change carts of 200 lines',
    against: 'the same GETs alone',
    goal: '0.50',
    prepare: besideCarts,
  },
];

interface Size {
  readonly lines: number;
  readonly discounts: number;
}

function adding({ lines, discounts }: Size): Comparison['prepare'] {
  return async (stage) => {
    const skus = await soldSkus(stage, lines);
    const end = await withDiscounts(stage, discounts);
    const { kind } = cart;
    const contest = await updateContest(stage, {
      path: 'carts',
      draft: () => cartOf(skus),
      // One more of the first, so that carts stay as large as they are.
      action: () => ({ action: 'addLineItem', sku: skus[0] }),
      readsFirst: true,
      form: {
        type: 'replacement',
        kind,
        topics: topicsOf(allResources).get(kind) ?? [],
        groupedBy: [],
        groupTopics: [],
        hasIndexed: false,
        hasReferences: false,
        hasUniqueValues: false,
      },
    });
    return {
      ...contest,
      end: async () => {
        await contest.end();
        await end();
      },
    };
  };
}

function cartOf(skus: readonly string[]): object {
  return { currency: 'EUR', country: 'DE', lineItems: skus.map((sku) => ({ sku })) };
}

/** Of products that anybody in Germany has a price for. */
async function soldSkus(stage: Stage, count: number): Promise<readonly string[]> {
  const path = `${stage.project}/product-projections?limit=500&priceCurrency=EUR&priceCountry=DE`;
  const { results } = JSON.parse(await stage.ask({ method: 'GET', path })) as {
    results: readonly { masterVariant: { sku?: string; price?: object } }[];
  };
  const skus = results.flatMap(({ masterVariant: { sku, price } }) => (sku === undefined || !price ? [] : [sku]));
  if (skus.length < count) throw new Error(`The shop sells ${skus.length} products for ${count} lines.`);
  return skus.slice(0, count);
}

const predicates = [
  'true',
  'attributes.color.key = "red"',
  'quantity > 1',
  'price.centAmount > 2000',
  'attributes.size.key in ("m", "l") and quantity < 5',
];

/** Cart discounts in force, of which each takes a little off some lines. Gives what deletes them. */
async function withDiscounts(stage: Stage, count: number): Promise<() => Promise<void>> {
  const path = `${stage.project}/cart-discounts`;
  const made = await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const body = {
        name: { en: `Discount ${index}` },
        value: { type: 'relative', permyriad: 100 },
        target: { type: 'lineItems', predicate: predicates[index % predicates.length] },
        cartPredicate: index % 2 === 0 ? 'true' : 'lineItemTotal(true) > "10 EUR"',
        sortOrder: `0.7${String(index).padStart(3, '0')}1`,
      };
      return JSON.parse(await stage.ask({ method: 'POST', path, body: JSON.stringify(body) })) as {
        id: string;
        version: number;
      };
    }),
  );
  return async () => {
    for (const { id, version } of made) await stage.ask({ method: 'DELETE', path: `${path}/${id}?version=${version}` });
  };
}

const changingClients = 16;

async function besideCarts(stage: Stage): Promise<Contest> {
  const skus = await soldSkus(stage, 200);
  const end = await withDiscounts(stage, 50);
  const reads: readonly Request[] = (await stage.ids('products')).map((id) => {
    return { method: 'GET', path: `${stage.project}/products/${id}` };
  });
  const path = `${stage.project}/carts`;
  const changing = async (): Promise<() => Promise<void>> => {
    const over = new AbortController();
    const clients = Array.from({ length: changingClients }, async () => {
      const body = JSON.stringify(cartOf(skus));
      let { id, version } = JSON.parse(await stage.ask({ method: 'POST', path, body })) as Changing;
      while (!over.signal.aborted) {
        const actions = [{ action: 'addLineItem', sku: skus[0] }];
        const update = { method: 'POST', path: `${path}/${id}`, body: JSON.stringify({ version, actions }) } as const;
        ({ id, version } = JSON.parse(await stage.ask(update)) as Changing);
      }
    });
    return async () => {
      over.abort();
      await Promise.all(clients);
    };
  };
  const source = (): Source => inTurn(reads);
  return {
    ours: async () => {
      const stop = await changing();
      const round = await stage.load(stage.baseUrl, source());
      await stop();
      return round;
    },
    theirs: () => stage.load(stage.baseUrl, source()),
    end,
  };
}

interface Changing {
  readonly id: string;
  readonly version: number;
}

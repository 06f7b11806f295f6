/** Carts as storefronts fill them: a line more, and what that costs with all discounts that there are. */
import { cart } from '../src/resources/cart/resource.ts';
import { bare, bareContest, type Comparison, plainForm, updateContest, updating } from './contests.ts';
import { ask } from './client.ts';
import { inTurn, type Request, type Round } from './load.ts';
import { soldSkus, type Stage } from './stage.ts';

const statements = 'pgbench, the same two statements';
const onLoop = 'the same, all on the event loop';

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
    work: 'addLineItem, 20 lines, 50 discounts, in threads',
    against: onLoop,
    goal: undefined,
    prepare: addingBoth(20, ({ threadUrl }) => threadUrl),
  },
  {
    work: 'addLineItem, 200 lines, 50 discounts, in threads',
    against: onLoop,
    goal: undefined,
    prepare: addingBoth(200, ({ baseUrl }) => baseUrl),
  },
  {
    work: 'GET by id while 16 clients change carts of 200 lines',
    against: 'the same GETs alone',
    goal: '0.50',
    prepare: async (stage) => {
      const { beside, alone, end } = await besideCarts(stage);
      return { ours: () => beside(stage.baseUrl), theirs: () => alone(stage.baseUrl), end };
    },
  },
  {
    work: 'GET by id while 16 clients change carts of 200 lines, in threads',
    against: onLoop,
    goal: undefined,
    prepare: async (stage) => {
      const { beside, end } = await besideCarts(stage);
      return { ours: () => beside(stage.baseUrl), theirs: () => beside(stage.loopUrl), end };
    },
  },
  matchingCart({ methods: 20, goal: '0.30' }),
  matchingCart({ methods: 100, goal: '0.12' }),
  matchingCart({ methods: 20, goal: undefined, hasKept: false }),
];

interface Size {
  readonly lines: number;
  readonly discounts: number;
}

function adding({ lines, discounts }: Size): Comparison['prepare'] {
  return async (stage) => {
    const skus = await soldSkus(stage, lines);
    const end = await withDiscounts(stage, discounts);
    const contest = await updateContest(stage, {
      path: 'carts',
      draft: () => cartOf(skus),
      // One more of the first, so that carts stay as large as they are.
      action: () => ({ action: 'addLineItem', sku: skus[0] }),
      readsFirst: true,
      form: { ...plainForm(cart.kind), type: 'replacement' },
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

/** Carts as large, with 50 discounts, computed in threads and on the event loop. */
function addingBoth(lines: number, inThreads: (stage: Stage) => string): Comparison['prepare'] {
  return async (stage) => {
    const skus = await soldSkus(stage, lines);
    const end = await withDiscounts(stage, 50);
    const updates = {
      path: 'carts',
      draft: () => cartOf(skus),
      action: () => ({ action: 'addLineItem', sku: skus[0] }),
    };
    return { ours: updating(stage, updates, inThreads(stage)), theirs: updating(stage, updates, stage.loopUrl), end };
  };
}

/**
 * Which of so many methods fit carts of 20 lines, by predicates and tiers. No answer is kept; without what is kept of
 * resources, all that they are made of is read anew as well.
 */
function matchingCart({
  methods,
  goal,
  hasKept = true,
}: {
  readonly methods: number;
  readonly goal: string | undefined;
  readonly hasKept?: boolean;
}): Comparison {
  return {
    work: `matching-cart, 20 lines, ${methods} methods, ${hasKept ? 'every answer made anew' : 'nothing kept'}`,
    against: bare,
    goal,
    prepare: async (stage) => {
      const skus = await soldSkus(stage, 20);
      await withMethods(stage, methods);
      const path = `${stage.project}/carts`;
      const body = JSON.stringify({ ...cartOf(skus), shippingAddress: { country: 'DE' } });
      const requests: Request[] = [];
      for (let count = 0; count < 50; count += 1) {
        const { id } = JSON.parse(await stage.ask({ method: 'POST', path, body })) as Changing;
        requests.push({ method: 'GET', path: `${stage.project}/shipping-methods/matching-cart?cartId=${id}` });
      }
      return bareContest(stage, requests, hasKept ? stage.excerptUrl : stage.forgetfulUrl);
    },
  };
}

/** As many methods in all, the demo's among them. */
async function withMethods(stage: Stage, count: number): Promise<void> {
  const path = `${stage.project}/shipping-methods`;
  const { total, results } = JSON.parse(await stage.ask({ method: 'GET', path: `${path}?limit=1` })) as {
    total: number;
    results: readonly { taxCategory: object; zoneRates: readonly { zone: { id: string } }[] }[];
  };
  const [{ taxCategory, zoneRates }] = results as [(typeof results)[number]];
  const { id } = zoneRates[0]!.zone;
  for (let index = total; index < count; index += 1) {
    const draft = {
      name: `Method ${index}`,
      taxCategory,
      isDefault: false,
      predicate: index % 2 === 0 ? 'totalPrice > "1.00 EUR"' : 'lineItemCount(quantity > 0) > 2',
      zoneRates: [
        { zone: { typeId: 'zone', id }, shippingRates: [{ price: { currencyCode: 'EUR', centAmount: index } }] },
      ],
    };
    await stage.ask({ method: 'POST', path, body: JSON.stringify(draft) });
  }
}

function cartOf(skus: readonly string[]): object {
  return { currency: 'EUR', country: 'DE', lineItems: skus.map((sku) => ({ sku })) };
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

interface Beside {
  /** GETs while others change carts on the same process. */
  beside(baseUrl: string): Promise<Round>;
  alone(baseUrl: string): Promise<Round>;
  end(): Promise<void>;
}

async function besideCarts(stage: Stage): Promise<Beside> {
  const skus = await soldSkus(stage, 200);
  const end = await withDiscounts(stage, 50);
  const reads: readonly Request[] = (await stage.ids('products')).map((id) => {
    return { method: 'GET', path: `${stage.project}/products/${id}` };
  });
  const path = `${stage.project}/carts`;
  const change = async (baseUrl: string): Promise<() => Promise<void>> => {
    const over = new AbortController();
    const askThere = (request: Request): Promise<string> => ask(baseUrl, stage.token, request);
    const body = JSON.stringify(cartOf(skus));
    const carts: Changing[] = [];
    while (carts.length < changingClients)
      carts.push(JSON.parse(await stage.ask({ method: 'POST', path, body })) as Changing);
    const clients = carts.map(async ({ id, version: first }) => {
      let version = first;
      while (!over.signal.aborted) {
        const actions = [{ action: 'addLineItem', sku: skus[0] }];
        const update = { method: 'POST', path: `${path}/${id}`, body: JSON.stringify({ version, actions }) } as const;
        ({ version } = JSON.parse(await askThere(update)) as Changing);
      }
    });
    return async () => {
      over.abort();
      await Promise.all(clients);
    };
  };
  return {
    beside: async (baseUrl) => {
      const stop = await change(baseUrl);
      try {
        return await stage.load(baseUrl, inTurn(reads));
      } finally {
        await stop();
      }
    },
    alone: (baseUrl) => stage.load(baseUrl, inTurn(reads)),
    end,
  };
}

interface Changing {
  readonly id: string;
  readonly version: number;
}

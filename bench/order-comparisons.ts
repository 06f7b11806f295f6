/** Orders as a busy sale makes them: each of a cart that was filled before, with what there is of its goods and a code. */
import { connect } from '../src/storage/connection.ts';
import { create } from '../src/engine/operations/create.ts';
import type { Replacement, Write } from '../src/engine/store.ts';
import { type Comparison, type Contest, pgbenchContest, type Versioned } from './contests.ts';
import type { Request, Source } from './load.ts';
import { recordedScript, recordedWrites } from './recorded-commit.ts';
import { soldSkus, type Stage } from './stage.ts';

export const orderComparisons: readonly Comparison[] = [
  {
    work: 'order of a cart of 5 lines with stock and a code, 64 clients',
    against: 'pgbench, the same statement',
    goal: '0.50',
    prepare: ordering,
  },
];

const lines = 5;
/** Orders a second that there are carts for. */
const perSecondMax = 1000;
/** Carts that are made at a time. */
const madeTogether = 16;
const plenty = 1_000_000_000;

/** What each client sells. Clients that sold the same would wait for each other, whoever writes. */
interface Assortment {
  readonly skus: readonly string[];
  /** Of the entries of their stock, in the order of their SKUs. */
  readonly stocks: readonly string[];
  readonly code: Versioned & { readonly code: string };
}

async function ordering(stage: Stage): Promise<Contest> {
  const assortments = await assortmentsOf(stage);
  const script = await scriptFor(stage, assortments);
  const sql = connect({ databaseUrl: stage.config.databaseUrl, connectionsMax: 1, prepare: true });
  const project = stage.config.projectKey;
  let carts: Versioned[] = [];
  const { ours, theirs } = await pgbenchContest(stage, {
    script: script.text,
    variables: { project, v: '0' },
    ours: () => stage.load(stage.baseUrl, ordersOf(stage, carts)),
  });
  const clear = (): Promise<unknown> =>
    sql`delete from documents where project = ${project} and kind in ('cart', 'order') and id::text like '00000000-%'`;
  return {
    ours,
    theirs,
    ready: async (side) => {
      if (side === 'ours') {
        carts = await filledCarts(stage, assortments);
        return;
      }
      await clear();
      const each = Math.ceil((stage.seconds * perSecondMax) / stage.connections);
      await sql.unsafe(
        `insert into documents (project, kind, id, version, data, indexed, indexed_version)
        select $1, 'cart', ${idOf('cart', 'client', 'number')}, $2::bigint, $3::text::jsonb, $4::text::jsonb, $2::bigint
        from generate_series(0, ${stage.connections - 1}) as client, generate_series(1, ${each}) as number`,
        [project, String(script.cart.version), JSON.stringify(script.cart), script.indexed],
      );
    },
    end: async () => {
      await clear();
      await sql.end();
    },
  };
}

const firstDigits = { cart: '00000000-0000-4000-8000', order: '00000000-0000-4000-9000' };

function idOf(kind: keyof typeof firstDigits, client: string, number: string): string {
  return `('${firstDigits[kind]}-' || lpad(${client}::text, 4, '0') || lpad(${number}::text, 8, '0'))::uuid`;
}

interface Script {
  readonly text: string;
  readonly cart: Versioned;
  /** What of the cart its index has. */
  readonly indexed: string;
}

/** What an order writes, of another cart each time: those of a client's own assortment. */
async function scriptFor(stage: Stage, assortments: readonly Assortment[]): Promise<Script> {
  const [first] = assortments as [Assortment];
  const cart = JSON.parse(await stage.ask(cartOf(stage, first))) as Versioned;
  const writes = await recordedWrites(stage, (engine, context) =>
    create(engine, {
      context,
      resource: engine.registry.byKind.get('order')!,
      draft: { cart: { typeId: 'cart', id: cart.id }, version: cart.version },
      expand: [],
    }),
  );
  const order = writes.find(({ kind, type }: Write) => kind === 'order' && type === 'insertion')!;
  const ofClient = (ids: readonly string[], index: number): string =>
    `((array[${ids.map((id) => `'${id}'`).join(', ')}])[:client_id * ${ids.length / assortments.length} + ${index + 1}])`;
  const stocks = assortments.flatMap((assortment) => assortment.stocks);
  const codes = assortments.map(({ code }) => code.id);
  const replaced = new Map([
    [order.id, `${idOf('order', ':client_id', ':v')}::text`],
    [cart.id, `${idOf('cart', ':client_id', ':v')}::text`],
    ...first.stocks.map((id, index) => [id, ofClient(stocks, index)] as const),
    [first.code.id, ofClient(codes, 0)],
  ]);
  const [{ indexed }] = writes.filter(({ id }) => id === cart.id) as [Replacement];
  return { text: `\\set v :v + 1\n${recordedScript(writes, replaced)}`, cart, indexed: indexed! };
}

async function filledCarts(stage: Stage, assortments: readonly Assortment[]): Promise<Versioned[]> {
  const carts: Versioned[] = [];
  while (carts.length < stage.seconds * perSecondMax) {
    const together = Array.from({ length: madeTogether }, (_, index) =>
      stage.ask(cartOf(stage, assortments[(carts.length + index) % assortments.length]!)),
    );
    for (const text of await Promise.all(together)) carts.push(JSON.parse(text) as Versioned);
  }
  return carts;
}

function ordersOf(stage: Stage, carts: Versioned[]): Source {
  return {
    next: () => {
      const cart = carts.pop();
      if (cart === undefined) throw new Error('There are fewer carts than orders.');
      const body = { cart: { typeId: 'cart', id: cart.id }, version: cart.version };
      return { method: 'POST', path: `${stage.project}/orders`, body: JSON.stringify(body) };
    },
  };
}

function cartOf(stage: Stage, { skus, code }: Assortment): Request {
  const body = {
    currency: 'EUR',
    country: 'DE',
    inventoryMode: 'ReserveOnOrder',
    shippingAddress: { country: 'DE' },
    lineItems: skus.map((sku) => ({ sku })),
    discountCodes: [code.code],
  };
  return { method: 'POST', path: `${stage.project}/carts`, body: JSON.stringify(body) };
}

async function assortmentsOf(stage: Stage): Promise<readonly Assortment[]> {
  const { connections: clients, project } = stage;
  const post = async <T>(path: string, body: object): Promise<T> =>
    JSON.parse(await stage.ask({ method: 'POST', path: `${project}/${path}`, body: JSON.stringify(body) })) as T;
  const skus = await soldSkus(stage, clients * lines);
  const discount = await post<Versioned>('cart-discounts', {
    name: { en: 'With a code' },
    value: { type: 'relative', permyriad: 100 },
    target: { type: 'lineItems', predicate: 'true' },
    cartPredicate: 'true',
    sortOrder: '0.71313',
    requiresDiscountCode: true,
  });
  const assortments: Assortment[] = [];
  for (let client = 0; client < clients; client += 1) {
    const own = skus.slice(client * lines, (client + 1) * lines);
    assortments.push({
      skus: own,
      stocks: await Promise.all(own.map((sku) => plentyOf(stage, sku))),
      code: await post<Assortment['code']>('discount-codes', {
        code: `BENCH-${client}`,
        cartDiscounts: [{ typeId: 'cart-discount', id: discount.id }],
        maxApplications: plenty,
      }),
    });
  }
  return assortments;
}

/** Of an SKU there is more than is sold. Gives the id of its entry. */
async function plentyOf(stage: Stage, sku: string): Promise<string> {
  const path = `${stage.project}/inventory`;
  const where = encodeURIComponent(`sku = "${sku}" and supplyChannel is not defined`);
  const { results } = JSON.parse(await stage.ask({ method: 'GET', path: `${path}?where=${where}` })) as {
    results: readonly Versioned[];
  };
  const [entry] = results;
  if (entry === undefined) {
    const body = JSON.stringify({ sku, quantityOnStock: plenty });
    return (JSON.parse(await stage.ask({ method: 'POST', path, body })) as Versioned).id;
  }
  const actions = [{ action: 'changeQuantity', quantity: plenty }];
  const body = JSON.stringify({ version: entry.version, actions });
  await stage.ask({ method: 'POST', path: `${path}/${entry.id}`, body });
  return entry.id;
}

import { randomUUID } from 'node:crypto';
import { writeStatement } from '../src/storage/write-statements.ts';
import { cartComparisons } from './cart-comparisons.ts';
import { catalogComparisons } from './catalog-comparisons.ts';
import {
  againstBare,
  bare,
  bareContest,
  type Comparison,
  type Contest,
  mercurius,
  mercuriusContest,
  pgbenchContest,
  indexedOf,
  plainForm,
  plainValues,
  scriptOf,
  updateContest,
  type Updates,
} from './contests.ts';
import { inTurn, measure, type Request, type Round, type Source } from './load.ts';
import { orderComparisons } from './order-comparisons.ts';
import { ended, type Stage } from './stage.ts';

const pageQuery = `query Page { shippingMethods(limit: 20) { total results { id version key name localizedName(locale: "en") isDefault predicate taxCategory { name } zoneRates { zone { name locations { country state } } shippingRates { price { centAmount currencyCode } freeAbove { centAmount } tiers { type } } } } } }`;

export const comparisons: readonly Comparison[] = [
  againstBare({ work: 'GET by id', goal: undefined, requests: productReads }),
  {
    work: 'GET by id, another process writing',
    against: bare,
    goal: '0.60',
    prepare: async (stage) => writingBeside(stage, await bareContest(stage, await productReads(stage), stage.baseUrl)),
  },
  besideWrites({ work: 'page of 20, another process writing 100 times a second to the kind', requests: productPages }),
  besideWrites({ work: 'GraphQL page of 20, another process writing to the kind', requests: productQueries }),
  againstBare({ work: 'GraphQL page, repeated', goal: '0.60', requests: pageReads }),
  {
    work: 'GraphQL page, answers not kept, 64 equal requests at a time',
    against: mercurius,
    goal: '2.0',
    prepare: (stage) =>
      mercuriusContest(stage, { ours: stage.excerptUrl, query: pageQuery, source: inTurn(graphqlRequests(stage)) }),
  },
  {
    work: 'GraphQL page, answers not kept, all requests different',
    against: mercurius,
    goal: '2.0',
    prepare: (stage) => mercuriusContest(stage, { ours: stage.excerptUrl, query: pageQuery, source: differing(stage) }),
  },
  {
    work: 'GraphQL page, nothing kept, all requests different',
    against: mercurius,
    goal: undefined,
    prepare: (stage) =>
      mercuriusContest(stage, { ours: stage.forgetfulUrl, query: pageQuery, source: differing(stage) }),
  },
  againstBare({ work: 'matching-cart, 20 methods, repeated', goal: undefined, requests: cartReads }),
  {
    work: 'matching-cart, 20 methods, every answer made anew',
    against: bare,
    goal: '0.30',
    prepare: async (stage) => bareContest(stage, await cartReads(stage), stage.forgetfulUrl),
  },
  { work: 'create, 64 clients', against: 'pgbench, same statement', goal: '0.80', prepare: createContest },
  {
    work: 'update, 64 clients',
    against: 'pgbench, same statement',
    goal: '0.80',
    prepare: (stage) => updateContest(stage, cartUpdates),
  },
  {
    work: 'GET by id while 16 clients send new GraphQL texts',
    against: 'the same GETs alone',
    goal: '0.45',
    prepare: newTextsContest,
  },
  { work: 'GET by id, nothing kept', against: 'postgres.js, same rows', goal: '0.70', prepare: rowsContest },
  ...catalogComparisons,
  ...cartComparisons,
  ...orderComparisons,
];

function besideWrites(row: { readonly work: string; requests(stage: Stage): readonly Request[] }): Comparison {
  const { work, requests } = row;
  return {
    work,
    against: bare,
    goal: '0.30',
    prepare: async (stage) => writingBeside(stage, await bareContest(stage, requests(stage), stage.baseUrl)),
  };
}

const productQuery = `query Products($offset: Int) { products(limit: 20, offset: $offset) { total results { id version key masterData { current { name(locale: "en") slug(locale: "en") masterVariant { sku } } } } } }`;
/** What is written to is on one of these pages. */
const pageOffsets = [0, 20, 40, 60, 80];

function productPages({ project }: Stage): readonly Request[] {
  return pageOffsets.map((offset) => ({ method: 'GET', path: `${project}/products?limit=20&offset=${offset}` }));
}

function productQueries({ project }: Stage): readonly Request[] {
  return pageOffsets.map((offset) => ({
    method: 'POST',
    path: `${project}/graphql`,
    body: JSON.stringify({ query: productQuery, variables: { offset } }),
  }));
}

async function productReads(stage: Stage): Promise<readonly Request[]> {
  return (await stage.ids('products')).map((id) => ({ method: 'GET', path: `${stage.project}/products/${id}` }));
}

async function cartReads(stage: Stage): Promise<readonly Request[]> {
  const path = `${stage.project}/shipping-methods/matching-cart`;
  return (await stage.ids('carts')).map((id) => ({ method: 'GET', path: `${path}?cartId=${id}` }));
}

function graphqlRequests({ project }: Stage): readonly [Request] {
  return [{ method: 'POST', path: `${project}/graphql`, body: JSON.stringify({ query: pageQuery }) }];
}

async function pageReads(stage: Stage): Promise<readonly Request[]> {
  return graphqlRequests(stage);
}

/** Equal texts with variables that no other request has, and that change nothing. */
function differing({ project }: Stage): Source {
  const query = pageQuery
    .replace('query Page', 'query Page($where: String)')
    .replace('limit: 20', 'limit: 20, where: $where');
  let count = 0;
  return {
    next: () => {
      const variables = { where: `name != "${(count += 1)}"` };
      return { method: 'POST', path: `${project}/graphql`, body: JSON.stringify({ query, variables }) };
    },
  };
}

const writesPerSecond = 100;

/** Both sides are measured while another process updates the products that are read. */
async function writingBeside(stage: Stage, contest: Contest): Promise<Contest> {
  const ids = await stage.ids('products');
  const write = async (id: string): Promise<void> => {
    const headers = { authorization: `Bearer ${stage.token}`, 'content-type': 'application/json' };
    const url = `${stage.otherUrl}${stage.project}/products/${id}`;
    const { version } = (await (await fetch(url, { headers })).json()) as { version: number };
    const actions = [{ action: 'setKey', key: `key-${randomUUID()}` }];
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ version, actions }) });
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`A write answered ${response.status}.`);
  };
  const during = async (measured: Promise<Round>): Promise<Round> => {
    let count = 0;
    let writing = Promise.resolve();
    let failure: unknown;
    const timer = setInterval(() => {
      const id = ids[(count += 1) % ids.length]!;
      writing = writing.then(() => write(id)).catch((error: unknown) => void (failure = error));
    }, 1000 / writesPerSecond);
    const round = await measured.finally(() => clearInterval(timer));
    await writing;
    if (failure !== undefined) throw failure;
    return round;
  };
  return { ours: () => during(contest.ours()), theirs: () => during(contest.theirs()), end: () => contest.end() };
}

const cartDraft = { currency: 'EUR', country: 'DE' };

const cartUpdates: Updates = {
  path: 'carts',
  draft: () => cartDraft,
  action: (version) => ({ action: 'setLocale', locale: version % 2 === 0 ? 'de' : 'en' }),
  form: { ...plainForm('cart'), type: 'replacement' },
};

async function createContest(stage: Stage): Promise<Contest> {
  const path = `${stage.project}/carts`;
  const body = JSON.stringify(cartDraft);
  const data = await stage.ask({ method: 'POST', path, body });
  const statement = writeStatement({ ...plainForm('cart'), type: 'insertion', isLimited: false });
  const script = scriptOf(statement, {
    ...plainValues,
    indexed: indexedOf('cart', data),
    ids: 'array[gen_random_uuid()]',
    versions: `'{1}'`,
  });
  const variables = { project: stage.config.projectKey, documents: `[${data}]` };
  const ours = (): Promise<Round> => stage.load(stage.baseUrl, inTurn([{ method: 'POST', path, body }]));
  return pgbenchContest(stage, { script, variables, ours });
}

const newTextClients = 16;
/** What a new text costs is its analysis; what it reads is measured elsewhere. */
const onePage = pageQuery.replace('limit: 20', 'limit: 1');

async function newTextsContest(stage: Stage): Promise<Contest> {
  const requests = await productReads(stage);
  const alone = (): Promise<Round> => stage.load(stage.baseUrl, inTurn(requests));
  let count = 0;
  const texts: Source = {
    next: () => {
      const query = onePage.replace('query Page', `query Page${(count += 1)}`);
      return { method: 'POST', path: `${stage.project}/graphql`, body: JSON.stringify({ query }) };
    },
  };
  return {
    ours: async () => {
      const { baseUrl, token, seconds } = stage;
      const load = { baseUrl, token, connections: newTextClients, seconds, source: texts };
      const [gets] = await Promise.all([alone(), measure(load)]);
      return gets;
    },
    theirs: alone,
    end: async () => {},
  };
}

async function rowsContest(stage: Stage): Promise<Contest> {
  const ids = await stage.ids('products');
  const source: Source = {
    next: () => ({
      method: 'GET',
      path: `${stage.project}/products/${ids[Math.floor(Math.random() * ids.length)]!}`,
    }),
  };
  return {
    ours: () => stage.load(stage.forgetfulUrl, source),
    theirs: async () => {
      const { seconds, connections: concurrency } = stage;
      const given = { databaseUrl: stage.config.databaseUrl, ids, concurrency, seconds };
      const { message, process } = await stage.child<{ perSecond: number }>('bench/row-reader.js', given);
      await ended(process);
      return { perSecond: message.perSecond, p50: Number.NaN, p99: Number.NaN };
    },
    end: async () => {},
  };
}

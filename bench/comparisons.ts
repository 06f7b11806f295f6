import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { printSchema } from 'graphql';
import { createRegistry } from '../src/engine/registry.ts';
import { createSchema } from '../src/graphql/schema.ts';
import { allResources } from '../src/resources/all.ts';
import { project as projectDeclaration } from '../src/resources/project/resource.ts';
import { connect, plannedOnceSettings } from '../src/storage/connection.ts';
import { type WriteStatement, writeStatement } from '../src/storage/write-statements.ts';
import { inTurn, measure, pgbench, type Request, type Round, type Source } from './load.ts';
import { ended, type Stage } from './stage.ts';

/** The same work, done by the platform and by something else. */
interface Comparison {
  readonly work: string;
  readonly against: string;
  /** The least ratio that is aimed at. */
  readonly goal: string | undefined;
  prepare(stage: Stage): Promise<Contest>;
}

interface Contest {
  ours(): Promise<Round>;
  theirs(): Promise<Round>;
  end(): Promise<void>;
}

const bare = 'bare uWebSockets.js, same bytes';
const mercurius = 'Mercurius with JIT, same data in memory';

const pageQuery = `query Page { shippingMethods(limit: 20) { total results { id version key name localizedName(locale: "en") isDefault predicate taxCategory { name } zoneRates { zone { name locations { country state } } shippingRates { price { centAmount currencyCode } freeAbove { centAmount } tiers { type } } } } } }`;

const suggestInputs = ['mul', 'ten', 'pock', 'sturdy', 'a', 'fly', 'head l', 'tea', 'float', 'wool'];

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
    prepare: (stage) => mercuriusContest(stage, stage.excerptUrl, inTurn(graphqlRequests(stage))),
  },
  {
    work: 'GraphQL page, answers not kept, all requests different',
    against: mercurius,
    goal: '2.0',
    prepare: (stage) => mercuriusContest(stage, stage.excerptUrl, differing(stage)),
  },
  {
    work: 'GraphQL page, nothing kept, all requests different',
    against: mercurius,
    goal: undefined,
    prepare: (stage) => mercuriusContest(stage, stage.forgetfulUrl, differing(stage)),
  },
  againstBare({ work: 'matching-cart, 20 methods, repeated', goal: undefined, requests: cartReads }),
  {
    work: 'matching-cart, 20 methods, every answer made anew',
    against: bare,
    goal: '0.30',
    prepare: async (stage) => bareContest(stage, await cartReads(stage), stage.forgetfulUrl),
  },
  { work: 'create, 64 clients', against: 'pgbench, same statement', goal: '0.80', prepare: createContest },
  { work: 'update, 64 clients', against: 'pgbench, same statement', goal: '0.80', prepare: updateContest },
  {
    work: 'GET by id while 16 clients send new GraphQL texts',
    against: 'the same GETs alone',
    goal: '0.45',
    prepare: newTextsContest,
  },
  { work: 'GET by id, nothing kept', against: 'postgres.js, same rows', goal: '0.70', prepare: rowsContest },
  againstBare({ work: 'suggest', goal: undefined, requests: suggestReads }),
];

function againstBare(row: {
  readonly work: string;
  readonly goal: string | undefined;
  requests(stage: Stage): Promise<readonly Request[]>;
}): Comparison {
  const { work, goal, requests } = row;
  return {
    work,
    against: bare,
    goal,
    prepare: async (stage) => bareContest(stage, await requests(stage), stage.baseUrl),
  };
}

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

async function suggestReads({ project }: Stage): Promise<readonly Request[]> {
  const path = `${project}/product-projections/suggest`;
  return suggestInputs.map((input) => ({
    method: 'GET',
    path: `${path}?searchKeywords.en=${encodeURIComponent(input)}`,
  }));
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

async function bareContest(stage: Stage, requests: readonly Request[], ours: string): Promise<Contest> {
  const bodies = await Promise.all(requests.map((request) => stage.ask(request)));
  const { message, process } = await stage.child<{ port: number }>(
    'bench/bare-server.js',
    recordings(requests, bodies),
  );
  return {
    ours: () => stage.load(ours, inTurn(requests)),
    theirs: () => stage.load(`http://127.0.0.1:${message.port}`, inTurn(requests)),
    end: () => ended(process),
  };
}

/** The bare server matches paths only, so requests that differ in their query share the bytes of a middling answer. */
function recordings(
  requests: readonly Request[],
  bodies: readonly string[],
): readonly { path: string; body: string }[] {
  const byPath = new Map<string, string[]>();
  for (const [index, { path }] of requests.entries()) {
    const [plain = path] = path.split('?');
    byPath.set(plain, [...(byPath.get(plain) ?? []), bodies[index]!]);
  }
  return [...byPath].map(([path, texts]) => ({
    path,
    body: texts.toSorted((one, other) => one.length - other.length)[Math.floor(texts.length / 2)]!,
  }));
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

async function mercuriusContest(stage: Stage, ours: string, source: Source): Promise<Contest> {
  const [{ path }] = graphqlRequests(stage);
  // Types behind interfaces are told by their names.
  const query = pageQuery
    .replaceAll(' { ', ' { __typename ')
    .replace('{ __typename shippingMethods', '{ shippingMethods');
  const { data } = JSON.parse(await stage.ask({ method: 'POST', path, body: JSON.stringify({ query }) })) as {
    data: Record<string, unknown>;
  };
  const sdl = printSchema(createSchema(createRegistry(allResources, projectDeclaration)));
  const { message, process } = await stage.child<{ port: number }>('bench/mercurius-server.js', { sdl, data });
  const theirs: Source = { next: () => ({ ...source.next(), path: '/graphql' }) };
  return {
    ours: () => stage.load(ours, source),
    theirs: () => stage.load(`http://127.0.0.1:${message.port}`, theirs),
    end: () => ended(process),
  };
}

const cartDraft = { currency: 'EUR', country: 'DE' };

/** A statement of the platform for pgbench. What it takes are variables by their names, or these expressions. */
function scriptOf({ text, parameters }: WriteStatement, expressions: Readonly<Record<string, string>>): string {
  const named = text.replaceAll(/\$(\d+)/g, (_, number: string) => {
    const name = parameters[Number(number) - 1]!;
    return expressions[name] ?? `:${name}`;
  });
  return `${named.replaceAll(/\s+/g, ' ')};\n`;
}

async function pgbenchContest(
  stage: Stage,
  given: { readonly script: string; readonly variables: Record<string, string>; readonly ours: () => Promise<Round> },
): Promise<Contest> {
  const file = join(stage.dataDir, `${randomUUID()}.sql`);
  writeFileSync(file, given.script);
  const { variables } = given;
  return {
    ours: given.ours,
    theirs: async () => {
      const { seconds, connections: clients } = stage;
      const { databaseUrl } = stage.config;
      const round = await pgbench({ databaseUrl, settings: plannedOnceSettings, file, variables, clients, seconds });
      if (round === undefined) throw new Error('This machine has no pgbench.');
      return round;
    },
    end: async () => {},
  };
}

/** A cart has neither a key nor secrets, and this one refers to nothing. */
const plainCart = {
  kind: 'cart',
  topics: [],
  groupedBy: [],
  groupTopics: [],
  hasReferences: false,
  hasUniqueValues: false,
};
const plainValues = { keys: `'{null}'`, secrets: `'{null}'` };

async function createContest(stage: Stage): Promise<Contest> {
  const path = `${stage.project}/carts`;
  const body = JSON.stringify(cartDraft);
  const data = await stage.ask({ method: 'POST', path, body });
  const statement = writeStatement({ ...plainCart, type: 'insertion', isLimited: false });
  const script = scriptOf(statement, { ...plainValues, ids: 'array[gen_random_uuid()]', versions: `'{1}'` });
  const variables = { project: stage.config.projectKey, documents: `[${data}]` };
  const ours = (): Promise<Round> => stage.load(stage.baseUrl, inTurn([{ method: 'POST', path, body }]));
  return pgbenchContest(stage, { script, variables, ours });
}

/** Each client updates a cart that no other is updating, at the version of the answer before. */
async function updateContest(stage: Stage): Promise<Contest> {
  const path = `${stage.project}/carts`;
  const draft = { method: 'POST', path, body: JSON.stringify(cartDraft) } as const;
  const document = await stage.ask(draft);
  const sql = connect({ databaseUrl: stage.config.databaseUrl, connectionsMax: 1, prepare: true });
  const idOf = (client: string): string => `('00000000-0000-4000-8000-' || lpad(${client}::text, 12, '0'))::uuid`;
  const reset = (): Promise<unknown> =>
    sql.unsafe(
      `insert into documents (project, kind, id, version, data)
      select $1, 'cart', ${idOf('client')}, 1, $2::text::jsonb from generate_series(0, 999) as client
      on conflict (project, kind, id) do update set version = 1`,
      [stage.config.projectKey, document],
    );
  // Every update writes another version and another moment, as those of the platform do.
  const [head, middle, tail] = document
    .replace(/"version":\d+/, '"version":\0')
    .replace(/"lastModifiedAt":"[^"]*/, '"lastModifiedAt":"\0')
    .split('\0') as [string, string, string];
  const script = `${scriptOf(writeStatement({ ...plainCart, type: 'replacement' }), {
    ...plainValues,
    ids: `array[${idOf(':client_id')}]`,
    versions: 'array[:v + 1]',
    expectedVersions: 'array[:v]',
    documents: `('[' || :head || :v::text || :middle || :v::text || :tail || ']')`,
  })}\\set v :v + 1\n`;
  const ours = async (): Promise<Round> => {
    const made = await Promise.all(Array.from({ length: stage.connections }, () => stage.ask(draft)));
    const free = made.map((text) => JSON.parse(text) as { id: string; version: number });
    const source: Source = {
      next: () => {
        const { id, version } = free.shift()!;
        const actions = [{ action: 'setLocale', locale: version % 2 === 0 ? 'de' : 'en' }];
        return { method: 'POST', path: `${path}/${id}`, body: JSON.stringify({ version, actions }) };
      },
      answered: (body) => void free.push(JSON.parse(body) as { id: string; version: number }),
    };
    return stage.load(stage.baseUrl, source);
  };
  const variables = { project: stage.config.projectKey, head, middle, tail, v: '1' };
  const contest = await pgbenchContest(stage, { script, variables, ours });
  return {
    ours,
    theirs: async () => {
      await reset();
      return contest.theirs();
    },
    end: () => sql.end(),
  };
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

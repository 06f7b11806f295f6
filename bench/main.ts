/**
 * `npm run bench`: the platform on generated data beside a bare uWebSockets.js server that answers with the same bytes,
 * in interleaved rounds of one run. Only the ratios mean something: machines differ, and the load generator shares
 * the cores. `-- --products N --seconds S --rounds R --only NAME` change the defaults.
 */
import autocannon from 'autocannon';
import { type ChildProcess, fork } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { prepareDatabase, type Connected } from '../src/app.ts';
import { loadConfig } from '../src/config.ts';
import { loadDemo } from '../src/demo/load.ts';
import { localServer } from '../src/local-server.ts';
import { startServices } from '../src/services.ts';

const { values: options } = parseArgs({
  options: {
    products: { type: 'string', default: '1000' },
    seconds: { type: 'string', default: '4' },
    rounds: { type: 'string', default: '3' },
    connections: { type: 'string', default: '64' },
    only: { type: 'string' },
  },
});

interface Scenario {
  readonly name: string;
  /** Requests in turn; several where equal ones would not be the work that is measured. */
  readonly requests: readonly Request[];
}

interface Request {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: string;
}

interface Round {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
}

const children: ChildProcess[] = [];

function start(file: string, args: readonly string[], environment: NodeJS.ProcessEnv): ChildProcess {
  const child = fork(join(import.meta.dirname, '..', file), args, { env: { ...process.env, ...environment } });
  children.push(child);
  return child;
}

/** Ends a child and waits for it, so that no server is stopped under its clients. */
function ended(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve();
    child.once('exit', () => resolve());
    child.kill();
  });
}

function message<T>(child: ChildProcess): Promise<T> {
  // Both kinds of children send one message when they are ready.
  return new Promise((resolve, reject) => {
    child.once('message', (value) => resolve(value as T));
    child.once('exit', (code) => reject(new Error(`A server ended with ${code}.`)));
  });
}

/** The answers to all requests of a scenario; one that is no 200 would make the measurement worthless. */
async function record(baseUrl: string, token: string, { requests }: Scenario): Promise<readonly string[]> {
  return Promise.all(
    requests.map(async ({ method, path, body }) => {
      const response = await fetch(`${baseUrl}${path}`, {
        method,
        headers: headers(token),
        ...(body !== undefined && { body }),
      });
      const text = await response.text();
      if (response.status !== 200)
        throw new Error(`${method} ${path} answered ${response.status}: ${text.slice(0, 300)}`);
      return text;
    }),
  );
}

function headers(token: string): Record<string, string> {
  return { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
}

async function measure(baseUrl: string, token: string, requests: readonly Request[]): Promise<Round> {
  const result = await autocannon({
    url: baseUrl,
    connections: Number(options.connections),
    // Asynchronous handlers must not be pipelined: the server closes such a connection.
    pipelining: 1,
    duration: Number(options.seconds),
    headers: headers(token),
    requests: requests.map(({ method, path, body }) => ({ method, path, ...(body !== undefined && { body }) })),
  });
  if (result.non2xx + result.errors > 0)
    throw new Error(`${result.non2xx} answers were no success, ${result.errors} requests failed.`);
  return { perSecond: result.requests.average, p50: result.latency.p50, p99: result.latency.p99 };
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)]!;
}

const pageQuery = `query Page { shippingMethods(limit: 20) { total results { id version key name localizedName(locale: "en") isDefault predicate taxCategory { name } zoneRates { zone { name locations { country state } } shippingRates { price { centAmount currencyCode } freeAbove { centAmount } tiers { type } } } } } }`;

/** Scenarios on the demo data; carts differ from request to request. */
async function scenarios(config: Connected, baseUrl: string, token: string): Promise<readonly Scenario[]> {
  const project = `/${config.projectKey}`;
  const list = async (path: string): Promise<readonly { id: string }[]> => {
    const response = await fetch(`${baseUrl}${project}/${path}`, { headers: headers(token) });
    // Pages of the API.
    return ((await response.json()) as { results: readonly { id: string }[] }).results;
  };
  const [products, carts] = await Promise.all([list('products?limit=100'), list('carts?limit=100')]);
  const inputs = ['mul', 'ten', 'pock', 'sturdy', 'a', 'fly', 'head l', 'tea', 'float', 'wool'];
  return [
    { name: 'get by id', requests: products.map(({ id }) => ({ method: 'GET', path: `${project}/products/${id}` })) },
    {
      name: 'matching-cart',
      requests: carts.map(({ id }) => ({
        method: 'GET',
        path: `${project}/shipping-methods/matching-cart?cartId=${id}`,
      })),
    },
    {
      name: 'suggest',
      requests: inputs.map((input) => ({
        method: 'GET',
        path: `${project}/product-projections/suggest?searchKeywords.en=${encodeURIComponent(input)}`,
      })),
    },
    {
      name: 'GraphQL page',
      requests: [{ method: 'POST', path: `${project}/graphql`, body: JSON.stringify({ query: pageQuery }) }],
    },
  ];
}

/** The bare server matches paths only, so requests that differ in their query share the bytes of a middling answer. */
function recordings(
  requests: readonly Request[],
  bodies: readonly string[],
): readonly { path: string; body: string }[] {
  const byPath = new Map<string, string[]>();
  for (const [index, { path }] of requests.entries()) {
    const [bare = path] = path.split('?');
    byPath.set(bare, [...(byPath.get(bare) ?? []), bodies[index]!]);
  }
  return [...byPath].map(([path, texts]) => ({
    path,
    body: texts.toSorted((one, other) => one.length - other.length)[Math.floor(texts.length / 2)]!,
  }));
}

async function compare(scenario: Scenario, baseUrl: string, token: string): Promise<void> {
  const bodies = await record(baseUrl, token, scenario);
  const bare = start('bench/bare-server.js', [], {});
  bare.send(recordings(scenario.requests, bodies));
  const { port } = await message<{ port: number }>(bare);
  const rounds: { ours: Round; floor: Round }[] = [];
  for (let round = 0; round < Number(options.rounds); round += 1) {
    const floor = await measure(`http://127.0.0.1:${port}`, token, scenario.requests);
    rounds.push({ floor, ours: await measure(baseUrl, token, scenario.requests) });
  }
  await ended(bare);
  const of = (pick: (round: { ours: Round; floor: Round }) => number): number => median(rounds.map(pick));
  const ratio = of(({ ours, floor }) => ours.perSecond / floor.perSecond);
  const bytes = median(bodies.map((body) => Buffer.byteLength(body)));
  const cells = [
    scenario.name,
    bytes,
    Math.round(of(({ ours }) => ours.perSecond)),
    of(({ ours }) => ours.p50),
    of(({ ours }) => ours.p99),
    Math.round(of(({ floor }) => floor.perSecond)),
    ratio.toFixed(3),
  ];
  process.stdout.write(`| ${cells.join(' | ')} |\n`);
}

const dataDir = mkdtempSync(join(tmpdir(), 'tradepost-bench-'));
// The user that Postgres runs as has to pass through.
chmodSync(dataDir, 0o711);
const port = 18_080;
const services = await startServices(
  { ...loadConfig({ PORT: String(port), PROJECT_KEY: 'bench' }), dataDir },
  { search: true },
);
try {
  const { config } = services;
  const client = await prepareDatabase(config);
  if (client === undefined) throw new Error('The benchmark needs a new database.');
  const environment = {
    PORT: String(port),
    PROJECT_KEY: config.projectKey,
    DATABASE_URL: config.databaseUrl,
    ...(config.meiliUrl !== undefined && { MEILI_URL: config.meiliUrl, MEILI_KEY: config.meiliKey }),
    LOG_LEVEL: 'warn',
  };
  await Promise.all([
    message(start('src/main.js', ['http'], environment)),
    message(start('src/main.js', ['feeder'], environment)),
  ]);
  const baseUrl = `http://127.0.0.1:${port}`;
  process.stdout.write(`Loading ${options.products} products …\n`);
  const server = localServer({ ...config, port });
  await loadDemo({
    server,
    projectKey: config.projectKey,
    client,
    products: Number(options.products),
    onProgress: () => {},
  });
  await server.close();
  const response = await fetch(`${baseUrl}/oauth/token`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`${client.clientId}:${client.clientSecret}`).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: 'grant_type=client_credentials',
  });
  const { access_token: token } = (await response.json()) as { access_token: string };
  process.stdout.write(
    '\n| scenario | bytes | requests/s | p50 ms | p99 ms | bare requests/s | ratio to bare |\n|---|---:|---:|---:|---:|---:|---:|\n',
  );
  for (const scenario of await scenarios(config, baseUrl, token)) {
    if (options.only === undefined || options.only === scenario.name) await compare(scenario, baseUrl, token);
  }
} finally {
  await Promise.all(children.map(ended));
  await services.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
process.exit(0);

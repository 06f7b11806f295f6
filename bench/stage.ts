import { type ChildProcess, fork } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { openLoader } from '../src/background.ts';
import { childEnvironment, type Role } from '../src/child.ts';
import { backlogOf, prepareDatabase } from '../src/administration.ts';
import type { Connected } from '../src/config.ts';
import { loadConfig } from '../src/config.ts';
import { loadDemo } from '../src/demo/load.ts';
import { freePort } from '../src/embedded/service.ts';
import { localServer } from '../src/local-server.ts';
import { startServices } from '../src/services.ts';
import { connect } from '../src/storage/connection.ts';
import { Database } from '../src/storage/database.ts';
import { ask, tokenOf } from './client.ts';
import { type Load, measure, type Request, type Round } from './load.ts';

/** The platform with the demo shop, and what comparisons need beside it. */
export interface Stage {
  readonly config: Connected;
  readonly project: string;
  readonly token: string;
  readonly seconds: number;
  readonly connections: number;
  /** A directory for files. */
  readonly dataDir: string;
  readonly baseUrl: string;
  /** Another process of the platform. */
  readonly otherUrl: string;
  /** A process that keeps no answers, but what they said of single resources. */
  readonly excerptUrl: string;
  /** A process that keeps no answers, nor parts of them. */
  readonly forgetfulUrl: string;
  /** A process that computes carts of any size on its event loop. */
  readonly loopUrl: string;
  /** One that computes all of them in threads. */
  readonly threadUrl: string;
  /** Resolves when nothing waits in the background of what was written. */
  caughtUp(): Promise<void>;
  /** Resolves when all that was written has reached the searches. */
  settled(): Promise<void>;
  /** Ids of the first resources of a path. */
  ids(path: string): Promise<readonly string[]>;
  ask(request: Request): Promise<string>;
  load(baseUrl: Load['baseUrl'], source: Load['source']): Promise<Round>;
  /** Starts a program and sends it `given`; resolves with its first message. */
  child<T>(file: string, given: unknown): Promise<{ readonly message: T; readonly process: ChildProcess }>;
  end(): Promise<void>;
}

/** Between looks whether all has been done. */
const settlingMs = 200;

export interface StageOptions {
  readonly products: number;
  readonly seconds: number;
  readonly connections: number;
}

export async function startStage({ products, seconds, connections }: StageOptions): Promise<Stage> {
  const dataDir = mkdtempSync(join(tmpdir(), 'tradepost-bench-'));
  // The user that Postgres runs as has to pass through.
  chmodSync(dataDir, 0o711);
  const children: ChildProcess[] = [];
  const services = await startServices({ ...loadConfig({ PROJECT_KEY: 'bench' }), dataDir }, { search: true });
  const end = async (): Promise<void> => {
    await Promise.all(children.map(ended));
    await services.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
  const start = (file: string, environment: NodeJS.ProcessEnv, args: readonly string[] = []): ChildProcess => {
    const child = fork(join(import.meta.dirname, '..', file), args, { env: { ...process.env, ...environment } });
    children.push(child);
    return child;
  };
  /** A process of the platform, as its supervisor starts it. */
  const startRole = (role: Role, environment: NodeJS.ProcessEnv): ChildProcess =>
    start('src/main.js', { ...childEnvironment(role), ...environment }, [role]);
  try {
    const { config } = services;
    const client = await prepareDatabase(config);
    if (client === undefined) throw new Error('The benchmark needs a new database.');
    const environment = {
      PROJECT_KEY: config.projectKey,
      DATA_DIR: dataDir,
      DATABASE_URL: config.databaseUrl,
      ...(config.meiliUrl !== undefined && { MEILI_URL: config.meiliUrl, MEILI_KEY: config.meiliKey }),
      LOG_LEVEL: 'fatal',
    };
    const server = async (settings: NodeJS.ProcessEnv): Promise<string> => {
      const port = await freePort();
      await message(startRole('http', { ...environment, ...settings, PORT: String(port) }));
      return `http://127.0.0.1:${port}`;
    };
    const baseUrl = await server({});
    const otherUrl = await server({});
    const excerptUrl = await server({ ANSWER_CACHE_MB: '0' });
    const forgetfulUrl = await server({ ANSWER_CACHE_MB: '0', EXCERPT_CACHE_MB: '0', DOCUMENT_CACHE_MB: '0' });
    const loopUrl = await server({ THREAD_STEPS_MIN: '1000000000' });
    const threadUrl = await server({ THREAD_STEPS_MIN: '1' });
    for (const role of ['feeder', 'search'] as const) await message(startRole(role, environment));
    process.stdout.write(`Loading ${products} products …\n`);
    const shop = localServer({ ...config, port: Number(new URL(baseUrl).port) });
    const loader = openLoader(config);
    await loadDemo({ loader, server: shop, projectKey: config.projectKey, client, products, onProgress: () => {} });
    await Promise.all([shop.close(), loader.close()]);
    const token = await tokenOf(baseUrl, client);
    const project = `/${config.projectKey}`;
    const askIt = (request: Request): Promise<string> => ask(baseUrl, token, request);
    const load: Stage['load'] = (url, source) => measure({ baseUrl: url, token, connections, seconds, source });
    const caughtUp = async (): Promise<void> => {
      const database = new Database({ databaseUrl: config.databaseUrl, prepare: true, connectionsMax: 1 });
      while ((await backlogOf(database)).length > 0) await delay(settlingMs);
      await database.close();
    };
    return {
      config,
      project,
      token,
      seconds,
      connections,
      dataDir,
      baseUrl,
      otherUrl,
      excerptUrl,
      forgetfulUrl,
      loopUrl,
      threadUrl,
      ask: askIt,
      load,
      end,
      caughtUp,
      settled: async () => {
        await caughtUp();
        // It reads all of the documents, which takes longer than the platform waits for an answer.
        const sql = connect({ databaseUrl: config.databaseUrl, prepare: true, connectionsMax: 1 });
        const [row] = await sql<{ count: number }[]>`
          select count(*)::int from documents
          where project = ${config.projectKey} and kind = 'product' and (data #>> '{masterData,published}')::boolean`;
        await sql.end();
        const search = { method: 'GET', path: `${project}/product-projections/search?limit=0` } as const;
        const found = async (): Promise<number> => (JSON.parse(await askIt(search)) as { total: number }).total;
        // The index is refused while it is read for the first time.
        while ((await found().catch(() => -1)) !== row!.count) await delay(settlingMs);
      },
      ids: async (path) => {
        // A page of the API.
        const page = JSON.parse(await askIt({ method: 'GET', path: `${project}/${path}?limit=100` })) as {
          results: readonly { id: string }[];
        };
        return page.results.map(({ id }) => id);
      },
      child: async <T>(file: string, given: unknown) => {
        const child = start(file, {});
        child.send(given as object);
        return { message: await message<T>(child), process: child };
      },
    };
  } catch (error) {
    await end();
    throw error;
  }
}

/** Of products that anybody in Germany has a price for. */
export async function soldSkus(stage: Stage, count: number): Promise<readonly string[]> {
  const path = `${stage.project}/product-projections?limit=500&priceCurrency=EUR&priceCountry=DE`;
  const { results } = JSON.parse(await stage.ask({ method: 'GET', path })) as {
    results: readonly { masterVariant: { sku?: string; price?: object } }[];
  };
  const skus = results.flatMap(({ masterVariant: { sku, price } }) => (sku === undefined || !price ? [] : [sku]));
  if (skus.length < count) throw new Error(`The shop sells ${skus.length} products for ${count} lines.`);
  return skus.slice(0, count);
}

/** Ends a child and waits for it, so that no server is stopped under its clients. */
export function ended(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve();
    child.once('exit', () => resolve());
    child.kill();
  });
}

function message<T>(child: ChildProcess): Promise<T> {
  // Each program sends one message when it is ready, or when it has done what it was sent.
  return new Promise((resolve, reject) => {
    child.once('message', (value) => resolve(value as T));
    child.once('exit', (code) => reject(new Error(`A program ended with ${code}.`)));
  });
}

import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type ApiRoot,
  createApiBuilderFromCtpClient,
  type ByProjectKeyRequestBuilder,
} from '@commercetools/platform-sdk';
import { ClientBuilder } from '@commercetools/ts-client';
import { pino } from 'pino';
import { OperationTypeNode, parse, stripIgnoredCharacters } from 'graphql';
import tap, { type Test } from 'tap';
import { type Dispatcher, request as undici } from 'undici';
import { startHttp, startSearch } from '../../src/app.ts';
import { startFeeder } from '../../src/feeder.ts';
import { createClient, prepareDatabase, type FirstClient } from '../../src/administration.ts';
import type { Config, Connected } from '../../src/config.ts';
import type { Resource } from '../../src/engine/resource.ts';
import { hashOf, randomSecret } from '../../src/engine/secrets.ts';
import { isObject } from '../../src/fields/object.ts';
import { allResources } from '../../src/resources/all.ts';
import { loadConfig } from '../../src/config.ts';
import { createCredentialStore } from '../../src/storage/credentials.ts';
import type { Sql } from '../../src/storage/connection.ts';
import type { Database } from '../../src/storage/database.ts';
import { renewed } from './example-drafts.ts';
import { exampleHosts } from './example-receiver.ts';
import type { Answer, Project } from './project.ts';
import { createDatabase, meilisearch, type TestDatabase } from './services.ts';

export type { Answer };

export interface Platform extends Project {
  readonly baseUrl: string;
  readonly client: FirstClient;
  readonly config: Connected;
  readonly sql: Sql;
  readonly database: Database;
  /** The unmodified public client, for the project. */
  readonly api: ByProjectKeyRequestBuilder;
  /** The public client with this access token. */
  apiWith(token: string): ByProjectKeyRequestBuilder;
  /** A token with these scopes only, of a client of its own. */
  tokenWith(scopes: readonly string[]): Promise<string>;
  /** Another project on the same server and database, with a client of its own. */
  anotherProject(): Promise<Platform>;
}

const log = pino({ level: 'silent' });

const tokenMs = 3_600_000;

/** Hashes that are made in a millisecond, for tests that are about something else. */
const quickPasswordCost = 2 ** 8;

interface StartOptions {
  /** Work factor of scrypt. */
  readonly passwordCost?: number;
  readonly feeder?: boolean;
  /** With the process that searches products, and the feeder. */
  readonly search?: boolean;
  /** By default the search engine that all tests share. */
  readonly meilisearch?: { readonly url: string; readonly key: string } | 'none';
  /** Of the feeder, by which resources are kept for a time. */
  readonly clock?: () => Date;
  /** As `KEPT_RESOURCES_MAX` has them: `cart=3`. */
  readonly keptMax?: string;
  /** As `THREAD_STEPS_MIN` has it. */
  readonly threadStepsMin?: number;
  /** As `RESOURCE_LIMITS` has them: `zone=2,store=3`. */
  readonly resourceLimits?: string;
  /** Where uploads are kept, of tests that have any. */
  readonly dataDir?: string;
  /** In place of that. */
  readonly imageObjects?: Config['imageObjects'];
  /** By default one of the test's own on the server that all tests share. */
  readonly database?: TestDatabase;
  /** Extensions may be on addresses such as those of tests. */
  readonly allowsPrivateExtensions?: boolean;
  /** So may destinations of subscriptions; by default they may. */
  readonly allowsPrivateSubscriptions?: boolean;
  readonly pubsubEmulatorHost?: string;
  /** Of the feeder, by which subscriptions are tried again. */
  readonly elapsedMs?: () => number;
  /** Beside those of the platform. */
  readonly resources?: readonly Resource[];
}

/** The platform in this process, on a database and a project of the test's own. */
export async function startPlatform(t: Test, options: StartOptions = {}): Promise<Platform> {
  const { url, sql, database } = options.database ?? (await createDatabase(t));
  const projectKey = newProjectKey();
  const engine = options.meilisearch ?? meilisearch();
  const config: Connected = {
    ...loadConfig({
      PROJECT_KEY: projectKey,
      RESOURCE_LIMITS: options.resourceLimits,
      KEPT_RESOURCES_MAX: options.keptMax,
    }),
    port: 0,
    searchSocket: join(tmpdir(), `${projectKey}.sock`),
    ...(options.dataDir !== undefined && { dataDir: options.dataDir }),
    ...(options.threadStepsMin !== undefined && { threadStepsMin: options.threadStepsMin }),
    imageObjects: options.imageObjects,
    allowsPrivateExtensions: options.allowsPrivateExtensions ?? false,
    allowsPrivateSubscriptions: options.allowsPrivateSubscriptions ?? true,
    pubsubEmulatorHost: options.pubsubEmulatorHost,
    hostsPath: await exampleHosts(),
    passwordCost: options.passwordCost ?? quickPasswordCost,
    databaseUrl: url,
    ...(engine === 'none' ? { meiliUrl: undefined } : { meiliUrl: engine.url, meiliKey: engine.key }),
  };
  const client = (await prepareDatabase(config)) ?? (await createClient(config));
  const resources = [...allResources, ...(options.resources ?? [])];
  const http = await startHttp(config, log, { resources });
  t.teardown(() => http.close());
  if (options.search === true) {
    const search = await startSearch(config, log);
    t.teardown(() => search.close());
  }
  if (options.feeder === true || options.search === true) {
    const feeder = startFeeder(config, log, {
      resources,
      ...(options.clock !== undefined && { clock: options.clock }),
      ...(options.elapsedMs !== undefined && { elapsedMs: options.elapsedMs }),
    });
    t.teardown(() => feeder.close());
  }
  return projectOn({ config, sql, database, baseUrl: `http://127.0.0.1:${http.port}` }, client);
}

let shared: Promise<Platform> | undefined;

/** A project of the test's own, on a server that all tests of the file share. */
/** Changes the settings of the project, which its background may change at the same time once, when it is new. */
export async function changeSettings(
  { request }: Pick<Platform, 'request'>,
  ...actions: readonly object[]
): Promise<Answer> {
  for (let attempt = 1; ; attempt += 1) {
    const { version } = (await request('GET', '')).body;
    const answer = await request('POST', '', { version, actions });
    if (answer.status !== 409 || attempt === 3) return answer;
  }
}

export async function startProject(): Promise<Platform> {
  shared ??= startPlatform(tap);
  return (await shared).anotherProject();
}

function newProjectKey(): string {
  return `test-${randomUUID().slice(0, 18)}`;
}

async function projectOn(
  server: Pick<Platform, 'config' | 'sql' | 'database' | 'baseUrl'>,
  client: FirstClient,
): Promise<Platform> {
  const { config, database, baseUrl } = server;
  const { projectKey } = config;
  const token = await requestToken(baseUrl, client);
  const request: Platform['request'] = async (method, path, body, headers) =>
    send({
      baseUrl,
      method,
      path: `/${projectKey}${path}`,
      body: method === 'POST' ? await renewed({ projectKey, request }, path, body) : body,
      headers: { authorization: `Bearer ${token}`, ...headers },
    });
  return {
    ...server,
    projectKey,
    client,
    api: sdkFor(baseUrl, projectKey, client),
    apiWith: (given) => sdkWith(baseUrl, projectKey, given),
    request,
    tokenWith: async (scopes) => {
      const other = { clientId: randomUUID(), clientSecret: randomSecret(), scopes: scopes.join(' ') };
      await createCredentialStore(database).insertClient({
        project: projectKey,
        id: other.clientId,
        name: 'test',
        secretHash: hashOf(other.clientSecret),
        scopes: [...scopes],
      });
      // As it was issued: clients get no scopes of sessions, and tests want tokens with any.
      const secret = randomSecret();
      const expiresAt = new Date(Date.now() + tokenMs);
      await createCredentialStore(database).insertToken({
        project: projectKey,
        hash: hashOf(secret),
        clientId: other.clientId,
        scopes: [...scopes],
        expiresAt,
      });
      return secret;
    },
    anotherProject: async () => {
      const other = { ...config, projectKey: newProjectKey() };
      const first = await prepareDatabase(other);
      if (first === undefined) throw new Error('The key of the new project is taken');
      return projectOn({ ...server, config: other }, first);
    },
  };
}

export async function requestToken(
  baseUrl: string,
  client: Pick<FirstClient, 'clientId' | 'clientSecret'>,
): Promise<string> {
  const response = await fetch(`${baseUrl}/oauth/token`, {
    method: 'POST',
    headers: { authorization: basicOf(client), 'content-type': 'application/x-www-form-urlencoded' },
    body: 'grant_type=client_credentials',
  });
  const { access_token: token } = (await response.json()) as { access_token: string };
  return token;
}

/** The header Authorization of a token request. Ids and secrets of the platform need no encoding. */
export function basicOf({ clientId, clientSecret }: Pick<FirstClient, 'clientId' | 'clientSecret'>): string {
  return `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
}

interface Request {
  readonly baseUrl: string;
  readonly method: string;
  readonly path: string;
  /** Sent as JSON, but for texts and bytes. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends a request. A GraphQL query is sent in its shortest form as well, which has to give the same answer. */
export async function send(request: Request): Promise<Answer> {
  const answer = await sendOnce(request);
  const minified = minifiedQuery(request);
  if (minified !== undefined) {
    const other = await sendOnce({ ...request, body: minified });
    // What may be another thing the next time says nothing of the form.
    const isChance = [answer, other].some(({ text }) => /"code":"(OverCapacity|BadGateway|QueryTimedOut)"/.test(text));
    if (!isChance && withoutLocations(answer) !== withoutLocations(other))
      throw new Error(`In its shortest form, the query gave ${other.text} and not ${answer.text}`);
  }
  return answer;
}

/** The body with the shortest form of its query; undefined for other requests, and for mutations, which would be run again. */
function minifiedQuery({ path, body }: Request): object | undefined {
  const query = isObject(body) ? body['query'] : undefined;
  if (typeof query !== 'string' || !path.endsWith('/graphql')) return undefined;
  try {
    const isRead = parse(query).definitions.every(
      (one) => !('operation' in one) || one.operation === OperationTypeNode.QUERY,
    );
    return isRead ? { ...(body as object), query: stripIgnoredCharacters(query) } : undefined;
  } catch {
    // A text that breaks the grammar has no other form.
    return undefined;
  }
}

function withoutLocations({ status, text }: Answer): string {
  return `${status} ${text.replaceAll(/"locations":\[[^\]]*\],?/g, '')}`;
}

async function sendOnce({ baseUrl, method, path, body, headers }: Request): Promise<Answer> {
  const response = await undici(`${baseUrl}${path}`, {
    // The type names the usual ones; tests send others.
    method: method as Dispatcher.HttpMethod,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && {
      body: typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body),
    }),
  });
  const text = await response.body.text();
  let parsed: Record<string, unknown> = {};
  try {
    parsed = JSON.parse(text) as Record<string, unknown>;
  } catch {
    // Answers without a body, and the native server's own, are not JSON.
  }
  const given = Object.entries(response.headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((each): [string, string] => [name, each]),
  );
  return { status: response.statusCode, headers: new Headers(given), text, body: parsed };
}

/** The client sends texts of other types as JSON. */
const stringBodyContentTypes = ['application/x-www-form-urlencoded'];

function sdkFor(
  baseUrl: string,
  projectKey: string,
  { clientId, clientSecret, scopes }: FirstClient,
): ByProjectKeyRequestBuilder {
  const client = new ClientBuilder()
    .withClientCredentialsFlow({
      host: baseUrl,
      projectKey,
      credentials: { clientId, clientSecret },
      scopes: scopes.split(' '),
      httpClient: fetch,
    })
    .withHttpMiddleware({ host: baseUrl, httpClient: fetch, stringBodyContentTypes })
    .build();
  const root: ApiRoot = createApiBuilderFromCtpClient(client);
  return root.withProjectKey({ projectKey });
}

function sdkWith(baseUrl: string, projectKey: string, token: string): ByProjectKeyRequestBuilder {
  const client = new ClientBuilder()
    .withExistingTokenFlow(`Bearer ${token}`, { force: true })
    .withHttpMiddleware({ host: baseUrl, httpClient: fetch, stringBodyContentTypes })
    .build();
  return createApiBuilderFromCtpClient(client).withProjectKey({ projectKey });
}

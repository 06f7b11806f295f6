import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isIPv4 } from 'node:net';
import { availableParallelism, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createSecureContext } from 'node:tls';
import { passwordCost } from './engine/passwords.ts';
import type { Resource } from './engine/resource.ts';
import { allResources } from './resources/all.ts';
import { stepsMinDefault } from './threads/compute.ts';
import type { ObjectStore } from './storage/image-objects.ts';

/** Everything that the environment decides. Read once. */
export interface Config extends Transport {
  readonly host: string;
  readonly port: number;
  /** HTTP processes. */
  readonly processes: number;
  /** Worker threads of each HTTP process. */
  readonly workerThreads: number;
  /** Outside servers; the embedded ones when absent. */
  readonly databaseUrl: string | undefined;
  readonly databasePrepare: boolean;
  /** Where the database keeps its files, when that is on this machine; the embedded one's directory when absent. */
  readonly databaseDirectory: string | undefined;
  /** With less free space there nothing is written; 0 does not look. */
  readonly diskFreeBytesMin: number;
  /** Queries that take longer are ended; 0 leaves that to the database. */
  readonly queryTimeoutMs: number;
  /** Bytes of answers that a process keeps: as many of REST as of GraphQL. */
  readonly answerCacheBytes: number;
  /** Bytes of what GraphQL answers said of single resources; 0 makes every answer as a whole. */
  readonly excerptCacheBytes: number;
  /** Of a computation: items of a cart times its discounts, from which worker threads do it. */
  readonly threadStepsMin: number;
  /** Bytes of documents for pages of lists; 0 reads every page as a whole. */
  readonly documentCacheBytes: number;
  readonly meiliUrl: string | undefined;
  readonly meiliKey: string | undefined;
  readonly dataDir: string;
  /** Where uploaded images are; below the data directory when absent. */
  readonly imageObjects: ObjectStore | undefined;
  /** Where the processes of a platform reach the one that searches products. */
  readonly searchSocket: string;
  /** Bytes of what is searched, in that process. */
  readonly searchIndexBytes: number;
  readonly projectKey: string;
  readonly baseUrl: string;
  readonly logLevel: string;
  /** Refuse requests with a header Upgrade, as the specification has it (1.2). */
  readonly blocksUpgradeHeader: boolean;
  /** Origins of pages whose browsers may read answers. */
  readonly corsOrigins: '*' | readonly string[];
  /** Products of the demo shop that the first start loads; 0 loads none. */
  readonly demoProducts: number;
  /** Introspection endpoints of projects may be on loopback, link-local and private addresses. */
  readonly allowsPrivateExternalOAuth: boolean;
  /** So may API extensions. */
  readonly allowsPrivateExtensions: boolean;
  /** And so may destinations of subscriptions. */
  readonly allowsPrivateSubscriptions: boolean;
  /** Where Pub/Sub destinations are published, as `host:port`; undefined where they are refused. */
  readonly pubsubEmulatorHost: string | undefined;
  /** Where names of destinations are looked up before DNS. No setting: tests have names of their own. */
  readonly hostsPath: string;
  /** Lifetimes of tokens whose client says nothing else; of a refresh token after its last use. */
  readonly accessTokenSeconds: number;
  readonly refreshTokenSeconds: number;
  /** Refresh tokens of a project; more are deleted, the least recently used first. */
  readonly refreshTokensMax: number;
  /** Token requests of a client to one process; 0 sets no limit. */
  readonly tokenRequestsPerMinute: number;
  /** Wrong passwords for a name, and by a shopper's session, to one process; 0 sets no limit. */
  readonly wrongPasswordsPerMinute: number;
  /** Work factor N of scrypt for new hashes. No setting: tests that make many have a lower one. */
  readonly passwordCost: number;
  /** Resources of a kind that one project may have, where it is not the kind's own limit. */
  readonly resourceLimits: ReadonlyMap<string, number>;
  /** Resources that one project keeps of a kind of which more go by themselves, where it is not the kind's own number. */
  readonly keptMax: ReadonlyMap<string, number>;
}

/** How clients come over TLS (specification 1.1). With neither, plain HTTP is served. */
interface Transport {
  /** The process itself speaks TLS, with these PEM files. */
  readonly tls: { readonly certFile: string; readonly keyFile: string } | undefined;
  /** Beside TLS, a port where plain HTTP is answered with 404. */
  readonly plainPort: number | undefined;
  /** A proxy in front speaks TLS, and says so in X-Forwarded-Proto. */
  readonly trustsProxy: boolean;
}

const demoProductsMin = 100;
const demoProductsMax = 1_000_000;
const portRange = [1, 65_535] as const;

/** The configuration of this environment. Throws one Error that names everything wrong with it. */
export function loadConfig(environment: NodeJS.ProcessEnv): Config {
  const settings = createSettings(environment);
  const { integer, boolean, matching, text } = settings;
  const resourceLimits = numbersOf(settings, 'RESOURCE_LIMITS', allResources);
  const ofTime = allResources.filter(({ retention }) => retention !== undefined);
  const keptMax = numbersOf(settings, 'KEPT_RESOURCES_MAX', ofTime);
  const cores = availableParallelism();
  const host = text('HOST') ?? '127.0.0.1';
  const port = integer('PORT', portRange) ?? 8080;
  const transport = transportOf(settings, host, port);
  const dataDir = text('DATA_DIR') ?? join(import.meta.dirname, '..', '..', 'data');
  const demoProducts = integer('DEMO_PRODUCTS', [0, demoProductsMax]) ?? 500;
  if (demoProducts > 0 && demoProducts < demoProductsMin) {
    settings.faults.push(
      `DEMO_PRODUCTS is ${demoProducts}, but 0 or ${demoProductsMin} to ${demoProductsMax} is expected`,
    );
  }
  const config: Config = {
    ...transport,
    host,
    port,
    // The database, the search engine and the worker threads need cores too; with two, others serve while one is replaced.
    processes: integer('PROCESSES', [1, 256]) ?? Math.max(2, Math.floor(cores / 2)),
    workerThreads: integer('WORKER_THREADS', [1, 64]) ?? (cores > 4 ? 2 : 1),
    threadStepsMin: integer('THREAD_STEPS_MIN', [0, 1_000_000_000]) ?? stepsMinDefault,
    databaseUrl: matching('DATABASE_URL', /^postgres(ql)?:\/\//, 'a URL'),
    databasePrepare: boolean('DATABASE_PREPARE', true),
    databaseDirectory: text('DATABASE_DIRECTORY'),
    diskFreeBytesMin: (integer('DISK_FREE_MB_MIN', [0, 1_048_576]) ?? 512) * 1024 * 1024,
    // Below the time after which a request is answered with 503. While the database hangs, queries wait for so long.
    queryTimeoutMs: integer('QUERY_TIMEOUT_MS', [0, 25_000]) ?? 5000,
    answerCacheBytes: (integer('ANSWER_CACHE_MB', [0, 65_536]) ?? 256) * 1024 * 1024,
    excerptCacheBytes: (integer('EXCERPT_CACHE_MB', [0, 65_536]) ?? 128) * 1024 * 1024,
    documentCacheBytes: (integer('DOCUMENT_CACHE_MB', [0, 65_536]) ?? 64) * 1024 * 1024,
    meiliUrl: matching('MEILI_URL', /^https?:\/\//, 'a URL'),
    meiliKey: text('MEILI_KEY'),
    dataDir,
    imageObjects: imageObjectsOf(settings),
    searchSocket: socketIn(dataDir),
    searchIndexBytes: (integer('SEARCH_INDEX_MB', [16, 1_048_576]) ?? 4096) * 1024 * 1024,
    projectKey:
      matching('PROJECT_KEY', /^[a-z0-9_-]{2,36}$/, 'a key of 2 to 36 of a-z, 0-9, _ and -') ?? 'tradepost-demo',
    baseUrl: matching('BASE_URL', /^https?:\/\/[^/]+$/, 'a URL without a path') ?? defaultBaseUrl(transport, port),
    logLevel:
      matching(
        'LOG_LEVEL',
        /^(trace|debug|info|warn|error|fatal|silent)$/,
        'a level of trace, debug, info, warn, error, fatal or silent',
      ) ?? 'info',
    allowsPrivateExternalOAuth: boolean('ALLOW_PRIVATE_EXTERNAL_OAUTH', false),
    allowsPrivateExtensions: boolean('ALLOW_PRIVATE_EXTENSIONS', false),
    allowsPrivateSubscriptions: boolean('ALLOW_PRIVATE_SUBSCRIPTIONS', false),
    pubsubEmulatorHost: matching('PUBSUB_EMULATOR_HOST', /^[A-Za-z0-9.-]+:\d{1,5}$/, 'a host and a port'),
    hostsPath: '/etc/hosts',
    accessTokenSeconds: integer('ACCESS_TOKEN_SECONDS', [300, 31_536_000]) ?? 172_800,
    refreshTokenSeconds: integer('REFRESH_TOKEN_SECONDS', [300, 315_360_000]) ?? 15_552_000,
    refreshTokensMax: integer('REFRESH_TOKENS_MAX', [1, 1_000_000_000]) ?? 10_000_000,
    tokenRequestsPerMinute: integer('TOKEN_REQUESTS_PER_MINUTE', [0, 1_000_000]) ?? 1200,
    passwordCost,
    wrongPasswordsPerMinute: integer('WRONG_PASSWORDS_PER_MINUTE', [0, 1_000_000]) ?? 10,
    corsOrigins: corsOriginsOf(settings),
    blocksUpgradeHeader: boolean('BLOCK_UPGRADE_HEADER', true),
    demoProducts,
    resourceLimits,
    keptMax,
  };
  if (settings.faults.length > 0) throw new Error(`The configuration is not valid: ${settings.faults.join('; ')}.`);
  return Object.freeze(config);
}

/** Bytes that the path of a socket may have on every system. */
const socketPathMax = 100;

/** In the directory, or in that of temporary files where its path is too long. */
function socketIn(directory: string): string {
  const path = join(resolve(directory), 'search.sock');
  if (Buffer.byteLength(path) <= socketPathMax) return path;
  return join(tmpdir(), `tradepost-${createHash('sha256').update(path).digest('hex').slice(0, 16)}.sock`);
}

/** All settings of a store that speaks S3, or none. */
function imageObjectsOf({ text, matching, faults }: Settings): Config['imageObjects'] {
  const endpoint = matching('IMAGES_S3_ENDPOINT', /^https?:\/\/[^/]+$/, 'a URL without a path');
  const region = text('IMAGES_S3_REGION') ?? 'us-east-1';
  const [bucket, accessKeyId, secretAccessKey] = ['BUCKET', 'ACCESS_KEY_ID', 'SECRET_ACCESS_KEY'].map((name) =>
    text(`IMAGES_S3_${name}`),
  );
  const given = [endpoint, bucket, accessKeyId, secretAccessKey].filter((value) => value !== undefined);
  if (given.length === 0) return undefined;
  if (endpoint === undefined || bucket === undefined || accessKeyId === undefined || secretAccessKey === undefined) {
    faults.push(
      'of IMAGES_S3_ENDPOINT, IMAGES_S3_BUCKET, IMAGES_S3_ACCESS_KEY_ID and IMAGES_S3_SECRET_ACCESS_KEY some are given, but all are expected',
    );
    return undefined;
  }
  return { endpoint, bucket, region, accessKeyId, secretAccessKey };
}

/** `*`, `none`, or `https://shop.example.org,http://localhost:3000`. */
function corsOriginsOf({ text, faults }: Settings): Config['corsOrigins'] {
  const given = text('CORS_ORIGINS') ?? '*';
  if (given === '*') return given;
  const origins = given === 'none' ? [] : given.split(',').map((origin) => origin.trim());
  for (const origin of origins.filter((each) => !/^[a-z][a-z0-9+.-]*:\/\/[^\s/?#@]+$/.test(each)))
    faults.push(`CORS_ORIGINS holds '${origin}', but *, none or origins such as https://shop.example.org are expected`);
  return origins;
}

/** Numbers by kinds, such as `zone=200,store=50`. */
function numbersOf(
  { text, faults }: Settings,
  name: string,
  resources: readonly Resource[],
): ReadonlyMap<string, number> {
  const limits = new Map<string, number>();
  const kinds = new Set(resources.map(({ kind }) => kind));
  const [example] = kinds;
  for (const entry of text(name)?.split(',') ?? []) {
    const [, kind, count] = /^([a-z-]+)=(\d{1,12})$/.exec(entry.trim()) ?? [];
    if (kind !== undefined && kinds.has(kind)) limits.set(kind, Number(count));
    else {
      const known = kind === undefined ? '' : `; the kinds are ${[...kinds].join(', ')}`;
      faults.push(`${name} holds '${entry}', but kind=number is expected, such as ${example}=200${known}`);
    }
  }
  return limits;
}

/** Reads variables; one that is empty counts as absent, and what is wrong with one is added to the faults. */
interface Settings {
  readonly faults: string[];
  text(name: string): string | undefined;
  integer(name: string, range: readonly [number, number]): number | undefined;
  boolean(name: string, fallback: boolean): boolean;
  matching(name: string, pattern: RegExp, expected: string): string | undefined;
}

function createSettings(environment: NodeJS.ProcessEnv): Settings {
  const faults: string[] = [];
  const text = (name: string): string | undefined => environment[name] || undefined;
  const matching = (name: string, pattern: RegExp, expected: string): string | undefined => {
    const given = text(name);
    if (given !== undefined && !pattern.test(given)) faults.push(`${name} is '${given}', but ${expected} is expected`);
    return given;
  };
  return {
    faults,
    text,
    matching,
    integer: (name, [min, max]) => {
      const given = text(name);
      if (given === undefined) return undefined;
      const value = Number(given);
      if (!Number.isInteger(value) || value < min || value > max)
        faults.push(`${name} is '${given}', but an integer from ${min} to ${max} is expected`);
      return value;
    },
    boolean: (name, fallback) => (matching(name, /^(true|false)$/, 'true or false') ?? String(fallback)) === 'true',
  };
}

/** Plain HTTP is for one machine, unless the operator says otherwise: tokens and secrets travel in it. */
function transportOf({ faults, text, integer, boolean }: Settings, host: string, port: number): Transport {
  const certFile = text('TLS_CERT_FILE');
  const keyFile = text('TLS_KEY_FILE');
  const plainPort = integer('PLAIN_PORT', portRange);
  const trustsProxy = boolean('TRUST_PROXY', false);
  const allowsPlainHttp = boolean('ALLOW_PLAIN_HTTP', false);
  const hasTls = certFile !== undefined || keyFile !== undefined;
  const tls = certFile !== undefined && keyFile !== undefined ? { certFile, keyFile } : undefined;
  if (hasTls && tls === undefined) faults.push('of TLS_CERT_FILE and TLS_KEY_FILE one is given, but both are expected');
  if (tls !== undefined) faults.push(...certificateFaults(tls));
  if (hasTls && trustsProxy)
    faults.push('TRUST_PROXY is true, but a proxy that speaks TLS is expected to come without TLS_CERT_FILE');
  if (plainPort !== undefined && !hasTls) faults.push('PLAIN_PORT is given, but is expected with TLS_CERT_FILE only');
  if (plainPort === port) faults.push(`PLAIN_PORT is ${port}, but another port than PORT is expected`);
  if (allowsPlainHttp && (hasTls || trustsProxy))
    faults.push('ALLOW_PLAIN_HTTP is true, but is expected without TLS_CERT_FILE and TRUST_PROXY only');
  if (!hasTls && !trustsProxy && !allowsPlainHttp && !isLoopback(host)) {
    faults.push(
      `HOST is '${host}', but plain HTTP is served on a loopback address only: TLS_CERT_FILE and TLS_KEY_FILE, ` +
        'TRUST_PROXY=true behind a proxy that speaks TLS, or ALLOW_PLAIN_HTTP=true in a private network is expected',
    );
  }
  return { tls, plainPort, trustsProxy };
}

function certificateFaults({ certFile, keyFile }: NonNullable<Transport['tls']>): readonly string[] {
  try {
    createSecureContext({ cert: readFileSync(certFile), key: readFileSync(keyFile) });
    return [];
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return [`TLS_CERT_FILE is '${certFile}' and TLS_KEY_FILE '${keyFile}', which cannot be used: ${reason}`];
  }
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));
}

function defaultBaseUrl({ tls, trustsProxy }: Transport, port: number): string {
  // The proxy's port is its own.
  if (trustsProxy) return 'https://localhost';
  return `${tls === undefined ? 'http' : 'https'}://localhost:${port}`;
}

/** Where a process finds its servers; the supervisor fills in the embedded ones. */
export type Connected = Config & { readonly databaseUrl: string };

import { availableParallelism } from 'node:os';
import { join } from 'node:path';

/** Everything that the environment decides. Read once. */
export interface Config {
  readonly host: string;
  readonly port: number;
  /** HTTP processes. */
  readonly processes: number;
  /** Worker threads of each HTTP process. */
  readonly workerThreads: number;
  /** Outside servers; the embedded ones when absent. */
  readonly databaseUrl: string | undefined;
  readonly databasePrepare: boolean;
  readonly meiliUrl: string | undefined;
  readonly meiliKey: string | undefined;
  readonly dataDir: string;
  readonly projectKey: string;
  readonly baseUrl: string;
  readonly logLevel: string;
  /** Products of the demo shop that the first start loads; 0 loads none. */
  readonly demoProducts: number;
}

const demoProductsMin = 100;
const demoProductsMax = 1_000_000;

/** The configuration of this environment. Throws one Error that names everything wrong with it. */
export function loadConfig(environment: NodeJS.ProcessEnv): Config {
  const faults: string[] = [];
  const integer = (name: string, fallback: number, [min, max]: readonly [number, number]): number => {
    const text = environment[name];
    if (text === undefined || text === '') return fallback;
    const value = Number(text);
    if (!Number.isInteger(value) || value < min || value > max)
      faults.push(`${name} is '${text}', but an integer from ${min} to ${max} is expected`);
    return value;
  };
  const matching = (name: string, fallback: string, [pattern, expected]: readonly [RegExp, string]): string => {
    const text = environment[name] ?? '';
    if (text !== '' && !pattern.test(text)) faults.push(`${name} is '${text}', but ${expected} is expected`);
    return text === '' ? fallback : text;
  };
  const optionalUrl = (name: string, protocols: RegExp): string | undefined => {
    const text = matching(name, '', [protocols, 'a URL']);
    return text === '' ? undefined : text;
  };
  const cores = availableParallelism();
  const port = integer('PORT', 8080, [1, 65_535]);
  const demoProducts = integer('DEMO_PRODUCTS', 500, [0, demoProductsMax]);
  if (demoProducts > 0 && demoProducts < demoProductsMin) {
    faults.push(`DEMO_PRODUCTS is ${demoProducts}, but 0 or ${demoProductsMin} to ${demoProductsMax} is expected`);
  }
  const config: Config = {
    host: environment['HOST'] || '127.0.0.1',
    port,
    // The database, the search engine and the worker threads need cores too.
    processes: integer('PROCESSES', Math.max(1, Math.floor(cores / 2)), [1, 256]),
    workerThreads: integer('WORKER_THREADS', cores > 4 ? 2 : 1, [1, 64]),
    databaseUrl: optionalUrl('DATABASE_URL', /^postgres(ql)?:\/\//),
    databasePrepare: matching('DATABASE_PREPARE', 'true', [/^(true|false)$/, 'true or false']) === 'true',
    meiliUrl: optionalUrl('MEILI_URL', /^https?:\/\//),
    meiliKey: environment['MEILI_KEY'] || undefined,
    dataDir: environment['DATA_DIR'] || join(import.meta.dirname, '..', '..', 'data'),
    projectKey: matching('PROJECT_KEY', 'tradepost-demo', [
      /^[a-z0-9_-]{2,36}$/,
      'a key of 2 to 36 of a-z, 0-9, _ and -',
    ]),
    baseUrl: matching('BASE_URL', `http://localhost:${port}`, [/^https?:\/\/[^/]+$/, 'a URL without a path']),
    logLevel: matching('LOG_LEVEL', 'info', [
      /^(trace|debug|info|warn|error|fatal|silent)$/,
      'a level of trace, debug, info, warn, error, fatal or silent',
    ]),
    demoProducts,
  };
  if (faults.length > 0) throw new Error(`The configuration is not valid: ${faults.join('; ')}.`);
  return Object.freeze(config);
}

/** Where a process of this machine reaches the platform, whatever address it listens on and the world knows it by. */
export function localOrigin({ host, port }: Pick<Config, 'host' | 'port'>): string {
  if (host === '0.0.0.0') return `http://127.0.0.1:${port}`;
  if (host === '::') return `http://[::1]:${port}`;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

import { type ChildProcess, fork } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { type Connected, createClient, type FirstClient, prepareDatabase } from './app.ts';
import { printBanner } from './banner.ts';
import type { Config } from './config.ts';
import { showProgress } from './demo/progress.ts';
import { loadDemo } from './demo/load.ts';
import { createLog } from './log.ts';
import { startServices } from './services.ts';

/** A child that runs this long before it dies is started again at once; one that dies sooner waits. */
const soundMs = 5000;
const restartMsMin = 100;
const restartMsMax = 1000;
const stopMsMax = 15_000;
/** Limit of URL and headers (specification 1.2); the native server reads it from the environment when it is loaded. */
const headBytesMax = 15_360;

/** Starts everything, and keeps it running until a signal ends it. */
export async function startPlatform(config: Config): Promise<void> {
  await requireFreePort(config);
  const log = createLog(config.logLevel, 'supervisor');
  const services = await startServices(config, {
    search: true,
    onFailure: (error) => log.error({ err: error }, 'a service was given up'),
  });
  const children: Child[] = [];
  const stop = onSignal(async () => {
    await Promise.all(children.map((child) => child.stop()));
    await services.stop();
  });
  try {
    for (const remark of services.remarks) process.stdout.write(`${remark}\n`);
    const connected = services.config;
    const firstClient = await prepareDatabase(connected);
    const client = firstClient ?? rememberedClient(connected) ?? (await createClient(connected));
    rememberClient(connected, client);
    const roles = [...Array.from({ length: config.processes }, () => 'http' as const), 'feeder' as const];
    children.push(...roles.map((role) => new Child(role, connected, log)));
    await Promise.all(children.map((child) => child.start()));
    if (firstClient !== undefined && config.demoProducts > 0) await loadFirstDemo(connected, client);
    await printBanner(connected, client);
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The native server shares ports with anybody, so a taken one has to be found before. */
function requireFreePort({ host, port }: Config): Promise<void> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => {
      const reason = error.code === 'EADDRINUSE' ? 'another program listens on it' : error.message;
      reject(new Error(`The port ${port} of ${host} cannot be used: ${reason}. Set PORT to another one.`));
    });
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve()));
  });
}

/** Runs `stop` once, at the first SIGINT or SIGTERM; a second one ends the process at once. */
function onSignal(stop: () => Promise<void>): () => Promise<void> {
  let stopping: Promise<void> | undefined;
  const begin = (): Promise<void> => (stopping ??= stop());
  const handle = (): void => {
    if (stopping !== undefined) process.exit(130);
    void begin().finally(() => process.exit(0));
  };
  process.on('SIGINT', handle);
  process.on('SIGTERM', handle);
  return begin;
}

/** One process of the platform, started again when it dies. */
class Child {
  readonly #role: 'http' | 'feeder';
  readonly #config: Connected;
  readonly #log: Logger;
  #process: ChildProcess | undefined;
  #isStopping = false;
  #restartMs = restartMsMin;

  constructor(role: 'http' | 'feeder', config: Connected, log: Logger) {
    this.#role = role;
    this.#config = config;
    this.#log = log;
  }

  /** Resolves when the process says that it is ready; rejects when it ends before. */
  async start(): Promise<void> {
    const startedAtMs = performance.now();
    const child = fork(join(import.meta.dirname, 'main.js'), [this.#role], { env: environmentOf(this.#config) });
    this.#process = child;
    await new Promise<void>((resolve, reject) => {
      child.once('message', () => resolve());
      child.once('error', reject);
      child.once('exit', (code, signal) =>
        reject(new Error(`The ${this.#role} process ended while it started (${signal ?? `exit code ${code}`}).`)),
      );
    });
    child.once('exit', (code, signal) => {
      if (this.#isStopping) return;
      this.#log.error(
        { childRole: this.#role, childPid: child.pid, code, signal },
        'a process died and is started again',
      );
      const wasSound = performance.now() - startedAtMs > soundMs;
      this.#restartMs = wasSound ? restartMsMin : Math.min(restartMsMax, this.#restartMs * 2);
      this.#restartLater();
    });
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    const child = this.#process;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    child.kill('SIGTERM');
    const killer = setTimeout(() => child.kill('SIGKILL'), stopMsMax);
    await exited;
    clearTimeout(killer);
  }

  #restartLater(): void {
    setTimeout(() => {
      if (this.#isStopping) return;
      this.start().catch(() => {
        this.#restartMs = Math.min(restartMsMax, this.#restartMs * 2);
        this.#restartLater();
      });
    }, this.#restartMs);
  }
}

function environmentOf(config: Connected): NodeJS.ProcessEnv {
  return {
    ...process.env,
    HOST: config.host,
    PORT: String(config.port),
    DATABASE_URL: config.databaseUrl,
    ...(config.meiliUrl !== undefined && { MEILI_URL: config.meiliUrl }),
    ...(config.meiliKey !== undefined && { MEILI_KEY: config.meiliKey }),
    UWS_HTTP_MAX_HEADERS_SIZE: String(headBytesMax),
  };
}

function clientFile({ dataDir, projectKey }: Connected): string {
  return join(dataDir, `client-${projectKey}.json`);
}

/** The database keeps a hash of the secret only; the operator's copy is in the data directory. */
function rememberClient(config: Connected, client: FirstClient): void {
  writeFileSync(clientFile(config), JSON.stringify(client), { mode: 0o600 });
}

function rememberedClient(config: Connected): FirstClient | undefined {
  try {
    // rememberClient wrote the file.
    return JSON.parse(readFileSync(clientFile(config), 'utf8')) as FirstClient;
  } catch {
    return undefined;
  }
}

async function loadFirstDemo(config: Connected, client: FirstClient): Promise<void> {
  const progress = showProgress(process.stdout);
  const baseUrl = `http://${config.host === '0.0.0.0' ? '127.0.0.1' : config.host}:${config.port}`;
  await loadDemo({
    baseUrl,
    projectKey: config.projectKey,
    client,
    products: config.demoProducts,
    onProgress: progress.update,
  });
  progress.end();
}

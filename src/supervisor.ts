import { type ChildProcess, fork } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { type Connected, createClient, type FirstClient, prepareDatabase } from './app.ts';
import { printBanner } from './banner.ts';
import type { Config } from './config.ts';
import { showProgress } from './demo/progress.ts';
import { loadDemo } from './demo/load.ts';
import { localServer } from './local-server.ts';
import { createLog } from './log.ts';
import { type Services, startServices } from './services.ts';

/** A child that runs this long before it dies is started again at once; one that dies sooner waits. */
const soundMs = 5000;
const restartMsMin = 100;
const restartMsMax = 1000;
const stopMsMax = 15_000;
const readyMsMax = 60_000;
/** Signals this close to each other are one. */
const sameSignalMs = 500;

/** Starts everything, and keeps it running until a signal ends it. */
export async function startPlatform(config: Config): Promise<void> {
  const log = createLog(config.logLevel, 'supervisor');
  const children: Child[] = [];
  let starting: Promise<Services> | undefined;
  const shutdown = onSignal(async () => {
    await Promise.all(children.map((child) => child.stop()));
    const services = await starting?.catch(() => undefined);
    await services?.stop();
  });
  try {
    await requireFreePort('PORT', config.host, config.port);
    if (config.plainPort !== undefined) await requireFreePort('PLAIN_PORT', config.host, config.plainPort);
    starting = startServices(config, {
      search: true,
      onFailure: (error) => log.error({ err: error }, 'an embedded service failed'),
    });
    const { config: connected, remarks } = await starting;
    for (const remark of remarks) process.stdout.write(`${remark}\n`);
    const client = await prepareClient(connected);
    if (shutdown.hasBegun()) return;
    const roles = [...Array.from({ length: config.processes }, () => 'http' as const), 'feeder' as const];
    children.push(...roles.map((role) => new Child(role, connected, log)));
    await Promise.all(children.map((child) => child.start()));
    await loadFirstDemo(connected, client);
    await printBanner(connected, client);
  } catch (error) {
    // Whatever fails while everything is being stopped fails because of that; the signal's handler ends the process.
    if (shutdown.hasBegun()) return;
    await shutdown.begin();
    throw error;
  }
}

/** The native server shares ports with anybody, so a taken one has to be found before. */
function requireFreePort(name: string, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => {
      const reason = error.code === 'EADDRINUSE' ? 'another program listens on it' : error.message;
      reject(new Error(`The port ${port} of ${host} cannot be used: ${reason}. Set ${name} to another one.`));
    });
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve()));
  });
}

interface Shutdown {
  hasBegun(): boolean;
  begin(): Promise<void>;
}

/**
 * Runs `stop` once, at the first signal, and ends the process. A later one does not wait for that; but npm sends on
 * what the terminal has sent to the whole group, so two at almost the same time are one.
 */
function onSignal(stop: () => Promise<void>): Shutdown {
  let stopping: Promise<void> | undefined;
  let begunAtMs = 0;
  const begin = (): Promise<void> => {
    begunAtMs = performance.now();
    stopping ??= stop();
    return stopping;
  };
  const handle = (): void => {
    if (stopping === undefined) {
      begin().then(
        () => process.exit(0),
        (error: unknown) => {
          process.stderr.write(`Not everything could be stopped: ${String(error)}\n`);
          process.exit(1);
        },
      );
    } else if (performance.now() - begunAtMs > sameSignalMs) process.exit(130);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, handle);
  return { hasBegun: () => stopping !== undefined, begin };
}

/** Processes that run. An end of this process that stops nothing in order must not leave them draining. */
const running = new Set<ChildProcess>();

process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

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

  /** Resolves when the process says that it is ready; rejects when it ends before, or does not become so in time. */
  async start(): Promise<void> {
    const startedAtMs = performance.now();
    const child = fork(join(import.meta.dirname, 'main.js'), [this.#role], { env: environmentOf(this.#config) });
    this.#process = child;
    running.add(child);
    child.once('exit', () => running.delete(child));
    await this.#readiness(child);
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

  #readiness(child: ChildProcess): Promise<void> {
    return new Promise((resolve, reject) => {
      const deadline = setTimeout(() => {
        child.kill('SIGKILL');
        reject(new Error(`The ${this.#role} process was not ready within ${readyMsMax / 1000} s.`));
      }, readyMsMax);
      const fail = (reason: string): void => {
        clearTimeout(deadline);
        reject(new Error(`The ${this.#role} process ended while it started (${reason}).`));
      };
      child.once('message', () => {
        clearTimeout(deadline);
        resolve();
      });
      child.once('error', (error) => fail(error.message));
      child.once('exit', (code, signal) => fail(signal ?? `exit code ${code}`));
    });
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    const child = this.#process;
    if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
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
  };
}

/** The client that the banner prints: the project's first one, or the operator's copy of it, or else a new one. */
async function prepareClient(config: Connected): Promise<FirstClient> {
  const firstClient = await prepareDatabase(config);
  const client = firstClient ?? rememberedClient(config) ?? (await createClient(config));
  // The marker stands until the demo data is complete, so that a start that was broken off is made up for.
  if (firstClient !== undefined && config.demoProducts > 0) writeFileSync(markerFile(config), '');
  rememberClient(config, client);
  return client;
}

function clientFile({ dataDir, projectKey }: Connected): string {
  return join(dataDir, `client-${projectKey}.json`);
}

function markerFile({ dataDir, projectKey }: Connected): string {
  return join(dataDir, `demo-${projectKey}.incomplete`);
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
  if (config.demoProducts === 0 || !existsSync(markerFile(config))) return;
  const progress = showProgress(process.stdout);
  const server = localServer(config);
  try {
    await loadDemo({
      server,
      projectKey: config.projectKey,
      client,
      products: config.demoProducts,
      onProgress: progress.update,
    });
  } finally {
    await server.close();
  }
  progress.end();
  rmSync(markerFile(config), { force: true });
}

import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { openLoader } from './background.ts';
import { createClient, type FirstClient, prepareDatabase } from './administration.ts';
import type { Connected } from './config.ts';
import { printBanner } from './banner.ts';
import type { Config } from './config.ts';
import { showProgress } from './progress.ts';
import { loadDemo } from './demo/load.ts';
import { patientLocalServer } from './local-server.ts';
import { createLog } from './log.ts';
import { Processes } from './processes.ts';
import { announceBaseUrl, type Services, startServices } from './services.ts';
import { onSignals } from './signals.ts';

/** Starts everything, and keeps it running until a signal ends it. */
export async function startPlatform(config: Config): Promise<void> {
  const log = createLog(config.logLevel, 'supervisor');
  let processes: Processes | undefined;
  let starting: Promise<Services> | undefined;
  const shutdown = onSignals({
    stop: async (how) => {
      await processes?.stop(how);
      const services = await starting?.catch(() => undefined);
      await services?.stop();
    },
    restart: () => processes?.restart(),
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
    processes = new Processes(connected, log);
    await processes.start();
    announceBaseUrl(connected);
    await loadFirstDemo(connected, client);
    await printBanner(connected, client);
  } catch (error) {
    // Whatever fails while everything is being stopped fails because of that; the signal's handler ends the process.
    if (shutdown.hasBegun()) return;
    await shutdown.begin('soon');
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

/** The client that the banner prints: the project's first one, or the operator's copy of it, or else a new one. */
async function prepareClient(config: Connected): Promise<FirstClient> {
  const firstClient = await prepareDatabase(config);
  const client = firstClient ?? rememberedClient(config) ?? (await createClient(config));
  // The marker stands until the demo data is complete, so that a start that was broken off is made up for.
  if (firstClient !== undefined && config.demoProducts > 0)
    writeFileSync(markerFile(config), String(config.demoProducts));
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

/**
 * What goes wrong here is told and leaves the platform as it is: the next start goes on with what is missing of the shop that
 * was begun.
 */
async function loadFirstDemo(config: Connected, client: FirstClient): Promise<void> {
  const products = unfinishedProducts(config);
  if (config.demoProducts === 0 || products === undefined) return;
  const progress = showProgress(process.stdout, 'Loading demo data');
  const server = patientLocalServer(config);
  const loader = openLoader(config);
  try {
    await loadDemo({
      loader,
      server,
      projectKey: config.projectKey,
      client,
      products,
      onProgress: progress.update,
    });
    rmSync(markerFile(config), { force: true });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    process.stderr.write(`\nThe demo shop is not complete; the next start goes on with it. ${reason}\n`);
  } finally {
    progress.end();
    await Promise.all([server.close(), loader.close()]);
  }
}

/** Products of the shop that was begun and is not complete. */
function unfinishedProducts(config: Connected): number | undefined {
  if (!existsSync(markerFile(config))) return undefined;
  return Number(readFileSync(markerFile(config), 'utf8')) || config.demoProducts;
}

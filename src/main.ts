import { parseArgs } from 'node:util';
import type { Logger } from 'pino';
import { loadConfig } from './config.ts';
import { RequestEnded } from './engine/context.ts';
import { ApiError } from './errors/api-error.ts';
import { causeOf } from './graphql/execution-errors.ts';
import { createLog } from './log.ts';
import { prepareHttp, startSearch, type Running } from './app.ts';
import { startFeeder } from './feeder.ts';
import type { Connected } from './config.ts';
import { type ChildMessage, heartbeatMs, type ParentMessage, type Role } from './child.ts';
import { runBacklogCommand } from './commands/backlog.ts';
import { runCertificateCommand } from './commands/certificate.ts';
import { runClientCommand } from './commands/client.ts';
import { runExplainCartCommand } from './commands/explain-cart.ts';
import { runGraphqlCompareCommand } from './commands/graphql-compare.ts';
import { runHealthCommand } from './commands/health.ts';
import { runMigrateCommand } from './commands/migrate.ts';
import { runProjectCommand } from './commands/project.ts';
import { runRestartCommand } from './commands/restart.ts';
import { runSearchRebuildCommand } from './commands/search-rebuild.ts';
import { startPlatform } from './supervisor.ts';

/** How long an HTTP process that is told to stop goes on to take connections, which others take meanwhile too. */
const lingerMs = 2000;
/** Writes of this time are told to the feeder together. */
const queuedMs = 20;
/** Longer than the HTTP server's own drain, shorter than the supervisor's patience. */
const drainMsMax = 16_000;

/** What this process is: the supervisor, one of its children, or a command of the operator. */
async function main(role: string, args: readonly string[]): Promise<void> {
  switch (role) {
    case 'start':
      return startPlatform(loadConfig(withArguments(process.env, args)));
    case 'migrate':
      return runMigrateCommand(loadConfig(process.env), args);
    case 'project':
      return runProjectCommand(loadConfig(process.env), args);
    case 'client':
      return runClientCommand(loadConfig(process.env), args);
    case 'graphql:compare':
      return runGraphqlCompareCommand(args);
    case 'backlog':
      return runBacklogCommand(loadConfig(process.env), args);
    case 'explain-cart':
      return runExplainCartCommand(loadConfig(process.env), args);
    case 'search:rebuild':
      return runSearchRebuildCommand(loadConfig(process.env), args);
    case 'restart':
      return runRestartCommand(loadConfig(process.env));
    case 'certificate':
      return runCertificateCommand(args);
    case 'health':
      return runHealthCommand(loadConfig(process.env));
    case 'http':
    case 'feeder':
    case 'search':
      return runChild(role, args);
    default:
      throw new Error(
        `There is no command '${role}'; known are start, restart, migrate, project, client, backlog, explain-cart, search:rebuild, certificate and health.`,
      );
  }
}

/** `--products N` and `--no-demo` say what DEMO_PRODUCTS would. */
function withArguments(environment: NodeJS.ProcessEnv, args: readonly string[]): NodeJS.ProcessEnv {
  const { values } = parseArgs({
    args: [...args],
    options: { products: { type: 'string' }, 'no-demo': { type: 'boolean' } },
  });
  const products = values['no-demo'] === true ? '0' : values.products;
  return products === undefined ? environment : { ...environment, DEMO_PRODUCTS: products };
}

/** With `waiting`, the process loads everything and serves when its parent says so. */
async function runChild(role: Role, [mode]: readonly string[]): Promise<void> {
  const config = loadConfig(process.env);
  if (config.databaseUrl === undefined) throw new Error('DATABASE_URL is missing.');
  const connected: Connected = { ...config, databaseUrl: config.databaseUrl };
  const log = createLog(config.logLevel, role);
  const start = starterOf(role, connected, log);
  let hasStarted = false;
  let isStopping = false;
  const stop = (lingerMs: number): void => {
    if (isStopping) return;
    isStopping = true;
    // Without a supervisor nobody else would end a process that cannot drain.
    setTimeout(() => process.exit(1), drainMsMax).unref();
    const closing = hasStarted
      ? starting.then((running) => running.close({ lingerMs, groupSize: config.processes + 1 }))
      : Promise.resolve();
    void closing.finally(() => process.exit(0));
  };
  process.on('SIGTERM', () => {
    tell('leaving');
    stop(lingerMs);
  });
  // Ctrl-C and a closed terminal reach the whole group; the supervisor tells its children when to stop.
  for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => {});
  // The supervisor lets go of this process, or is gone, and with it whoever would stop this process.
  process.on('disconnect', () => stop(0));
  const asked = mode === 'waiting' ? beAsked() : Promise.resolve();
  const starting = asked.then(() => {
    hasStarted = true;
    return start();
  });
  await starting;
  tell('serving');
}

function starterOf(role: Role, config: Connected, log: Logger): () => Promise<Running> {
  switch (role) {
    case 'http':
      // A list of GraphQL forgets the promises of its elements where another one throws, and no request may end the process.
      process.on('unhandledRejection', (rejected) => {
        const err = causeOf(rejected);
        const isFault = err instanceof ApiError ? err.isFault : !(err instanceof RequestEnded);
        if (isFault) log.error({ err }, 'Nobody waited for what was rejected');
      });
      return prepareHttp(config, log, { onQueued: atMostEvery(queuedMs, () => tell('queued')) }).start;
    case 'feeder':
      return async () => {
        const feeder = startFeeder(config, log);
        onMessage('queued', feeder.wake);
        return feeder;
      };
    case 'search':
      return () => startSearch(config, log);
  }
}

/** Says that this process is there, and goes on to do so; resolves when it is asked to serve. */
function beAsked(): Promise<void> {
  setInterval(() => tell('alive'), heartbeatMs).unref();
  tell('prepared');
  return new Promise((resolve) => onMessage('serve', resolve));
}

function onMessage(expected: ParentMessage, listen: () => void): void {
  process.on('message', (message) => {
    if (message === expected) listen();
  });
}

/** Calls of what it gives are calls of `act` some time after the first of them. */
function atMostEvery(ms: number, act: () => void): () => void {
  let isDue = false;
  return () => {
    if (isDue) return;
    isDue = true;
    setTimeout(() => {
      isDue = false;
      act();
    }, ms);
  };
}

/** To the supervisor, if there is one, and if it is still there. */
function tell(message: ChildMessage): void {
  if (process.connected) process.send?.(message, undefined, undefined, () => {});
}

function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (!('code' in error) || error.code !== 'ENOSPC') return error.message;
  return `The disk is full${'path' in error ? `: ${String(error.path)} could not be written` : ''}.`;
}

const [role = 'start', ...args] = process.argv.slice(2);
try {
  await main(role, args);
} catch (error) {
  // One sentence for the operator; the stack is for those who ask for it.
  process.stderr.write(`${sentenceOf(error)}\n`);
  if (process.env['LOG_LEVEL'] === 'debug' && error instanceof Error) process.stderr.write(`${error.stack}\n`);
  process.exit(1);
}

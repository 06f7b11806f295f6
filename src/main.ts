import { parseArgs } from 'node:util';
import { loadConfig } from './config.ts';
import { createLog } from './log.ts';
import { startFeeder, startHttp, type Connected, type Running } from './app.ts';
import { runClientCommand } from './commands/client.ts';
import { runGraphqlCompareCommand } from './commands/graphql-compare.ts';
import { runHealthCommand } from './commands/health.ts';
import { runMigrateCommand } from './commands/migrate.ts';
import { runProjectCommand } from './commands/project.ts';
import { startPlatform } from './supervisor.ts';

/** Longer than the HTTP server's own drain, shorter than the supervisor's patience. */
const drainMsMax = 14_000;

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
    case 'health':
      return runHealthCommand(loadConfig(process.env));
    case 'http':
    case 'feeder':
      return runChild(role);
    default:
      throw new Error(`There is no command '${role}'; known are start, migrate, project, client and health.`);
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

async function runChild(role: 'http' | 'feeder'): Promise<void> {
  const config = loadConfig(process.env);
  if (config.databaseUrl === undefined) throw new Error('DATABASE_URL is missing.');
  const connected: Connected = { ...config, databaseUrl: config.databaseUrl };
  const log = createLog(config.logLevel, role);
  const starting: Promise<Running> =
    role === 'http' ? startHttp(connected, log) : Promise.resolve(startFeeder(connected, log));
  let isStopping = false;
  const stop = (): void => {
    if (isStopping) return;
    isStopping = true;
    // Without a supervisor nobody else would end a process that cannot drain.
    setTimeout(() => process.exit(1), drainMsMax).unref();
    void starting.then((running) => running.close()).finally(() => process.exit(0));
  };
  process.on('SIGTERM', stop);
  // Ctrl-C and a closed terminal reach the whole group; the supervisor tells its children when to stop.
  for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => {});
  // The supervisor is gone, and with it whoever would stop this process.
  process.on('disconnect', stop);
  await starting;
  process.send?.({ type: 'ready' });
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

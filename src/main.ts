import { loadConfig } from './config.ts';
import { createLog } from './log.ts';
import { startFeeder, startHttp, type Connected, type Running } from './app.ts';
import { runMigrateCommand } from './commands/migrate.ts';
import { startPlatform } from './supervisor.ts';

/** What this process is: the supervisor, one of its children, or a command of the operator. */
async function main(role: string, args: readonly string[]): Promise<void> {
  switch (role) {
    case 'start':
      return startPlatform(loadConfig(withArguments(process.env, args)));
    case 'migrate':
      return runMigrateCommand(loadConfig(process.env), args);
    case 'http':
    case 'feeder':
      return runChild(role);
    default:
      throw new Error(`There is no command '${role}'; known are start and migrate.`);
  }
}

/** `--products N` and `--no-demo` say what DEMO_PRODUCTS would. */
function withArguments(environment: NodeJS.ProcessEnv, args: readonly string[]): NodeJS.ProcessEnv {
  const products = args.indexOf('--products');
  if (products >= 0) return { ...environment, DEMO_PRODUCTS: args[products + 1] ?? '' };
  return args.includes('--no-demo') ? { ...environment, DEMO_PRODUCTS: '0' } : environment;
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
    void starting.then((running) => running.close()).finally(() => process.exit(0));
  };
  process.on('SIGTERM', stop);
  // Ctrl-C reaches the whole group; the supervisor tells its children when to stop.
  process.on('SIGINT', () => {});
  // The supervisor is gone, and with it whoever would stop this process.
  process.on('disconnect', stop);
  await starting;
  process.send?.({ type: 'ready' });
}

const [role = 'start', ...args] = process.argv.slice(2);
try {
  await main(role, args);
} catch (error) {
  // One sentence for the operator; the stack is for those who ask for it.
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  if (process.env['LOG_LEVEL'] === 'debug' && error instanceof Error) process.stderr.write(`${error.stack}\n`);
  process.exit(1);
}

import { applyMigrations, listPendingMigrations } from '../app.ts';
import type { Config } from '../config.ts';
import { borrowDatabase } from '../services.ts';

/** `migrate` applies what is pending; `migrate --check` lists it and ends with 1 when there is any. */
export async function runMigrateCommand(config: Config, args: readonly string[]): Promise<void> {
  // An embedded server is stopped at the end of this process, whatever ends it but SIGKILL.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(130));
  const services = await borrowDatabase(config);
  try {
    if (args.includes('--check')) {
      const pending = await listPendingMigrations(services.config);
      process.stdout.write(pending.length === 0 ? 'The database is up to date.\n' : `Pending: ${pending.join(', ')}\n`);
      process.exitCode = pending.length === 0 ? 0 : 1;
    } else {
      const applied = await applyMigrations(services.config);
      process.stdout.write(applied.length === 0 ? 'The database is up to date.\n' : `Applied: ${applied.join(', ')}\n`);
    }
  } finally {
    await services.stop();
  }
}

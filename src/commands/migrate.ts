import { applyMigrations, listPendingMigrations } from '../administration.ts';
import type { Config } from '../config.ts';
import { withBorrowedDatabase } from './database.ts';

/** `migrate` applies what is pending; `migrate --check` lists it and ends with 1 when there is any. */
export function runMigrateCommand(config: Config, args: readonly string[]): Promise<void> {
  return withBorrowedDatabase(config, async (connected) => {
    if (args.includes('--check')) {
      const pending = await listPendingMigrations(connected);
      process.stdout.write(pending.length === 0 ? 'The database is up to date.\n' : `Pending: ${pending.join(', ')}\n`);
      process.exitCode = pending.length === 0 ? 0 : 1;
    } else {
      const applied = await applyMigrations(connected);
      process.stdout.write(applied.length === 0 ? 'The database is up to date.\n' : `Applied: ${applied.join(', ')}\n`);
    }
  });
}

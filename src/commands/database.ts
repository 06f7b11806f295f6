import type { Connected } from '../config.ts';
import type { Config } from '../config.ts';
import { borrowDatabase } from '../services.ts';

/** Works on the database of the configuration, whether a platform runs on it or not. */
export async function withBorrowedDatabase(config: Config, work: (config: Connected) => Promise<void>): Promise<void> {
  // An embedded server is stopped at the end of this process, whatever ends it but SIGKILL.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(130));
  const services = await borrowDatabase(config);
  try {
    await work(services.config);
  } finally {
    await services.stop();
  }
}

/** An HTTP process of the platform whose fence lets every request through and hears of no write: what the checker must find. */
import { startHttp } from '../../src/app.ts';
import { loadConfig } from '../../src/config.ts';
import { createLog } from '../../src/log.ts';

const config = loadConfig(process.env);
if (config.databaseUrl === undefined) throw new Error('DATABASE_URL is missing.');
await startHttp({ ...config, databaseUrl: config.databaseUrl }, createLog(config.logLevel, 'http'), {
  fenceOn: () => ({ pass: async () => {}, checks: 0, listen: () => {}, close: async () => {} }),
});
process.on('disconnect', () => process.exit(0));
process.send?.({ type: 'ready' });

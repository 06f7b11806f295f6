/** A list that fails makes an executor forget what it waits for of its other elements; no request may end a process so. */
import t from 'tap';
import { send, startPlatform } from '../support/platform.ts';
import { startHttpProcess } from '../support/process.ts';
import { eventually } from '../support/services.ts';

t.test('a process outlives what is rejected and nobody waits for, and says so in its log', async (t) => {
  const { config } = await startPlatform(t);
  const rejecting = "process.on('SIGUSR2',()=>{Promise.reject(new Error('forgotten'))})";
  const { baseUrl, output, signal } = await startHttpProcess(t, {
    DATABASE_URL: config.databaseUrl,
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(rejecting)}`,
  });
  signal('SIGUSR2');
  await eventually(async () => (output().includes('Nobody waited for what was rejected') ? true : undefined));
  t.match(output(), /forgotten/);
  t.equal((await send({ baseUrl, method: 'GET', path: '/' })).status, 404, 'it still answers');
});

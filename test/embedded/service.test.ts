import { statSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { Service } from '../../src/embedded/service.ts';
import { startModule } from '../support/module-process.ts';
import { dataDirectory, processesWith } from '../support/process.ts';
import { eventually } from '../support/services.ts';

function optionsOf(dataDir: string, code: string) {
  return {
    name: 'The service',
    command: { file: process.execPath, args: ['-e', code], workingDirectory: dataDir, environment: process.env },
    logFile: join(dataDir, 'service.log'),
    stopSignal: 'SIGTERM',
    killSignal: 'SIGKILL',
    isReady: (output: string) => output.includes('ready'),
    onFailure: () => {},
  } as const;
}

t.test('the log starts over when it is full', async (t) => {
  const dataDir = dataDirectory(t);
  const code = `for (let i = 0; i < 30; i += 1) console.log('x'.repeat(1e6)); console.log('ready'); setInterval(() => {}, 1000)`;
  const service = await Service.start(optionsOf(dataDir, code));
  t.teardown(() => service.stop());
  t.ok(statSync(join(dataDir, 'service.log')).size <= 10_000_000);
});

t.test('what keeps a service from starting is one sentence', async (t) => {
  const dataDir = dataDirectory(t);
  await t.rejects(Service.start(optionsOf(dataDir, `console.error('Error: no luck'); process.exit(3)`)), {
    message: /^The service ended while it started: .*no luck.*$/,
  });
  await t.rejects(
    Service.start(optionsOf(dataDir, `console.error('write: No space left on device'); process.exit(3)`)),
    {
      message: 'The service ended while it started: the disk is full.',
    },
  );
  const missing = {
    ...optionsOf(dataDir, ''),
    command: { ...optionsOf(dataDir, '').command, file: '/nowhere/service' },
  };
  await t.rejects(Service.start(missing), { message: /^The service could not be started: spawn .*ENOENT\.$/ });
});

t.test('a process that ends without stopping its services leaves none behind', async (t) => {
  const dataDir = dataDirectory(t);
  const code = `console.log('ready'); setInterval(() => {}, 1000); // ${dataDir}`;
  const started = startModule(
    t,
    'embedded/service.js',
    `const { join } = await import('node:path');
     const optionsOf = ${optionsOf.toString()};
     await module.Service.start(optionsOf('${dataDir}', ${JSON.stringify(code)}));
     process.exit(7)`,
  );
  t.equal(await started.exited, 7);
  // A process that was killed is there until it has its turn once more.
  t.ok(await eventually(async () => (processesWith(`// ${dataDir}`).length === 0 ? true : undefined)));
});

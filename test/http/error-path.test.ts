import { pino } from 'pino';
import t, { type Test } from 'tap';
import { ApiError } from '../../src/errors/api-error.ts';
import { type Log, type ServeOptions, serve } from '../../src/http/server.ts';
import { send } from '../support/platform.ts';

const silent = pino({ level: 'silent' });

async function start(t: Test, options: Pick<ServeOptions, 'handler'> & Partial<ServeOptions>): Promise<string> {
  const server = await serve({ host: '127.0.0.1', port: 0, log: silent, ...options });
  t.teardown(() => server.close());
  return `http://127.0.0.1:${server.port}`;
}

/** Values that JSON cannot write. Those that are deep or refer to themselves, errors quote in part. */
const unwritable = [
  1n,
  {
    toJSON: (): never => {
      throw new Error('not this one');
    },
  },
];

function failureOf(invalidValue: unknown): ApiError {
  return new ApiError([{ code: 'InvalidField', message: 'A value cannot be told.', field: 'a', invalidValue }]);
}

const general = { status: 500, body: { statusCode: 500, errors: [{ code: 'General' }] } };

t.test('an error that cannot be written as JSON is answered, in whatever way it is thrown', async (t) => {
  for (const value of unwritable) {
    for (const isAsync of [true, false]) {
      const handler = (): never | Promise<never> => {
        if (isAsync) return Promise.reject(failureOf(value));
        throw failureOf(value);
      };
      const baseUrl = await start(t, { handler });
      t.match(await send({ baseUrl, method: 'GET', path: '/' }), general);
      t.match(await send({ baseUrl, method: 'POST', path: '/', body: {} }), general);
    }
  }
});

t.test('a log that fails, or a translation of errors that does, keeps nobody from an answer', async (t) => {
  const log: Log = {
    error: () => {
      throw new Error('The disk is full');
    },
    debug: () => {},
    isLevelEnabled: () => false,
  };
  const handler = (): never => {
    throw new Error('a fault');
  };
  t.match(await send({ baseUrl: await start(t, { handler, log }), method: 'GET', path: '/' }), general);
  const baseUrl = await start(t, { handler, clientError: handler });
  t.match(await send({ baseUrl, method: 'GET', path: '/' }), general);
});

t.test('an answer that cannot be sent ends its connection, and no other', async (t) => {
  const baseUrl = await start(t, {
    handler: ({ head }) => ({ status: 200, body: head.path === '/good' ? '{}' : (undefined as unknown as string) }),
  });
  await t.rejects(send({ baseUrl, method: 'GET', path: '/bad' }));
  t.match(await send({ baseUrl, method: 'GET', path: '/good' }), { status: 200 });
});

t.test('what the log hears of a failed answer has the correlation ID', async (t) => {
  const lines: string[] = [];
  const log = pino({}, { write: (line: string) => lines.push(line) });
  const baseUrl = await start(t, { log, handler: () => Promise.reject(failureOf(1n)) });
  const { headers } = await send({ baseUrl, method: 'GET', path: '/' });
  t.match(lines.join(''), headers.get('x-correlation-id')!);
});

import t from 'tap';
import { ApiError, apiError } from '../src/errors/api-error.ts';
import { createLog } from '../src/log.ts';

interface Line {
  readonly msg: string;
  readonly repeated?: number;
  readonly correlationId?: string;
  readonly err: { readonly type: string; readonly code?: string; readonly stack?: string; readonly cause?: string };
}

t.test('equal errors are written once, and then with their number', (t) => {
  const lines: Line[] = [];
  const waiting: (() => void)[] = [];
  const endTime = (): void => {
    for (const run of waiting.splice(0)) run();
  };
  const destination = { write: (line: string) => void lines.push(JSON.parse(line) as Line) };
  const log = createLog('info', 'test', { destination, later: (run) => waiting.push(run) });
  const full = (): ApiError => apiError('OverCapacity', 'The disk is full.');
  for (let count = 0; count < 1000; count += 1)
    log.error({ correlationId: `id-${count}`, err: full() }, 'request failed');
  t.match(lines, [{ msg: 'request failed', correlationId: 'id-0' }]);
  t.equal(lines.length, 1);
  log.error({ err: apiError('OverCapacity', 'Something else.') }, 'request failed');
  log.warn({ err: full() }, 'request failed');
  t.equal(lines.length, 3, 'others are others');
  endTime();
  t.match(lines.at(-1), { msg: 'request failed', correlationId: 'id-999', repeated: 999 });
  t.equal(lines.length, 4);
  log.error({ err: full() }, 'request failed');
  t.equal(lines.length, 4, 'the next is counted again');
  endTime();
  t.match(lines.at(-1), { repeated: 1 });
  endTime();
  endTime();
  t.equal(lines.length, 5, 'what has ended is not told of');
  log.error({ err: full() }, 'request failed');
  t.equal(lines.length, 6);
  t.end();
});

t.test('an expected failure has no stack, a fault has one', (t) => {
  const lines: Line[] = [];
  const log = createLog('info', 'test', {
    destination: { write: (line: string) => void lines.push(JSON.parse(line) as Line) },
  });
  const failure = apiError('OverCapacity', 'The database cannot be reached.');
  failure.cause = new Error('connect ECONNREFUSED');
  log.error({ err: failure }, 'request failed');
  log.error({ err: new Error('a fault') }, 'request failed');
  t.match(lines[0]?.err, { type: 'ApiError', code: 'OverCapacity', cause: 'connect ECONNREFUSED' });
  t.equal(lines[0]?.err.stack, undefined);
  t.match(lines[1]?.err.stack, /log\.test/);
  t.end();
});

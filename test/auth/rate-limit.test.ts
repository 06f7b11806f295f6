import t from 'tap';
import { createRateLimit } from '../../src/auth/rate-limit.ts';

t.test('each name gets so many at once, and as many in every minute after', async (t) => {
  let nowMs = 0;
  const limit = createRateLimit(60, () => nowMs);
  const passes = (name: string): boolean => {
    try {
      limit.pass(name);
      return true;
    } catch (error) {
      t.match(error, { errors: [{ code: 'TooManyRequests' }], status: 429 });
      return false;
    }
  };
  const passed = (name: string, tries: number): number =>
    Array.from({ length: tries }, () => passes(name)).filter(Boolean).length;
  t.equal(passed('one', 70), 60);
  t.equal(passed('other', 5), 5, 'another name is counted for itself');
  nowMs += 2000;
  t.equal(passed('one', 5), 2, 'one comes back with every second');
  nowMs += 3_600_000;
  t.equal(passed('one', 70), 60, 'never more than at first');
  const unlimited = createRateLimit(0);
  for (let index = 0; index < 1000; index += 1) unlimited.pass('one');
});

const megabyte = 1024 * 1024;

t.test('what is kept of a name does not grow with it', async (t) => {
  const limit = createRateLimit(60);
  const before = process.memoryUsage().heapUsed;
  for (let index = 0; index < 500; index += 1) {
    const name = Buffer.alloc(megabyte, 'x');
    name.writeUInt32BE(index);
    limit.pass(name.toString('latin1'));
  }
  t.ok(process.memoryUsage().heapUsed - before < 250 * megabyte);
});

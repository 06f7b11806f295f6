import t from 'tap';
import { createPace } from '../src/progress.ts';

t.test('the pace is that of the last seconds, and says what is left at it', async (t) => {
  let nowMs = 0;
  const paceOf = createPace(() => nowMs);
  t.equal(paceOf(0, 10_000), 'beginning');
  nowMs = 1000;
  t.equal(paceOf(500, 10_000), '500/s, 19 s left');
  nowMs = 2000;
  t.equal(paceOf(1000, 10_000), '500/s, 18 s left');
  for (nowMs = 3000; nowMs <= 30_000; nowMs += 1000) paceOf(1000 + (nowMs - 2000) / 100, 10_000);
  nowMs = 31_000;
  t.equal(paceOf(1290, 10_000), '10/s, 15 min left', 'what was fast before is forgotten');
  t.equal(paceOf(1290, 1_000_000), '10/s, 28 h left');
});

t.test('who begins where another was broken off is no faster for that', async (t) => {
  let nowMs = 0;
  const paceOf = createPace(() => nowMs);
  paceOf(5000, 10_000);
  nowMs = 1000;
  t.equal(paceOf(5100, 10_000), '100/s, 49 s left');
});

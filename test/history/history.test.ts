import t from 'tap';
import { runHistory } from '../../bench/history/run.ts';

const seed = Number(process.env['HISTORY_SEED'] ?? 20_261_121);

t.test('four processes that are killed, on a Postgres that is killed, answer as one', async (t) => {
  t.comment(`HISTORY_SEED=${seed}`);
  const { counts, kills, violations, examples } = await runHistory({
    operations: 3000,
    seed,
    servers: 4,
    clients: 24,
    killEvery: 200,
  });
  t.comment(JSON.stringify({ ...counts, kills }));
  t.strictSame(examples, []);
  t.equal(violations, 0);
  t.ok(counts.writes > 200, `${counts.writes} writes were acknowledged`);
  t.ok(kills.server > 0 && kills.database + kills.helper > 0, 'processes and Postgres were killed');
});

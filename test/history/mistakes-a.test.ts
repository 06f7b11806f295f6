import t from 'tap';
import { type Delay, delays } from '../../bench/history/patches.ts';
import { runHistory } from '../../bench/history/run.ts';
import { createDatabase } from '../support/services.ts';
import { findMistakes, options } from './finding.ts';

const allDelays = Object.keys(delays) as readonly Delay[];

t.test('the platform makes no mistake, however late its reads and checks are', async (t) => {
  const { url } = await createDatabase(t);
  const { examples } = await runHistory({ ...options, databaseUrl: url, patches: allDelays });
  t.strictSame(examples, []);
});

findMistakes(0);

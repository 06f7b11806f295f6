/**
 * `npm run bench -- history`: many clients against several processes of the platform on one database, with processes and
 * Postgres ended in between, and a checker that no read gives an older state than one that was known before. Ends with
 * 1 when one does. `-- history --operations N --seed S --servers P --clients C --kill-every K` change the defaults.
 */
import { parseArgs } from 'node:util';
import { runHistory } from './history/run.ts';

const { values: options } = parseArgs({
  options: {
    operations: { type: 'string', default: '1000000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    servers: { type: 'string', default: '4' },
    clients: { type: 'string', default: '32' },
    'kill-every': { type: 'string', default: '5000' },
  },
});

// The embedded Postgres stops at the end of this process, whatever ends it but SIGKILL.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(130));
const operations = Number(options.operations);
const shownEvery = Math.max(1000, Math.floor(operations / 20));
let shownAt = shownEvery;
const startedAtMs = performance.now();
process.stdout.write(`Seed ${options.seed}\n`);
const { counts, kills, violations, examples } = await runHistory({
  operations,
  seed: Number(options.seed),
  servers: Number(options.servers),
  clients: Number(options.clients),
  killEvery: Number(options['kill-every']),
  progressed: ({ answered }, found) => {
    if (answered < shownAt) return;
    shownAt += shownEvery;
    const seconds = Math.round((performance.now() - startedAtMs) / 1000);
    process.stdout.write(`${answered} operations after ${seconds} s, ${found} violations\n`);
  },
});
for (const { operation, name, message } of examples) process.stdout.write(`${operation} (${name}): ${message}\n`);
process.stdout.write(
  `${counts.answered} operations, ${counts.writes} of them acknowledged writes; ${counts.unanswered} without an answer; ` +
    `kills: ${kills.server} of a server, ${kills.database} of Postgres, ${kills.helper} of its helpers; ` +
    `pauses: ${kills['paused server']} of a server, ${kills['paused database']} of Postgres; ` +
    `${violations} violations\n`,
);
process.exit(violations === 0 ? 0 : 1);

/**
 * `npm run bench`: the platform on generated data beside something else that does the same work, in interleaved rounds of
 * one run. Only the ratios mean something: machines differ, and the load generator shares the cores. The CPU time that all
 * processes spent on one request says where a ratio comes from, on Linux.
 * A round that warms both sides up is not counted. `-- --products N --seconds S --rounds R` change the defaults, and each
 * `--only NAME` adds the rows that have it in their name.
 */
import { parseArgs } from 'node:util';
import { cpuBetween, type CpuTimes, cpuTimes } from './cpu.ts';
import { median, type Round } from './load.ts';
import { comparisons } from './comparisons.ts';
import { startStage } from './stage.ts';

const { values: options } = parseArgs({
  options: {
    products: { type: 'string', default: '1000' },
    seconds: { type: 'string', default: '4' },
    rounds: { type: 'string', default: '3' },
    connections: { type: 'string', default: '64' },
    only: { type: 'string', multiple: true },
  },
});

const stage = await startStage({
  products: Number(options.products),
  seconds: Number(options.seconds),
  connections: Number(options.connections),
});
try {
  process.stdout.write(
    '\n| work | against | goal | requests/s | p50 ms | p99 ms | against it | p99 ms | ratio | CPU µs | against it |\n|---|---|---:|---:|---:|---:|---:|---:|---:|---|---|\n',
  );
  for (const comparison of comparisons) {
    const { work, against, goal } = comparison;
    if (options.only?.some((part) => work.includes(part)) === false) continue;
    const contest = await comparison.prepare(stage);
    const rounds: { ours: Measured; theirs: Measured }[] = [];
    for (let round = 0; round <= Number(options.rounds); round += 1) {
      await contest.ready?.('theirs');
      const theirs = await measured(() => contest.theirs());
      await contest.ready?.('ours');
      const ours = await measured(() => contest.ours());
      // In the first one both sides warm up: code is compiled, tables are read.
      if (round > 0) rounds.push({ theirs, ours });
    }
    await contest.end();
    const of = (pick: (round: { ours: Measured; theirs: Measured }) => number): number => median(rounds.map(pick));
    const cells = [
      work,
      against,
      goal ?? '',
      Math.round(of(({ ours }) => ours.perSecond)),
      of(({ ours }) => ours.p50),
      of(({ ours }) => ours.p99),
      Math.round(of(({ theirs }) => theirs.perSecond)),
      of(({ theirs }) => theirs.p99),
      of(({ ours, theirs }) => ours.perSecond / theirs.perSecond).toFixed(3),
      cpuText((part) => of(({ ours }) => ours.cpu?.[part] ?? Number.NaN)),
      cpuText((part) => of(({ theirs }) => theirs.cpu?.[part] ?? Number.NaN)),
    ];
    process.stdout.write(`| ${cells.join(' | ')} |\n`);
  }
} finally {
  await stage.end();
}
process.exit(0);

interface Measured extends Round {
  /** Of all processes, for one request; undefined where it cannot be told. */
  readonly cpu: CpuTimes | undefined;
}

async function measured(run: () => Promise<Round>): Promise<Measured> {
  const before = cpuTimes();
  const round = await run();
  const after = cpuTimes();
  if (before === undefined || after === undefined) return { ...round, cpu: undefined };
  const count = round.perSecond * stage.seconds;
  const { server, Postgres, others } = cpuBetween(before, after);
  return { ...round, cpu: { server: server / count, Postgres: Postgres / count, others: others / count } };
}

function cpuText(of: (part: keyof CpuTimes) => number): string {
  if (Number.isNaN(of('server'))) return '';
  return `server ${Math.round(of('server'))}, Postgres ${Math.round(of('Postgres'))}, others ${Math.round(of('others'))}`;
}

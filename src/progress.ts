import { SingleBar } from 'cli-progress';

export interface Progress {
  update(done: number, total: number): void;
  end(): void;
}

/** Lines that a log gets instead of a bar. */
const steps = 10;
/** The rate is that of so long. */
const rateMs = 10_000;
const sampleMs = 250;

/** A progress bar on a terminal, a few lines elsewhere; both say the rate, and the time that is left at that rate. */
export function showProgress(stream: NodeJS.WriteStream, title: string): Progress {
  const paceOf = createPace(() => performance.now());
  if (!stream.isTTY) return showLines(stream, title, paceOf);
  const bar = new SingleBar({
    format: `${title} {bar} {percentage}% | {value}/{total} | {pace}`,
    stream,
    hideCursor: true,
  });
  let isStarted = false;
  return {
    update: (done, total) => {
      const pace = paceOf(done, total);
      if (isStarted) bar.update(done, { pace });
      else bar.start(total, done, { pace });
      isStarted = true;
    },
    end: () => bar.stop(),
  };
}

function showLines(
  stream: NodeJS.WriteStream,
  title: string,
  paceOf: (done: number, total: number) => string,
): Progress {
  let shown = 0;
  return {
    update: (done, total) => {
      const pace = paceOf(done, total);
      const step = Math.floor((done / total) * steps);
      if (step <= shown) return;
      shown = step;
      stream.write(`${title}: ${done} of ${total}, ${pace}\n`);
    },
    end: () => {},
  };
}

/** Says `1250/s, 3 min left` of the last seconds, by a clock in milliseconds. */
export function createPace(nowMs: () => number): (done: number, total: number) => string {
  const samples: { readonly atMs: number; readonly done: number }[] = [];
  return (done, total) => {
    const atMs = nowMs();
    const last = samples.at(-1);
    if (last === undefined || atMs - last.atMs >= sampleMs) samples.push({ atMs, done });
    while (samples.length > 1 && samples[1]!.atMs <= atMs - rateMs) samples.shift();
    const first = samples[0]!;
    const perSecond = ((done - first.done) * 1000) / Math.max(1, atMs - first.atMs);
    if (perSecond <= 0) return 'beginning';
    return `${Math.round(perSecond)}/s, ${durationOf((total - done) / perSecond)} left`;
  };
}

function durationOf(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  return seconds < 5400 ? `${Math.ceil(seconds / 60)} min` : `${Math.ceil(seconds / 3600)} h`;
}

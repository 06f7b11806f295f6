import { SingleBar } from 'cli-progress';

export interface Progress {
  update(done: number, total: number): void;
  end(): void;
}

/** Lines that a log gets instead of a bar. */
const steps = 4;

/** A progress bar on a terminal, a few lines elsewhere. */
export function showProgress(stream: NodeJS.WriteStream): Progress {
  if (!stream.isTTY) return showLines(stream);
  const bar = new SingleBar({
    format: 'Loading demo data {bar} {percentage}% | {value}/{total} | {eta_formatted} left',
    stream,
    hideCursor: true,
  });
  let isStarted = false;
  return {
    update: (done, total) => {
      if (isStarted) bar.update(done);
      else bar.start(total, done);
      isStarted = true;
    },
    end: () => bar.stop(),
  };
}

function showLines(stream: NodeJS.WriteStream): Progress {
  let shown = 0;
  return {
    update: (done, total) => {
      const step = Math.floor((done / total) * steps);
      if (step <= shown) return;
      shown = step;
      stream.write(`Loading demo data: ${done} of ${total}\n`);
    },
    end: () => {},
  };
}

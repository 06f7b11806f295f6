import { closeSync, openSync } from 'node:fs';

/** Signals this close to each other are one. */
const sameSignalMs = 500;

export type Stop = 'gently' | 'soon';

export interface SignalActions {
  /** Resolves when everything is stopped. */
  stop(how: Stop): Promise<void>;
  restart(): void;
}

export interface Shutdown {
  hasBegun(): boolean;
  begin(how: Stop): Promise<void>;
}

/**
 * SIGTERM stops gently; Ctrl-C and the end of the terminal stop soon; SIGHUP from elsewhere restarts. What stops does so once, at the first
 * signal, and ends the process. A later one does not wait for that; but npm sends on what the terminal has sent to the
 * whole group, so two at almost the same time are one.
 */
export function onSignals({ stop, restart }: SignalActions): Shutdown {
  const hadTerminal = hasTerminal();
  let stopping: Promise<void> | undefined;
  let begunAtMs = 0;
  const begin = (how: Stop): Promise<void> => {
    begunAtMs = performance.now();
    stopping ??= stop(how);
    return stopping;
  };
  const handle = (how: Stop): void => {
    if (stopping === undefined) {
      begin(how).then(
        () => process.exit(0),
        (error: unknown) => {
          process.stderr.write(`Not everything could be stopped: ${String(error)}\n`);
          process.exit(1);
        },
      );
    } else if (performance.now() - begunAtMs > sameSignalMs) process.exit(130);
  };
  process.on('SIGTERM', () => handle('gently'));
  process.on('SIGINT', () => handle('soon'));
  process.on('SIGHUP', () => {
    const isTerminalGone = process.platform === 'win32' || (hadTerminal && !hasTerminal());
    if (isTerminalGone || stopping !== undefined) handle('soon');
    else restart();
  });
  return { hasBegun: () => stopping !== undefined, begin };
}

/** Whether a terminal controls this process: it sends SIGHUP when it is closed, and cannot be opened from then on. */
function hasTerminal(): boolean {
  try {
    closeSync(openSync('/dev/tty', 'r'));
    return true;
  } catch {
    return false;
  }
}

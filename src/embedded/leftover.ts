import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs';
import { basename } from 'node:path';

export interface Leftover {
  /** The data directory; servers change into theirs, and so do all their helpers. */
  readonly directory: string;
  /** Name of the server's binary. */
  readonly executable: string;
  /** The process that an earlier run wrote down as the server itself. */
  readonly pid: number | undefined;
  readonly stopSignal: NodeJS.Signals;
}

const pollMs = 20;
const stopMsMax = 20_000;

/**
 * Ends the server that a killed run left behind, and waits for all of its processes: a database must have one server.
 * Helpers of a server that is gone end by themselves, or are ended at the deadline.
 */
export async function stopLeftover({ directory, executable, pid, stopSignal }: Leftover): Promise<void> {
  const find = (): readonly number[] => findProcesses(directory, executable, pid);
  const found = find();
  if (pid !== undefined && found.includes(pid)) signal(pid, stopSignal);
  const giveUpAtMs = performance.now() + stopMsMax;
  for (let left = found; left.length > 0; left = find()) {
    if (performance.now() > giveUpAtMs) for (const each of left) signal(each, 'SIGKILL');
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}

/** Ends all of a server's processes at once. */
export function killProcesses({ directory, executable, pid }: Omit<Leftover, 'stopSignal'>): void {
  for (const each of findProcesses(directory, executable, pid)) signal(each, 'SIGKILL');
}

/**
 * The server's processes. A process id by itself proves nothing, for it may belong to another program by now; binary
 * and directory do. Of the one that was written down the command line is enough, for not every system shows more.
 */
function findProcesses(directory: string, executable: string, pid: number | undefined): readonly number[] {
  const isNamed = (each: number): boolean => each === pid && commandLineOf(each)?.includes(directory) === true;
  if (process.platform !== 'linux') return pid !== undefined && isNamed(pid) ? [pid] : [];
  let canonical: string;
  try {
    canonical = realpathSync(directory);
  } catch {
    return [];
  }
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((each) => {
      if (isNamed(each)) return true;
      try {
        if (readlinkSync(`/proc/${each}/cwd`) !== canonical) return false;
        // The system marks the binary of a process that was replaced since.
        return basename(readlinkSync(`/proc/${each}/exe`).replace(/ \(deleted\)$/, '')) === executable;
      } catch {
        // The process is gone, or the system hides another user's, as it does in containers.
        return false;
      }
    });
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It ended between being found and being told to.
  }
}

function commandLineOf(pid: number): string | undefined {
  try {
    if (process.platform === 'linux') return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
  } catch {
    return undefined;
  }
}

/** What tells a process from another one that has the same id later; undefined when none runs. */
export function identityOf(pid: number): string | undefined {
  try {
    if (process.platform !== 'linux')
      return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim();
    // The name, in parentheses, may hold anything; the start time is the 20th field after it.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ');
    if (fields[0] === 'Z') return undefined;
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot} ${fields[19]}`;
  } catch {
    return undefined;
  }
}

/** Whether the system has this id in use: by any process, even one that ended but was not collected. */
export function isInUse(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** The process id in the first line of a file; undefined without one. */
export function pidIn(file: string): number | undefined {
  try {
    const pid = Number(readFileSync(file, 'utf8').split('\n')[0]);
    return Number.isInteger(pid) && pid > 0 ? pid : undefined;
  } catch {
    return undefined;
  }
}

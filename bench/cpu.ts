import { readdirSync, readFileSync } from 'node:fs';

const parts = ['server', 'Postgres', 'others'] as const;

/** CPU time in microseconds: of the platform's HTTP processes, of Postgres, and of the load generator and all the rest. */
export type CpuTimes = Readonly<Record<(typeof parts)[number], number>>;

/** What the kernel calls a tick is a hundredth of a second for all that read it here. */
const tickMicroseconds = 10_000;

/** Of this process and all that it has started, those that have ended too; undefined where there is no /proc. */
export function cpuTimes(): CpuTimes | undefined {
  if (process.platform !== 'linux') return undefined;
  const processes = new Map<number, Process>();
  for (const name of readdirSync('/proc')) {
    const found = /^\d+$/.test(name) ? readProcess(Number(name)) : undefined;
    if (found !== undefined) processes.set(Number(name), found);
  }
  const times = { server: 0, Postgres: 0, others: 0 };
  for (const [pid, { part, ticks }] of processes) {
    if (isOurs(pid, processes)) times[part] += ticks * tickMicroseconds;
  }
  return times;
}

export function cpuBetween(before: CpuTimes, after: CpuTimes): CpuTimes {
  // All parts are there.
  return Object.fromEntries(parts.map((part) => [part, after[part] - before[part]])) as CpuTimes;
}

interface Process {
  readonly parent: number;
  /** Its own, and those of children that have ended. */
  readonly ticks: number;
  readonly part: (typeof parts)[number];
}

function readProcess(pid: number): Process | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program, in parentheses, may have any character in it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    return { parent: Number(fields[1]), ticks, part: partOf(stat, readFileSync(`/proc/${pid}/cmdline`, 'utf8')) };
  } catch {
    // It has ended meanwhile.
    return undefined;
  }
}

function partOf(stat: string, commandLine: string): Process['part'] {
  if (stat.includes('(postgres)')) return 'Postgres';
  return /main\.js\0http\0/.test(commandLine) ? 'server' : 'others';
}

function isOurs(pid: number, processes: ReadonlyMap<number, Process>): boolean {
  for (let each: number | undefined = pid; each !== undefined; each = processes.get(each)?.parent)
    if (each === process.pid) return true;
  return false;
}

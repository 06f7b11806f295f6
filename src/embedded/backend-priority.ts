import { readFileSync, writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';

/**
 * Has a process of Postgres on this machine leave the cores to others, as far as the system lets it: what runs a query is
 * not to keep requests waiting that need a millisecond. With a niceness of 10 others get nine times as much of a core that
 * both want, and with one of 15 28 times. A process of that id which is none of Postgres, as where the database is
 * elsewhere, is left alone.
 */
export function leaveCores(pid: number, niceness: number): void {
  try {
    if (!readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith('postgres:')) return;
    setPriority(pid, niceness);
    setGroupPriority(pid, niceness, 1);
  } catch {
    // A system without them, or an owner that may not.
  }
}

/** The system takes one each 100 ms from those who do not administer it. */
const retryMs = 150;
const attemptsMax = 20;

/** Where the system shares cores by sessions, each process of Postgres is one, and its own priority counts within alone. */
function setGroupPriority(pid: number, niceness: number, attempt: number): void {
  try {
    writeFileSync(`/proc/${pid}/autogroup`, String(niceness));
  } catch (error) {
    const isBusy = error instanceof Error && 'code' in error && error.code === 'EAGAIN';
    if (isBusy && attempt < attemptsMax)
      setTimeout(() => setGroupPriority(pid, niceness, attempt + 1), retryMs * (1 + Math.random())).unref();
  }
}

import { readFileSync, writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';

/**
 * Has a process of Postgres on this machine leave the cores to others, as far as the system lets it: what runs a query is
 * not to keep requests waiting that need a millisecond. With a niceness of 5 others get three times as much of a core that
 * both want, with 10 nine times as much. A process of that id which is none of Postgres, as where the database is
 * elsewhere, is left alone.
 */
export function leaveCores(pid: number, niceness: number): void {
  try {
    if (!readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith('postgres:')) return;
    setPriority(pid, niceness);
    // Where the system shares cores by sessions, each process of Postgres is one, and its own priority counts within alone.
    writeFileSync(`/proc/${pid}/autogroup`, String(niceness));
  } catch {
    // A system without them, or an owner that may not.
  }
}

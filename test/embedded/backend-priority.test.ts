import { getPriority } from 'node:os';
import { existsSync, readFileSync } from 'node:fs';
import t from 'tap';
import { leaveCores } from '../../src/embedded/backend-priority.ts';
import { createDatabase, eventually } from '../support/services.ts';

const skip = existsSync('/proc/self/cmdline') ? false : 'the system tells nothing of processes';

/** Undefined while it is that of all others. */
function sharedOf(group: string): string | undefined {
  const text = readFileSync(group, 'utf8').trim();
  return text.endsWith(' nice 0') ? undefined : text;
}

t.test('a process of Postgres leaves the cores to others, and no other process does', { skip }, async (t) => {
  const { sql } = await createDatabase(t);
  const [row] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
  leaveCores(row!.pid, 5);
  t.equal(getPriority(row!.pid), 5);
  const group = `/proc/${row!.pid}/autogroup`;
  if (existsSync(group)) t.match(await eventually(async () => sharedOf(group)), / nice 5$/);
  const own = getPriority();
  leaveCores(process.pid, 5);
  t.equal(getPriority(), own);
  leaveCores(2 ** 22 + 1, 5);
});

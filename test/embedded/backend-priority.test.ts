import { getPriority } from 'node:os';
import { existsSync } from 'node:fs';
import t from 'tap';
import { leaveCores } from '../../src/embedded/backend-priority.ts';
import { createDatabase } from '../support/services.ts';

const skip = existsSync('/proc/self/cmdline') ? false : 'the system tells nothing of processes';

t.test('a process of Postgres leaves the cores to others, and no other process does', { skip }, async (t) => {
  const { sql } = await createDatabase(t);
  const [row] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
  leaveCores(row!.pid, 5);
  t.equal(getPriority(row!.pid), 5);
  const own = getPriority();
  leaveCores(process.pid, 5);
  t.equal(getPriority(), own);
  leaveCores(2 ** 22 + 1, 5);
});

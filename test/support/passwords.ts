import type { Test } from 'tap';
import { Passwords, passwordThreads } from '../../src/engine/passwords.ts';
import { createCompute } from '../../src/threads/compute.ts';
import { createPool } from '../../src/threads/pool.ts';

/** Passwords whose threads end with the test. */
export function passwordsOf(t: Test): Passwords {
  const pool = createPool({ threads: passwordThreads, queueMax: passwordThreads, batchMax: 1 });
  t.teardown(() => pool.close());
  return new Passwords(createCompute({ pricing: pool, texts: pool, descriptions: pool, passwords: pool }));
}

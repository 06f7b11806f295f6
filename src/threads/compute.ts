import type { Compute, Task, Threads, Versioned } from '../tasks/task.ts';
import { type Pool, stateMissing } from './pool.ts';

/** Runs tasks on the threads that they name. */
export function createCompute(pools: Readonly<Record<Threads, Pool>>): Compute {
  return {
    run: async <Response>(
      { name, threads }: Pick<Task<unknown, Response>, 'name' | 'threads'>,
      request: unknown,
      on?: Versioned<unknown>,
    ): Promise<Response> => {
      const pool = pools[threads];
      const message = { request, ...(on !== undefined && { version: on.version }) };
      const result = await pool.run(name, message);
      const last = result === stateMissing ? await pool.run(name, { ...message, state: on?.state }) : result;
      if (last === stateMissing) throw new Error(`A thread did not take what ${name} needs`);
      // The task's module is declared by the same types.
      return last as Response;
    },
  };
}

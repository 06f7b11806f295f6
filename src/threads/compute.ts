import type { Compute, Parts, Task, Threads, Versioned } from '../tasks/task.ts';
import type { Message } from './protocol.ts';
import { Missing, type Pool } from './pool.ts';

/**
 * Items of a cart times its discounts, or shipping methods: one to two milliseconds of the event loop. With as many, and with
 * four times as many, a server does few requests more with threads than without (docs/carts.md); what takes longer would keep
 * others waiting.
 */
export const stepsMinDefault = 2000;

/** Runs tasks on the threads that they name. */
export function createCompute(pools: Readonly<Record<Threads, Pool>>, stepsMin = stepsMinDefault): Compute {
  return {
    stepsMin,
    run: async <Response>(
      { name, threads }: Pick<Task<unknown, Response>, 'name' | 'threads'>,
      request: unknown,
      on?: Versioned<unknown> | Parts<unknown>,
    ): Promise<Response> => {
      const pool = pools[threads];
      const parts = on === undefined ? undefined : partsOf(on);
      const first: Message = { request, ...(parts !== undefined && { names: parts.names }) };
      let result = await pool.run(name, first);
      if (result instanceof Missing) result = await pool.run(name, { ...first, parts: sent(parts!, result.names) });
      // Another thread may have taken it, which lacks others.
      if (result instanceof Missing) result = await pool.run(name, { ...first, parts: sent(parts!, parts!.names) });
      if (result instanceof Missing) throw new Error(`A thread did not take what ${name} needs`);
      // The task's module is declared by the same types.
      return result as Response;
    },
  };
}

function partsOf(on: Versioned<unknown> | Parts<unknown>): Parts<unknown> {
  return 'names' in on ? on : { names: [on.version], part: () => on.state };
}

function sent({ part }: Parts<unknown>, names: readonly string[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(names.map((name) => [name, part(name)]));
}

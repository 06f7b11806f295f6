import type { Task } from '../../tasks/task.ts';

/** Predicates on a cart, by their texts, and what they read of it. */
export interface PredicatesRequest {
  readonly facts: object;
  readonly predicates: readonly string[];
}

/** Whether each holds, in the order of what was asked. */
export const cartPredicates: Task<PredicatesRequest, readonly boolean[]> = {
  name: 'cart-predicates',
  threads: 'pricing',
};

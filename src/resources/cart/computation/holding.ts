/** Whether predicates of codes and shipping methods hold for a cart, told here or in a thread. */
import type { Engine } from '../../../engine/resource.ts';
import { cartPredicates } from '../../../pricing/cart/predicates-task.ts';
import { isForThread } from '../../../predicate/steps.ts';
import { onCarts } from '../compiled.ts';

export type Holds = (predicate: string) => boolean;

export interface Asked {
  readonly facts: object;
  /** How many values are in the facts, which takes long to count. */
  values(): number;
  readonly predicates: readonly string[];
}

/** Of these predicates: in a thread where all of them together may take long, and here one by one as they are asked for. */
export async function holdingOn(compute: Engine['compute'], { facts, values, predicates }: Asked): Promise<Holds> {
  const characters = predicates.reduce((sum, predicate) => sum + predicate.length, 0);
  if (!isForThread(compute.stepsMin, { characters, values })) return (predicate) => onCarts(predicate)(facts);
  const unique = [...new Set(predicates)];
  const answers = await compute.run(cartPredicates, { facts, predicates: unique });
  const known = new Map(unique.map((predicate, index) => [predicate, answers[index]!]));
  return (predicate) => {
    const holds = known.get(predicate);
    if (holds === undefined) throw new Error(`Nobody was asked about the predicate ${predicate}`);
    return holds;
  };
}

/** How long a predicate takes at most, told from its tree before it is evaluated. */
import type { Literal, Predicate, Test } from './ast.ts';

/** Characters of texts that are compared in the time of a step. */
const stepCharacters = 32;
/** Of a test that computes with large integers, or with angles. */
const preciseSteps = 8;

/**
 * The steps that evaluating the predicate once takes for each value below a member of what it speaks of, by the names of
 * these members; those of the member `apart` count for themselves, as `apart.name`. A comparison is a step.
 */
export function stepsByMember(predicate: Predicate, apart: string): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  collect(predicate, { apart, found });
  return found;
}

interface Collecting {
  readonly apart: string;
  readonly found: Map<string, number>;
}

function collect(predicate: Predicate, { apart, found }: Collecting, prefix = ''): void {
  const add = (name: string, steps: number): void => void found.set(name, (found.get(name) ?? 0) + steps);
  switch (predicate.kind) {
    case 'all':
    case 'any':
      for (const operand of predicate.operands) collect(operand, { apart, found }, prefix);
      return;
    case 'not':
      return collect(predicate.operand, { apart, found }, prefix);
    case 'field': {
      const { name, test } = predicate;
      if (prefix === '' && name === apart && test.kind === 'group')
        return collect(test.predicate, { apart, found }, `${apart}.`);
      return add(`${prefix}${name}`, stepsOfTest(test));
    }
    case 'aggregate':
      return add(`${prefix}${predicate.list}`, 1 + stepsOf(predicate.where));
    case 'constant':
      return;
  }
}

function stepsOf(predicate: Predicate): number {
  switch (predicate.kind) {
    case 'all':
    case 'any':
      return predicate.operands.reduce((sum, operand) => sum + stepsOf(operand), 1);
    case 'not':
      return stepsOf(predicate.operand);
    case 'field':
      return stepsOfTest(predicate.test);
    case 'aggregate':
      return 1 + stepsOf(predicate.where);
    case 'constant':
      return 1;
  }
}

function stepsOfTest(test: Test): number {
  switch (test.kind) {
    case 'compare':
      return stepsOfLiteral(test.literal);
    case 'contains':
      return test.literals.reduce<number>((sum, literal) => sum + stepsOfLiteral(literal), 0);
    case 'group':
      return 1 + stepsOf(test.predicate);
    case 'money':
    case 'within':
      return preciseSteps;
    case 'in':
    case 'empty':
    case 'defined':
      return 1;
  }
}

function stepsOfLiteral(literal: Literal): number {
  return typeof literal === 'string' ? 1 + Math.floor(literal.length / stepCharacters) : 1;
}

/** The values in a value, each of which a statement about it may have to look at. */
export function valuesIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  let size = 1;
  for (const member of Object.values(value)) size += valuesIn(member);
  return size;
}

/** Characters of a predicate times values that it may look at which take as long as a small predicate on an item of a cart. */
const productOfStep = 5000;

/**
 * Steps that predicates of so many characters take at most where they speak of so many values, in the unit of
 * `Compute.stepsMin`: each statement may have to look at each value.
 */
function stepsAtMost(characters: number, values: number): number {
  return (characters * values) / productOfStep;
}

/** Characters of predicates that take some milliseconds to parse. */
export const parsedCharactersMax = 50_000;

/** What is to be evaluated, told from its size. */
interface Evaluated {
  /** What there is to do beside predicates. */
  readonly steps?: number;
  readonly characters: number;
  /** That the predicates speak of: asked for where there are any, for to count them takes long. */
  values(): number;
}

/** Whether it is worth the way to a thread: it takes so many steps, or its predicates take long to parse or to evaluate. */
export function isForThread(stepsMin: number, { steps = 0, characters, values }: Evaluated): boolean {
  if (steps >= stepsMin || characters > parsedCharactersMax) return true;
  return characters > 0 && stepsAtMost(characters, values()) >= stepsMin;
}

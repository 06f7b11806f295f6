import type { FieldStatement, Predicate } from './ast.ts';
import type { Sort } from './sort.ts';

/** Where a member of one object stands in another: the names of the members that lead to it, its own at the end. */
export type Move = (name: string) => readonly string[];

/** A statement about an object, as one about another that has the members elsewhere. */
export function movedPredicate(predicate: Predicate, move: Move): Predicate {
  switch (predicate.kind) {
    case 'all':
    case 'any':
      return { ...predicate, operands: predicate.operands.map((operand) => movedPredicate(operand, move)) };
    case 'not':
      return { ...predicate, operand: movedPredicate(predicate.operand, move) };
    case 'field':
      return movedField(predicate, move(predicate.name));
    case 'constant':
      return predicate;
    case 'aggregate':
      throw new Error(`A statement about the list ${predicate.list} as a whole cannot be moved`);
  }
}

function movedField(statement: FieldStatement, path: readonly string[]): FieldStatement {
  const [name, ...below] = path;
  if (name === undefined) throw new Error(`The member ${statement.name} stands nowhere`);
  if (below.length === 0) return { ...statement, name };
  return { kind: 'field', name, holds: 'one', test: { kind: 'group', predicate: movedField(statement, below) } };
}

export function movedSort({ path: [name, ...below], ...sort }: Sort, move: Move): Sort {
  return { ...sort, path: [...move(name!), ...below] };
}

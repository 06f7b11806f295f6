import type { Predicate } from './ast.ts';
import { compilePredicate } from './compile.ts';

/** A member that has one value in all objects that are asked, at the end of names that lead to it. */
export interface FixedMember {
  readonly path: readonly string[];
  readonly value: string | number | boolean;
}

/** The same statement of objects whose member has that value whatever is stored, so that nothing of it can be guessed. */
export function withFixedMember(predicate: Predicate, member: FixedMember): Predicate {
  switch (predicate.kind) {
    case 'all':
    case 'any':
      return { ...predicate, operands: predicate.operands.map((operand) => withFixedMember(operand, member)) };
    case 'not':
      return { ...predicate, operand: withFixedMember(predicate.operand, member) };
    case 'field': {
      const { value } = member;
      const [name, ...below] = member.path;
      if (name !== predicate.name) return predicate;
      if (below.length === 0) return { kind: 'constant', value: compilePredicate(predicate)({ [name]: value }) };
      const { test } = predicate;
      if (test.kind !== 'group') return predicate;
      const inner = withFixedMember(test.predicate, { path: below, value });
      return { ...predicate, test: { ...test, predicate: inner } };
    }
    case 'aggregate':
    case 'constant':
      return predicate;
  }
}

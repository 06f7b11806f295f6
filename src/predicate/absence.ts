import type { FieldStatement, Predicate, Test } from './ast.ts';

/**
 * `customerGroup.id is not defined` holds where there is no customer group, though statements about members of what is
 * absent do not: such a path says what its opposite does not.
 */
export function sayingAbsence(predicate: Predicate): Predicate {
  switch (predicate.kind) {
    case 'all':
    case 'any':
      return { ...predicate, operands: predicate.operands.map(sayingAbsence) };
    case 'not':
      return { ...predicate, operand: sayingAbsence(predicate.operand) };
    case 'aggregate':
      return { ...predicate, where: sayingAbsence(predicate.where) };
    case 'field': {
      const present = presenceOf(predicate);
      if (present !== undefined) return { kind: 'not', operand: present };
      const { test } = predicate;
      if (test.kind !== 'group') return predicate;
      return { ...predicate, test: { ...test, predicate: sayingAbsence(test.predicate) } };
    }
    case 'constant':
      return predicate;
  }
}

/** The opposite of a path that says that its end is absent or empty; undefined for another one. */
function presenceOf({ test, ...statement }: FieldStatement): FieldStatement | undefined {
  const present = presentTest(test);
  return present && { ...statement, test: present };
}

function presentTest(test: Test): Test | undefined {
  if (test.kind === 'defined') return test.isNegated ? { ...test, isNegated: false } : undefined;
  if (test.kind === 'empty') return test.isNegated ? undefined : { ...test, isNegated: true };
  if (test.kind !== 'group' || test.predicate.kind !== 'field') return undefined;
  const predicate = presenceOf(test.predicate);
  return predicate && { kind: 'group', predicate };
}

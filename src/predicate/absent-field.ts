import type { FieldStatement, Predicate, Test } from './ast.ts';
import { compilePredicate, ownMember } from './compile.ts';

/** The path of a field that a value has not; undefined where it has all that are needed. */
type AbsentField = (value: unknown) => string | undefined;

/**
 * Finds the first field that a predicate compares and a document does not have, where nobody may take a comparison with what
 * is absent for false. Statements are looked at from left to right, as far as they decide: behind `custom is defined and`
 * custom fields may be compared.
 */
export function compileAbsentField(predicate: Predicate): AbsentField {
  switch (predicate.kind) {
    case 'all':
    case 'any': {
      const decisive = predicate.kind === 'any';
      const operands = predicate.operands.map((operand) => ({
        absent: compileAbsentField(operand),
        holds: compilePredicate(operand),
      }));
      return (value) => {
        for (const { absent, holds } of operands) {
          const path = absent(value);
          if (path !== undefined) return path;
          if (holds(value) === decisive) return undefined;
        }
        return undefined;
      };
    }
    case 'not':
      return compileAbsentField(predicate.operand);
    case 'constant':
    case 'aggregate':
      return () => undefined;
    case 'field':
      return absentFrom(predicate);
  }
}

function absentFrom({ name, test }: FieldStatement): AbsentField {
  if (saysPresence(test)) return () => undefined;
  if (test.kind !== 'group') return (value) => (isThere(ownMember(value, name)) ? undefined : name);
  const absent = compileAbsentField(test.predicate);
  const holds = compilePredicate(test.predicate);
  return (value) => {
    const member = ownMember(value, name);
    if (!isThere(member)) return name;
    for (const element of Array.isArray(member) ? (member as readonly unknown[]) : [member]) {
      const path = absent(element);
      if (path !== undefined) return `${name}.${path}`;
      if (holds(element)) return undefined;
    }
    return undefined;
  };
}

/** Whether a statement asks if something is there, at the end of whatever path. */
function saysPresence(test: Test): boolean {
  if (test.kind === 'defined' || test.kind === 'empty') return true;
  return test.kind === 'group' && test.predicate.kind === 'field' && saysPresence(test.predicate.test);
}

function isThere(value: unknown): boolean {
  return value !== undefined && value !== null;
}

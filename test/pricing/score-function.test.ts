import fc from 'fast-check';
import t from 'tap';
import { parseScoreFunction } from '../../src/pricing/score-function.ts';

interface Expression {
  readonly text: string;
  /** The exact value by the model. */
  value(x: bigint): bigint;
}

const leaf: fc.Arbitrary<Expression> = fc.oneof(
  fc.nat({ max: 999_999_999 }).map((number) => ({ text: String(number), value: () => BigInt(number) })),
  fc.constant({ text: 'x', value: (x: bigint) => x }),
);
const expressions: fc.Arbitrary<Expression> = fc.letrec<{ expression: Expression }>((tie) => ({
  expression: fc.oneof(
    { maxDepth: 4 },
    leaf,
    fc
      .tuple(tie('expression'), fc.constantFrom('+', '-', '*'), tie('expression'))
      .map(([left, operator, right]) => binary(left, operator, right)),
    tie('expression').map(({ text, value }) => ({ text: `-(${text})`, value: (x: bigint) => -value(x) })),
  ),
})).expression;

function binary(left: Expression, operator: '+' | '-' | '*', right: Expression): Expression {
  return {
    text: `(${left.text}) ${operator} (${right.text})`,
    value: (x) => {
      const [one, other] = [left.value(x), right.value(x)];
      return operator === '+' ? one + other : operator === '-' ? one - other : one * other;
    },
  };
}

t.test('a function gives the exact integer, 0 for what is below, and refuses what is no safe integer', async (t) => {
  fc.assert(
    fc.property(expressions, fc.nat({ max: 1_000_000 }), ({ text, value }, score) => {
      const exact = value(BigInt(score));
      const isPrice = exact <= BigInt(Number.MAX_SAFE_INTEGER);
      try {
        const price = parseScoreFunction(text)(score);
        return isPrice && BigInt(price) === (exact < 0n ? 0n : exact);
      } catch (error) {
        return !isPrice && (error as { code?: string }).code === 'MoneyOverflow';
      }
    }),
    { numRuns: 5000 },
  );
  t.pass();
});

t.test('products bind stronger than sums, and both group to the left', async (t) => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.constantFrom('+', '-', '*'), fc.nat({ max: 99 })), { maxLength: 12 }),
      fc.nat({ max: 99 }),
      (steps, first) => {
        const text = steps.reduce((left, [operator, number]) => `${left} ${operator} ${number}`, String(first));
        // Split at sums, then at products: another reading of the same grammar, in the small numbers of this test.
        const exact = text
          .replaceAll('- ', '+ -')
          .split(' + ')
          .map((term) => term.split(' * ').reduce((product, factor) => product * Number(factor), 1))
          .reduce((sum, term) => sum + term, 0);
        const isPrice = exact < 0 || Number.isSafeInteger(exact);
        try {
          const price = parseScoreFunction(text)(0);
          return isPrice && price === Math.max(0, exact);
        } catch {
          return !isPrice;
        }
      },
    ),
    { numRuns: 5000 },
  );
  t.pass();
});

import fc from 'fast-check';
import t from 'tap';
import { decode, encode } from '../../src/search/encoding.ts';
import { candidatesOf, fold, prefixDistance } from '../../src/search/fold.ts';

/** Planes 4 to 13 hold no characters; the encoding moves the private ones there. */
const anyText = fc.string({ unit: 'binary', maxLength: 30 }).filter((text) => !/[\u{40000}-\u{DFFFF}]/u.test(text));

t.test('encoding is reversible and keeps prefixes', async (t) => {
  fc.assert(
    fc.property(anyText, (text) => decode(encode(text)) === text),
    { numRuns: 5000 },
  );
  fc.assert(
    fc.property(
      anyText,
      anyText,
      (one, other) =>
        encode(one + other).startsWith(encode(one)) && (encode(one) === encode(other)) === (one === other),
    ),
    { numRuns: 5000 },
  );
  fc.assert(fc.property(anyText, (text) => !/["\\\s]/.test(encode(text))));
  t.pass();
});

t.test('folding is idempotent and blind to case', async (t) => {
  fc.assert(
    fc.property(anyText, (text) => fold(fold(text)) === fold(text)),
    { numRuns: 5000 },
  );
  t.equal(fold('ΣΑΣ'), fold('σας'));
  t.ok(fold('ΣΑΣΑ').startsWith(fold('ΣΑΣ')), 'a final sigma does not break a prefix');
  t.equal(fold('É'), fold('é'));
});

t.test('candidates follow the tokenizer', async (t) => {
  t.strictSame(candidatesOf({ text: 'Multi tool' }), ['multi tool']);
  t.strictSame(candidatesOf({ text: 'Swiss  Army Knife', suggestTokenizer: { type: 'whitespace' } }), [
    'army',
    'knife',
    'swiss',
  ]);
  t.strictSame(
    candidatesOf({ text: 'Any', suggestTokenizer: { type: 'custom', inputs: ['Pen', 'penknife', ''] } }),
    ['penknife'],
    'a beginning of another one finds nothing more',
  );
  t.strictSame(candidatesOf({ text: ' ', suggestTokenizer: { type: 'whitespace' } }), []);
});

/** The distance by its definition, without any shortcut. */
function plainDistance(one: string, other: string): number {
  const [a, b] = [[...one], [...other]];
  const table = Array.from({ length: a.length + 1 }, (_, row) =>
    Array.from({ length: b.length + 1 }, (_cell, column) => (row === 0 ? column : column === 0 ? row : 0)),
  );
  for (let row = 1; row <= a.length; row += 1) {
    for (let column = 1; column <= b.length; column += 1) {
      const change = a[row - 1] === b[column - 1] ? 0 : 1;
      let best = Math.min(
        table[row - 1]![column]! + 1,
        table[row]![column - 1]! + 1,
        table[row - 1]![column - 1]! + change,
      );
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1])
        best = Math.min(best, table[row - 2]![column - 2]! + 1);
      table[row]![column] = best;
    }
  }
  return table[a.length]![b.length]!;
}

t.test('the prefix distance is the least distance to any prefix', async (t) => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 8 });
  fc.assert(
    fc.property(word, word, (input, candidate) => {
      const best = Math.min(
        ...Array.from({ length: candidate.length + 1 }, (_, length) =>
          plainDistance(input, candidate.slice(0, length)),
        ),
      );
      return prefixDistance(input, candidate, 2) === Math.min(best, 3);
    }),
    { numRuns: 5000 },
  );
  t.equal(prefixDistance('mutli', 'multi tool', 2), 1, 'a swap is one edit');
});

import t from 'tap';
import { RepeatedTexts } from '../../src/storage/repeated-texts.ts';

/** Sends so many texts of a project twice, and gives how many of them are repeated then. */
function repeatedOf(texts: RepeatedTexts, project: string, count = 500): number {
  const own = Array.from({ length: count }, (_, index) => `${project} ${index}`);
  for (let round = 1; round <= 2; round += 1) for (const text of own) texts.add(text, project);
  return own.map((text) => texts.add(text, project)).filter(Boolean).length;
}

t.test('a text is repeated from the second time on, and only so many are', async (t) => {
  const texts = new RepeatedTexts();
  t.strictSame(
    ['a', 'b', 'a', 'a', 'b', 'x'.repeat(20_000), 'x'.repeat(20_000)].map((text) => texts.add(text, 'one')),
    [false, false, true, true, true, false, false],
  );
  t.equal(repeatedOf(texts, 'one'), 98, 'with a and b they are a hundred');
  t.ok(texts.add('a', 'one'));
  t.ok(texts.add('a', 'two'), 'the same text of another project takes no place');
});

t.test('what one project leaves is for the others', async (t) => {
  const texts = new RepeatedTexts();
  const counts = ['first', 'second', 'third', 'fourth'].map((project) => repeatedOf(texts, project));
  t.strictSame(counts, [100, 50, 25, 13]);
});

t.test('texts that come once push one another out', async (t) => {
  const texts = new RepeatedTexts();
  for (let index = 0; index < 5000; index += 1) texts.add(`query ${index}`, 'one');
  t.notOk(texts.add('query 0', 'one'), 'it was too long ago');
  t.ok(texts.add('query 4999', 'one'));
});

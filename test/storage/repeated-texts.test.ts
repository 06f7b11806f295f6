import t from 'tap';
import { RepeatedTexts } from '../../src/storage/repeated-texts.ts';

t.test('a text is repeated from the second time on, and only so many are', async (t) => {
  const texts = new RepeatedTexts();
  t.strictSame(
    ['a', 'b', 'a', 'a', 'b', 'x'.repeat(20_000), 'x'.repeat(20_000)].map((text) => texts.add(text)),
    [false, false, true, true, true, false, false],
  );
  for (let round = 1; round <= 2; round += 1) for (let index = 0; index < 500; index += 1) texts.add(`query ${index}`);
  const repeated = Array.from({ length: 500 }, (_, index) => texts.add(`query ${index}`)).filter(Boolean);
  t.equal(repeated.length, 98, 'with a and b they are a hundred');
  t.ok(texts.add('a'));
});

t.test('texts that come once push one another out', async (t) => {
  const texts = new RepeatedTexts();
  for (let index = 0; index < 5000; index += 1) texts.add(`query ${index}`);
  t.notOk(texts.add('query 0'), 'it was too long ago');
  t.ok(texts.add('query 4999'));
});

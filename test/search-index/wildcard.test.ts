import t from 'tap';
import { fits } from '../../src/search-index/wildcard.ts';

t.test('a star stands for any characters, and a question mark for one', async (t) => {
  for (const [text, pattern, isFitting] of [
    ['', '', true],
    ['', '*', true],
    ['', '?', false],
    ['a', '', false],
    ['a', '?', true],
    ['ab', '?', false],
    ['💡', '?', true],
    ['a\nb', 'a*b', true],
    ['aXbXc', 'a*b*c', true],
    ['aab', '*ab', true],
    ['abab', '*ab', true],
    ['abac', '*ab', false],
    ['abc', '**c', true],
    ['abc', 'a*?', true],
    ['a', 'a*?', false],
    ['LAMP-R', 'LAMP-?', true],
    ['LAMP-R', 'lamp-?', false],
    ['a.c', 'a.c', true],
    ['abc', 'a.c', false],
  ] as const)
    t.equal(fits(text, pattern), isFitting, `${text} ${pattern}`);
});

t.test('many stars take no longer than the product of both lengths', async (t) => {
  t.equal(fits('a'.repeat(2000), `${'a*'.repeat(500)}b`), false);
});

import t from 'tap';
import type { Document } from '../../src/engine/document.ts';
import { textOf } from '../../src/engine/operations/write.ts';

const many = (count: number, value: unknown): readonly unknown[] => Array.from({ length: count }, () => value);
// A document has more members than the text depends on.
const documentOf = (members: object): Document => members as Document;

t.test('a text is what JSON makes of the document, whatever it lists', (t) => {
  const element = { name: 'a "name"', numbers: [1, 2.5, null], none: undefined, list: many(60, 'é\u2028') };
  for (const count of [0, 1, 49, 50, 200]) {
    const document = documentOf({
      id: 'x',
      gone: undefined,
      list: many(count, element),
      '"': many(count, 1),
      last: {},
    });
    t.equal(textOf(document), JSON.stringify(document), `${count} elements`);
  }
  t.end();
});

t.test('what repeats a large part is refused before all of it is written', (t) => {
  // Together they are longer than a text can be.
  const document = documentOf({ list: many(2000, { text: 'x'.repeat(1_000_000) }) });
  t.throws(() => textOf(document), { errors: [{ code: 'ResourceSizeLimitExceeded' }] });
  t.end();
});

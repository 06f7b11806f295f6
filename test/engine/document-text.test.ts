import t from 'tap';
import type { Document } from '../../src/engine/document.ts';
import { jsonOf } from '../../src/engine/document-text.ts';

const many = (count: number, value: unknown): readonly unknown[] => Array.from({ length: count }, () => value);
// A document has more members than the text depends on.
const documentOf = (members: object): Document => members as Document;

t.test('a text is what JSON makes of the document, whatever it lists', (t) => {
  const element = { name: 'a "name"', numbers: [1, 2.5, null], none: undefined, list: many(60, 'é\u2028') };
  for (const count of [0, 1, 9, 10, 200]) {
    const document = documentOf({
      id: 'x',
      gone: undefined,
      list: many(count, element),
      '"': many(count, 1),
      last: {},
    });
    t.equal(String(jsonOf(document)), JSON.stringify(document), `${count} elements`);
  }
  t.end();
});

t.test('a long text is what JSON makes of the document', (t) => {
  const characters = ['x', 'é', '€', '😀', '\ud800', '"'];
  const list = Array.from({ length: 3000 }, (_, index) => characters[index % characters.length]!.repeat(index % 97));
  const document = documentOf({ id: 'x', list, long: '😀'.repeat(50_000), last: many(60, list.slice(0, 20)) });
  t.equal(String(jsonOf(document)), JSON.stringify(document));
  t.end();
});

t.test(
  'a text is what JSON makes of characters of three bytes each, in elements longer than what is written at a time',
  (t) => {
    for (const lengths of [many(20, 30_000), many(12, 100_000), [...many(15, 17_000), 200_000, 5]]) {
      const document = documentOf({ list: lengths.map((length) => '€'.repeat(Number(length))) });
      t.ok(String(jsonOf(document)) === JSON.stringify(document), `${lengths.length} elements`);
    }
    t.end();
  },
);

t.test('what was written stays as it is when others are', (t) => {
  const documents = ['a', 'b', 'c'].map((text) => documentOf({ list: many(20, text.repeat(2000)) }));
  const written = documents.map(jsonOf);
  t.strictSame(
    written.map(String),
    documents.map((document) => JSON.stringify(document)),
  );
  t.end();
});

t.test('what repeats a large part is refused before all of it is written', (t) => {
  // Together they are longer than a text can be.
  const document = documentOf({ list: many(2000, { text: 'x'.repeat(1_000_000) }) });
  t.throws(() => jsonOf(document), { errors: [{ code: 'ResourceSizeLimitExceeded' }] });
  t.end();
});

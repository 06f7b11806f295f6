import t from 'tap';
import { sayingAbsence } from '../../src/predicate/absence.ts';
import { compileAbsentField } from '../../src/predicate/absent-field.ts';
import { parsePredicate } from '../../src/predicate/parser.ts';
import type { Shape } from '../../src/predicate/shape.ts';

const text: Shape = { class: 'text' };
const object = (fields: Readonly<Record<string, Shape>>): Shape => ({
  class: 'object',
  fields: new Map(Object.entries(fields)),
});
const shape = object({
  key: text,
  name: text,
  count: { class: 'number' },
  group: object({ id: text }),
  custom: object({ fields: { class: 'dynamic' } }),
  lines: { class: 'list', item: object({ sku: text, custom: object({ color: text }) }) },
  roles: { class: 'list', item: text },
});

const document = {
  name: 'Jane',
  custom: { fields: { color: 'red' } },
  lines: [{ sku: 'a' }, { sku: 'b', custom: { color: 'blue' } }],
};

t.test('the first field that is compared and absent is found', async (t) => {
  const cases: readonly (readonly [predicate: string, absent: string | undefined])[] = [
    ['name = "Jane"', undefined],
    ['key = "x"', 'key'],
    ['key != "x"', 'key'],
    ['key in ("x", "y")', 'key'],
    ['not (key = "x")', 'key'],
    ['count > 5', 'count'],
    ['roles contains any ("x")', 'roles'],
    ['group(id = "x")', 'group'],
    ['custom(fields(color = "red"))', undefined],
    ['custom(fields(size = "L"))', 'custom.fields.size'],
    ['name = "John" and key = "x"', undefined],
    ['name = "Jane" and key = "x"', 'key'],
    ['name = "Jane" or key = "x"', undefined],
    ['name = "John" or key = "x"', 'key'],
    ['key = "x" or name = "Jane"', 'key'],
    ['key is defined', undefined],
    ['key is not defined', undefined],
    ['group.id is not defined', undefined],
    ['group(id is defined)', undefined],
    ['roles is empty', undefined],
    ['key is defined and key = "x"', undefined],
    ['key is not defined or key = "x"', undefined],
    ['lines(sku = "a")', undefined],
    ['lines(custom(color = "blue"))', 'lines.custom'],
    ['lines(sku = "b" and custom(color = "blue"))', undefined],
  ];
  for (const [source, absent] of cases) {
    const predicate = sayingAbsence(parsePredicate(source, shape));
    t.equal(compileAbsentField(predicate)(document), absent, source);
  }
  const ofLines = compileAbsentField(parsePredicate('lines(sku = "a")', shape));
  t.equal(ofLines({ lines: [] }), undefined, 'a list without elements is there');
  t.equal(ofLines({}), 'lines');
});

import t from 'tap';
import { parsePredicate } from '../../src/predicate/parser.ts';
import { isForThread, parsedCharactersMax, valuesIn, stepsByMember } from '../../src/predicate/steps.ts';

const shape = { class: 'dynamic' } as const;

t.test('steps are told for each member that a predicate speaks of', (t) => {
  const long = 'x'.repeat(100);
  const cases: Readonly<Record<string, Readonly<Record<string, number>>>> = {
    true: {},
    'a = 1 and not (a = 2) or b > "x"': { a: 2, b: 1 },
    [`a = "${long}"`]: { a: 4 },
    'a in ("x", "y", "z")': { a: 1 },
    [`a contains any ("x", "${long}")`]: { a: 5 },
    'a contains all ("x", "y", "z")': { a: 3 },
    'a is empty and a is not defined': { a: 2 },
    'a within circle(1, 2, 3)': { a: 8 },
    'a.b = 1': { a: 2 },
    'a(b = 1 and c = 2)': { a: 4 },
    'apart.a = 1 and apart(a = 2 or b.c = 3)': { 'apart.a': 2, 'apart.b': 2 },
    'apart is defined and other.apart.a = 1': { apart: 1, other: 3 },
  };
  for (const [source, expected] of Object.entries(cases))
    t.strictSame(Object.fromEntries(stepsByMember(parsePredicate(source, shape), 'apart')), expected, source);
  const money = { class: 'money', fields: new Map() } as const;
  const priced = { class: 'object', fields: new Map([['price', money]]) } as const;
  t.strictSame([...stepsByMember(parsePredicate('price > "1.00 EUR"', priced), 'apart')], [['price', 8]]);
  t.end();
});

t.test('a value is as large as there are values in it', (t) => {
  t.equal(valuesIn('text'), 1);
  t.equal(valuesIn(null), 1);
  t.equal(valuesIn(['a', 'b']), 3);
  t.equal(valuesIn([{ key: 'a', label: { en: 'A' } }, []]), 6);
  t.end();
});

t.test('what takes long goes to a thread, be it to parse or to evaluate', (t) => {
  const stepsMin = 1000;
  let counted = 0;
  const values = (): number => (counted += 1) && 1000;
  t.notOk(isForThread(stepsMin, { steps: 999, characters: 0, values }));
  t.ok(isForThread(stepsMin, { steps: 1000, characters: 0, values }));
  t.ok(isForThread(stepsMin, { characters: parsedCharactersMax + 1, values }));
  t.equal(counted, 0, 'nothing is counted where that is known already');
  const fits = (characters: number): boolean => !isForThread(stepsMin, { characters, values });
  t.ok(fits(1));
  t.notOk(fits(parsedCharactersMax), 'few values are compared often');
  t.equal(counted, 2);
  t.end();
});

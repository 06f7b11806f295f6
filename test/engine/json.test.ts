import fc from 'fast-check';
import t from 'tap';
import { isDeepStrictEqual } from 'node:util';
import { copyOf, isSameJson } from '../../src/engine/json.ts';

const names = fc.constantFrom('a', 'b', 'constructor', 'valueOf', 'toString', 'hasOwnProperty', '__proto__', 'length');
const { value: values } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(null, true, false, 0, 1, 1.5, '', 'a', '1'),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.array(fc.tuple(names, tie('value')), { maxLength: 4 }).map((members) => {
      // As parsed: a member of this name is one of the object's own.
      const texts = members.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`);
      return JSON.parse(`{${texts.join(',')}}`) as unknown;
    }),
  ),
}));

void t.test('a copy is what was copied, and shares nothing with it that could be changed', (t) => {
  fc.assert(
    fc.property(values, (value) => {
      const copy = copyOf(value);
      return JSON.stringify(copy) === JSON.stringify(value) && isDeepStrictEqual(copy, value) && !shares(copy, value);
    }),
    { numRuns: 2000 },
  );
  t.end();
});

function shares(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || one === null) return false;
  if (one === other) return true;
  return Object.entries(one).some(([name, member]) =>
    shares(member, Object.entries(other as object).find(([key]) => key === name)?.[1]),
  );
}

void t.test('values are the same where a strict comparison says so', (t) => {
  fc.assert(
    fc.property(values, values, (one, other) => {
      return isSameJson(one, other) === isDeepStrictEqual(one, other) && isSameJson(one, copyOf(one));
    }),
    { numRuns: 5000 },
  );
  const parsed = (text: string): unknown => JSON.parse(text);
  t.notOk(isSameJson(parsed('{"__proto__":{"a":1}}'), parsed('{"__proto__":{"a":2}}')));
  t.notOk(isSameJson(parsed('{"__proto__":{"a":1}}'), parsed('{}')));
  t.notOk(isSameJson(parsed('{"toString":1}'), parsed('{"a":1}')));
  t.ok(isSameJson(parsed('{"a":[-0]}'), parsed('{"a":[0]}')), 'a zero is written without a sign');
  t.notOk(isSameJson([], {}));
  t.notOk(isSameJson({ a: undefined }, { b: undefined }));
  t.end();
});

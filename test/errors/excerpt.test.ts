import t from 'tap';
import { ApiError } from '../../src/errors/api-error.ts';
import { excerptOf, shortened } from '../../src/errors/excerpt.ts';

t.test('a short value is its JSON', (t) => {
  for (const value of ['text', 5, true, null, [], {}, [1, [2, { a: 'b' }]], { a: [null], b: { c: -1.5 } }])
    t.equal(excerptOf(value, 100), JSON.stringify(value));
  t.equal(excerptOf(undefined, 100), 'absent');
  t.end();
});

t.test('a value is written as far as the excerpt goes, however deep or large it is', (t) => {
  const deep = JSON.parse('[{"a":'.repeat(100_000) + '1' + '}]'.repeat(100_000)) as unknown;
  const large = { list: Array.from({ length: 100_000 }, (_, index) => index), text: 'x'.repeat(1_000_000) };
  for (const value of [deep, large, large.list, large.text, [[large.text]], { [large.text]: 1 }]) {
    const text = excerptOf(value, 60);
    t.equal(text.length, 61);
    t.ok(text.endsWith('…'));
  }
  t.equal(excerptOf(large.list, 9), '[0,1,2,3,…');
  t.end();
});

t.test('no character is cut in two', (t) => {
  const faces = '😀'.repeat(1000);
  for (const lengthMax of [10, 11]) {
    t.equal(shortened(faces, lengthMax), `${'😀'.repeat(5)}…`);
    t.notMatch(excerptOf(faces, lengthMax), /\p{Surrogate}/u);
  }
  const message = `x${faces.repeat(3)}`;
  const { errors } = new ApiError([{ code: 'InvalidField', message, field: 'name', invalidValue: faces.repeat(3) }]);
  t.notMatch(JSON.stringify(errors), /\\ud83d/);
  t.equal(shortened(faces, 2000), faces);
  t.end();
});

t.test('errors hold short values as they are and long ones as excerpts', (t) => {
  const errorOf = (invalidValue: unknown): unknown => {
    const message = `The value is wrong ${'!'.repeat(10_000)}`;
    const { errors } = new ApiError([{ code: 'InvalidField', message, field: 'name', invalidValue }]);
    t.ok(errors[0].message.length <= 4001, 'the message is bounded');
    return (errors[0] as { invalidValue?: unknown }).invalidValue;
  };
  for (const value of ['text', 5, null, ['text'], { a: 1 }]) t.strictSame(errorOf(value), value);
  const deep = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000)) as unknown;
  for (const value of [deep, 'x'.repeat(10_000), Array.from({ length: 1000 }, () => 'x')]) {
    const held = errorOf(value);
    t.ok(typeof held === 'string' && held.length <= 1001);
  }
  const allowedOf = (...allowedValues: readonly unknown[]): unknown => {
    const { errors } = new ApiError([
      { code: 'InvalidField', message: '', field: 'name', invalidValue: 1, allowedValues },
    ]);
    return (errors[0] as { allowedValues?: unknown }).allowedValues;
  };
  const long = 'x'.repeat(6000);
  t.strictSame(allowedOf('a', long), ['a', long]);
  t.strictSame(allowedOf(long, 'a', long, 'b'), [long, 'a'], 'as many of those that are allowed as are short together');
  t.equal(allowedOf(long + long, 'a'), undefined);
  const many = Array.from({ length: 1000 }, () => ({ code: 'InvalidInput' as const, message: 'No.' }));
  t.equal(new ApiError([many[0]!, ...many]).errors.length, 100, 'the number of errors is bounded');
  t.end();
});

import fc from 'fast-check';
import t from 'tap';
import { ApiError } from '../../src/errors/api-error.ts';
import { assigned, assignedOptional, defaulted, type Fields, optional, required } from '../../src/fields/field.ts';
import { list } from '../../src/fields/list.ts';
import { object, parseObject } from '../../src/fields/object.ts';
import { Parsing } from '../../src/fields/parsing.ts';
import { integer, text } from '../../src/fields/scalar.ts';

function parsed(fields: Fields, input: unknown): unknown {
  const parsing = new Parsing();
  const value = parseObject(fields, input, parsing);
  parsing.settle();
  return value;
}

/** Codes and fields of the errors that parsing ends with. */
function faultsOf(fields: Fields, input: unknown): readonly string[] {
  try {
    parsed(fields, input);
    return [];
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return error.errors.map((element) => `${element.code} ${'field' in element ? element.field : ''}`.trim());
  }
}

t.test('a value has its members in the order of the fields, with what is filled in', async (t) => {
  const fields = {
    id: assigned(text(), () => 'made'),
    name: required(text()),
    note: optional(text()),
    count: defaulted(integer(), () => 7),
    total: assigned(integer()),
    usedAt: assignedOptional(text()),
  };
  const value = parsed(fields, { usedAt: 'x', total: 3, count: null, name: 'N', id: 'sent', more: 1 });
  t.equal(JSON.stringify(value), '{"id":"made","name":"N","count":7}');
  t.equal(
    JSON.stringify(parsed(fields, { count: 1, note: 'n', name: 'N' })),
    '{"id":"made","name":"N","note":"n","count":1}',
  );
  t.equal(Object.getPrototypeOf(value), Object.prototype);
});

t.test('every fault is reported with the path to it', async (t) => {
  const inner = object('Inner', { a: required(text()), b: required(list(integer())) });
  const fields = { first: required(inner), others: optional(list(inner)), last: required(text()) };
  t.strictSame(faultsOf(fields, { first: { b: [1, 'x'] }, others: [{ a: 'a', b: [] }, 5, { a: 'a' }] }), [
    'RequiredField first.a',
    'InvalidJsonInput',
    'InvalidJsonInput',
    'RequiredField others[2].b',
    'RequiredField last',
  ]);
  t.strictSame(faultsOf(fields, []), ['InvalidJsonInput']);
});

t.test('names that every object inherits are given by clients alone', async (t) => {
  const names = ['constructor', 'toString', 'hasOwnProperty', 'valueOf'];
  const fields = Object.fromEntries(names.map((name) => [name, optional(text())]));
  t.strictSame(parsed(fields, {}), {});
  const given = Object.fromEntries(names.map((name) => [name, 'given']));
  t.strictSame(parsed(fields, given), given);
});

t.test('any name can be that of a field', async (t) => {
  const name = fc.string({ unit: 'binary' }).filter((text) => text !== '__proto__');
  fc.assert(
    fc.property(fc.uniqueArray(name, { maxLength: 8 }), (names) => {
      const fields = Object.fromEntries(names.map((field) => [field, required(integer())]));
      const input = Object.fromEntries(names.map((field, index) => [field, index]));
      t.strictSame(parsed(fields, input), input);
      t.equal(faultsOf(fields, {}).length, names.length);
    }),
  );
});

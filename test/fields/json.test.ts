import t from 'tap';
import { required } from '../../src/fields/field.ts';
import { json, membersMax } from '../../src/fields/json.ts';
import { parseObject } from '../../src/fields/object.ts';
import { Parsing } from '../../src/fields/parsing.ts';

/** The codes and messages of what is wrong with a free value. */
function faultsOf(value: unknown): unknown {
  const parsing = new Parsing();
  parseObject({ value: required(json()) }, { value }, parsing);
  try {
    parsing.settle();
    return [];
  } catch (error) {
    return (error as { errors: unknown }).errors;
  }
}

t.test('an object in a free value has as many members as one of a body', async (t) => {
  const object = (members: number): object =>
    Object.fromEntries(Array.from({ length: members }, (_, index) => [`m${index}`, index]));
  t.strictSame(faultsOf([object(membersMax)]), []);
  for (const value of [object(membersMax + 1), { deep: [object(membersMax + 1)] }])
    t.match(faultsOf(value), [{ code: 'InvalidField', field: 'value', message: /at most 50000 members/ }]);
});

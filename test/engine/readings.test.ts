import t from 'tap';
import { Readings } from '../../src/engine/readings.ts';

t.test('readings that have read nothing are the same', (t) => {
  t.ok(new Readings().isPartOf(new Readings()));
  const [one, other] = [new Readings(), new Readings()];
  one.add('thing', { id: 'a', key: undefined, version: 1, json: '{}' });
  t.notOk(one.isPartOf(other), 'what was read is not there any more');
  other.add('thing', { id: 'a', key: undefined, version: 2, json: '{}' });
  t.notOk(one.isPartOf(other), 'at another version');
  other.add('thing', { id: 'a', key: undefined, version: 1, json: '{}' });
  t.ok(one.isPartOf(other));
  other.addWholes(new Map());
  t.notOk(one.isPartOf(other), 'collections are others whenever they are read anew');
  t.end();
});

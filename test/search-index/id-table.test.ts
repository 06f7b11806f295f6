import { randomUUID } from 'node:crypto';
import t from 'tap';
import { IdTable } from '../../src/search-index/id-table.ts';

t.test('every id is found at all of its places, and no other at more than a few', (t) => {
  for (const count of [0, 1, 2, 3, 1000, 32_768]) {
    const ids = Array.from({ length: count }, () => randomUUID() as string);
    // As the two sides of a product have one.
    const both = [...ids, ...ids.slice(0, count / 2)];
    const table = new IdTable(both);
    const isMissed = both.some((id, place) => !table.placesOf(id).includes(place));
    t.notOk(isMissed, `${both.length} places`);
    const others = Array.from({ length: 1000 }, () => randomUUID() as string);
    t.ok(others.flatMap((id) => table.placesOf(id)).length < 5, 'what is not there is found at none');
    t.ok(table.bytes <= 64 * Math.max(1, both.length), `${table.bytes} bytes`);
  }
  t.end();
});

t.test('ids with the same hash are found beside each other', (t) => {
  // FNV-1a of both is 0x5e4daa9d.
  const same = ['costarring', 'liquid'];
  const table = new IdTable([...same, 'another']);
  for (const id of same) t.strictSame(new Set(table.placesOf(id)), new Set([0, 1]));
  t.strictSame(table.placesOf('another'), [2]);
  t.end();
});

import t from 'tap';
import { editDistance } from '../../src/search-index/edit-distance.ts';

t.test('the edit distance counts points that are changed, added and left out', async (t) => {
  for (const [one, other, distance] of [
    ['', '', 0],
    ['', 'ab', 2],
    ['kitten', 'sitting', 3],
    ['ab', 'ba', 2],
    ['💡a', '💡', 1],
  ] as const) {
    for (const most of [distance, distance + 1, 10]) {
      t.equal(editDistance(one, other, most), distance, `${one}, ${other}, ${most}`);
      t.equal(editDistance(other, one, most), distance, `${other}, ${one}, ${most}`);
    }
    if (distance > 0) t.ok(editDistance(one, other, distance - 1) >= distance, 'it may stop where it is too much');
  }
});

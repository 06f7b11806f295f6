import t from 'tap';
import { compareScalars, Dictionary, inOrder } from '../../src/search-index/dictionary.ts';

// U+FF21 is one unit of UTF-16 that is larger than the first of the two of 💡, and smaller as a point.
const values = inOrder(['lamp', '💡', 'Ａ', 10, 'la', true, -1.5, false, 'lamps', 2, '']);
const dictionary = new Dictionary(values);

t.test('values stand in one order: false, true, numbers, and texts by their points', async (t) => {
  t.strictSame(values, [false, true, -1.5, 2, 10, '', 'la', 'lamp', 'lamps', 'Ａ', '💡']);
  t.strictSame(values.toSorted(compareScalars), values);
  t.equal(dictionary.size, values.length);
  t.strictSame(dictionary.texts, [5, 11]);
  for (const [ordinal, value] of values.entries()) {
    t.equal(dictionary.at(ordinal), value);
    t.equal(dictionary.find(value), ordinal);
  }
  for (const value of ['lam', 'lampss', '1', 1, 11]) t.equal(dictionary.find(value), undefined, String(value));
  t.equal(new Dictionary([1]).find(true), undefined);
});

t.test('bounds hold for values of their type', async (t) => {
  const within = (bounds: Parameters<Dictionary['within']>[0]) => values.slice(...dictionary.within(bounds));
  for (const [bounds, found] of [
    [{}, values],
    [{ gte: 2 }, [2, 10]],
    [{ gt: 2 }, [10]],
    [{ lt: 2 }, [-1.5]],
    [{ lte: 2 }, [-1.5, 2]],
    [{ gte: 3, lte: 9 }, []],
    [{ gt: 10, lt: 0 }, []],
    [{ gte: 'lamp' }, ['lamp', 'lamps', 'Ａ', '💡']],
    [{ gt: 'Ａ' }, ['💡']],
    [{ gte: 2, lt: 'lamp' }, []],
    [{ gte: false }, []],
  ] as const)
    t.strictSame(within(bounds), found, JSON.stringify(bounds));
});

t.test('texts that begin alike stand together', async (t) => {
  for (const [prefix, found] of [
    ['', ['', 'la', 'lamp', 'lamps', 'Ａ', '💡']],
    ['la', ['la', 'lamp', 'lamps']],
    ['lamp', ['lamp', 'lamps']],
    ['lampx', []],
    ['💡', ['💡']],
    ['z', []],
  ] as const)
    t.strictSame(values.slice(...dictionary.startingWith(prefix)), found, prefix);
});

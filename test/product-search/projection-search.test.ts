import t from 'tap';
import { ApiError } from '../../src/errors/api-error.ts';
import { foundBy, projectionIndexQuery } from '../../src/product-search/projection-search.ts';
import { projectionSearchOf } from './parse.ts';

function faultsOf(parameters: unknown): readonly (readonly [string, string | undefined])[] {
  try {
    projectionSearchOf(parameters);
    return [];
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return error.errors.map(({ code, message }) => [code, /'([^']*)'/.exec(message)?.[1]]);
  }
}

const key = { scope: 'product', name: 'key', class: 'keyword' };
const within = (...values: readonly string[]): object => ({ kind: 'in', path: key, values, foldsCase: false });

t.test('a search has what was not said as well', async (t) => {
  t.strictSame(projectionSearchOf({}), {
    query: { kind: 'all', operands: [] },
    filter: { kind: 'all', operands: [] },
    facets: [],
    sorts: [{ kind: 'score', isDescending: true }],
    limit: 20,
    offset: 0,
    marksMatchingVariants: false,
    facetFilters: [],
  });
});

t.test('texts and filters all hold, and filters of facets but for the facet of their path', async (t) => {
  const search = projectionSearchOf({
    text: { en: ['Desk lamp'], de: ['', '!'] },
    'filter.query': ['key:"a"'],
    filter: ['key:"b"'],
    'filter.facets': ['key:"c"', 'id:"d"'],
    facet: ['key', 'id', 'key'],
  });
  const word = (text: string): object => ({ text, distanceMax: 0 });
  const text = { kind: 'fullText', locale: 'en', words: [word('desk'), word('lamp')] };
  // Filters select, and texts alone make a score.
  const query = { kind: 'all', operands: [text, { ...(within('a') as object), boost: 0 }] };
  t.strictSame(foundBy(search), { kind: 'all', operands: [query, { kind: 'all', operands: [within('b')] }] });
  t.equal(search.facets.length, 2);
  const { facets } = projectionIndexQuery(search, { staged: false }, undefined);
  t.strictSame(facets[1]?.counted, { kind: 'all', operands: [query, within('c')] });
  t.match(facets[0]?.counted, { operands: [query, { path: { name: 'id' } }] });
});

t.test('how far words may be off depends on how long they are', async (t) => {
  const distances = (parameters: object): unknown => {
    const { query } = projectionSearchOf({ text: { en: ['of blue lantern'] }, ...parameters });
    return JSON.stringify(query)
      .match(/(?<="distanceMax":)\d/g)
      ?.map(Number);
  };
  t.strictSame(distances({}), [0, 0, 0]);
  t.strictSame(distances({ fuzzyLevel: 2 }), [0, 0, 0]);
  t.strictSame(distances({ fuzzy: true }), [0, 1, 2]);
  t.strictSame(distances({ fuzzy: true, fuzzyLevel: 1 }), [0, 1, 1]);
  t.strictSame(distances({ fuzzy: true, fuzzyLevel: 0 }), [0, 0, 0]);
  const short = (fuzzyLevel: number): unknown => faultsOf({ text: { en: ['blue'] }, fuzzy: true, fuzzyLevel });
  t.strictSame(short(1), []);
  t.match(short(2), [['InvalidInput']]);
});

t.test('all faults are told at once, with their places', async (t) => {
  t.strictSame(
    faultsOf({
      text: { english: ['a'], en: ['a '.repeat(65)] },
      fuzzyLevel: 3,
      filter: ['key:"a"', 'color:"a"'],
      'filter.query': ['key:'],
      'filter.facets': [''],
      facet: ['color'],
      sort: ['name'],
      limit: 501,
      offset: -1,
    }),
    [
      ['InvalidInput', 'text.english'],
      ['InvalidInput', 'text.en'],
      ['InvalidInput', 'fuzzyLevel'],
      ['InvalidInput', 'filter.query[0]'],
      ['InvalidInput', 'filter[1]'],
      ['InvalidInput', 'filter.facets[0]'],
      ['SearchFacetPathNotFound', 'facet[0]'],
      ['InvalidInput', 'sort[0]'],
      ['InvalidInput', 'limit'],
      ['InvalidInput', 'offset'],
    ],
  );
  t.strictSame(faultsOf({ facet: ['key as a', 'id as a'] }), [['InvalidInput', 'a']]);
  t.strictSame(faultsOf({ filter: Array.from({ length: 201 }, () => 'key:"a"') }), [['InvalidInput', 'filter']]);
  const long = `key:"${'a'.repeat(40_000)}"`;
  t.strictSame(faultsOf({ filter: [long, long] }), []);
  t.strictSame(faultsOf({ filter: [long, long, long] }), [['InvalidInput', 'filter']]);
  t.strictSame(faultsOf({ text: { en: ['a'.repeat(1001)] } }), [['InvalidInput', 'text.en']]);
  t.match(faultsOf({ text: { en: Array.from({ length: 21 }, () => 'a') } }), [['InvalidInput']]);
});

import fc from 'fast-check';
import t from 'tap';
import { ApiError } from '../../src/errors/api-error.ts';
import { compilePredicate } from '../../src/predicate/compile.ts';
import { parseCartPredicate } from '../../src/predicate/cart-predicate.ts';
import { expansionPaths } from '../../src/predicate/expand.ts';
import { parsePredicate } from '../../src/predicate/parser.ts';
import { parseSort } from '../../src/predicate/sort.ts';
import type { Shape } from '../../src/predicate/shape.ts';
import { predicateSql } from '../../src/storage/predicate-sql.ts';
import { sortSql } from '../../src/storage/sort-sql.ts';
import { createDatabase } from '../support/services.ts';

const text: Shape = { class: 'text' };
const number: Shape = { class: 'number' };
const inner: Shape = {
  class: 'object',
  fields: new Map<string, Shape>([
    ['t', text],
    ['n', number],
  ]),
};
const shape: Shape = {
  class: 'object',
  fields: new Map<string, Shape>([
    ['id', text],
    ['key', text],
    ['t', text],
    ['n', number],
    ['b', { class: 'boolean' }],
    ['at', { class: 'dateTime' }],
    ['name', { class: 'localized' }],
    ['tags', { class: 'list', item: text }],
    ['one', inner],
    ['many', { class: 'list', item: inner }],
    ['free', { class: 'dynamic' }],
    ['place', { class: 'dynamic' }],
  ]),
};

function matches(source: string, document: unknown): boolean {
  return compilePredicate(parsePredicate(source, shape))(document);
}

t.test('predicates say what their documentation says', async (t) => {
  const document = {
    t: 'Peter "the" Rabbit',
    n: 7,
    b: true,
    at: '2030-01-31T12:00:00.000Z',
    name: { en: 'Knife', 'de-CH': 'Messer' },
    tags: ['a', 'b'],
    one: { t: 'x', n: 1 },
    many: [
      { t: 'x', n: 1 },
      { t: 'y', n: 2 },
    ],
    place: { type: 'Point', coordinates: [13.377_63, 52.516_27] },
    free: [[1]],
  };
  const cases: readonly (readonly [string, boolean])[] = [
    ['t = "Peter \\"the\\" Rabbit"', true],
    ['t <> "x" and n >= 7', true],
    ['n > 7 or n < 7', false],
    ['not (n = 7)', false],
    ['not n = 8 and b = true', true],
    ['n = 1 or n = 7 and b = false', false],
    ['at > "2030-01-31T13:00:00+02:00"', true],
    ['name(en = "Knife")', true],
    ['name(`de-CH` = "Messer")', true],
    ['name.en = "Gabel"', false],
    ['tags = "a"', true],
    ['tags contains all ("a", "b")', true],
    ['tags contains all ("a", "c")', false],
    ['tags contains any ("c", "b")', true],
    ['tags is not empty', true],
    ['one(t = "x" and n = 1)', true],
    ['many(t = "x" and n = 2)', false],
    ['many(t = "x") and many(n = 2)', true],
    ['many.t = "y"', true],
    ['n in (1, 7)', true],
    ['n not in (1, 7)', false],
    ['key is not defined', true],
    ['key != "x"', false],
    ['not (key = "x")', true],
    ['key is empty', true],
    ['place within circle(13.37770, 52.51627, 1000)', true],
    ['place within circle(13.37770, 53.51627, 1000)', false],
    ['1 = 1', true],
    ['1 <> 1', false],
    ['true = true', true],
    ['true != true', false],
    ['n IN (7) AND t IS NOT EMPTY', true],
    ['at > "2030-01-31"', true],
    ['at = "2030-01-31T12:00"', true],
    ['free.length = 1', false],
    ['free(`0` is defined)', false],
  ];
  for (const [source, expected] of cases) t.equal(matches(source, document), expected, source);
  const variables = new Map([
    ['wanted', ['7', '8']],
    ['one', ['7']],
  ]);
  t.ok(compilePredicate(parsePredicate('n in :wanted', shape, variables))(document));
  t.ok(compilePredicate(parsePredicate('n = :one', shape, variables))(document));
});

t.test('faults are found with their places', async (t) => {
  const codes = (source: string): string[] => {
    try {
      parsePredicate(source, shape);
      return [];
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return error.errors.map(({ code, message }) => `${code} ${/position (\d+)/.exec(message)?.[1]}`);
    }
  };
  const cases: readonly (readonly [string, readonly string[]])[] = [
    ['', ['SyntaxError 0']],
    ['t =', ['SyntaxError 3']],
    ['t = "x" and', ['SyntaxError 11']],
    ['t = "x', ['SyntaxError 4']],
    ['(t = "x"', ['SyntaxError 8']],
    ['t = "x")', ['SyntaxError 7']],
    ['t ~ "x"', ['SyntaxError 2']],
    ['x = 1 and y.z = 2', ['InvalidInput 0', 'InvalidInput 10']],
    ['t = 1', ['InvalidInput 4']],
    ['n = "1"', ['InvalidInput 4']],
    ['b > true', ['InvalidInput 4']],
    ['at = "yesterday"', ['InvalidInput 5']],
    ['at = "1"', ['InvalidInput 5']],
    ['at = "2030-02-31"', ['InvalidInput 5']],
    ['at = "9999-12-31T23:59-05:00"', ['InvalidInput 5']],
    ['n < 1e400', ['InvalidInput 4']],
    ['t = "a\0"', ['SyntaxError 6']],
    ['t = "\ud800"', ['SyntaxError 5']],
    ['place within circle(200, 91, -1)', ['InvalidInput 20', 'InvalidInput 25', 'InvalidInput 29']],
    ['t within circle(0, 0, 1)', ['InvalidInput 2']],
    ['n = :absent', ['InvalidInput 4']],
    ['t contains all ("a")', ['InvalidInput 2']],
  ];
  for (const [source, expected] of cases) t.strictSame(codes(source), expected, source);
  t.strictSame(
    codes(`${'('.repeat(1000)}t = "x"`).map((code) => code.split(' ')[0]),
    ['SyntaxError'],
  );
  t.strictSame(
    codes(`${'not '.repeat(3000)}t = "x"`).map((code) => code.split(' ')[0]),
    ['SyntaxError'],
  );
  t.strictSame(
    codes(`free${'.a'.repeat(7000)} = 1`).map((code) => code.split(' ')[0]),
    ['SyntaxError'],
  );
  for (const value of ['0x7', ' 7', '', 'Infinity', '1e400']) {
    t.throws(() => parsePredicate('n = :v', shape, new Map([['v', [value]]])), { code: 'InvalidInput' }, value);
  }
  t.throws(() => parsePredicate('t = :v', shape, new Map([['v', ['\0']]])), { code: 'InvalidInput' });
});

t.test('SQL sorts by columns where there are some, and refuses too many expressions', async (t) => {
  const sorts = (...sources: string[]): string => sortSql(sources.map((source) => parseSort(source, shape)));
  t.equal(sorts(), 'id');
  t.equal(sorts('id asc'), 'id');
  t.equal(sorts('id desc', 't'), 'id desc');
  t.equal(
    sorts('n desc', 't'),
    `(data #> array['n']) desc nulls last, (data #>> array['t']) collate "C" asc nulls last, id`,
  );
  t.throws(() => sorts(...Array.from({ length: 11 }, () => 't')), { code: 'InvalidInput' });
});

t.test('no text makes the parser do anything but answer or throw an ApiError', async (t) => {
  const word = fc.constantFrom(
    't',
    'n',
    'name',
    'many',
    '(',
    ')',
    '=',
    '!=',
    '<',
    'and',
    'or',
    'not',
    'in',
    'is',
    'defined',
    'empty',
    '"x"',
    '1',
    ',',
    '.',
    ':v',
    '`t`',
    'contains',
    'all',
    'within',
    'circle',
    '__proto__',
    'true',
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ maxLength: 60 }),
        fc.array(word, { maxLength: 20 }).map((words) => words.join(' ')),
      ),
      (source) => {
        try {
          parsePredicate(source, shape);
          return true;
        } catch (error) {
          return error instanceof ApiError;
        }
      },
    ),
    { numRuns: 5000 },
  );
  t.pass();
});

const textValue = fc.constantFrom('a', 'b', 'A', 'ä', '＀', '😀', '');
const numberValue = fc.constantFrom(0, 1, -1, 2.5, 100);
const innerValue = fc.record({ t: textValue, n: numberValue }, { requiredKeys: [] });
const documents = fc.record(
  {
    t: textValue,
    n: numberValue,
    b: fc.boolean(),
    at: fc.constantFrom('2030-01-01T00:00:00.000Z', '2031-01-01T00:00:00.000Z'),
    name: fc.record({ en: textValue, 'de-CH': textValue }, { requiredKeys: [] }),
    tags: fc.array(textValue, { maxLength: 3 }),
    one: innerValue,
    many: fc.array(innerValue, { maxLength: 3 }),
    free: fc.oneof(
      textValue,
      numberValue,
      fc.boolean(),
      fc.array(textValue, { maxLength: 2 }),
      innerValue,
      fc.array(fc.oneof(fc.array(numberValue, { maxLength: 2 }), innerValue, fc.constant(null)), { maxLength: 2 }),
      fc.constant(null),
    ),
    place: fc.record({ coordinates: fc.array(fc.constantFrom(0, 0.001, 1e-200, 120, 1e300), { maxLength: 3 }) }),
    key: fc.constantFrom('key-1', 'key-2'),
  },
  { requiredKeys: [] },
);

function idOf(index: number): string {
  return `00000000-0000-4000-8000-${index.toString(16).padStart(12, '0')}`;
}

const quoted = textValue.map((value) => JSON.stringify(value));
const comparison = fc.constantFrom('=', '!=', '<', '<=', '>', '>=');
const equality = fc.constantFrom('=', '!=');
const about = (name: fc.Arbitrary<string>, value: fc.Arbitrary<string>, operator = comparison): fc.Arbitrary<string> =>
  fc.oneof(
    fc.tuple(name, operator, value).map((parts) => parts.join(' ')),
    fc
      .tuple(name, fc.constantFrom('in', 'not in'), fc.array(value, { minLength: 1, maxLength: 3 }))
      .map(([field, word, values]) => `${field} ${word} (${values.join(', ')})`),
    fc
      .tuple(name, fc.constantFrom('is defined', 'is not defined', 'is empty', 'is not empty'))
      .map((parts) => parts.join(' ')),
  );
const statement = fc.oneof(
  about(fc.constantFrom('t', 'name.en', 'name.`de-CH`', 'one.t', 'many.t', 'tags', 'free', 'free.t'), quoted),
  about(fc.constantFrom('n', 'one.n', 'many.n', 'free', 'free.n', 'free.length', 'free.`0`'), numberValue.map(String)),
  about(fc.constant('id'), fc.constantFrom(`"${idOf(7)}"`, `"${idOf(50)}"`, `"${idOf(10).toUpperCase()}"`, '"none"')),
  fc
    .tuple(fc.constantFrom(0, 0.001, 120), fc.constantFrom(0, 90), fc.constantFrom(0, 50, 200, 1e7))
    .map((numbers) => `place within circle(${numbers.join(', ')})`),
  about(fc.constantFrom('b', 'free'), fc.constantFrom('true', 'false'), equality),
  about(fc.constant('at'), fc.constantFrom('"2030-01-01T00:00:00.000Z"', '"2030-06-01T00:00:00.000Z"')),
  about(fc.constant('key'), fc.constantFrom('"key-1"', '"key-3"')),
  fc
    .tuple(
      fc.constantFrom('tags', 'free'),
      fc.constantFrom('all', 'any'),
      fc.array(quoted, { minLength: 1, maxLength: 2 }),
    )
    .map(([name, mode, values]) => `${name} contains ${mode} (${values.join(', ')})`),
  fc
    .tuple(
      fc.constantFrom('one', 'not one', 'many', 'free'),
      about(fc.constant('t'), quoted),
      fc.constantFrom('and', 'or', 'and not'),
      about(fc.constant('n'), numberValue.map(String)),
    )
    .map(([name, left, word, right]) => `${name}(${left} ${word} ${right})`),
);
const predicates: fc.Arbitrary<string> = fc.letrec<{ predicate: string }>((tie) => ({
  predicate: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    statement,
    fc
      .tuple(tie('predicate'), fc.constantFrom('and', 'or'), tie('predicate'))
      .map(([left, word, right]) => `(${left} ${word} ${right})`),
    tie('predicate').map((operand) => `not (${operand})`),
  ),
})).predicate;

/** Predicates of a run, each on all documents; PREDICATE_CASES asks for more of them. */
const predicateCount = Number(process.env['PREDICATE_CASES'] ?? 1000);
const documentCount = 100;

t.test('SQL and JavaScript agree on random documents and predicates', async (t) => {
  const { sql } = await createDatabase(t);
  const seed = 42;
  const sample = fc.sample(documents, { seed, numRuns: documentCount });
  await sql`insert into projects (key, version, data) values ('p', 1, '{}')`;
  const stored = sample.map((document, index) => ({ id: idOf(index), ...document }));
  for (const document of stored) {
    await sql`insert into documents (project, kind, id, key, version, data) values ('p', 'zone', ${document.id}, ${null}, 1, ${JSON.stringify(document)}::text::jsonb)`;
  }
  // Keys repeat in the sample, so they cannot stand in the unique column; the column is what SQL compares.
  await sql`drop index documents_key`;
  await sql`update documents set key = data ->> 'key'`;
  let compared = 0;
  for (const source of fc.sample(predicates, { seed, numRuns: predicateCount })) {
    const predicate = parsePredicate(source, shape);
    const parameters: unknown[] = [];
    const condition = predicateSql(predicate, parameters);
    const rows = await sql.unsafe<{ id: string }[]>(
      `select id from documents where ${condition} order by id`,
      parameters as string[],
    );
    const matcher = compilePredicate(predicate);
    const expected = stored.filter((document) => matcher(document)).map(({ id }) => id);
    compared += stored.length;
    const found = rows.map(({ id }) => id);
    if (JSON.stringify(found) !== JSON.stringify(expected)) {
      const differing = stored.filter(({ id }) => found.includes(id) !== expected.includes(id)).slice(0, 3);
      t.fail(`${source} — ${condition} — SQL and JavaScript differ on ${JSON.stringify(differing)}`);
      return;
    }
  }
  t.equal(compared, predicateCount * documentCount, 'every predicate agrees on every document');
});

t.test('the index on documents serves equalities, in and contains, also within groups', async (t) => {
  const { sql } = await createDatabase(t);
  const planOf = async (source: string, scope = ''): Promise<string> => {
    const parameters: unknown[] = [];
    const condition = predicateSql(parsePredicate(source, shape), parameters);
    const rows = await sql.begin(async (transaction) => {
      // The table is empty, where reading it whole would be the cheapest.
      await transaction`set local enable_seqscan = off`;
      return transaction.unsafe(
        `explain select id from documents_other where ${scope} ${condition}`,
        parameters as string[],
      );
    });
    return rows.map((row) => row['QUERY PLAN'] as string).join('\n');
  };
  for (const source of [
    't = "a"',
    't in ("a", "b")',
    't = "a" or n = 1',
    'tags contains any ("a", "b")',
    'tags contains all ("a", "b")',
    'many(t in ("a", "b") and n = 1)',
    'one(t = "a" and n > 1)',
    'one(t = "a") and not (n = 1)',
  ])
    t.match(await planOf(source), /Bitmap Index Scan on documents_other_data_idx/, source);
  t.match(await planOf(`id > "${idOf(7)}"`, "project = 'p' and kind = 'zone' and"), /Index Cond: .*id > /);
});

t.test('cart predicates compare exact amounts', async (t) => {
  const cart = {
    currency: 'EUR',
    totalPrice: { type: 'centPrecision', currencyCode: 'EUR', centAmount: 1050, fractionDigits: 2 },
  };
  const cases: readonly (readonly [string, boolean])[] = [
    ['totalPrice = "10.50 EUR"', true],
    ['totalPrice = "10.5 EUR"', true],
    ['totalPrice > "10.499999 EUR"', true],
    ['totalPrice >= "11 EUR"', false],
    ['totalPrice > "1.00 USD"', false],
    ['totalPrice != "1.00 USD"', false],
    ['totalPrice.centAmount = 1050 and currency = "EUR"', true],
  ];
  for (const [source, expected] of cases) t.equal(compilePredicate(parseCartPredicate(source))(cart), expected, source);
});

t.test('cart predicates count and add up custom line items', async (t) => {
  const item = (slug: string, quantity: number, centAmount: number): object => ({
    slug,
    quantity,
    totalPrice: { type: 'centPrecision', currencyCode: 'EUR', centAmount, fractionDigits: 2 },
  });
  const cart = {
    currency: 'EUR',
    customLineItems: [item('wrap', 2, 500), item('card', 1, 250), item('wrap', 3, -100)],
  };
  const cases: readonly (readonly [string, boolean])[] = [
    ['customLineItemCount(true) = 6', true],
    ['customLineItemCount(slug = "wrap") >= 5', true],
    ['customLineItemCount(slug = "none") = 0', true],
    ['customLineItemCount(slug = "none") != 0', false],
    ['customLineItemTotal(slug = "wrap") = "4.00 EUR"', true],
    ['customLineItemTotal(true) > "6.499 EUR" and customLineItemTotal(true) < "6.501 EUR"', true],
    ['customLineItemTotal(slug = "none") < "0.01 EUR"', true],
    ['customLineItemTotal(slug = "none") < "0.01 USD"', false],
    ['customLineItemExists(slug = "card" and quantity = 1)', true],
    ['customLineItemExists(slug = "card" and quantity = 2)', false],
    ['customLineItemExists(slug = "none") = false', true],
    ['customLineItemExists(slug = "card") != true', false],
    ['forAllCustomLineItems(quantity > 1)', false],
    ['forAllCustomLineItems(quantity > 0)', true],
    ['not forAllCustomLineItems(slug = "wrap") and true = true', true],
  ];
  for (const [source, expected] of cases) t.equal(compilePredicate(parseCartPredicate(source))(cart), expected, source);
  t.ok(compilePredicate(parseCartPredicate('forAllCustomLineItems(slug = "wrap")'))({ currency: 'EUR' }));
  for (const [source, code] of [
    ['customLineItemCount(true)', 'SyntaxError'],
    ['customLineItemCount = 1', 'SyntaxError'],
    ['customLineItemCount(sku = "x") = 1', 'InvalidInput'],
    ['customLineItemCount(true) = "1"', 'InvalidInput'],
    ['customLineItemCount(true) < 1e400', 'InvalidInput'],
    ['customLineItemTotal(true) = 1', 'InvalidInput'],
    ['customLineItemExists(true) = 1', 'SyntaxError'],
    ['lineItemCount(true) = 1', 'SyntaxError'],
    [`${'customLineItemExists('.repeat(100)}true`, 'SyntaxError'],
  ] as const)
    t.throws(() => parseCartPredicate(source), { code }, source);
});

t.test('sort expressions and expansion paths are parsed or refused', async (t) => {
  t.strictSame(parseSort('name.en desc', shape), { path: ['name', 'en'], isDescending: true, class: 'text' });
  for (const source of ['nowhere', 'one', 'many.t', 'tags', 't up', 't; drop'])
    t.throws(() => parseSort(source, shape), source);
  t.strictSame(expansionPaths(['a.b[*].c[*][0]'])[0]!.segments, [
    { name: 'a', indexes: [] },
    { name: 'b', indexes: ['*'] },
    { name: 'c', indexes: ['*', 0] },
  ]);
  for (const path of ['', 'a..b', 'a[', 'a[x]', 'a b', Array.from({ length: 20 }, () => 'a').join('.')])
    t.throws(() => expansionPaths([path]), path);
});

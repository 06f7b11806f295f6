/**
 * The SQL of a predicate and its function in JavaScript agree. TEST_CASES says on how many random predicates, each on
 * all documents of its round.
 */
import fc from 'fast-check';
import t from 'tap';
import { type Members, partOf } from '../../src/engine/indexed.ts';
import { compilePredicate } from '../../src/predicate/compile.ts';
import { parsePredicate, type Variables } from '../../src/predicate/parser.ts';
import type { Shape } from '../../src/predicate/shape.ts';
import { parseSort } from '../../src/predicate/sort.ts';
import { connect, type Sql } from '../../src/storage/connection.ts';
import { countStatement, pageStatement } from '../../src/storage/query-sql.ts';
import { createDatabase } from '../support/services.ts';

const caseCount = Number(process.env['TEST_CASES'] ?? 2000);
const casesPerRound = 250;
const documentsPerRound = 50;
const seed = 42;

const text: Shape = { class: 'text' };
const number: Shape = { class: 'number' };
const moment: Shape = { class: 'dateTime' };
const dynamic: Shape = { class: 'dynamic' };
const object = (fields: Record<string, Shape>): Extract<Shape, { class: 'object' }> => ({
  class: 'object',
  fields: new Map(Object.entries(fields)),
});
const listOf = (item: Shape): Shape => ({ class: 'list', item });
const reference = object({ typeId: text, id: text });
const inner = object({ t: text, n: number, tags: listOf(text) });
const shape = object({
  id: text,
  key: text,
  version: number,
  createdAt: moment,
  lastModifiedAt: moment,
  t: text,
  n: number,
  b: { class: 'boolean' },
  at: moment,
  name: { class: 'localized' },
  price: { class: 'money' },
  prices: listOf({ class: 'money' }),
  ref: reference,
  refs: listOf(reference),
  tags: listOf(text),
  numbers: listOf(number),
  moments: listOf(moment),
  names: listOf({ class: 'localized' }),
  one: inner,
  many: listOf(inner),
  deep: object({ one: inner, many: listOf(inner), place: dynamic }),
  attributes: listOf(object({ name: text, value: dynamic })),
  custom: object({ type: reference, fields: dynamic }),
  free: dynamic,
  place: dynamic,
});

const texts = ['a', 'b', 'A', 'ä', '＀', '😀', '', '"', '\\', 'a"b\\c', '{}', 'null', ' ', "'", '$1', '1'];
const textValue = fc.constantFrom(...texts);
const numberValue = fc.constantFrom(0, 1, -1, 2.5, 100, 1e21, 0.1, -0.000_001);
const momentValue = fc.constantFrom(
  '2030-01-01T00:00:00.000Z',
  '2030-06-30T22:00:00.000Z',
  '2031-01-01T00:00:00.001Z',
  '0001-01-01T00:00:00.000Z',
);
/** Moments and times of day in several forms, one of which documents hold. */
const writtenValue = fc.constantFrom(
  '2030-01-01T00:00:00.000Z',
  '2030-01-01T00:00:00Z',
  '2030-06-30T22:00:00.000Z',
  '2030-07-01T00:00:00+02:00',
  '10:20:30.000',
  '10:20:30',
  '10:20',
);
const id = (index: number): string => `00000000-0000-4000-8000-${index.toString(16).padStart(12, '0')}`;
const referenceValue = fc.record({
  typeId: fc.constantFrom('zone', 'type'),
  id: fc.nat({ max: 5 }).map(id),
});
const sparse = { requiredKeys: [] as [] };
const moneyValue = fc.oneof(
  fc.record({
    type: fc.constant('centPrecision'),
    currencyCode: fc.constantFrom('EUR', 'USD'),
    centAmount: fc.constantFrom(0, 100, -5, Number.MAX_SAFE_INTEGER),
    fractionDigits: fc.constant(2),
  }),
  fc.record({
    type: fc.constant('highPrecision'),
    currencyCode: fc.constant('EUR'),
    centAmount: fc.constant(100),
    preciseAmount: fc.constantFrom(100_001, 99_999),
    fractionDigits: fc.constant(5),
  }),
);
const localizedValue = fc.record({ en: textValue, 'de-CH': textValue }, sparse);
const innerValue = fc.record({ t: textValue, n: numberValue, tags: fc.array(textValue, { maxLength: 2 }) }, sparse);
const coordinate = fc.constantFrom(0, 0.001, 1e-200, -13.4, 90, 120, 180, 1e300);
const placeValue = fc.oneof(
  fc.record({ type: fc.constant('Point'), coordinates: fc.array(coordinate, { maxLength: 3 }) }),
  fc.record({ coordinates: fc.oneof(textValue, fc.constant(null), fc.constant(['0', 0])) }),
);
/** Anything, and where it can also what a document of a known shape holds. */
const freeValue = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: 'medium' },
    textValue,
    writtenValue,
    numberValue,
    fc.boolean(),
    fc.constant(null),
    innerValue,
    moneyValue,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('t', 'n', 'x y', '__proto__', 'length', '0', 'id'), tie('value'), { maxKeys: 3 }),
  ),
})).value;
const documents = fc
  .record(
    {
      version: fc.constantFrom(1, 2, 3, 7, Number.MAX_SAFE_INTEGER),
      createdAt: momentValue,
      lastModifiedAt: momentValue,
      key: fc.constantFrom('key-1', 'key-2', 'Key-1', 'key_1'),
      t: textValue,
      n: numberValue,
      b: fc.boolean(),
      at: momentValue,
      name: localizedValue,
      price: moneyValue,
      prices: fc.array(moneyValue, { maxLength: 2 }),
      ref: referenceValue,
      refs: fc.array(referenceValue, { maxLength: 3 }),
      tags: fc.array(textValue, { maxLength: 3 }),
      numbers: fc.array(numberValue, { maxLength: 3 }),
      moments: fc.array(momentValue, { maxLength: 2 }),
      names: fc.array(localizedValue, { maxLength: 2 }),
      one: innerValue,
      many: fc.array(innerValue, { maxLength: 3 }),
      deep: fc.record({ one: innerValue, many: fc.array(innerValue, { maxLength: 2 }), place: placeValue }, sparse),
      attributes: fc.array(fc.record({ name: fc.constantFrom('size', 'color'), value: freeValue }), { maxLength: 3 }),
      custom: fc.record({
        type: referenceValue,
        fields: fc.record({ t: freeValue, n: freeValue, refs: fc.array(referenceValue, { maxLength: 2 }) }, sparse),
      }),
      free: freeValue,
      place: placeValue,
    },
    { requiredKeys: ['version', 'createdAt', 'lastModifiedAt'] },
  )
  // What the database holds is JSON.
  .map((document) => JSON.parse(JSON.stringify(document)) as Record<string, unknown>);

const quote = (value: string): string => `"${value.replaceAll(/["\\]/g, '\\$&')}"`;
const textLiteral = textValue.map(quote);
const numberLiteral = fc.constantFrom('0', '1', '-1', '2.5', '1e2', '1E+21', '0.1', '-1e-6', '-0', '100.0');
const booleanLiteral = fc.constantFrom('true', 'false');
const momentLiteral = fc.constantFrom(
  '"2030-01-01T00:00:00.000Z"',
  '"2030-01-01"',
  '"2030-07-01T00:00+02:00"',
  '"2031-01-01T00:00:00"',
  '"0001-01-01"',
);
const versionLiteral = fc.constantFrom('1', '2', '2.5', '3', '-7', '9007199254740991', '1e300', '-1e300', '6.999');
const idLiteral = fc.oneof(
  fc.nat({ max: documentsPerRound }).map((index) => `"${id(index)}"`),
  fc.constantFrom(`"${id(10).toUpperCase()}"`, '"none"', '""', `"${id(3)}0"`),
);
const anyLiteral = fc.oneof(textLiteral, writtenValue.map(quote), numberLiteral, booleanLiteral);
/** Variables take the type of what they are compared with; those of `:several` stand for lists. */
const variables: Variables = new Map([
  ['text', ['a']],
  ['odd', ['a"b\\c']],
  ['number', ['2.5']],
  ['boolean', ['true']],
  ['moment', ['2030-01-01']],
  ['written', ['10:20:30']],
  ['writtens', ['10:20:30', '2030-07-01T00:00:00+02:00']],
  ['id', [id(7)]],
  ['texts', ['a', 'b', '\\']],
  ['numbers', ['0', '1e2']],
  ['booleans', ['true', 'false']],
  ['moments', ['2030-01-01', '2030-07-01T00:00+02:00']],
  ['ids', [id(7), id(8), 'none']],
]);
const one = <T extends string>(literal: fc.Arbitrary<T>, variable: string): fc.Arbitrary<string> =>
  fc.oneof({ weight: 6, arbitrary: literal }, { weight: 1, arbitrary: fc.constant(`:${variable}`) });

const anyOrder = fc.constantFrom('=', '!=', '<>', '<', '<=', '>', '>=');
const equality = fc.constantFrom('=', '!=', '<>');

type Text = fc.Arbitrary<string>;

/** Every test that a value of a type takes: comparisons, lists of values, emptiness. */
function about(name: Text, literal: Text, { order = anyOrder, several }: { order?: Text; several: string }): Text {
  const list = fc.array(literal, { minLength: 1, maxLength: 4 }).map((values) => `(${values.join(', ')})`);
  return fc.oneof(
    { weight: 3, arbitrary: fc.tuple(name, order, literal).map((parts) => parts.join(' ')) },
    {
      weight: 2,
      arbitrary: fc
        .tuple(name, fc.constantFrom('in', 'not in', 'IN'), fc.oneof(list, fc.constant(several)))
        .map((parts) => parts.join(' ')),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(name, fc.constantFrom('is defined', 'is not defined', 'is empty', 'is not empty'))
        .map((parts) => parts.join(' ')),
    },
  );
}

const ofText = (...names: readonly string[]): Text =>
  about(fc.constantFrom(...names), one(one(textLiteral, 'text'), 'odd'), { several: ':texts' });
const ofNumber = (...names: readonly string[]): Text =>
  about(fc.constantFrom(...names), one(numberLiteral, 'number'), { several: ':numbers' });
const ofBoolean = (...names: readonly string[]): Text =>
  about(fc.constantFrom(...names), one(booleanLiteral, 'boolean'), { order: equality, several: ':booleans' });
const ofMoment = (...names: readonly string[]): Text =>
  about(fc.constantFrom(...names), one(momentLiteral, 'moment'), { several: ':moments' });
const ofWritten = (...names: readonly string[]): Text =>
  about(fc.constantFrom(...names), one(one(writtenValue.map(quote), 'written'), 'moment'), { several: ':writtens' });
const ofId = (...names: readonly string[]): Text =>
  about(fc.constantFrom(...names), one(idLiteral, 'id'), { several: ':ids' });

const contains = (name: Text, literal: Text, several: string): Text =>
  fc
    .tuple(
      name,
      fc.constantFrom('contains all', 'contains any', 'CONTAINS ANY'),
      fc.oneof(
        fc.array(literal, { minLength: 1, maxLength: 3 }).map((values) => `(${values.join(', ')})`),
        fc.constant(several),
      ),
    )
    .map((parts) => parts.join(' '));

const within = (...names: readonly string[]): Text =>
  fc
    .tuple(
      fc.constantFrom(...names),
      fc.constantFrom(0, 0.001, -13.4, 120, -180),
      fc.constantFrom(0, 90, -45.5),
      fc.constantFrom(0, 50, 200, 1e7, 3e7),
    )
    .map(([name, ...numbers]) => `${name} within circle(${numbers.join(', ')})`);

/** Statements joined by `and`, `or` and `not`, in parentheses or without. */
function combinations(statement: Text): Text {
  return fc.letrec<{ predicate: string }>((tie) => ({
    predicate: fc.oneof(
      { maxDepth: 3, depthSize: 'small' },
      statement,
      fc
        .tuple(tie('predicate'), fc.constantFrom('and', 'or', 'and not', 'AND', 'Or'), tie('predicate'))
        .map((parts) => parts.join(' ')),
      tie('predicate').map((operand) => `(${operand})`),
      tie('predicate').map((operand) => `not (${operand})`),
    ),
  })).predicate;
}

const group = (names: readonly string[], statement: Text): Text =>
  fc.tuple(fc.constantFrom(...names), combinations(statement)).map(([name, predicate]) => `${name}(${predicate})`);

const ofInner = fc.oneof(ofText('t', 'tags'), ofNumber('n'), contains(fc.constant('tags'), textLiteral, ':texts'));
const ofMoney = fc.oneof(ofText('currencyCode', 'type'), ofNumber('centAmount', 'preciseAmount', 'fractionDigits'));
const ofReference = fc.oneof(
  ofId('id'),
  about(fc.constant('typeId'), fc.constantFrom('"zone"', '"type"'), { several: ':texts' }),
);
const freeNames = ['t', 'n', '`x y`', '`__proto__`', 'length', '`0`', 'id', 't.n', 'n.t.n'];
const ofFree = fc.oneof(
  about(
    fc.constantFrom(...freeNames),
    anyLiteral.filter((literal) => !/^(true|false)$/.test(literal)),
    { several: ':texts' },
  ),
  ofBoolean(...freeNames),
  contains(fc.constantFrom(...freeNames), anyLiteral, ':texts'),
  group(['t', 'n'], fc.oneof(ofText('t'), ofNumber('n', '`0`'))),
);
const ofAttribute = fc.oneof(
  ofText('name', 'value', 'value.t'),
  ofNumber('value', 'value.n'),
  ofBoolean('value'),
  contains(fc.constant('value'), anyLiteral, ':texts'),
  group(['value'], ofFree),
);
const statement = fc.oneof(
  ofId('id'),
  about(fc.constant('key'), fc.constantFrom('"key-1"', '"Key-1"', '"key-3"', '"key"', '""'), { several: ':texts' }),
  about(fc.constant('version'), versionLiteral, { several: ':numbers' }),
  ofMoment('createdAt', 'lastModifiedAt', 'at', 'moments'),
  ofText('t', 'name.en', 'name.`de-CH`', 'one.t', 'many.t', 'tags', 'names.en', 'deep.one.t', 'deep.many.t'),
  ofText('one.tags', 'many.tags', 'free', 'free.t', 'custom.fields.t', 'attributes.value', 'attributes.name'),
  ofNumber('n', 'one.n', 'many.n', 'numbers', 'deep.one.n', 'deep.many.n', 'price.centAmount', 'prices.centAmount'),
  ofNumber('free', 'free.n', 'free.length', 'free.`0`', 'custom.fields.n', 'attributes.value'),
  ofWritten('free', 'free.t', 'custom.fields.t', 'attributes.value'),
  ofBoolean('b', 'free', 'custom.fields.t', 'attributes.value'),
  ofId('ref.id', 'refs.id', 'custom.type.id', 'custom.fields.refs.id'),
  contains(fc.constantFrom('tags', 'one.tags', 'many.tags', 'free', 'custom.fields.t'), textLiteral, ':texts'),
  contains(fc.constantFrom('numbers', 'free', 'custom.fields.n'), numberLiteral, ':numbers'),
  contains(fc.constant('moments'), momentLiteral, ':moments'),
  within('place', 'deep.place', 'free', 'custom.fields.t', 'attributes.value'),
  group(['name', 'names'], ofText('en', '`de-CH`')),
  group(['price', 'prices'], ofMoney),
  group(['ref', 'refs', 'custom.type', 'custom.fields.refs'], ofReference),
  group(['one', 'many', 'deep.one', 'deep.many'], ofInner),
  group(['deep'], fc.oneof(group(['one', 'many'], ofInner), within('place'))),
  group(['attributes'], ofAttribute),
  group(['custom'], fc.oneof(group(['fields'], ofFree), group(['type'], ofReference))),
  group(['free'], ofFree),
  fc.constantFrom('true', 'false', '1 = 1', '1 > 2', 'true != false'),
);
const predicates = fc.array(combinations(statement), { minLength: 1, maxLength: 2 });

/** Orders that only columns decide, and those of the moments, with how they compare. */
const sorts: readonly (readonly [string, (document: Stored) => string | number])[] = [
  ['id asc', (document) => document.id],
  ['id desc', (document) => document.id],
  ['createdAt', ({ createdAt }) => createdAt],
  ['lastModifiedAt desc', ({ lastModifiedAt }) => lastModifiedAt],
  ['version desc', ({ version }) => version],
];

/** Limit and offset: all, and pages that stand at the beginning of the order or after it. */
const pages = [
  [500, 0],
  [3, 0],
  [10, 0],
  [5, 2],
  [1, 0],
  [20, 0],
  [7, 30],
] as const;

interface Stored {
  readonly id: string;
  readonly version: number;
  readonly createdAt: string;
  readonly lastModifiedAt: string;
}

/** What the index has of documents: in every other round a part of them. */
const part: Members = {
  t: true,
  tags: true,
  prices: { centAmount: true },
  one: true,
  many: { t: true },
  deep: { one: { n: true }, many: { tags: true } },
  attributes: { name: true },
  custom: { fields: true },
};

async function store(sql: Sql, stored: readonly Stored[], members: Members | undefined): Promise<void> {
  const rows = JSON.stringify(
    stored.map((data) => ({ data, indexed: members && (partOf({ ...data }, members) ?? {}) })),
  );
  await sql`delete from documents`;
  await sql`
    insert into documents (project, kind, id, key, version, data, indexed, indexed_version)
    select 'p', 'zone', (data ->> 'id')::uuid, data ->> 'key', (data ->> 'version')::bigint, data, indexed,
      case when indexed is not null then (data ->> 'version')::bigint end
    from jsonb_to_recordset(${rows}::text::jsonb) as given (data jsonb, indexed jsonb)`;
  // Writers that know nothing of the part leave it as it was.
  await sql`update documents set indexed = '{"t": "gone"}', indexed_version = version - 1 where version % 3 = 0`;
}

function ordered(stored: readonly Stored[], sort: (typeof sorts)[number]): readonly string[] {
  const [source, valueOf] = sort;
  const sign = source.endsWith('desc') ? -1 : 1;
  const compare = (one: Stored, other: Stored): number => {
    const [left, right] = [valueOf(one), valueOf(other)];
    if (left !== right) return left < right ? -sign : sign;
    return one.id < other.id ? -sign : sign;
  };
  return stored.toSorted(compare).map((document) => document.id);
}

interface Case {
  readonly indexed: Members | undefined;
  readonly where: readonly string[];
  readonly sort: (typeof sorts)[number];
  readonly limit: number;
  readonly offset: number;
}

/** How many documents a query finds by both; a text where they differ. */
async function compare(
  sql: Sql,
  stored: readonly Stored[],
  { indexed, where, sort, limit, offset }: Case,
): Promise<number | string> {
  const trees = where.map((source) => parsePredicate(source, shape, variables));
  const query = {
    kind: 'zone',
    hasPlainKey: true,
    isOfFew: false,
    indexed,
    where: trees,
    sort: [parseSort(sort[0], shape)],
    limit,
    offset,
  };
  const [page, count] = [pageStatement('p', query), countStatement('p', query)];
  const [rows, [counted]] = await Promise.all([
    sql.unsafe<{ id: string }[]>(page.text, page.parameters),
    sql.unsafe<{ total: string }[]>(count.text, count.parameters),
  ]);
  const matchers = trees.map(compilePredicate);
  const expected = ordered(
    stored.filter((document) => matchers.every((matches) => matches(document))),
    sort,
  );
  const wanted = expected.slice(offset, offset + limit);
  const found = rows.map((row) => row.id);
  if (found.join() === wanted.join() && Number(counted!.total) === expected.length) return expected.length;
  const differing = stored.filter(({ id }) => found.includes(id) !== wanted.includes(id)).slice(0, 2);
  const counts = `${counted!.total} counted, ${expected.length} expected`;
  return `${where.join(' AND ')} — ${page.text} — ${counts}, differ on ${JSON.stringify(differing)}`;
}

t.test('SQL and JavaScript agree on random documents and predicates', async (t) => {
  const { url, sql: admin } = await createDatabase(t);
  await admin`insert into projects (key, version, data) values ('p', 1, '{}')`;
  // Keys repeat in the sample, so they cannot stand in the unique index.
  await admin`drop index documents_key`;
  const sql = connect({ databaseUrl: url, connectionsMax: 1, prepare: true });
  t.teardown(() => sql.end());
  // A table of a page is read whole otherwise, and the answers of the indexes would not be compared.
  await sql`set enable_seqscan = off`;
  const sources = fc.sample(predicates, { seed, numRuns: caseCount });
  const sample = fc.sample(documents, { seed, numRuns: Math.ceil(caseCount / casesPerRound) * documentsPerRound });
  let compared = 0;
  let telling = 0;
  for (let round = 0; round * casesPerRound < caseCount; round += 1) {
    const stored = sample
      .slice(round * documentsPerRound, (round + 1) * documentsPerRound)
      .map((document, index) => ({ id: id(index), ...document }) as unknown as Stored);
    const indexed = round % 2 === 0 ? part : undefined;
    await store(sql, stored, indexed);
    const cases = sources.slice(round * casesPerRound, (round + 1) * casesPerRound);
    const outcomes = await Promise.all(
      cases.map((where, index) => {
        const [limit, offset] = pages[index % pages.length]!;
        return compare(sql, stored, { indexed, where, sort: sorts[index % sorts.length]!, limit, offset });
      }),
    );
    const difference = outcomes.find((outcome) => typeof outcome === 'string');
    if (difference !== undefined) {
      t.fail(difference);
      return;
    }
    compared += outcomes.length;
    telling += outcomes.filter((found) => found !== 0 && found !== stored.length).length;
  }
  t.equal(compared, caseCount, 'every predicate agrees on every document');
  t.ok(telling > caseCount / 4, `${telling} predicates match some documents and not others`);
});

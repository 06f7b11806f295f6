import t from 'tap';
import {
  getNamedType,
  GraphQLObjectType,
  type GraphQLResolveInfo,
  GraphQLSchema,
  isCompositeType,
  type OperationDefinitionNode,
  parse,
} from 'graphql';
import type { RequestContext } from '../../src/engine/context.ts';
import type { Lookups, OutputField } from '../../src/fields/field.ts';
import { heavyTurn } from '../../src/engine/heavy-turns.ts';
import { localizedString } from '../../src/fields/localized-string.ts';
import { pickedByName } from '../../src/fields/picking.ts';
import { AnswerSize } from '../../src/graphql/answer-size.ts';
import { goingThrough } from '../../src/graphql/lookups.ts';
import { measureFields } from '../../src/graphql/measured-fields.ts';
import { TypeRegistry } from '../../src/graphql/output-types.ts';
import type { QueryContext } from '../../src/graphql/resolvers.ts';
import { pickedByStock, price } from '../../src/resources/product/variant-fields.ts';
import { turnsDuring } from '../support/event-loop.ts';

const parts = {
  name: 'parts',
  type: '[Json!]!',
  complexity: 1,
  ...pickedByName((parent) => parent['parts'] as readonly { readonly name: string }[]),
};
let reads = 0;
const counted = (name: string, type: string, value: unknown): OutputField => ({
  name,
  type,
  complexity: 1,
  read: () => {
    reads += 1;
    return value;
  },
});
const ofAll = [
  counted('names', '[String!]!', ['one']),
  counted('note', 'String', 'some'),
  counted('id', 'String!', 'a'),
];
const registry = new TypeRegistry(new Map());
registry.declare([
  { type: 'object', object: { name: 'ProductPrice', fields: ofAll } },
  ...localizedString().output.types(),
]);
const declared = [
  parts,
  price,
  ...ofAll,
  ...localizedString().output.fields('label', false),
  { name: 'count', type: 'Int!', complexity: 1, read: () => undefined, looksUp: () => 1 },
  { name: 'found', type: '[String!]!', complexity: 1, read: () => undefined, looksUp: () => ['some'] },
];
const type = new GraphQLObjectType({ name: 'Whole', fields: () => registry.fields('Whole', declared) });
const schema = new GraphQLSchema({ query: type, types: [...registry.all] });
measureFields(schema);

/** Resolves a field as an executor does. */
function resolved(
  name: string,
  parent: Readonly<Record<string, unknown>>,
  args: Readonly<Record<string, unknown>>,
  context: QueryContext,
): unknown {
  const { type: returnType, resolve } = type.getFields()[name]!;
  const selection = isCompositeType(getNamedType(returnType)) ? '{ __typename }' : '';
  const [definition] = parse(`{ ${name} ${selection} }`).definitions;
  const fieldNodes = (definition as OperationDefinitionNode).selectionSet.selections;
  const info = { schema, returnType, fieldNodes, fragments: {}, variableValues: {} };
  return resolve!(parent, args, context, info as unknown as GraphQLResolveInfo);
}

const request = { project: { key: 'shop' }, principal: { clientId: 'client' } } as unknown as RequestContext;

function contextOf(): QueryContext {
  const size = new AnswerSize();
  return {
    size,
    turn: () => heavyTurn(request),
    lookups: { goesThrough: goingThrough(size, request) },
  } as unknown as QueryContext;
}

const whole = (count: number): Readonly<Record<string, unknown>> => ({
  parts: Array.from({ length: count }, (_, index) => ({ name: `part ${index}` })),
});
const read = (
  parent: Readonly<Record<string, unknown>>,
  names: readonly string[] | undefined,
  context: QueryContext,
): unknown => resolved('parts', parent, { includeNames: names }, context);

t.test('others have turns while fields go through long lists, and short ones are read at once', async (t) => {
  const [long, short] = [whole(20_000), whole(100)];
  const turns = await turnsDuring(async () => {
    const context = contextOf();
    const found = await Promise.all(Array.from({ length: 40 }, () => read(long, ['part 7'], context)));
    for (const names of found) t.strictSame(names, [{ name: 'part 7' }]);
  });
  t.ok(turns >= 20, `${turns} turns`);
  t.strictSame(read(short, ['part 7'], contextOf()), [{ name: 'part 7' }]);
  t.equal(
    (read(long, undefined, contextOf()) as readonly unknown[]).length,
    20_000,
    'who picks nothing waits for nothing',
  );
});

t.test('an answer has no room for what goes through too much', async (t) => {
  const [long, context] = [whole(100_000), contextOf()];
  for (let index = 0; index < 99; index += 1) await read(long, ['part 7'], context);
  t.notOk(context.size.isOver);
  await read(long, ['part 7'], context);
  t.strictSame(await read(long, ['part 7'], context), []);
  t.ok(context.size.isOver);
  const before = reads;
  const given = ['names', 'note', 'id'].map((name) => resolved(name, {}, {}, context));
  t.strictSame(given, [[], null, 'a'], 'what may be absent is');
  t.equal(reads, before + 1, 'and is not looked for any more');
  await t.rejects(resolved('count', {}, {}, context) as Promise<unknown>, /no more room/);
});

t.test('few elements count as well, many times, and so do locales that are accepted', async (t) => {
  const short = whole(100);
  const label = { label: { en: 'Label' } };
  const acceptLanguage = Array.from({ length: 100 }, () => 'fr');
  const asked: readonly ((context: QueryContext) => unknown)[] = [
    (context) => read(short, ['part 7'], context),
    (context) => resolved('label', label, { acceptLanguage }, context),
  ];
  for (const ask of asked) {
    const context = contextOf();
    for (let index = 0; index < 80_000; index += 1) ask(context);
    t.notOk(context.size.isOver);
    for (let index = 0; index < 20_000; index += 1) ask(context);
    t.ok(context.size.isOver);
  }
});

t.test('a list that is looked up is never absent, also where the room ends with it', async (t) => {
  const context = contextOf();
  let empty = 0;
  while (empty < 2) {
    const found = resolved('found', {}, {}, context);
    if (!Array.isArray(found)) throw new Error('It is absent');
    if (found.length === 0) empty += 1;
  }
  t.ok(context.size.isOver);
});

t.test('stocks are not looked up for which there is no room', async (t) => {
  let lookups = 0;
  const lookingUp = { grouped: async () => (lookups += 1) && [], goesThrough: contextOf().lookups.goesThrough };
  const variants = Array.from({ length: 100 }, (_, index) => ({ sku: `sku ${index}` }));
  const picked = (): Promise<readonly unknown[]> =>
    pickedByStock(variants, { isOnStock: false }, lookingUp as unknown as Lookups);
  t.strictSame(await picked(), variants);
  for (let index = 0; index < 10_000; index += 1) await picked();
  lookups = 0;
  t.strictSame(await picked(), []);
  t.equal(lookups, 0);
});

t.test('nor for too many prices that are selected, nor for groups to select them for', async (t) => {
  const euro = { currencyCode: 'EUR', centAmount: 100, fractionDigits: 2, type: 'centPrecision' };
  const prices = (count: number): readonly object[] =>
    Array.from({ length: count }, (_, index) => ({ id: `${index}`, value: euro }));
  const group = Array.from({ length: 500 }, (_, index) => `group ${index}`);
  for (const [count, groups, least, most] of [
    [1, [], 50_000, 100_000],
    [100, [], 30_000, 50_000],
    [100, group, 10_000, 20_000],
  ] as const) {
    const context = contextOf();
    const args = { currency: 'EUR', customerGroupAssignmentIds: groups };
    const parent = { prices: prices(count) };
    let found = 0;
    while (found < most && (await resolved('price', parent, args, context)) !== null) found += 1;
    t.ok(found > least && found < most, `${found} of ${count}`);
  }
});

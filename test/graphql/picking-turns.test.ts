import t from 'tap';
import type { GraphQLResolveInfo } from 'graphql';
import type { RequestContext } from '../../src/engine/context.ts';
import { shareOfTurn } from '../../src/engine/heavy-turns.ts';
import type { OutputField } from '../../src/fields/field.ts';
import { pickedByName } from '../../src/fields/picking.ts';
import { AnswerSize } from '../../src/graphql/answer-size.ts';
import { TypeRegistry } from '../../src/graphql/output-types.ts';
import type { QueryContext } from '../../src/graphql/resolvers.ts';
import { turnsDuring } from '../support/event-loop.ts';

const parts = {
  name: 'parts',
  type: '[Json!]!',
  complexity: 1,
  ...pickedByName((parent) => parent['parts'] as readonly { readonly name: string }[]),
};
const price: OutputField = { name: 'price', type: 'Int', complexity: 1, read: () => undefined, looksUp: () => 100 };
const fields = new TypeRegistry(new Map()).fields('Whole', [parts, price]);
const request = { project: { key: 'shop' }, principal: { clientId: 'client' } } as unknown as RequestContext;

const info = undefined as unknown as GraphQLResolveInfo;

function contextOf(): QueryContext {
  const lookups = { turn: (share: number) => shareOfTurn(request, share) };
  return { size: new AnswerSize(), lookups } as unknown as QueryContext;
}

const whole = (count: number): Readonly<Record<string, unknown>> => ({
  parts: Array.from({ length: count }, (_, index) => ({ name: `part ${index}` })),
});
const read = (
  parent: Readonly<Record<string, unknown>>,
  names: readonly string[] | undefined,
  context: QueryContext,
): unknown => fields['parts']!.resolve!(parent, { includeNames: names }, context, info);

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
  t.notOk(context.size.isTooLarge);
  await read(long, ['part 7'], context);
  t.equal(await read(long, ['part 7'], context), null);
  t.ok(context.size.isTooLarge);
});

t.test('nor for what is looked up too often', async (t) => {
  const context = contextOf();
  const priced = (): unknown => fields['price']!.resolve!({}, {}, context, info);
  let count = 0;
  while (count < 200_000 && priced() === 100) count += 1;
  t.ok(count > 50_000 && count < 100_000, `${count} prices`);
});

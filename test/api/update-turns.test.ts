/** Updates of large resources: others have turns between their actions, and few of these copy the whole. */
import t from 'tap';
import { action, whole } from '../../src/engine/actions.ts';
import { defineResource } from '../../src/engine/define.ts';
import type { ApplyContext } from '../../src/engine/resource.ts';
import { optional, required } from '../../src/fields/field.ts';
import { key, text } from '../../src/fields/scalar.ts';
import { startPlatform } from '../support/platform.ts';

const megabyte = 1024 * 1024;

/** How often the event loop has come round. */
let rounds = 0;
/** When each action was applied. */
const applied: number[] = [];

/** And when what follows from it was made. */
let derivedAt = 0;

const note = (): void => void applied.push(rounds);

/** What takes as long as it does to copy some megabytes. */
function toil(_: object, __: object, { work }: ApplyContext): void {
  note();
  work.bytes += 4 * megabyte;
}

const book = defineResource({
  kind: 'trial-book',
  typeName: 'TrialBook',
  path: 'trial-books',
  scopes: { view: ['view_orders'], manage: ['manage_orders'] },
  fields: { key: optional(key()), text: required(text()) },
  derive: () => void (derivedAt = rounds),
  actions: { look: action({}, note), copy: whole(action({}, note)), toil: action({}, toil) },
});

/** What is made line by line. */
const poem = defineResource({
  kind: 'trial-poem',
  typeName: 'TrialPoem',
  path: 'trial-poems',
  scopes: { view: ['view_orders'], manage: ['manage_orders'] },
  fields: { text: required(text()) },
  create: async (draft, context) => {
    for (let line = 0; line < 20; line += 1) {
      toil({}, {}, context);
      await context.turn();
    }
    return draft;
  },
  actions: { look: action({}, note) },
});

/** When rules looked at what is to be written. */
let ruledAt = 0;

const shelf = defineResource({
  kind: 'trial-shelf',
  typeName: 'TrialShelf',
  path: 'trial-shelves',
  scopes: { view: ['view_orders'], manage: ['manage_orders'] },
  lifecycle: 'upserted',
  keyMembers: ['container', 'key'],
  fields: { container: required(key()), key: required(key()), text: required(text()) },
  derive: () => void (derivedAt = rounds),
  rules: [() => void (ruledAt = rounds)],
  actions: {},
});

function countRounds(t: { teardown(handler: () => void): void }): void {
  let timer = setImmediate(comeRound);
  function comeRound(): void {
    rounds += 1;
    timer = setImmediate(comeRound);
  }
  t.teardown(() => clearImmediate(timer));
}

t.test('between the actions of an update of a large resource others have turns', async (t) => {
  const { request } = await startPlatform(t, { resources: [book] });
  countRounds(t);
  const made = async (name: string, bytes: number): Promise<void> =>
    t.equal((await request('POST', '/trial-books', { key: name, text: 'x'.repeat(bytes) })).status, 201) as never;
  await made('large', megabyte);
  await made('small', 1);
  const update = async (name: string, action: string, count: number) => {
    applied.length = 0;
    const actions = Array.from({ length: count }, () => ({ action }));
    return request('POST', `/trial-books/key=${name}`, { version: 1, actions });
  };
  t.equal((await update('large', 'copy', 50)).status, 200);
  t.equal(new Set(applied).size, 50, 'each copy has a turn of its own');
  t.equal((await update('large', 'look', 500)).status, 200);
  t.ok(new Set(applied).size > 20, `${new Set(applied).size} turns`);
  t.ok(derivedAt > applied.at(-1)!, 'what follows from the actions has a turn of its own');
  t.equal((await update('small', 'copy', 500)).status, 200);
  t.equal(new Set(applied).size, 1, 'small resources need none');
  t.equal((await update('small', 'toil', 50)).status, 200);
  t.equal(new Set(applied).size, 50, 'but for actions that make much of them');

  t.match(await update('large', 'copy', 257), {
    status: 400,
    body: { errors: [{ code: 'InvalidOperation', message: /257 of the actions copy all of them/ }] },
  });
  t.equal(applied.length, 0, 'nothing is applied');
});

t.test('a create lets others have turns where what it does is much', async (t) => {
  const { request } = await startPlatform(t, { resources: [poem] });
  countRounds(t);
  applied.length = 0;
  t.equal((await request('POST', '/trial-poems', { text: 'x' })).status, 201);
  t.equal(new Set(applied).size, 20);
});

t.test('what takes the place of something large is planned in turns as well', async (t) => {
  const { request } = await startPlatform(t, { resources: [shelf] });
  countRounds(t);
  const put = async (text: string): Promise<void> => {
    const { status } = await request('POST', '/trial-shelves', { container: 'hall', key: 'one', text });
    t.ok(status === 200 || status === 201, `${status}`);
  };
  await put('x'.repeat(megabyte));
  await put('y'.repeat(megabyte));
  t.ok(ruledAt > derivedAt, 'what follows is made in one, and looked at in another');
  await put('z');
  await put('zz');
  t.equal(ruledAt, derivedAt, 'small resources need none');
});

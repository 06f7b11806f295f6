import fc from 'fast-check';
import { isDeepStrictEqual } from 'node:util';
import t from 'tap';
import { principalOf } from '../../src/auth/principal.ts';
import { AnswerBudget } from '../../src/engine/answer-budget.ts';
import type { RequestContext } from '../../src/engine/context.ts';
import type { Document } from '../../src/engine/document.ts';
import type { Engine } from '../../src/engine/resource.ts';
import { expand } from '../../src/engine/expand.ts';
import { createRegistry } from '../../src/engine/registry.ts';
import type { Lookup } from '../../src/engine/store.ts';
import { expansionPaths } from '../../src/predicate/expand.ts';
import { allResources } from '../../src/resources/all.ts';
import { project } from '../../src/resources/project/resource.ts';

type Link = { readonly typeId: string; readonly id: string; obj?: Value };
type Value = Record<string, unknown>;

function link(id: string, typeId = 'zone'): Link {
  return { typeId, id };
}

interface Expanded {
  readonly documents: readonly Value[];
  /** What was read at a time. */
  readonly reads: readonly (readonly Lookup[])[];
  /** Bytes of the budget. */
  readonly spent: number;
}

const registry = createRegistry(allResources, project);

/** Expands documents whose links lead to some of the `targets`, which are of any kind. */
async function expanded(
  documents: readonly Value[],
  paths: readonly string[],
  { targets, scopes = [] }: { readonly targets: Readonly<Record<string, Value>>; readonly scopes?: readonly string[] },
): Promise<Expanded> {
  const reads: (readonly Lookup[])[] = [];
  const engine = {
    registry,
    store: {
      find: async (_: string, lookups: readonly Lookup[]) => {
        reads.push(lookups);
        return lookups.map(({ id = '' }) => {
          const target = Object.hasOwn(targets, id) ? targets[id] : undefined;
          return target && { id, key: undefined, version: 1, json: JSON.stringify(target) };
        });
      },
    },
  } as unknown as Engine;
  const context = { project: { key: 'shop' }, principal: principalOf('client', scopes) } as unknown as RequestContext;
  const own = structuredClone(documents) as Value[];
  const budget = new AnswerBudget();
  await expand(engine, { context, documents: own as Document[], paths: expansionPaths(paths), budget });
  return { documents: own, reads, spent: budget.spent };
}

/** Links of a document in the member `list`. */
function listOf(document: Value | undefined): readonly Link[] {
  return document!['list'] as readonly Link[];
}

t.test('what two paths lead to is read once, and goes on along each path alone', async (t) => {
  const targets = { a: { next: link('b'), other: link('b') }, b: { name: 'B' } };
  const { documents, reads, spent } = await expanded(
    [{ left: link('a'), right: link('a') }],
    ['left.next', 'right.other', 'left'],
    { targets },
  );
  const b = { ...link('b'), obj: targets.b };
  t.strictSame(documents, [
    {
      left: { ...link('a'), obj: { next: b, other: link('b') } },
      right: { ...link('a'), obj: { next: link('b'), other: b } },
    },
  ]);
  t.strictSame(reads, [[{ kind: 'zone', id: 'a' }], [{ kind: 'zone', id: 'b' }]]);
  t.equal(spent, 2 * JSON.stringify(targets.a).length + 2 * JSON.stringify(targets.b).length);
});

t.test('what some paths name of a list is expanded there alone, in any order of the paths', async (t) => {
  const targets = { a: { next: link('b') }, b: { name: 'B' } };
  const deep = { ...link('a'), obj: { next: { ...link('b'), obj: targets.b } } };
  const flat = { ...link('a'), obj: { next: link('b') } };
  const bytes = (count: number): number => count * JSON.stringify(targets.a).length + JSON.stringify(targets.b).length;
  for (const paths of [
    ['list[*]', 'list[0].next'],
    ['list[0].next', 'list[*]'],
    ['list[0].next', 'list[*]', 'list[0]', 'list[1]'],
  ]) {
    const { documents, spent } = await expanded([{ list: [link('a'), link('a'), link('a')] }], paths, { targets });
    t.strictSame(documents, [{ list: [deep, flat, flat] }], paths.join(', '));
    t.equal(spent, bytes(3), 'each is counted once');
  }
});

t.test('equal links of one path share what they lead to, and each of them counts', async (t) => {
  const targets = { a: { list: [link('b'), link('b'), link('a')] }, b: { name: 'B' } };
  const { documents, reads, spent } = await expanded(
    [{ list: [link('a'), link('b')] }, { list: [link('a')] }],
    ['list[*].list[*]'],
    { targets },
  );
  const [[first, second], [third]] = documents.map(listOf) as [[Link, Link], [Link]];
  t.equal(first.obj, third.obj, 'of different documents as well');
  const [one, two, itself] = listOf(first.obj) as [Link, Link, Link];
  t.equal(one.obj, two.obj);
  t.not(one.obj, second.obj, 'not of different levels, where paths go on differently');
  t.strictSame(itself.obj, targets.a, 'a circle ends with the path');
  t.equal(reads.length, 2);
  const [a, b] = [JSON.stringify(targets.a).length, JSON.stringify(targets.b).length];
  t.equal(spent, 2 * a + b + 2 * (2 * b + a));
});

t.test('a link whose target is gone, or is not there for who asks, keeps no object', async (t) => {
  const given = {
    gone: link('gone'),
    client: link('a', 'api-client'),
    customer: link('a', 'customer'),
    unknown: link('a', 'nothing'),
    inherited: link('a', 'toString'),
    byKey: { typeId: 'store', key: 'a' },
    text: 'a',
    nothing: null,
  };
  const { documents, reads, spent } = await expanded([given], [...Object.keys(given), 'absent', 'toString'], {
    targets: { a: { name: 'A' } },
  });
  t.strictSame(documents, [given]);
  t.strictSame(reads, [[{ kind: 'zone', id: 'gone' }]], 'and no other is looked for');
  t.equal(spent, 0);
});

t.test('what was stored with a link is not what it leads to', async (t) => {
  const old = { obj: { name: 'old', next: link('b') } };
  const given = {
    there: { ...link('a'), ...old },
    gone: { ...link('gone'), ...old },
    hidden: { ...link('a', 'api-client'), ...old },
    unknown: { ...link('a', 'nothing'), ...old },
    left: { ...link('a'), ...old },
  };
  const targets = { a: { name: 'new', next: link('b') }, b: { name: 'next' } };
  const paths = ['there.next', 'gone.next', 'hidden', 'unknown'];
  const { documents } = await expanded([given], paths, { targets });
  t.strictSame(documents, [
    {
      there: { ...link('a'), obj: { name: 'new', next: { ...link('b'), obj: targets.b } } },
      gone: link('gone'),
      hidden: link('a', 'api-client'),
      unknown: given.unknown,
      left: given.left,
    },
  ]);
});

t.test('what looks like a link and leads nowhere has the members that it has', async (t) => {
  const given = { like: { ...link('x', 'nothing'), one: link('a') }, gone: { ...link('gone'), one: link('a') } };
  const targets = { a: { name: 'A' } };
  const { documents } = await expanded([given], ['like.one', 'gone.one'], { targets });
  const one = { ...link('a'), obj: targets.a };
  t.strictSame(documents, [{ like: { ...given.like, one }, gone: { ...given.gone, one } }]);
});

t.test('of what links lead to, those are put in that are in the store of the token', async (t) => {
  const targets = {
    a: { stores: [{ typeId: 'store', key: 'one' }] },
    b: { stores: [{ typeId: 'store', key: 'two' }] },
  };
  const given = { list: ['a', 'b', 'a'].map((id) => link(id, 'customer')) };
  const { documents, spent } = await expanded([given], ['list[*]'], { targets, scopes: ['view_customers:shop:one'] });
  t.strictSame(
    listOf(documents[0]).map(({ obj }) => obj),
    [targets.a, undefined, targets.a],
  );
  t.equal(spent, 2 * JSON.stringify(targets.a).length);
});

t.test('of lists, a path names all elements or one, through as many lists as it has indexes', async (t) => {
  const targets = { a: { name: 'A' }, b: { name: 'B' } };
  const given = { lists: [[link('a'), link('b')], [link('b')], link('a')], plain: link('a') };
  const cases: readonly (readonly [string, readonly string[]])[] = [
    ['lists[*][*]', ['a', 'b', 'b']],
    ['lists[0][*]', ['a', 'b']],
    ['lists[*][0]', ['a', 'b']],
    ['lists[1][0]', ['b']],
    ['lists[2]', ['a']],
    ['lists[*]', ['a']],
    ['lists[3]', []],
    ['lists', []],
    ['lists[0][0][0]', []],
    ['plain[0]', []],
    ['plain', ['a']],
  ];
  for (const [path, ids] of cases) {
    const { documents } = await expanded([given], [path], { targets });
    const found = [...JSON.stringify(documents).matchAll(/"id":"(\w)","obj"/g)].map(([, id]) => id);
    t.strictSame(found, ids, path);
  }
  const { documents } = await expanded([given], ['lists[0][0]', 'lists[0][1]'], { targets });
  t.match(documents, [{ lists: [[{ obj: targets.a }, { obj: targets.b }]] }], 'of several paths, each its own');
});

t.test('many targets are read in several parts, as far as the answer may hold them', async (t) => {
  const ids = Array.from({ length: 1100 }, (_, index) => `id${index}`);
  const read = async (bytes: number): Promise<readonly number[]> => {
    const targets = Object.fromEntries(ids.map((id) => [id, { name: 'x'.repeat(bytes) }]));
    const { reads } = await expanded([{ list: ids.map((id) => link(id)) }], ['list[*]'], { targets });
    return reads.map(({ length }) => length);
  };
  t.strictSame(await read(10), [500, 500, 100]);
  await t.rejects(read(20_000), { code: 'InvalidInput', message: /more than 16777216 bytes/ });
});

const ids = ['a', 'b', 'c', 'gone'] as const;
const oneLink = fc.constantFrom(...ids).map((id) => link(id));
const document: fc.Arbitrary<Value> = fc.record(
  {
    name: fc.string(),
    one: oneLink,
    two: oneLink,
    list: fc.array(oneLink, { maxLength: 3 }),
    inner: fc.record({ one: oneLink }),
  },
  { requiredKeys: ['name'] },
);
const path = fc
  .array(fc.constantFrom('one', 'two', 'list[*]', 'inner.one'), { minLength: 1, maxLength: 4 })
  .map((segments) => segments.join('.'));

/** Puts copies of their own into the links that a path leads to. */
function follow(value: unknown, segments: readonly string[], targets: Readonly<Record<string, Value>>): void {
  const [segment, ...others] = segments;
  if (segment === undefined) return;
  const found = (value as Value)[segment.replace('[*]', '')];
  for (const each of (Array.isArray(found) ? found : found === undefined ? [] : [found]) as Link[]) {
    const target = targets[each.id];
    if (target !== undefined) each.obj ??= structuredClone(target);
    follow(each.obj ?? each, others, targets);
  }
}

t.test('every link that a path leads to is expanded, no other, and the bytes of all are counted', async (t) => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(document, { minLength: 1, maxLength: 3 }),
      fc.record({ a: document, b: document, c: document }),
      fc.array(path, { minLength: 1, maxLength: 4 }),
      async (documents, targets, paths) => {
        const expected = structuredClone(documents);
        for (const each of paths) for (const value of expected) follow(value, each.split('.'), targets);
        const result = await expanded(documents, paths, { targets });
        const [before, after] = [documents, expected].map((value) => JSON.stringify(value));
        const objects = after!.split('"obj":').length - 1;
        return (
          isDeepStrictEqual(result.documents, expected) &&
          result.spent === after!.length - before!.length - objects * ',"obj":'.length
        );
      },
    ),
    { numRuns: 500 },
  );
  t.pass();
});

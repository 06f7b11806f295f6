import t from 'tap';
import { actions, refusal, startShop } from '../support/extension-server.ts';
import { type Platform, startPlatform } from '../support/platform.ts';

const platform = await startPlatform(t, { allowsPrivateExtensions: true });

t.test('extensions of one level are asked at once, and their actions applied in order', async (t) => {
  const { calls, behaviors, extend, createGroup } = await startShop(t, platform);
  for (const key of ['first', 'second', 'third']) await extend(key);
  // Each answers when all have been asked, the last first.
  const waiting: (() => void)[] = [];
  for (const [index, name] of ['first', 'second', 'third'].entries()) {
    behaviors.set(name, (response, input) => {
      waiting.push(() => actions({ action: 'changeName', name: `${name}-${index}` })(response, input));
      if (waiting.length === 3) for (const answer of waiting.toReversed()) answer();
    });
  }
  const { body } = await createGroup('Group');
  t.match(body, { name: 'third-2', version: 1 });
  t.strictSame(
    calls.map(({ input }) => input.resource.obj['name']),
    ['Group', 'Group', 'Group'],
    'all see the same',
  );
});

t.test('one that depends on others is asked after them, with their actions applied', async (t) => {
  const { project, calls, behaviors, extend, createGroup } = await startShop(t, platform);
  const link = ({ id }: { readonly id: string }): object => ({ typeId: 'extension', id });
  const first = await extend('first');
  const elsewhere = await extend('elsewhere', {
    triggers: [{ resourceTypeId: 'customer', actions: ['Create'] }],
    dependencies: [link(first)],
  });
  await extend('last', { dependencies: [link(elsewhere)] });
  await extend('beside');
  behaviors.set('first', actions({ action: 'changeName', name: 'From the first' }));
  behaviors.set('beside', actions({ action: 'setKey', key: 'from-beside' }));
  behaviors.set('last', actions({ action: 'changeName', name: 'From the last' }));
  t.match((await createGroup('Group')).body, { name: 'From the last', key: 'from-beside', version: 1 });
  t.strictSame(calls.map(({ name }) => name).slice(2), ['last'], 'also where one between them is not asked');
  t.match(calls[2]!.input.resource.obj, { name: 'From the first', key: 'from-beside' });
  behaviors.set('first', refusal({ code: 'InvalidInput', message: 'One' }));
  behaviors.set('beside', refusal({ code: 'InvalidOperation', message: 'Two' }));
  const refused = await createGroup('Refused');
  t.match(refused.body, { errors: [{ message: 'One' }, { message: 'Two' }] }, 'refusals of a level are told together');
  t.equal(calls.length, 5, 'and the next level is not asked');
  behaviors.set('beside', (response) => response.writeHead(500).end());
  const failed = await createGroup('Failed');
  t.match(failed, { status: 502, body: { errors: [{ code: 'ExtensionBadResponse' }] } });
  t.equal((failed.body['errors'] as readonly object[]).length, 1);
  const removed = await project.request('DELETE', `/extensions/${first.id}?version=1`);
  t.match(removed, { status: 400, body: { errors: [{ code: 'ExtensionDependencyExists' }] } });
});

t.test('dependencies are neither circles, nor too deep, nor too wide', async (t) => {
  const { project, extend } = await startShop(t, platform);
  const link = ({ id }: { readonly id: unknown }): object => ({ typeId: 'extension', id });
  const depend = (
    id: unknown,
    version: number,
    ...on: readonly { readonly id: unknown }[]
  ): ReturnType<typeof update> => update(id, version, on.map(link));
  const update = (id: unknown, version: number, dependencies: readonly object[]): ReturnType<Platform['request']> =>
    project.request('POST', `/extensions/${String(id)}`, {
      version,
      actions: [{ action: 'setDependencies', dependencies }],
    });
  const all = [];
  for (const key of ['aa', 'bb', 'cc', 'dd', 'ee', 'ff', 'gg']) all.push(await extend(key));
  const [a, b, c, d, e, f, g] = all as [(typeof all)[0], ...typeof all] &
    Record<0 | 1 | 2 | 3 | 4 | 5 | 6, (typeof all)[0]>;
  const code = (name: string): object => ({ status: 400, body: { errors: [{ code: name }] } });
  t.match(await depend(a.id, 1, a), code('CircularDependency'));
  t.match(await depend(g.id, 1, a, b, c, d, e, f), code('ExtensionChainTooWide'));
  t.match(await depend(b.id, 1, a, a), { status: 200, body: { dependencies: [link(a)] } });
  t.match(await depend(c.id, 1, b), { status: 200 });
  t.match(await depend(a.id, 1, c), code('CircularDependency'));
  t.match(await depend(d.id, 1, c), code('ExtensionChainTooDeep'));
  t.match(await depend(a.id, 1, e), code('ExtensionChainTooDeep'), 'also at the other end');
  t.match(await depend(d.id, 1, a, b, e, f, g), { status: 200 });
  const unknown = await depend(e.id, 1, { id: '11111111-1111-4111-8111-111111111111' });
  t.match(unknown, code('ReferencedResourceNotFound'));
  // Of two that would make a circle together, one loses.
  const rivals = await Promise.all([depend(f.id, 1, e), depend(e.id, 1, f)]);
  t.equal(rivals.filter(({ status }) => status === 200).length, 1);
  t.match(
    rivals.find(({ status }) => status === 400),
    code('CircularDependency'),
  );
  // Nor do two make a chain together that is too deep, though neither sees that they are linked.
  const [w, x, y, z] = [await extend('ww'), await extend('xx'), await extend('yy'), await extend('zz')];
  t.equal((await depend(y.id, 1, z)).status, 200);
  const versions = [1, 1] as [number, number];
  for (let round = 0; round < 20; round += 1) {
    const both = await Promise.all([depend(w.id, versions[0], x), depend(x.id, versions[1], y)]);
    const lost = both.filter(({ status }) => status !== 200);
    t.equal(lost.length, 1);
    t.match(lost[0], code('ExtensionChainTooDeep'));
    const winner = both.findIndex(({ status }) => status === 200);
    t.equal((await depend([w, x][winner]!.id, versions[winner]! + 1)).status, 200);
    versions[winner]! += 2;
  }
  t.match(await project.request('DELETE', `/extensions/key=gg?version=1`), code('ExtensionDependencyExists'));
  t.equal((await depend(d.id, 2)).status, 200);
  t.equal((await project.request('DELETE', `/extensions/key=gg?version=1`)).status, 200);
});

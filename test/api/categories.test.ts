import t from 'tap';
import { startProject } from '../support/platform.ts';

const refused = (error: object) => ({ status: 400, body: { errors: [error] } });
const named = (key: string): object => ({ typeId: 'category', key });
const links = (...ids: readonly unknown[]): readonly object[] => ids.map((id) => ({ typeId: 'category', id }));

t.test('ancestors lead from the root to the parent', async (t) => {
  const { request } = await startProject();
  const create = async (key: string, parent?: string) => {
    const draft = { key, name: { en: key }, slug: { en: key }, ...(parent !== undefined && { parent: named(parent) }) };
    const { body } = await request('POST', '/categories', draft);
    return body;
  };
  const move = async (key: string, parent: string) => {
    const { body } = await request('GET', `/categories/key=${key}`);
    const actions = [{ action: 'changeParent', parent: named(parent) }];
    return request('POST', `/categories/key=${key}`, { version: body['version'], actions });
  };
  const root = await create('root');
  t.strictSame(root['ancestors'], []);
  const middle = await create('middle', 'root');
  t.strictSame(middle['ancestors'], links(root['id']));
  const leaf = await create('leaf', 'middle');
  t.strictSame(leaf['ancestors'], links(root['id'], middle['id']));
  t.match(leaf, { parent: { typeId: 'category', id: middle['id'] } });

  const cycle = refused({ code: 'InvalidOperation', message: /cannot be moved there/ });
  t.match(await move('root', 'root'), cycle);
  t.match(await move('root', 'leaf'), cycle);
  t.match(await move('middle', 'leaf'), cycle);
  const other = await create('other');
  t.match((await move('middle', 'other')).body['ancestors'], links(other['id']));
  t.match(await move('other', 'leaf'), cycle, 'the parents count, whatever the ancestors of the leaf are');
  t.strictSame((await move('leaf', 'other')).body['ancestors'], links(other['id']));
  t.equal((await move('middle', 'leaf')).status, 200, 'and where it was makes no difference');
  t.match(await move('middle', 'none'), refused({ code: 'ReferencedResourceNotFound', key: 'none' }));

  const query = '{ category(key: "leaf") { parent { key } ancestorsRef { id } ancestors { key } } }';
  t.strictSame((await request('POST', '/graphql', { query })).body, {
    data: {
      category: { parent: { key: 'other' }, ancestorsRef: [{ id: other['id'] }], ancestors: [{ key: 'other' }] },
    },
  });
});

t.test('a category has 500 levels above it at most', async (t) => {
  const { request, sql } = await startProject();
  const { body } = await request('POST', '/categories', { name: { en: 'Root' }, slug: { en: 'root' } });
  /** One that stands so deep, without those above. */
  const deep = async (levels: number): Promise<string> => {
    const ancestors = links(...Array.from({ length: levels }, () => body['id']));
    const [made] = await sql<{ id: string }[]>`
      insert into documents (project, kind, id, version, data)
      select project, kind, gen_random_uuid(), 1, data || ${JSON.stringify({ ancestors })}::text::jsonb
      from documents where id = ${String(body['id'])} returning id`;
    return made!.id;
  };
  const createBelow = (id: string, slug: string) =>
    request('POST', '/categories', { name: { en: slug }, slug: { en: slug }, parent: links(id)[0] });
  t.match(await createBelow(await deep(499), 'last'), { status: 201, body: { ancestors: { length: 500 } } });
  t.match(await createBelow(await deep(500), 'deeper'), refused({ code: 'InvalidOperation' }));
});

t.test('slugs stand in URLs, one for each locale and category, and order hints are decimals', async (t) => {
  const { request } = await startProject();
  const create = (members: object) =>
    request('POST', '/categories', { name: { en: 'Lamps' }, slug: { en: 'lamps' }, ...members });
  for (const slug of ['a', 'two words', 'ü-lamps', 'a'.repeat(257)])
    t.match(await create({ slug: { de: 'gut', en: slug } }), refused({ code: 'InvalidField', field: 'slug.en' }));
  for (const orderHint of ['0', '1', '0.0', '-0.5', '0,5', 'last'])
    t.match(
      await create({ orderHint }),
      refused({ code: 'InvalidField', field: 'orderHint', invalidValue: orderHint }),
    );
  const { body } = await create({ orderHint: '0.10' });
  t.equal(body['orderHint'], '0.10');
  t.match(await create({}), refused({ code: 'DuplicateField', field: 'slug.en', duplicateValue: 'lamps' }));
  const german = await create({ slug: { de: 'lamps' }, orderHint: '0.10', externalId: 'same' });
  t.equal(german.status, 201, 'another locale may have the same slug, and categories the same hint');
  t.equal((await create({ slug: { fr: 'lamps' }, externalId: 'same' })).status, 201);
  t.match(await create({ slug: { en: 'others' } }), { body: { orderHint: /^0\.\d+[1-9]$/ } });
});

t.test('categories that are moved at the same time never come to stand below each other', async (t) => {
  const project = await startProject();
  const count = 8;
  const keys = Array.from({ length: count }, (_, index) => `race-${index}`);
  for (const key of keys) {
    const { status } = await project.request('POST', '/categories', { key, name: { en: key }, slug: { en: key } });
    t.equal(status, 201);
  }
  const all = async () => {
    const { body } = await project.request('GET', '/categories?limit=100');
    return body['results'] as readonly { id: string; key: string; version: number; parent?: { id: string } }[];
  };
  let moved = 0;
  for (let round = 0; round < 12; round += 1) {
    const categories = (await all()).filter(({ key }) => key.startsWith('race-'));
    // Each below the next one, or the one after that: all together would be a circle.
    const answers = await Promise.all(
      categories.map(({ id, version }, index) => {
        const parent = { typeId: 'category', id: categories[(index + 1 + (round % 2)) % count]!.id };
        return project.request('POST', `/categories/${id}`, { version, actions: [{ action: 'changeParent', parent }] });
      }),
    );
    moved += answers.filter(({ status }) => status === 200).length;
    t.ok(answers.every(({ status }) => [200, 400, 409, 503].includes(status)));
    const parents = new Map((await all()).map(({ id, parent }) => [id, parent?.id]));
    for (const start of parents.keys()) {
      let above: string | undefined = start;
      let steps = 0;
      while (above !== undefined && steps <= parents.size) {
        above = parents.get(above);
        steps += 1;
      }
      t.ok(above === undefined, 'each has a root');
    }
  }
  t.ok(moved > 0);
});

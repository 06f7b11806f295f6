import t from 'tap';
import { isObject } from '../../src/fields/object.ts';
import { startPlatform } from '../support/platform.ts';

const platform = await startPlatform(t);
const { request } = platform;

type State = Readonly<Record<string, unknown>> & { readonly id: string; readonly transitions: readonly Link[] };
type Link = { readonly typeId: string; readonly id: string; readonly obj?: State };

/** A state machine in which every state leads to some others, and to itself. */
const graph: Readonly<Record<string, readonly string[]>> = {
  one: ['one', 'two', 'three'],
  two: ['one', 'three'],
  three: ['three', 'two', 'one'],
};

t.before(async () => {
  for (const key of Object.keys(graph)) await request('POST', '/states', { key, type: 'OrderState' });
  for (const [key, keys] of Object.entries(graph)) {
    const transitions = keys.map((to) => ({ key: to }));
    const actions = [{ action: 'setTransitions', transitions }];
    const { status, text } = await request('POST', `/states/key=${key}`, { version: 1, actions });
    if (status !== 200) throw new Error(text);
  }
});

t.test('links that lead in circles are expanded as far as the paths go, and each alone', async (t) => {
  // The built-in state leads nowhere.
  const own = 'where=builtIn%3Dfalse';
  const { body } = await request('GET', `/states?${own}`);
  const states = new Map((body['results'] as State[]).map((state) => [state.id, state]));
  /** What the paths of so many levels make of a state, one copy for each link. */
  const expanded = (state: State, levels: number): State => ({
    ...state,
    transitions: state.transitions.map((link) =>
      levels === 0 ? link : { ...link, obj: expanded(states.get(link.id)!, levels - 1) },
    ),
  });
  for (const levels of [1, 2, 4]) {
    const path = Array.from({ length: levels }, () => 'transitions[*]').join('.');
    // What begins like another path shares its branch.
    const paths = [path, 'transitions[*]'].map((each) => `expand=${encodeURIComponent(each)}`).join('&');
    const page = await request('GET', `/states?${own}&${paths}`);
    const results = page.body['results'] as State[];
    t.equal(results.length, states.size);
    for (const result of results) t.strictSame(result, expanded(states.get(result.id)!, levels), `${levels} levels`);
  }
  const first = await request('GET', `/states?${own}&expand=${encodeURIComponent('transitions[0]')}`);
  for (const { transitions } of first.body['results'] as State[])
    t.strictSame(
      transitions.map(({ obj }) => obj !== undefined),
      transitions.map((_, index) => transitions[0]!.id === transitions[index]!.id && index === 0),
      'of a list, the element that is named',
    );
});

t.test('an answer that a few links make too large is refused', async (t) => {
  const made = await request('POST', '/custom-objects', {
    container: 'bombs',
    key: 'large',
    value: 'x'.repeat(100_000),
  });
  const link = { typeId: 'key-value-document', id: made.body['id'] };
  const many = async (count: number): Promise<void> => {
    const value = Array.from({ length: count }, () => link);
    await request('POST', '/custom-objects', { container: 'bombs', key: 'many', value });
  };
  const ask = (path: string) => request('GET', `/custom-objects/bombs/many?expand=${encodeURIComponent(path)}`);
  await many(100);
  const { status, body } = await ask('value[*]');
  t.equal(status, 200, 'ten megabytes are given');
  t.equal((body['value'] as Link[]).filter(({ obj }) => isObject(obj)).length, 100, 'complete');
  await many(9000);
  const refused = await ask('value[*]');
  t.match(refused, { status: 400, body: { errors: [{ code: 'InvalidInput', message: /more than 16777216 bytes/ }] } });
  t.equal((await request('GET', '/custom-objects/bombs/many')).status, 200);
  await many(1);
  t.match((await ask('value[*]')).status, 200);
});

t.test('paths that lead through very many values are refused, whether or not there is a link', async (t) => {
  const value = { a: [[Array.from({ length: 20_000 }, () => ({}))]] };
  for (const key of ['one', 'two'])
    t.equal((await request('POST', '/custom-objects', { container: 'wide', key, value })).status, 201);
  const ask = (count: number) => {
    const paths = Array.from({ length: count }, (_, index) => `value.a[*][0][*].b${index}`);
    return request(
      'GET',
      `/custom-objects/wide?${paths.map((path) => `expand=${encodeURIComponent(path)}`).join('&')}`,
    );
  };
  t.equal((await ask(8)).status, 200);
  t.match(await ask(20), {
    status: 400,
    body: {
      errors: [
        { code: 'InvalidInput', message: 'The paths of expand lead through more than 500000 values. Expand less.' },
      ],
    },
  });
});

t.test('links are counted as often as the answer has them', async (t) => {
  const large = await request('POST', '/custom-objects', {
    container: 'bombs',
    key: 'leaf',
    value: 'x'.repeat(50_000),
  });
  const linksTo = (id: unknown): readonly object[] =>
    Array.from({ length: 20 }, () => ({ typeId: 'key-value-document', id }));
  const inner = await request('POST', '/custom-objects', {
    container: 'bombs',
    key: 'inner',
    value: linksTo(large.body['id']),
  });
  await request('POST', '/custom-objects', { container: 'bombs', key: 'outer', value: linksTo(inner.body['id']) });
  const path = encodeURIComponent('value[*].value[*]');
  t.equal((await request('GET', `/custom-objects/bombs/outer?expand=${encodeURIComponent('value[*]')}`)).status, 200);
  t.equal((await request('GET', `/custom-objects/bombs/outer?expand=${path}`)).status, 400, '400 times 50 kB');
});

/** What one tenant can do to take the platform from the others: the dearest requests that are known, all at once. */

/** A project, and who has it. */
export interface Tenant {
  readonly baseUrl: string;
  readonly projectKey: string;
  /** With all rights in the project. */
  readonly token: string;
}

export interface Attack {
  readonly name: string;
  /** How many do it at a time. */
  readonly parallel: number;
  /** One request; gives the status of its answer. */
  strike(): Promise<number>;
}

const states = 60;
const slowObjects = 20_000;
const largeObjects = 24;
const largeBytes = 15_000_000;
const megabyte = 1_000_000;

/** Makes what the attacks need, slowly enough to be no attack itself, and gives them. */
export async function prepareAttacks(tenant: Tenant): Promise<readonly Attack[]> {
  const { ask, post } = asking(tenant);
  const made = async (path: string, body: unknown): Promise<string> => {
    for (let attempt = 1; ; attempt += 1) {
      const response = await post(path, JSON.stringify(body));
      const text = await response.text();
      if (response.ok) return (JSON.parse(text) as { id: string }).id;
      if (response.status !== 503 || attempt === 20) throw new Error(`${path} answered ${response.status}: ${text}`);
    }
  };
  await prepareStates(made);
  const target = await made('/custom-objects', { container: 'bomb', key: 'target', value: 'x'.repeat(megabyte) });
  const links = Array.from({ length: 9000 }, () => ({ typeId: 'key-value-document', id: target }));
  await made('/custom-objects', { container: 'bomb', key: 'links', value: links });
  for (let index = 0; index < largeObjects; index += 1)
    await made('/custom-objects', { container: 'large', key: `large-${index}`, value: 'x'.repeat(largeBytes) });
  for (let index = 0; index < slowObjects; index += 50) {
    const part = Array.from({ length: 50 }, (_, offset) => index + offset);
    await Promise.all(
      part.map((number) =>
        made('/custom-objects', { container: 'many', key: `many-${number}`, value: { a: { b: { c: number } } } }),
      ),
    );
  }
  let count = 0;
  /** Keeps answers from being the ones that are kept. */
  const next = (): number => (count += 1);
  const graphql = (query: string, variables?: unknown): Promise<number> =>
    statusOf(post('/graphql', JSON.stringify({ query, variables })));
  const get = (path: string): Promise<number> => statusOf(ask('GET', path));
  const aliases = (length: number, field: (index: number) => string): string =>
    Array.from({ length }, (_, index) => `a${index}: ${field(index)}`).join(' ');
  const transitions = (levels: number): string =>
    levels === 0 ? `id a${next()}: id` : `transitions { ${transitions(levels - 1)} }`;
  const slow = (): string => Array.from({ length: 20 }, () => `value(a(b(c > ${next() + megabyte}.5)))`).join(' or ');
  const objects = '{"a":{}},'.repeat(largeBytes / 9).slice(0, -1);
  const body = Buffer.from(`{"container":"flood","key":"flood","value":[${objects}]}`);
  const variables = JSON.stringify({ query: '{ zones { count } }', variables: { flood: 'x'.repeat(megabyte / 2) } });
  return [
    {
      name: 'links to a large object',
      parallel: 2,
      strike: () => get(`/custom-objects/bomb/links?expand=value%5B*%5D&limit=${next()}`),
    },
    {
      name: 'references three deep',
      parallel: 2,
      strike: () => graphql(`{ state(key: "state-0") { ${transitions(3)} } }`),
    },
    { name: 'slow queries', parallel: 12, strike: () => get(`/custom-objects?where=${encodeURIComponent(slow())}`) },
    {
      name: 'slow queries in one request',
      parallel: 1,
      strike: () =>
        graphql(`{ ${aliases(60, () => `customObjects(container: "many", where: "${slow()}") { total }`)} }`),
    },
    {
      name: 'introspection',
      parallel: 2,
      strike: () =>
        graphql(`{ ${aliases(200, () => `__schema { types { name fields { name } a${next()}: name } }`)} }`),
    },
    {
      name: 'introspection within the limit',
      parallel: 2,
      strike: () =>
        graphql(
          `{ a${next()}: __schema { types { name fields { name args { name type { name } } type { name kind ofType { name } } } } } }`,
        ),
    },
    { name: 'bodies of 15 MB', parallel: 8, strike: () => statusOf(post('/custom-objects', body)) },
    { name: 'large variables', parallel: 4, strike: () => statusOf(post('/graphql', variables)) },
    {
      name: 'pages of 15 MB each',
      parallel: 4,
      strike: () => get(`/custom-objects/large?limit=24&where=${encodeURIComponent(`version < ${next() + megabyte}`)}`),
    },
    {
      name: 'guessed passwords',
      parallel: 100,
      strike: () =>
        statusOf(post('/login', JSON.stringify({ email: `nobody-${next()}@example.org`, password: 'x'.repeat(1000) }))),
    },
  ];
}

/** Each state leads to all of them. */
async function prepareStates(made: (path: string, body: unknown) => Promise<string>): Promise<void> {
  const keys = Array.from({ length: states }, (_, index) => `state-${index}`);
  for (const key of keys) await made('/states', { key, type: 'OrderState' });
  const actions = [{ action: 'setTransitions', transitions: keys.map((key) => ({ key })) }];
  for (const key of keys) await made(`/states/key=${key}`, { version: 1, actions });
}

interface Asking {
  ask(method: string, path: string): Promise<Response>;
  post(path: string, body: string | Uint8Array): Promise<Response>;
}

function asking({ baseUrl, projectKey, token }: Tenant): Asking {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const urlOf = (path: string): string => `${baseUrl}/${projectKey}${path}`;
  return {
    ask: (method, path) => fetch(urlOf(path), { method, headers }),
    post: (path, body) => fetch(urlOf(path), { method: 'POST', headers, body }),
  };
}

/** 0 where the connection was broken. */
async function statusOf(answer: Promise<Response>): Promise<number> {
  try {
    const response = await answer;
    await response.arrayBuffer();
    return response.status;
  } catch {
    return 0;
  }
}

export interface Attacking {
  /** Stops, and gives how often each attack got each status. */
  end(): Promise<Readonly<Record<string, Readonly<Record<string, number>>>>>;
}

/** Runs all attacks until it is ended. */
export function begin(attacks: readonly Attack[]): Attacking {
  const attack = { isOver: false };
  const statuses: Record<string, Record<string, number>> = {};
  const run = async ({ name, strike }: Attack): Promise<void> => {
    const counts = (statuses[name] ??= {});
    while (!attack.isOver) {
      const status = await strike();
      counts[status] = (counts[status] ?? 0) + 1;
    }
  };
  const running = attacks.flatMap((one) => Array.from({ length: one.parallel }, () => run(one)));
  return {
    end: async () => {
      attack.isOver = true;
      await Promise.all(running);
      return statuses;
    },
  };
}

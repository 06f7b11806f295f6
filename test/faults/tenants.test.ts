import t from 'tap';
import { startPlatform } from '../support/platform.ts';

/** Twenty ranges of a member that has no index, which are tested for every object of the project. */
const slow = Array.from({ length: 20 }, (_, index) => `value(a(b(c > ${index + 1000000}.5)))`).join(' or ');
const attempts = 12;

t.test('what one project asks for keeps no other waiting', async (t) => {
  const attacker = await startPlatform(t);
  const other = await attacker.anotherProject();
  await attacker.sql`insert into documents (project, kind, id, key, version, data)
    select ${attacker.projectKey}, 'key-value-document', gen_random_uuid(), 'many/' || number, 1, jsonb_build_object(
      'container', 'many', 'key', number::text, 'value', jsonb_build_object('a', jsonb_build_object('b', jsonb_build_object('c', number)),
        'rest', repeat(md5(number::text), 100)))
    from generate_series(1, 20000) as number`;
  await other.request('POST', '/zones', { name: 'Alps' });
  let isOver = false;
  const statuses = new Map<number, number>();
  const attack = async (call: () => ReturnType<typeof attacker.request>): Promise<void> => {
    while (!isOver) {
      const { status } = await call();
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  };
  let calls = 0;
  const where = (): string => encodeURIComponent(`${slow} or value(a(b(c > ${(calls += 1) + 2000000})))`);
  const aliases = (): string =>
    Array.from(
      { length: 60 },
      (_, index) =>
        `a${index}: customObjects(where: "${slow}", limit: ${index + 1}, offset: ${(calls += 1)}) { total }`,
    ).join(' ');
  const attacks = [
    ...Array.from({ length: 12 }, () => attack(() => attacker.request('GET', `/custom-objects?where=${where()}`))),
    ...Array.from({ length: 12 }, () =>
      attack(() => attacker.request('GET', `/custom-objects?limit=500&offset=${(calls += 1)}`)),
    ),
    attack(() => attacker.request('POST', '/graphql', { query: `{ ${aliases()} }` })),
  ];
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const page = await other.request('GET', `/zones?offset=0&limit=${attempt + 1}`);
    t.match({ status: page.status, total: page.body['total'] }, { status: 200, total: 1 });
    const scan = await other.request(
      'GET',
      `/zones?where=${encodeURIComponent(`version > ${attempt}.5 or name is not defined`)}`,
    );
    t.equal(scan.status, 200);
  }
  isOver = true;
  await Promise.all(attacks);
  t.comment(JSON.stringify(Object.fromEntries(statuses)));
  t.ok((statuses.get(503) ?? 0) + (statuses.get(400) ?? 0) > 0, 'the attack asks for more than there is');
});

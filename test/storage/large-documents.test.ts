import t from 'tap';
import { BatchedReads } from '../../src/storage/batched-reads.ts';
import { startPlatform } from '../support/platform.ts';

const megabytes = 1024 * 1024;
const ids = Array.from({ length: 6 }, (_, index) => `00000000-0000-4000-8000-00000000000${index + 1}`);

t.test('what is in memory at once has a limit, in a page and in what one request looks up', async (t) => {
  const { request, sql, database, projectKey } = await startPlatform(t);
  // Compressed a page of them has some kilobytes.
  await sql`insert into documents (project, kind, id, key, version, data)
    select ${projectKey}, 'key-value-document', id, 'big/' || number, 1,
      jsonb_build_object('id', id, 'version', 1, 'container', 'big', 'key', number::text, 'value', repeat('x', ${11 * megabytes}::int),
        'createdAt', '2030-01-01T00:00:00.000Z', 'lastModifiedAt', '2030-01-01T00:00:00.000Z')
    from unnest(${ids}::uuid[]) with ordinality as made (id, number)`;
  for (const path of ['/custom-objects', '/custom-objects/big', '/custom-objects?sort=createdAt%20desc&offset=1']) {
    const separator = path.includes('?') ? '&' : '?';
    const refused = await request('GET', `${path}${separator}limit=3&withTotal=false`);
    t.match(
      refused,
      { status: 400, body: { errors: [{ code: 'InvalidInput', message: /32 MB.*smaller limit/ }] } },
      path,
    );
    const { status, body } = await request('GET', `${path}${separator}limit=2&withTotal=false`);
    t.match({ status, count: body['count'] }, { status: 200, count: 2 }, path);
  }

  const reads = new BatchedReads(database);
  const find = (...numbers: readonly number[]) =>
    reads.find(
      projectKey,
      numbers.map((number) => ({ kind: 'key-value-document', id: ids[number - 1]! })),
    );
  const [one, two, tooMany, none] = await Promise.allSettled([find(6), find(4, 5), find(1, 2, 3), find()]);
  const often = await find(...Array.from({ length: 20 }, () => 6));
  t.match(often, { length: 20, 19: { id: ids[5] } }, 'what is named several times is read once');
  t.equal(often[0], often[19]);
  t.match(one, { status: 'fulfilled', value: [{ id: ids[5] }] });
  t.match(
    two,
    { status: 'fulfilled', value: [{ id: ids[3] }, { id: ids[4] }] },
    'in another statement than the others',
  );
  t.match(tooMany, { status: 'rejected', reason: { errors: [{ code: 'InvalidInput' }] } });
  t.match(none, { status: 'fulfilled', value: [] });
});

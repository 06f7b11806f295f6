import { randomUUID } from 'node:crypto';
import t from 'tap';
import type { Insertion, Replacement } from '../../src/engine/store.ts';
import { createDocuments, createWrites } from '../../src/storage/documents.ts';
import { formOf, writeStatement } from '../../src/storage/write-statements.ts';
import { areLong } from '../../src/storage/write-values.ts';
import { createDatabase, insertEmptyProject, noQueries } from '../support/services.ts';

const project = 'project';
const uuid = (last: number): string => `00000000-0000-4000-8000-00000000000${last}`;
const createdAt = '2030-01-31T12:00:00.000Z';

function insertion(id: string, references: Insertion['references']): Insertion {
  return {
    type: 'insertion',
    kind: 'thing',
    id,
    version: 1,
    json: JSON.stringify({ id, version: 1, createdAt, lastModifiedAt: createdAt }),
    key: undefined,
    secrets: undefined,
    references,
    uniqueValues: [],
    maxPerProject: undefined,
  };
}

/** The same resource a version later. */
function replacement(id: string, version: number, change: Partial<Replacement>): Replacement {
  return {
    type: 'replacement',
    kind: 'thing',
    id,
    version,
    json: JSON.stringify({ id, version, createdAt, lastModifiedAt: createdAt }),
    key: undefined,
    expectedVersion: version - 1,
    secrets: undefined,
    references: { added: [], removed: [] },
    uniqueValues: { added: [], removed: [] },
    ...change,
  };
}

t.test('a write whose targets are gone since they were looked up names each of them', async (t) => {
  const { database } = await createDatabase(t);
  await insertEmptyProject(database, project);
  const { commit } = createWrites(database, new Map());
  await commit(project, [insertion(uuid(1), [])]);
  const target = (last: number) => ({ typeId: 'thing', id: uuid(last) });
  const expected = {
    errors: [
      { code: 'ReferencedResourceNotFound', typeId: 'thing', id: uuid(8) },
      { code: 'ReferencedResourceNotFound', typeId: 'thing', id: uuid(9) },
    ],
  };
  const wrong = insertion(uuid(2), [target(8), target(1), target(9)]);
  const gone = await commit(project, [wrong]).catch((error: unknown) => error);
  t.match(gone, expected);
  t.match(gone, { errors: { length: 2 } }, 'the target that is there is not named');
  const references = { added: [target(8), target(9)], removed: [] };
  const replaced = replacement(uuid(1), 2, { references });
  t.match(await commit(project, [replaced]).catch((error: unknown) => error), expected);
});

t.test('long documents are stored as they are, alone and together', async (t) => {
  const { database } = await createDatabase(t);
  await insertEmptyProject(database, project);
  const documents = createDocuments(database, noQueries);
  const { commit } = createWrites(database, new Map());
  // Characters of one to four bytes, so that some lie across where a part would end.
  const jsonOf = (id: string, version: number, length: number): string =>
    JSON.stringify({ id, version, createdAt, lastModifiedAt: createdAt, text: 'xé€😀'.repeat(length / 10) });
  const read = async (id: string): Promise<unknown> =>
    JSON.parse(String((await documents.find(project, [{ kind: 'thing', id }]))[0]!.json));
  for (const length of [100_000, 140_000, 1_000_001, 5_000_003]) {
    const one = insertion(randomUUID(), []);
    const json = jsonOf(one.id, 1, length);
    t.match(await commit(project, [{ ...one, json: Buffer.from(json) }]), { isDone: true });
    t.strictSame(await read(one.id), JSON.parse(json), `${length} bytes`);
    const next = jsonOf(one.id, 2, length);
    const other = insertion(randomUUID(), []);
    const writes = [
      replacement(one.id, 2, { json: Buffer.from(next) }),
      { ...other, json: jsonOf(other.id, 1, length) },
    ];
    t.match(await commit(project, writes), { isDone: true });
    t.strictSame(
      [await read(one.id), await read(other.id)],
      [JSON.parse(next), JSON.parse(jsonOf(other.id, 1, length))],
    );
  }
});

t.test('a statement takes long documents in parts, and short ones as they are', (t) => {
  const writes = (length: number, count = 1): readonly Replacement[] =>
    Array.from({ length: count }, () =>
      replacement(randomUUID(), 2, { json: Buffer.from(`"${'é'.repeat(length / 2)}"`) }),
    );
  t.notOk(areLong([writes(100_000)]));
  t.ok(areLong([writes(140_000)]));
  t.ok(areLong([[], writes(50_000, 3)]), 'together');
  const statement = writeStatement(formOf(writes(2)[0]!, new Map()));
  for (const length of [100, 200_000, 5_000_000]) {
    const given = writes(length, 2);
    const parts = statement.inParts().valuesOf(project, [given]);
    const whole = statement.valuesOf(project, [given]);
    t.equal(parts.length, whole.length + 63);
    const place = statement.parameters.indexOf('documents');
    t.equal(parts.slice(place, place + 64).join(''), whole[place]);
    t.strictSame(
      [...parts.slice(0, place), ...parts.slice(place + 64)],
      whole.filter((_, index) => index !== place),
    );
  }
  t.end();
});

t.test('secrets are read beside the document alone, and stay until others replace them', async (t) => {
  const { database } = await createDatabase(t);
  await insertEmptyProject(database, project);
  const documents = createDocuments(database, noQueries);
  const { commit } = createWrites(database, new Map());
  const unique = { field: 'email', value: 'jane@example.org' };
  await commit(project, [{ ...insertion(uuid(1), []), secrets: { hash: 'one' }, uniqueValues: [unique] }]);
  const replace = (version: number, secrets: Replacement['secrets']) =>
    commit(project, [replacement(uuid(1), version, { secrets })]);
  const byId = () => documents.findSecrets(project, { kind: 'thing', id: uuid(1) });
  t.match(await byId(), { id: uuid(1), version: 1, secrets: { hash: 'one' } });
  t.strictSame(await documents.findSecrets(project, { kind: 'thing', unique }), await byId());
  t.notMatch((await documents.find(project, [{ kind: 'thing', id: uuid(1) }]))[0]!.json.toString(), 'one');
  await replace(2, undefined);
  t.match(await byId(), { version: 2, secrets: { hash: 'one' } });
  await replace(3, { hash: 'two' });
  t.match(await byId(), { version: 3, secrets: { hash: 'two' } });
  t.equal(await documents.findSecrets('other', { kind: 'thing', unique }), undefined);
  t.equal(await documents.findSecrets(project, { kind: 'thing', id: 'no uuid' }), undefined);
  t.equal(
    await documents.findSecrets(project, { kind: 'thing', unique: { ...unique, value: 'joe@example.org' } }),
    undefined,
  );
});

t.test('a value that another table lacks is not told as a target that is gone', async (t) => {
  const { database, sql } = await createDatabase(t);
  await insertEmptyProject(database, project);
  const { commit } = createWrites(database, new Map());
  await sql`delete from change_log`;
  await sql`alter table change_log add column required text not null`;
  await t.rejects(commit(project, [insertion(uuid(1), [])]), { code: '23502', table_name: 'change_log' });
});

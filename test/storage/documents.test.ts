import t from 'tap';
import { createDocuments } from '../../src/storage/documents.ts';
import { insertProject } from '../../src/storage/projects.ts';
import { createDatabase } from '../support/services.ts';

const project = 'project';
const uuid = (last: number): string => `00000000-0000-4000-8000-00000000000${last}`;
const createdAt = '2030-01-31T12:00:00.000Z';

function insertion(id: string, references: readonly { typeId: string; id: string }[]) {
  return {
    kind: 'thing',
    document: { id, version: 1, createdAt, lastModifiedAt: createdAt },
    key: undefined,
    secrets: undefined,
    references,
    uniqueValues: [],
    exclusiveFlags: [],
    maxPerProject: undefined,
  };
}

t.test('a write whose targets are gone since they were looked up names each of them', async (t) => {
  const { sql } = await createDatabase(t);
  await insertProject(sql, project, { name: project, countries: [], currencies: [], languages: [], createdAt });
  const documents = createDocuments(sql, new Set(), sql);
  await documents.insert(project, insertion(uuid(1), []));
  const target = (last: number) => ({ typeId: 'thing', id: uuid(last) });
  const expected = {
    errors: [
      { code: 'ReferencedResourceNotFound', typeId: 'thing', id: uuid(8) },
      { code: 'ReferencedResourceNotFound', typeId: 'thing', id: uuid(9) },
    ],
  };
  const gone = await documents
    .insert(project, insertion(uuid(2), [target(8), target(1), target(9)]))
    .catch((error: unknown) => error);
  t.match(gone, expected);
  t.match(gone, { errors: { length: 2 } }, 'the target that is there is not named');
  const { document } = insertion(uuid(1), []);
  const replacement = {
    kind: 'thing',
    key: undefined,
    document: { ...document, version: 2 },
    expectedVersion: 1,
    references: { added: [target(8), target(9)], removed: [] },
    uniqueValues: { added: [], removed: [] },
    exclusiveFlags: [],
  };
  t.match(await documents.replace(project, replacement).catch((error: unknown) => error), expected);
});

import t, { type Test } from 'tap';
import type { Resource } from '../../src/engine/resource.ts';
import { contractResources } from '../support/contract-kinds.ts';
import {
  another,
  type Created,
  createFrom,
  createTargets,
  type Draft,
  fullDraft,
  keyPathOf,
  minimalDraft,
  namedById,
  pathOf,
  type Project,
  removeAt,
  targetsOf,
} from '../support/example-drafts.ts';
import { graphql, idArguments, keyArguments, queriedKeyArguments } from '../support/graphql-values.ts';
import { startPlatform } from '../support/platform.ts';

const platform = await startPlatform(t);

for (const resource of contractResources) {
  t.test(resource.kind, async (t) => {
    const [here, there] = [await platform.anotherProject(), await platform.anotherProject()];
    await t.test('what is unique is so in its project alone', (t) => valuesAreUnique(t, { resource, here, there }));
    await t.test('nothing is reached from another project', (t) => nothingIsReached(t, { resource, here, there }));
  });
}

interface Subject {
  readonly resource: Resource;
  readonly here: Project;
  readonly there: Project;
}

async function valuesAreUnique(t: Test, { resource, here, there }: Subject): Promise<void> {
  const draft = fullDraft(resource, here);
  const document = await createFrom(here, resource, draft);
  const twin = await createFrom(there, resource, fullDraft(resource, there));
  t.not(twin.id, document.id, 'another project has the same values');
  await removeAt(there, resource, twin);
  // Keys are texts.
  const { key, ...keyless } = draft as Draft & { readonly key?: string };
  const hasKey = key !== undefined && resource.keyMembers.length === 1;
  // The document is one of the kind.
  const unique = resource.uniqueValues(document as never).map(({ field, value, shown = value }) => `${field} ${shown}`);
  const refused = async (again: Draft, taken: readonly string[], what: string): Promise<void> => {
    const { status, body } = await here.request('POST', `/${resource.path}`, again);
    t.match({ status, body }, { status: 400, body: { errors: [{ code: /^Duplicate/ }] } }, what);
    const { code, field, duplicateValue } = (body['errors'] as Draft[])[0]!;
    // Some kinds have a code of their own.
    if (code !== 'DuplicateField') return;
    t.ok(
      taken.includes(`${String(field)} ${String(duplicateValue)}`),
      `${what}: ${String(field)} ${String(duplicateValue)}`,
    );
  };
  if (hasKey)
    await refused(
      { ...another(resource, minimalDraft(resource, here), 'other'), key },
      [`key ${key}`],
      'the key alone',
    );
  if (unique.length > 0 && resource.draft['key']?.presence !== 'required')
    await refused(keyless, unique, 'all but the key');
  const setKey = ['setKey', 'changeKey'].find((name) => resource.actions.has(name));
  if (!hasKey || setKey === undefined) return;
  const other = await createFrom(here, resource, another(resource, minimalDraft(resource, here), 'other'));
  const update = { version: other.version, actions: [{ action: setKey, key }] };
  t.match(await here.request('POST', pathOf(resource, other), update), {
    status: 400,
    body: { errors: [{ code: 'DuplicateField', field: 'key', duplicateValue: key }] },
  });
  t.equal((await removeAt(here, resource, document)).status, 200);
  t.match(
    await here.request('POST', pathOf(resource, other), update),
    { status: 200, body: { key } },
    'a key is free again',
  );
  t.equal((await here.request('GET', `/${resource.path}/key=${key}`)).body['id'], other.id);
  t.match(await here.request('DELETE', `/${resource.path}/key=${key}?version=${Number(other.version) + 1}`), {
    status: 200,
  });
}

async function nothingIsReached(t: Test, { resource, here, there }: Subject): Promise<void> {
  const { path, lifecycle, graphql: names } = resource;
  const draft = fullDraft(resource, here);
  const document = await (resource.keyMembers.length > 0
    ? ensured(here, resource, draft)
    : createFrom(here, resource, draft));
  const { body: before } = await here.request('GET', pathOf(resource, document));
  for (const itemPath of [pathOf(resource, document), keyPathOf(resource, document)]) {
    if (itemPath === undefined) continue;
    t.equal((await there.request('GET', itemPath)).status, 404, `GET ${itemPath}`);
    t.equal((await there.request('HEAD', itemPath)).status, 404, `HEAD ${itemPath}`);
    const removed = await there.request('DELETE', `${itemPath}?version=${document.version}`);
    t.equal(removed.status, 404, `DELETE ${itemPath}`);
    if (lifecycle !== 'versioned') continue;
    const updated = await there.request('POST', itemPath, { version: document.version, actions: [] });
    t.equal(updated.status, 404, `POST ${itemPath}`);
  }
  const where = encodeURIComponent(`id="${document.id}"`);
  t.match((await there.request('GET', `/${path}?where=${where}`)).body, { count: 0, total: 0 }, 'by a query');
  for (const args of [idArguments(document.id), keyArguments(resource, document)]) {
    if (args === undefined) continue;
    const call = { operation: 'query', field: names.one, args, selection: '{ id }' } as const;
    if ('id' in args || queriedKeyArguments(resource, document) !== undefined)
      t.match((await graphql(there, call)).body, { data: { [names.one]: null } }, 'by GraphQL');
    if (!names.hasMutations) continue;
    const version = lifecycle === 'versioned' ? { version: { type: 'Long!', value: document.version } } : {};
    const mutation = {
      ...call,
      operation: 'mutation',
      field: `delete${names.mutation}`,
      args: { ...args, ...version },
    } as const;
    t.match((await graphql(there, mutation)).body, { errors: [{ extensions: { code: 'ResourceNotFound' } }] });
  }
  await nothingIsReferredTo(t, { resource, here, there });
  t.strictSame((await here.request('GET', pathOf(resource, document))).body, before, 'all is as it was');
}

/** The resource of the draft, which an earlier test may have left. */
async function ensured(project: Project, resource: Resource, draft: Draft): Promise<Created> {
  const { status, body } = await project.request('GET', keyPathOf(resource, draft) ?? '');
  return status === 200 ? (body as Created) : createFrom(project, resource, draft);
}

/** Targets of another project are unknown, by id as by key. */
async function nothingIsReferredTo(t: Test, { resource, here }: Subject): Promise<void> {
  const draft = fullDraft(resource, here);
  const targets = targetsOf(draft);
  if (targets.length === 0) return;
  await createTargets(here, draft);
  const empty = await platform.anotherProject();
  const kinds = [...new Set(targets.map(({ typeId }) => typeId))];
  for (const [what, foreign] of [
    ['key', draft],
    ['id', await namedById(here, draft)],
  ] as const) {
    const { status, body } = await empty.request('POST', `/${resource.path}`, foreign);
    t.equal(status, 400, `named by ${what}`);
    const errors = body['errors'] as Draft[];
    t.strictSame([...new Set(errors.map(({ code }) => code))], ['ReferencedResourceNotFound']);
    t.strictSame(
      [...new Set(errors.map(({ typeId }) => String(typeId)))].sort(),
      kinds.sort(),
      `${what}: all are named`,
    );
  }
}

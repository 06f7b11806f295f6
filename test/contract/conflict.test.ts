import { randomUUID } from 'node:crypto';
import t, { type Test } from 'tap';
import type { Resource } from '../../src/engine/resource.ts';
import { project as projectDeclaration } from '../../src/resources/project/resource.ts';
import { contractKinds } from '../support/contract-kinds.ts';
import { changedOnce } from '../support/example-actions.ts';
import {
  type Created,
  createFrom,
  type Draft,
  fullDraft,
  keyPathOf,
  pathOf,
  type Project,
  removeAt,
} from '../support/example-drafts.ts';
import { actionInput, graphql, idArguments, inputOf, keyArguments, type Variables } from '../support/graphql-values.ts';
import { startPlatform } from '../support/platform.ts';

const platform = await startPlatform(t);

for (const resource of contractKinds(t, ({ lifecycle }) => lifecycle === 'versioned')) {
  t.test(resource.kind, async (t) => {
    const project = await platform.anotherProject();
    const { path, ...rest } = await changed(project, resource);
    const subject = { project, resource, ...rest };
    for (const place of placesOf(resource, rest.document))
      await t.test(`writes to ${place} at another version`, (t) => writesAreRefused(t, subject, place));
    await t.test('mutations at another version', (t) => mutationsAreRefused(t, subject));
    t.strictSame((await project.request('GET', path)).body, rest.document, 'what was refused has changed nothing');
    await t.test('the version is judged before links', (t) => versionComesFirst(t, subject));
    await t.test('of concurrent updates of one version one wins', (t) => oneWins(t, subject));
  });
}

for (const resource of contractKinds(t, ({ lifecycle }) => lifecycle === 'upserted')) {
  t.test(`${resource.kind}: what a draft or a deletion expects`, async (t) => {
    await upsertsAreRefused(t, await platform.anotherProject(), resource);
  });
}

t.test('project', async (t) => {
  const { resource } = projectDeclaration;
  const project = await platform.anotherProject();
  const { action, body } = await changedOnce(project, resource, '');
  const subject = { project, resource, document: body as Created, action };
  for (const version of otherVersions) {
    t.match(await project.request('POST', '', { version, actions: [action] }), conflictWith(2), `at ${version}`);
    const args = { version: { type: 'Long!', value: version }, actions: actionsArgument(subject) };
    const call = { operation: 'mutation', field: 'updateProject', args, selection: '{ version }' } as const;
    t.match((await graphql(project, call)).body, conflictInGraphql, `updateProject at ${version}`);
  }
  t.strictSame((await project.request('GET', '')).body, body, 'what was refused has changed nothing');
});

interface Subject {
  readonly project: Project;
  readonly resource: Resource;
  /** At version 2. */
  readonly document: Created;
  /** What brought it there. */
  readonly action: Draft;
}

/** Versions that a resource of version 2 had, never had, and will have. */
const otherVersions = [1, 0, -1, 3, 999_999_999_999_999];

/** Clients try again on a conflict, and give up on a link that leads nowhere. */
async function versionComesFirst(t: Test, { project, resource, document }: Subject): Promise<void> {
  if (!resource.actions.has('setCustomType')) return;
  const actions = [{ action: 'setCustomType', type: { key: 'leads-nowhere' } }];
  const ask = (version: number, path = pathOf(resource, document)) =>
    project.request('POST', path, { version, actions });
  t.match(await ask(1), conflictWith(2), 'another version');
  t.match(
    await ask(2),
    { status: 400, body: { errors: [{ code: 'ReferencedResourceNotFound' }] } },
    'the present version',
  );
  t.equal((await ask(2, `/${resource.path}/${randomUUID()}`)).status, 404, 'a resource that is not there');
}

function conflictWith(currentVersion: number): object {
  return {
    status: 409,
    body: {
      statusCode: 409,
      message: /version/,
      errors: [{ code: 'ConcurrentModification', message: /version/, currentVersion }],
    },
  };
}

const conflictInGraphql = {
  errors: [{ message: /version/, extensions: { code: 'ConcurrentModification', currentVersion: 2 } }],
};

async function changed(
  project: Project,
  resource: Resource,
): Promise<{ readonly path: string; readonly document: Created; readonly action: Draft }> {
  const created = await createFrom(project, resource, fullDraft(resource, project));
  const path = pathOf(resource, created);
  const { action, body } = await changedOnce(project, resource, path);
  return { path, action, document: body as Created };
}

/** Its paths by id and by key, and those of its store. */
function placesOf(resource: Resource, document: Created): readonly string[] {
  const { inStore } = resource;
  const paths = [pathOf(resource, document), keyPathOf(resource, document)].filter((path) => path !== undefined);
  if (inStore === undefined || inStore.isReadOnly) return paths;
  const [store] = [document[inStore.member]].flat() as { readonly key: string }[];
  return [...paths, ...paths.map((path) => `/in-store/key=${store!.key}${path}`)];
}

async function writesAreRefused(t: Test, { project, action }: Subject, path: string): Promise<void> {
  for (const version of otherVersions) {
    for (const actions of [[action], []]) {
      const answer = await project.request('POST', path, { version, actions });
      t.match(answer, conflictWith(2), `an update with ${actions.length} actions at ${version}`);
    }
    t.match(await project.request('DELETE', `${path}?version=${version}`), conflictWith(2), `a deletion at ${version}`);
  }
  for (const query of ['', '?version=', '?version=two', '?version=2.5', '?version=null', '?Version=2']) {
    t.match(
      await project.request('DELETE', `${path}${query}`),
      { status: 400, body: { errors: [{ code: 'InvalidInput', message: /'version'/ }] } },
      `a deletion with the query '${query}'`,
    );
  }
}

function actionsArgument({ resource, action }: Pick<Subject, 'resource' | 'action'>): Variables[string] {
  const { action: name, ...input } = action;
  return { type: `[${resource.graphql.updateAction}!]!`, value: [actionInput(resource, String(name), input)] };
}

async function mutationsAreRefused(t: Test, subject: Subject): Promise<void> {
  const { project, resource, document } = subject;
  const { mutation, hasMutations } = resource.graphql;
  if (!hasMutations) return;
  const write = { operation: 'mutation', selection: '{ id }' } as const;
  for (const names of [idArguments(document.id), keyArguments(resource, document)!]) {
    for (const version of otherVersions) {
      const args = { ...names, version: { type: 'Long!', value: version } };
      const update = { ...write, field: `update${mutation}`, args: { ...args, actions: actionsArgument(subject) } };
      t.match((await graphql(project, update)).body, conflictInGraphql, `update${mutation} at ${version}`);
      const remove = { ...write, field: `delete${mutation}`, args };
      t.match((await graphql(project, remove)).body, conflictInGraphql, `delete${mutation} at ${version}`);
    }
    const unversioned = { ...write, field: `delete${mutation}`, args: names };
    t.match((await graphql(project, unversioned)).body, { errors: [{ message: /version/ }] }, 'a version is needed');
  }
}

/** Few, for each resource; test/api/races.test.ts has many, for one. */
const writers = 4;

async function oneWins(t: Test, { project, resource, document, action }: Subject): Promise<void> {
  await removeAt(project, resource, document);
  const { id, version } = await createFrom(project, resource, fullDraft(resource, project));
  const path = pathOf(resource, { ...document, id });
  const updates = Array.from({ length: writers }, () => project.request('POST', path, { version, actions: [action] }));
  const [won, ...lost] = (await Promise.all(updates)).sort((one, other) => one.status - other.status);
  t.match(won, { status: 200, body: { version: version! + 1 } });
  for (const answer of lost) t.match(answer, conflictWith(version! + 1));
}

async function upsertsAreRefused(t: Test, project: Project, resource: Resource): Promise<void> {
  const { path, graphql: names } = resource;
  const draft = fullDraft(resource, project);
  await createFrom(project, resource, draft);
  const { body } = await project.request('POST', `/${path}`, { ...draft, value: 'second' });
  const document = body as Created;
  const own = pathOf(resource, document);
  const late = { ...draft, value: 'third' };
  for (const version of [1, 0, 3]) {
    t.match(await project.request('POST', `/${path}`, { ...late, version }), conflictWith(2), `a draft at ${version}`);
    t.match(await project.request('DELETE', `${own}?version=${version}`), conflictWith(2), `a deletion at ${version}`);
    const value = inputOf(names.draft, resource.draft, { ...late, version });
    const upsert = { field: `createOrUpdate${names.mutation}`, args: { draft: { type: `${names.draft}!`, value } } };
    const args = { ...idArguments(document.id), version: { type: 'Long', value: version } };
    for (const call of [upsert, { field: `delete${names.mutation}`, args }]) {
      const answer = await graphql(project, { operation: 'mutation', selection: '{ id }', ...call });
      t.match(answer.body, conflictInGraphql, `${call.field} at ${version}`);
    }
  }
  t.match(await project.request('POST', `/${path}`, { ...late, version: 'two' }), { status: 400 });
  t.match(await project.request('DELETE', `${own}?version=two`), { status: 400 });
  t.strictSame((await project.request('GET', own)).body, document, 'what was refused has changed nothing');
  const { version } = document;
  t.match(await project.request('POST', `/${path}`, { ...late, version }), { status: 200, body: { version: 3 } });
  t.match(await project.request('DELETE', `${own}?version=3`), { status: 200 });
}

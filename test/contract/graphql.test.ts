import t, { type Test } from 'tap';
import { isObjectType } from 'graphql';
import type { Resource } from '../../src/engine/resource.ts';
import { contractResources } from '../support/contract-kinds.ts';
import {
  comparable,
  createdOf,
  createFrom,
  type Draft,
  fullDraft,
  minimalDraft,
  namedById,
  renewed,
  pathOf,
  type Project,
  removeAt,
  withoutPreview,
} from '../support/example-drafts.ts';
import {
  createCall,
  differences,
  graphql,
  type GraphqlCall,
  idArguments,
  inputOf,
  queriedKeyArguments,
  memberOf,
  minimalInput,
  sayable,
  schema,
  selectionOf,
} from '../support/graphql-values.ts';
import { startPlatform } from '../support/platform.ts';

const platform = await startPlatform(t);

for (const resource of contractResources) {
  const { kind, typeName } = resource;
  t.test(kind, async (t) => {
    const project = await platform.anotherProject();
    const full = fullDraft(resource, project);
    const drafts = [
      ['minimal', resource.graphql.hasMutations ? minimalInput(resource, full) : minimalDraft(resource, project)],
      ['full', full],
    ] as const;
    await t.test('GraphQL has a field for every member of REST', async (t) => {
      const type = schema.getType(typeName);
      const fields = isObjectType(type) ? Object.keys(type.getFields()).map((name) => memberOf(name)) : [];
      const left = Object.keys(resource.fields).filter(
        (name) => resource.graphql.members[`${typeName}.${name}`] !== null,
      );
      t.strictSame(
        left.filter((name) => !fields.includes(name)),
        [],
      );
    });
    for (const [name, draft] of drafts) {
      await t.test(`${name}: a query reads what REST reads`, (t) => queriesAgree(t, project, { resource, draft }));
      if (!resource.graphql.hasMutations) continue;
      await t.test(`${name}: a mutation makes and deletes what REST does`, (t) =>
        mutationsAgree(t, project, { resource, draft }),
      );
    }
  });
}

interface Subject {
  readonly resource: Resource;
  readonly draft: Draft;
}

/** The value of the one field that was called; a failed call fails the test. */
async function answered(t: Test, project: Project, call: GraphqlCall): Promise<unknown> {
  const { status, body } = await graphql(project, call);
  t.match({ status, errors: body['errors'] }, { status: 200, errors: undefined }, call.field);
  return (body['data'] as Record<string, unknown> | undefined)?.[call.field];
}

async function queriesAgree(t: Test, project: Project, { resource, draft }: Subject): Promise<void> {
  const { typeName, graphql: names, keyMembers } = resource;
  const document = await createFrom(project, resource, draft);
  const { body: rest } = await project.request('GET', pathOf(resource, document));
  const selection = selectionOf(typeName);
  const one = { operation: 'query', field: names.one, selection } as const;
  const byId = await answered(t, project, { ...one, args: idArguments(document.id) });
  t.strictSame(differences(typeName, byId, rest), [], 'by id');
  const key = queriedKeyArguments(resource, rest);
  if (key !== undefined) t.strictSame(await answered(t, project, { ...one, args: key }), byId, 'by key');
  const within = keyMembers.slice(0, -1).map((name) => [name, { type: 'String!', value: rest[name] }] as const);
  const page = await answered(t, project, {
    operation: 'query',
    field: names.many,
    args: {
      where: { type: 'String', value: `id="${document.id}"` },
      // The score of a query grows with what it may give.
      limit: { type: 'Int', value: 1 },
      ...Object.fromEntries(within),
    },
    selection: `{ offset count total exists results ${selection} }`,
  });
  const { results, ...counts } = page as Draft & { readonly results: readonly Draft[] };
  t.strictSame(counts, { offset: 0, count: 1, total: 1, exists: true });
  const listed = results.map((each) => withoutPreview(resource, each));
  t.strictSame(listed, [withoutPreview(resource, byId)], 'in a page');
  await removeAt(project, resource, document);
  t.equal(await answered(t, project, { ...one, args: idArguments(document.id) }), null, 'null when deleted');
}

async function mutationsAgree(t: Test, project: Project, { resource, draft }: Subject): Promise<void> {
  const { typeName, graphql: names, lifecycle } = resource;
  const said = sayable(names.draft, resource.draft, draft);
  const model = await createFrom(project, resource, said);
  const { body: rest } = await project.request('GET', pathOf(resource, model));
  await removeAt(project, resource, model);
  const selection = selectionOf(typeName);
  // Some inputs name by id alone.
  const fresh = await renewed(project, `/${resource.path}`, said);
  const value = inputOf(names.draft, resource.draft, (await namedById(project, fresh)) as Draft);
  const document = createdOf(resource, await answered(t, project, createCall(resource, { value, selection })));
  const path = pathOf(resource, { ...draft, ...document });
  const read = await project.request('GET', path);
  t.strictSame(comparable(read.body), comparable(rest), 'made like one of REST');
  t.strictSame(differences(typeName, document, read.body), [], 'gives what it made');
  const version = { version: { type: lifecycle === 'versioned' ? 'Long!' : 'Long', value: document.version } };
  const deleted = await answered(t, project, {
    operation: 'mutation',
    field: `delete${names.mutation}`,
    args: { ...idArguments(document.id), ...(lifecycle !== 'fixed' && version) },
    selection,
  });
  const isPreview = (place: string): boolean =>
    resource.preview !== undefined && place.startsWith(`${typeName}.${resource.preview.member}`);
  const others = differences(typeName, deleted, read.body).filter((place) => !isPreview(place));
  t.strictSame(others, [], 'gives what it deletes');
  t.equal((await project.request('GET', path)).status, 404);
}

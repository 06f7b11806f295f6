import t, { type Test } from 'tap';
import type { Resource } from '../../src/engine/resource.ts';
import { isAlwaysPresent } from '../../src/fields/field.ts';
import { contractResources } from '../support/contract-kinds.ts';
import {
  comparable,
  createdOf,
  createFrom,
  createTargets,
  type Draft,
  examplesOf,
  fullDraft,
  givenFields,
  keyPathOf,
  minimalDraft,
  pathOf,
  placed,
  type Project,
  removeAt,
  withoutPreview,
} from '../support/example-drafts.ts';
import { documentMismatches, typeOf, typesOf } from '../support/json-schema.ts';
import { startPlatform } from '../support/platform.ts';

const platform = await startPlatform(t);

for (const resource of contractResources) {
  t.test(resource.kind, async (t) => {
    const project = await platform.anotherProject();
    await t.test('its drafts give what every read gives', (t) => readsAgree(t, project, resource));
    await t.test('every example of every field is accepted', (t) => examplesAreAccepted(t, project, resource));
    await t.test('a value of a wrong JSON type is refused by name', (t) => wrongTypesAreRefused(t, project, resource));
    await t.test('required fields are missed', (t) => requiredAreMissed(t, project, resource));
    await t.test('null and unknown members count as absent', (t) => nothingIsAbsent(t, project, resource));
  });
}

async function readsAgree(t: Test, project: Project, resource: Resource): Promise<void> {
  for (const [name, draft] of [
    ['minimal', minimalDraft(resource, project)],
    ['full', fullDraft(resource, project)],
  ] as const) {
    const document = await createFrom(project, resource, draft);
    t.strictSame(documentMismatches(resource.fields, document), [], `${name}: matches its schema`);
    const always = Object.entries(resource.fields).filter(([, field]) => isAlwaysPresent(field));
    t.strictSame(
      always.map(([field]) => field).filter((field) => !(field in document)),
      [],
      `${name}: has what is always there`,
    );
    const read = await project.request('GET', pathOf(resource, document));
    // A create may give more than a read, such as a secret.
    t.match(document, read.body, `${name}: create = get`);
    if (resource.graphql.created === undefined) t.strictSame(document, read.body, `${name}: no more than get`);
    const keyPath = keyPathOf(resource, document);
    if (keyPath !== undefined)
      t.strictSame((await project.request('GET', keyPath)).body, read.body, `${name}: by key = by id`);
    const head = await project.request('HEAD', pathOf(resource, document));
    t.strictSame([head.status, head.text], [200, ''], `${name}: HEAD`);
    t.equal(head.headers.get('content-length'), String(Buffer.byteLength(read.text)), `${name}: length of HEAD`);
    const where = encodeURIComponent(`id="${document.id}"`);
    const page = await project.request('GET', `/${resource.path}?where=${where}`);
    t.match(page.body, { limit: 20, offset: 0, count: 1, total: 1 });
    const listed = (page.body['results'] as readonly Draft[]).map((each) => withoutPreview(resource, each));
    t.strictSame(listed, [withoutPreview(resource, read.body)], `${name}: query = get`);
    t.equal((await project.request('HEAD', `/${resource.path}?where=${where}`)).status, 200);
    t.equal((await removeAt(project, resource, document)).status, 200);
  }
}

async function examplesAreAccepted(t: Test, project: Project, resource: Resource): Promise<void> {
  const minimal = minimalDraft(resource, project);
  await createTargets(project, minimal);
  for (const [name, field] of givenFields(resource.draft)) {
    const examples = examplesOf(resource, name, field);
    t.ok(examples.length > 0 || field.presence !== 'required', `${name} has examples`);
    for (const [index, example] of examples.entries()) {
      // The full draft goes without.
      if (example === undefined) continue;
      const draft = { ...minimal, [name]: placed(example, project.projectKey) };
      await createTargets(project, draft, resource);
      const answer = await project.request('POST', `/${resource.path}`, draft);
      if (!t.equal(answer.status, 201, `example ${index} of ${name}: ${JSON.stringify(example).slice(0, 200)}`)) {
        t.comment(answer.text);
        continue;
      }
      const document = createdOf(resource, answer.body);
      t.strictSame(documentMismatches(resource.fields, document), []);
      await removeAt(project, resource, document);
    }
  }
}

/** A value of each JSON type. */
const values = ['text', 5, true, {}, ['text']];

async function wrongTypesAreRefused(t: Test, project: Project, resource: Resource): Promise<void> {
  const minimal = minimalDraft(resource, project);
  for (const [name, { kind }] of givenFields(resource.draft)) {
    const types = typesOf(kind.schema.draft);
    for (const value of values.filter((value) => types?.has(typeOf(value)) === false)) {
      const { status, body } = await project.request('POST', `/${resource.path}`, { ...minimal, [name]: value });
      t.equal(status, 400, `${name} is ${JSON.stringify(value)}`);
      t.match(body, {
        errors: [{ code: /^Invalid(JsonInput|Field|Input)$/, message: new RegExp(`'${name}[^a-zA-Z]`) }],
      });
    }
  }
  for (const body of [[], 'text', 5, null]) {
    const { status } = await project.request('POST', `/${resource.path}`, JSON.stringify(body));
    t.equal(status, 400, `the body is ${JSON.stringify(body)}`);
  }
}

async function requiredAreMissed(t: Test, project: Project, resource: Resource): Promise<void> {
  const minimal = minimalDraft(resource, project);
  await createTargets(project, minimal);
  const required = Object.keys(minimal).filter((name) => resource.draft[name]!.presence === 'required');
  for (const name of required) {
    for (const absent of [undefined, null]) {
      const { status, body } = await project.request('POST', `/${resource.path}`, { ...minimal, [name]: absent });
      t.match({ status, body }, { status: 400, body: { errors: [{ code: 'RequiredField', field: name }] } }, name);
      t.equal((body['errors'] as unknown[]).length, 1, `${name} alone`);
    }
  }
  if (required.length === 0) return;
  const { body } = await project.request('POST', `/${resource.path}`, {});
  const missed = (body['errors'] as Draft[]).map(({ code, field }) => {
    t.equal(code, 'RequiredField');
    return String(field);
  });
  // Of an order, one of two says which cart.
  const oneOfTwo = resource.kind === 'order' ? ['cart'] : [];
  t.strictSame(missed, [...required, ...oneOfTwo], 'all of them at once');
}

async function nothingIsAbsent(t: Test, project: Project, resource: Resource): Promise<void> {
  const minimal = minimalDraft(resource, project);
  const plain = await createFrom(project, resource, minimal);
  await removeAt(project, resource, plain);
  const others = givenFields(resource.draft).filter(([name]) => !(name in minimal));
  const nulls = Object.fromEntries(others.map(([name]) => [name, null]));
  const assigned = Object.entries(resource.fields).filter(([name]) => !(name in resource.draft));
  const ignored = Object.fromEntries(assigned.map(([name]) => [name, 5]));
  // An upsert takes the version that it expects.
  const { version: _, ...unversioned } = ignored;
  for (const [what, members] of [
    ['null', nulls],
    ['unknown members', { nonsense: { deep: [1] }, ['__proto__']: 1 }],
    ['what the platform assigns', resource.lifecycle === 'upserted' ? unversioned : ignored],
  ] as const) {
    const document = await createFrom(project, resource, { ...minimal, ...members });
    t.strictSame(withoutSecret(comparable(document)), withoutSecret(comparable(plain)), what);
    await removeAt(project, resource, document);
  }
}

/** What only the answer to a create has differs each time. */
function withoutSecret(document: unknown): unknown {
  const { secret: _, ...others } = document as Record<string, unknown>;
  return others;
}

import t, { type Test } from 'tap';
import type { Resource } from '../../src/engine/resource.ts';
import type { JsonSchema } from '../../src/fields/field.ts';
import { isObject, objectSchema, visitReferences } from '../../src/fields/object.ts';
import type { StrongReference } from '../../src/fields/parsing.ts';
import type { Shape } from '../../src/predicate/shape.ts';
import { allResources } from '../../src/resources/all.ts';
import { contractResources } from '../support/contract-kinds.ts';
import {
  type Created,
  createdOf,
  createFrom,
  type Draft,
  fullDraft,
  pathOf,
  type Project,
  removeAt,
  withoutPreview,
} from '../support/example-drafts.ts';
import { startPlatform } from '../support/platform.ts';

const platform = await startPlatform(t);
const byKind = new Map(allResources.map((resource) => [resource.kind, resource]));

/** With what a resource refuses to be deleted while others refer to it. */
function refusalOf({ typeId }: StrongReference, target: Draft): object {
  if (typeId === 'extension') return { code: 'ExtensionDependencyExists' };
  if (target['builtIn'] === true) return { code: 'InvalidOperation', message: /built in/ };
  return { code: 'ReferenceExists', referencedBy: /./ };
}

for (const resource of contractResources) {
  t.test(resource.kind, async (t) => {
    const project = await platform.anotherProject();
    await t.test('every path of a reference is expanded by every operation', (t) => pathsExpand(t, project, resource));
    await t.test('it is deleted once, and not while others refer to it', (t) => isDeletedOnce(t, project, resource));
    await t.test('dataErasure is read where it is declared', (t) => erasureIsRead(t, project, resource));
  });
}

/** Paths that the example has no value at, for it has one at another that excludes it. */
const excluded: Readonly<Record<string, readonly string[]>> = {
  // A gift is in no group; test/api/discount-groups.test.ts expands it.
  'cart-discount': ['discountGroup'],
};

/** Paths to references, as `expand` takes them: `zoneRates[*].zone`. */
function referencePaths(shape: Shape, path = ''): readonly string[] {
  if (shape.class === 'list') return referencePaths(shape.item, `${path}[*]`);
  if (shape.class !== 'object') return [];
  if ([...shape.fields.keys()].sort().join() === 'id,typeId') return [path];
  return [...shape.fields].flatMap(([name, member]) => referencePaths(member, path === '' ? name : `${path}.${name}`));
}

/** Of carts with several shipping methods, which the example is not. */
const unfillable: ReadonlySet<string> = new Set(['cart shipping[*].shippingAddress.custom.type']);

/** The values at a path. */
function at(document: unknown, path: string): readonly unknown[] {
  let values: readonly unknown[] = [document];
  for (const segment of path.split('.')) {
    const name = segment.replace('[*]', '');
    const members = values.flatMap((value) => (isObject(value) && name in value ? [value[name]] : []));
    values = segment.endsWith('[*]')
      ? members.flatMap((member) => (Array.isArray(member) ? (member as unknown[]) : []))
      : members;
  }
  return values;
}

async function pathsExpand(t: Test, project: Project, resource: Resource): Promise<void> {
  const draft = fullDraft(resource, project);
  const document = await createFrom(project, resource, draft);
  const paths = referencePaths(resource.shape);
  const filled = paths.filter((path) => at(document, path).length > 0);
  const unfilled = paths.filter(
    (path) =>
      !filled.includes(path) &&
      !unfillable.has(`${resource.kind} ${path}`) &&
      isGiven(objectSchema(resource.draft).draft, path.split('.')),
  );
  t.strictSame(unfilled, excluded[resource.kind] ?? [], 'the example has a value at every path that a draft can fill');
  if (filled.length === 0) return void (await removeAt(project, resource, document));

  const query = filled.map((path) => `expand=${encodeURIComponent(path)}`).join('&');
  const own = pathOf(resource, document);
  const where = encodeURIComponent(`id="${document.id}"`);
  const isVersioned = resource.lifecycle === 'versioned';
  const got = await project.request('GET', `${own}?${query}`);
  for (const path of filled) {
    for (const reference of at(got.body, path) as readonly Record<string, string>[]) {
      const target = byKind.get(reference['typeId']!)!;
      const { body } = await project.request('GET', `/${target.path}/${reference['id']}`);
      t.strictSame(reference['obj'], body, `${path} has the ${target.kind}`);
    }
  }
  const page = await project.request('GET', `/${resource.path}?where=${where}&${query}`);
  const whole = withoutPreview(resource, got.body);
  const listed = (page.body['results'] as readonly Draft[]).map((each) => withoutPreview(resource, each));
  t.strictSame(listed, [whole], 'a query expands like a get');
  if (isVersioned) {
    const update = { version: document.version, actions: [] };
    t.strictSame((await project.request('POST', `${own}?${query}`, update)).body, got.body, 'an update too');
  }
  const { body: plain } = await project.request('GET', own);
  t.strictSame(withoutTargets(got.body), plain, 'nothing else differs');
  for (const path of ['nonsense', 'nonsense[*].deep', `${filled[0]}.nonsense`, filled[0]!.replaceAll('[*]', '[7]')]) {
    const { status, body } = await project.request('GET', `${own}?expand=${encodeURIComponent(path)}`);
    t.equal(status, 200, `${path} leads nowhere`);
    t.strictSame(withoutTargets(body), plain);
  }
  const version = isVersioned ? `version=${document.version}&` : '';
  const removed = await project.request('DELETE', `${own}?${version}${query}`);
  t.strictSame(withoutPreview(resource, removed.body), whole, 'a deletion too');
  const again = await project.request('POST', `/${resource.path}?${query}`, draft);
  const made = createdOf(resource, again.body);
  t.strictSame(
    filled.filter((path) => !at(made, path).every((value) => isObject(value) && isObject(value['obj']))),
    [],
    'a create too',
  );
  await removeAt(project, resource, made);
}

/** Whether a draft can have a value at the path. */
function isGiven(schema: JsonSchema, [first, ...others]: readonly string[]): boolean {
  if (first === undefined) return true;
  // Keywords that are known to hold schemas.
  const { oneOf, anyOf, properties } = schema as Readonly<Record<string, unknown>>;
  const forms = (oneOf ?? anyOf) as readonly JsonSchema[] | undefined;
  if (forms !== undefined) return forms.some((form) => isGiven(form, [first, ...others]));
  const member = (properties as Readonly<Record<string, JsonSchema>> | undefined)?.[first.replace('[*]', '')];
  if (member === undefined) return false;
  const inside = first.endsWith('[*]') ? (member['items'] as JsonSchema | undefined) : member;
  // A list that this version does not keep has no elements.
  return inside !== undefined && isGiven(inside, others);
}

function withoutTargets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutTargets);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => (name === 'obj' ? [] : [[name, withoutTargets(member)]])),
  );
}

async function isDeletedOnce(t: Test, project: Project, resource: Resource): Promise<void> {
  const draft = fullDraft(resource, project);
  const document = await createFrom(project, resource, draft);
  const own = pathOf(resource, document);
  const { body: last } = await project.request('GET', own);
  const targets = new Map<string, StrongReference>();
  visitReferences(resource.fields, document, (reference) => targets.set(JSON.stringify(reference), reference));
  for (const reference of targets.values()) {
    const { path } = byKind.get(reference.typeId)!;
    const link = 'id' in reference ? reference.id : `key=${reference.key}`;
    const { body: target } = await project.request('GET', `/${path}/${link}`);
    const refused = await project.request('DELETE', `/${path}/${link}?version=${Number(target['version'])}`);
    t.match(refused, { status: 400, body: { errors: [refusalOf(reference, target)] } }, reference.typeId);
    t.strictSame((await project.request('GET', `/${path}/${link}`)).body, target, 'and stays');
    if (target['builtIn'] === true) targets.delete(JSON.stringify(reference));
  }
  const removed = await removeAt(project, resource, document);
  t.equal(removed.status, 200);
  t.strictSame(withoutPreview(resource, removed.body), withoutPreview(resource, last), 'the last representation');
  for (const method of ['GET', 'HEAD', 'DELETE', ...(resource.lifecycle === 'versioned' ? ['POST'] : [])]) {
    const query = method === 'DELETE' ? `?version=${document.version}` : '';
    const body = method === 'POST' ? { version: document.version, actions: [] } : undefined;
    t.equal((await project.request(method, `${own}${query}`, body)).status, 404, `${method} of what is gone`);
  }
  await removeAll(project);
  for (const { typeId, ...link } of targets.values()) {
    const named = 'id' in link ? link.id : `key=${link.key}`;
    const { status } = await project.request('GET', `/${byKind.get(typeId)!.path}/${named}`);
    t.equal(status, 404, `${typeId} is free again`);
  }
}

/** Those that nothing refers to first, as often as that frees others. */
async function removeAll(project: Project): Promise<void> {
  for (let isFreed = true; isFreed;) {
    isFreed = false;
    for (const resource of allResources) {
      if (resource.kind === 'api-client') continue;
      const { body } = await project.request('GET', `/${resource.path}?limit=100`);
      for (const document of (body['results'] ?? []) as readonly Created[])
        if ((await removeAt(project, resource, document)).status === 200) isFreed = true;
    }
  }
}

async function erasureIsRead(t: Test, project: Project, resource: Resource): Promise<void> {
  const draft = fullDraft(resource, project);
  const document = await createFrom(project, resource, draft);
  const version = resource.lifecycle === 'versioned' ? `version=${document.version}&` : '';
  const remove = (value: string) =>
    project.request('DELETE', `${pathOf(resource, document)}?${version}dataErasure=${value}`);
  if (resource.holdsPersonalData) {
    t.match(await remove('perhaps'), {
      status: 400,
      body: { errors: [{ code: 'InvalidInput', message: /dataErasure/ }] },
    });
    t.equal((await remove('true')).status, 200);
    const again = await createFrom(project, resource, draft);
    t.equal((await removeAt(project, resource, again)).status, 200, 'and may be left out');
  } else t.equal((await remove('perhaps')).status, 200, 'an unknown parameter is ignored');
}

import t, { type Test } from 'tap';
import type { Resource } from '../../src/engine/resource.ts';
import { isObject } from '../../src/fields/object.ts';
import { memberOf, type Shape } from '../../src/predicate/shape.ts';
import { contractResources } from '../support/contract-kinds.ts';
import {
  another,
  type Created,
  createFrom,
  type Draft,
  fullDraft,
  minimalDraft,
  type Project,
} from '../support/example-drafts.ts';
import { graphql, type Variables } from '../support/graphql-values.ts';
import { startPlatform } from '../support/platform.ts';

const platform = await startPlatform(t);

for (const resource of contractResources) {
  t.test(resource.kind, async (t) => {
    const project = await platform.anotherProject();
    const draft = fullDraft(resource, project);
    const { key } = draft;
    const least = { ...minimalDraft(resource, project), ...(key !== undefined && { key }) };
    const documents = [
      await created(project, resource, draft),
      await created(project, resource, another(resource, least, 'other')),
    ] as const;
    const subject = { project, resource, draft, full: documents[0], other: documents[1] };
    await t.test('every member of a resource can be asked for', (t) => membersAreFound(t, subject));
    await t.test('every value with an order sorts', (t) => valuesSort(t, subject));
    await t.test('what is no member and no value of one is refused', (t) => faultsAreRefused(t, subject));
    await t.test('pages have a limit and an offset within bounds', (t) => pagesAreBounded(t, subject));
    await t.test('a store lists its own', (t) => storesListTheirOwn(t, subject));
  });
}

interface Subject {
  readonly project: Project;
  readonly resource: Resource;
  readonly draft: Draft;
  /** With every member. */
  readonly full: Created;
  /** With the required members, and other texts. */
  readonly other: Created;
}

/** As lists have it, which is what predicates and sorts speak of. */
async function created(project: Project, resource: Resource, draft: Draft): Promise<Created> {
  const { id } = await createFrom(project, resource, draft);
  const { body } = await project.request('GET', `/${resource.path}?${queryOf({ where: `id = "${id}"` })}`);
  return (body['results'] as readonly Created[])[0]!;
}

/** A predicate that holds for a value, as the member that `name` leads to. */
function conditionsOn(name: string, shape: Shape, value: unknown): readonly string[] {
  if (Array.isArray(value)) {
    const [first] = value as readonly unknown[];
    if (first === undefined) return [`${name} is empty`];
    const item: Shape = shape.class === 'list' ? shape.item : { class: 'dynamic' };
    if (isObject(first)) return conditionsOn(name, item, first);
    return Array.isArray(first) ? [] : [`${name} contains all (${literal(first)})`, `${name} is not empty`];
  }
  if (!isObject(value)) return [`${name} = ${literal(value)}`, `${name} in (${literal(value)})`];
  return membersOf(shape, value).map((condition) => `${name}(${condition})`);
}

function membersOf(shape: Shape, value: Draft): readonly string[] {
  return Object.entries(value).flatMap(([name, member]) => {
    const known = memberOf(shape, name);
    if (known === undefined) throw new Error(`Predicates cannot speak of ${name}`);
    return [...conditionsOn(name, known, member), `${name} is defined`];
  });
}

function literal(value: unknown): string {
  return JSON.stringify(value);
}

/** Conditions of one request, which has 15 KB at most. */
const conditionsMax = 12;

async function membersAreFound(t: Test, subject: Subject): Promise<void> {
  const { resource, full, other } = subject;
  const conditions = membersOf(resource.shape, full);
  const isFull = `id = "${full.id}"`;
  for (let start = 0; start < conditions.length; start += conditionsMax) {
    const some = conditions.slice(start, start + conditionsMax);
    const all = some.join(' and ');
    const none = some.map((condition) => `not (${condition})`).join(' or ');
    const [found, others, inGraphql] = await Promise.all([
      idsOf(subject, { where: [isFull, all] }),
      idsOf(subject, { where: `${isFull} and (${none})` }),
      idsInGraphql(subject, { where: `${isFull} and ${all}` }),
    ]);
    t.strictSame([found, inGraphql], [[full.id], [full.id]], all);
    t.strictSame(others, [], none);
  }
  const absent = Object.keys(resource.fields).filter((name) => !(name in other));
  for (const name of absent) {
    t.strictSame(await idsOf(subject, { where: `id = "${other.id}" and ${name} is not defined` }), [other.id], name);
    t.strictSame(await idsOf(subject, { where: `id = "${other.id}" and ${name} is defined` }), [], name);
  }
}

type Parameters = Readonly<Record<string, string | number | readonly string[]>>;

function queryOf(parameters: Parameters): string {
  const pairs = Object.entries(parameters).flatMap(([name, value]) =>
    [value].flat().map((one): [string, string] => [name, String(one)]),
  );
  return new URLSearchParams(pairs).toString();
}

/** Of the resources of a query, in order; what refuses it fails the test. */
async function idsOf({ project, resource }: Subject, parameters: Parameters): Promise<readonly unknown[]> {
  const { status, body, text } = await project.request('GET', `/${resource.path}?${queryOf(parameters)}`);
  if (status !== 200) return [status, text];
  return (body['results'] as readonly Draft[]).map(({ id }) => id);
}

async function idsInGraphql({ project, resource, full }: Subject, parameters: Parameters): Promise<readonly unknown[]> {
  const field = resource.graphql.many;
  const within = resource.keyMembers.slice(0, -1).map((name) => [name, { type: 'String!', value: full[name] }]);
  const types: Readonly<Record<string, string>> = { where: 'String', sort: '[String!]', limit: 'Int', offset: 'Int' };
  const args: Variables = {
    ...Object.fromEntries(within),
    ...Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name, { type: types[name]!, value }])),
  };
  const { body } = await graphql(project, { operation: 'query', field, args, selection: '{ results { id } }' });
  if (body['errors'] !== undefined) return [JSON.stringify(body['errors'])];
  const page = (body['data'] as Draft)[field] as { readonly results: readonly Draft[] };
  return page.results.map(({ id }) => id);
}

/** Paths to values with an order, with the value of each. */
function sortable(shape: Shape, value: unknown, path = ''): readonly (readonly [path: string, value: unknown])[] {
  if (!isObject(value)) return Array.isArray(value) ? [] : [[path, value]];
  return Object.entries(value).flatMap(([name, member]) =>
    sortable(memberOf(shape, name)!, member, path === '' ? name : `${path}.${name}`),
  );
}

async function valuesSort(t: Test, subject: Subject): Promise<void> {
  const { resource, full, other } = subject;
  const others = new Map(sortable(resource.shape, other));
  const where = `id in ("${full.id}", "${other.id}")`;
  for (const [path, value] of sortable(resource.shape, full)) {
    const [ascending, descending] = await Promise.all([
      idsOf(subject, { where, sort: [path, 'id'] }),
      idsOf(subject, { where, sort: [`${path} desc`, 'id desc'] }),
    ]);
    if (!others.has(path)) {
      t.strictSame(
        [ascending, descending],
        [
          [full.id, other.id],
          [full.id, other.id],
        ],
        `${path}: none comes last`,
      );
      continue;
    }
    const isFirst = compared(value, others.get(path)) ?? full.id < other.id;
    t.strictSame(ascending, isFirst ? [full.id, other.id] : [other.id, full.id], path);
    t.strictSame(descending, ascending.toReversed(), `${path} desc`);
  }
}

/** Undefined for values that are alike. */
function compared(one: unknown, other: unknown): boolean | undefined {
  // Both are values of one scalar.
  return one === other ? undefined : (one as string) < (other as string);
}

const wrongLiterals: Readonly<Record<string, string>> = {
  text: '5',
  number: '"5"',
  boolean: '"true"',
  dateTime: '"yesterday"',
};

async function faultsAreRefused(t: Test, { project, resource }: Subject): Promise<void> {
  const members = [...resource.shape.fields];
  const wheres = members.flatMap(([name, shape]) => {
    const wrong = wrongLiterals[shape.class];
    return wrong === undefined ? [] : [`${name} = ${wrong}`];
  });
  for (const where of ['nonsense = 1', 'nonsense(deep = 1)', ...wheres]) {
    const answer = await project.request('GET', `/${resource.path}?${queryOf({ where })}`);
    t.match(answer, { status: 400, body: { errors: [{ code: 'InvalidInput', message: /position/ }] } }, where);
  }
  const lists = members.filter(([, { class: kind }]) => kind === 'list' || kind === 'object' || kind === 'localized');
  for (const sort of ['nonsense', 'id.nonsense', ...lists.map(([name]) => name)]) {
    const answer = await project.request('GET', `/${resource.path}?${queryOf({ sort })}`);
    t.match(answer, { status: 400, body: { errors: [{ code: 'InvalidInput' }] } }, `sort=${sort}`);
  }
  for (const parameters of [{ where: 'id' }, { where: '(id = "a"' }, { sort: 'id sideways' }]) {
    const answer = await project.request('GET', `/${resource.path}?${queryOf(parameters)}`);
    t.match(answer, { status: 400, body: { errors: [{ code: 'SyntaxError' }] } }, queryOf(parameters));
  }
}

async function pagesAreBounded(t: Test, subject: Subject): Promise<void> {
  const { project, resource, full, other } = subject;
  const ids = [full.id, other.id].sort();
  const where = `id in ("${full.id}", "${other.id}")`;
  for (const [index, id] of ids.entries()) {
    const page = { where, sort: 'id', limit: 1, offset: index };
    t.strictSame(await idsOf(subject, page), [id]);
    if (resource.keyMembers.length < 2)
      t.strictSame(await idsInGraphql(subject, { ...page, sort: ['id'] }), [id], 'in GraphQL');
  }
  const beyond = await project.request('GET', `/${resource.path}?${queryOf({ where, offset: 2 })}`);
  t.match(beyond.body, { limit: 20, offset: 2, count: 0, total: 2, results: [] });
  t.equal((await project.request('GET', `/${resource.path}?limit=500&offset=10000`)).status, 200);
  for (const query of ['limit=0', 'limit=501', 'limit=-1', 'limit=x', 'offset=-1', 'offset=10001', 'withTotal=maybe']) {
    const answer = await project.request('GET', `/${resource.path}?${query}`);
    t.match(answer, { status: 400, body: { errors: [{ code: 'InvalidInput' }] } }, query);
  }
}

async function storesListTheirOwn(t: Test, { project, resource, full, other }: Subject): Promise<void> {
  // Stores that follow from others are in test/api.
  if (resource.inStore === undefined || resource.fields[resource.inStore.member]?.presence === 'assigned') return;
  const storesOf = (document: Draft): readonly { readonly key: string }[] =>
    [document[resource.inStore!.member] ?? []].flat() as { readonly key: string }[];
  const [store] = storesOf(full);
  const own = [full, other].filter((document) => storesOf(document).some(({ key }) => key === store!.key));
  const list = async (storeKey: string): Promise<Draft> =>
    (await project.request('GET', `/in-store/key=${storeKey}/${resource.path}`)).body;
  const { count, total, results } = await list(store!.key);
  t.strictSame({ count, total }, { count: own.length, total: own.length });
  t.strictSame(new Set((results as Created[]).map(({ id }) => id)), new Set(own.map(({ id }) => id)));
  t.match(await list('other-store'), { count: 0, total: 0 });
}

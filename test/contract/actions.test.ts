import { isDeepStrictEqual } from 'node:util';
import t, { type Test } from 'tap';
import type { Resource } from '../../src/engine/resource.ts';
import { project as projectDeclaration } from '../../src/resources/project/resource.ts';
import { contractKinds } from '../support/contract-kinds.ts';
import { applied, createInputTargets, type Extent, inputsOf } from '../support/example-actions.ts';
import {
  another,
  comparable,
  type Created,
  created,
  createTargets,
  type Draft,
  fullDraft,
  givenFields,
  keyPathOf,
  minimalDraft,
  namedById,
  pathOf,
  type Project,
  removeAt,
} from '../support/example-drafts.ts';
import {
  actionInput,
  differences,
  graphql,
  hasWholeInput,
  idArguments,
  selectionOf,
} from '../support/graphql-values.ts';
import { documentMismatches, typeOf, typesOf } from '../support/json-schema.ts';
import { type Answer, startPlatform } from '../support/platform.ts';

// Each resource has a project of its own, and waits for answers most of the time.
t.jobs = 4;
const platform = await startPlatform(t);

/** Actions that name another resource by its id alone, which no example knows; test/api/carts.test.ts has them. */
const withoutExample: ReadonlySet<string> = new Set([
  'cart setCustomerId',
  'order setCustomerId',
  // Those of carts with several methods, and what needs a method and another tax mode than the example has.
  'cart addShippingMethod',
  'cart addCustomShippingMethod',
  'cart removeShippingMethod',
  'cart setShippingMethodTaxAmount',
  // What a product says is there already, and no list of the examples is of what is sold.
  'cart recalculate',
  // Nothing is reserved without a stock.
  'cart setReservationExpirationInMinutes',
  'cart addShoppingList',
  // Order hints are for categories of the product, which it has by their ids.
  'product setCategoryOrderHint',
]);

/** Actions of one update. */
const actionsMax = 500;

/** What actions are applied to: the resource of a draft, after an earlier update. */
interface Base {
  readonly draft: Draft;
  readonly isFull: boolean;
  readonly earlier: readonly NamedAction[];
}

type NamedAction = Draft & { readonly action: string };

/** An action that changes something, and what it changes. */
interface Case {
  readonly action: NamedAction;
  readonly base: Base;
}

interface Tried {
  readonly cases: readonly Case[];
  /** Well-formed actions of which the full example does not allow the last. */
  readonly refusals: readonly (readonly NamedAction[])[];
}

interface Subject {
  readonly project: Project;
  readonly resource: Resource;
}

for (const resource of contractKinds(t, ({ actions }) => actions.size > 0)) {
  t.test(resource.kind, { buffered: true }, async (t) => {
    const project = await platform.anotherProject();
    const subject = { project, resource };
    await createInputTargets(project, resource);
    await createTargets(project, fullDraft(resource, project), resource);
    const tried = await triedActions(subject);
    const { cases } = tried;
    t.strictSame(
      [...resource.actions.keys()].filter(
        (name) =>
          !withoutExample.has(`${resource.kind} ${name}`) && !cases.some(({ action }) => action.action === name),
      ),
      [],
      'every action has an example that changes something',
    );
    for (const one of cases) await t.test(one.action.action, (t) => runs(t, subject, one));
    await t.test('faulty actions are refused and change nothing', (t) => faultsAreRefused(t, subject));
    await t.test('all actions are applied or none', (t) => isAllOrNothing(t, subject, tried));
    await t.test(`an update has at most ${actionsMax} actions`, (t) => areLimited(t, subject, tried));
  });
}

t.test('project', { buffered: true }, async (t) => {
  const { resource } = projectDeclaration;
  const [rest, twin] = [await platform.anotherProject(), await platform.anotherProject()];
  await t.test('each action does the same in REST and in GraphQL', (t) => settingsChange(t, { rest, twin }));
  await t.test('faulty actions are refused and change nothing', async (t) => {
    const { body: before } = await rest.request('GET', '');
    await refuseFaults(t, { project: rest, resource }, { path: '', version: Number(before['version']) });
    t.strictSame((await rest.request('GET', '')).body, before);
  });
});

/** A case of every action that has one, from complete inputs before partial ones. */
async function triedActions(subject: Subject): Promise<Tried> {
  const { project, resource } = subject;
  const cases: Case[] = [];
  const refusals: (readonly NamedAction[])[] = [];
  const search = async (base: Base, extent: Extent): Promise<void> => {
    const names = [...resource.actions.keys()].filter((name) => !cases.some(({ action }) => action.action === name));
    const tried = await triedOn(subject, base, { names, extent });
    cases.push(...tried.cases);
    if (base.isFull && base.earlier.length === 0) refusals.push(...tried.refusals);
  };
  const full = fullBase(subject);
  const { key } = full.draft;
  const minimal = { ...minimalDraft(resource, project), ...(key !== undefined && { key }) };
  const bases = [full, { draft: minimal, isFull: false, earlier: [] }];
  for (const extent of ['all', 'some'] as const) for (const base of bases) await search(base, extent);
  // What takes back another action has that one before it.
  for (const { action, base } of cases.filter((one) => one.base.earlier.length === 0)) {
    if (cases.length < resource.actions.size) await search({ ...base, earlier: [action] }, 'all');
  }
  return { cases, refusals };
}

function fullBase({ project, resource }: Subject): Base {
  return { draft: fullDraft(resource, project), isFull: true, earlier: [] };
}

async function triedOn(
  subject: Subject,
  base: Base,
  { names, extent }: { readonly names: readonly string[]; readonly extent: Extent },
): Promise<Tried> {
  const { project, resource } = subject;
  const cases: Case[] = [];
  const refusals: (readonly NamedAction[])[] = [];
  let document = await made(subject, base);
  for (const name of names) {
    for (const input of inputsOf(resource, name, extent)) {
      const action = { ...input, action: name };
      const { status, body } = await updated(subject, document, [action]);
      if (status === 400 && codeOf(body) === 'InvalidOperation') refusals.push([action]);
      if (status !== 200 || body['version'] === document.version) continue;
      cases.push({ action, base });
      const again = await updated(subject, body as Created, [action]);
      if (again.status === 400) refusals.push([action, action]);
      await removeAt(project, resource, (again.status === 400 ? body : again.body) as Created);
      document = await made(subject, base);
      break;
    }
  }
  await removeAt(project, resource, document);
  return { cases, refusals };
}

function codeOf(body: Draft): unknown {
  return (body['errors'] as readonly Draft[])[0]!['code'];
}

async function made(subject: Subject, { draft, earlier }: Base): Promise<Created> {
  const document = await created(subject.project, subject.resource, draft);
  if (earlier.length === 0) return document;
  const { status, body, text } = await updated(subject, document, earlier);
  if (status !== 200) throw new Error(`The base was refused: ${text}`);
  return body as Created;
}

function updated({ project, resource }: Subject, document: Created, actions: readonly unknown[]): Promise<Answer> {
  const update = { version: document.version, actions: applied(actions, document) };
  return project.request('POST', pathOf(resource, document), update);
}

async function runs(t: Test, subject: Subject, one: Case): Promise<void> {
  const { project, resource } = subject;
  const { action, base } = one;
  t.comment(JSON.stringify(action));
  const before = await made(subject, base);
  const path = pathOf(resource, before);
  const { status, body } = await updated(subject, before, [action]);
  t.equal(status, 200);
  t.equal(body['version'], before.version! + 1, 'the version rises by one');
  t.strictSame(documentMismatches(resource.fields, body), [], 'matches its schema');
  t.strictSame((await project.request('GET', path)).body, body, 'gives what every read gives');
  await runsAgain(t, subject, { document: body as Created, action });
  const { body: last } = await project.request('GET', path);
  await removeAt(project, resource, last as Created);
  await runsByKey(t, subject, { ...one, expected: body });
  if (resource.graphql.hasMutations) await runsInGraphql(t, subject, { ...one, expected: body });
}

/** The version says whether the same action has changed anything once more. */
async function runsAgain(
  t: Test,
  subject: Subject,
  { document, action }: { readonly document: Created; readonly action: Draft },
): Promise<void> {
  const { status, body } = await updated(subject, document, [action]);
  if (status !== 200) {
    t.match({ status, body }, { status: 400, body: { errors: [{ code: secondTime }] } });
    const { body: read } = await subject.project.request('GET', pathOf(subject.resource, document));
    t.strictSame(read, document, 'refused the second time');
    return;
  }
  if (isDeepStrictEqual(withoutStamps(body), withoutStamps(document)))
    t.strictSame(body, document, 'without effect the second time');
  else t.equal(body['version'], document.version! + 1, 'with effect the second time');
}

/** What tells that an action was applied already. */
const secondTime =
  /^(InvalidOperation|InvalidInput|InvalidField|DuplicateField|DuplicatePriceScope|\w+AlreadyExists|\w+DoesNotExist)$/;

function withoutStamps(document: Draft): Draft {
  const { version: _, lastModifiedAt: _m, ...others } = document;
  return others;
}

interface Expected extends Case {
  readonly expected: Draft;
}

/** What an action does not know is ignored, misspelled names among it, and null is no value. */
async function runsByKey(t: Test, subject: Subject, { action, base, expected }: Expected): Promise<void> {
  const { project, resource } = subject;
  const optional = givenFields(resource.actions.get(action.action)!.fields).filter(
    ([, { presence }]) => presence !== 'required',
  );
  const before = await made(subject, base);
  const nulls = Object.fromEntries(optional.map(([name]) => [name, null]));
  const misspelled = Object.fromEntries(optional.map(([name]) => [`${name}Misspelled`, 5]));
  const sent = { ...nulls, ...misspelled, ...applied(action, before), nonsense: { deep: [1] } };
  const update = { id: before.id, version: before.version, actions: [sent] };
  const answer = await project.request('POST', keyPathOf(resource, before) ?? pathOf(resource, before), update);
  t.strictSame(comparable(answer.body), comparable(expected), 'by key, with more than it knows');
  t.equal(answer.body['id'], before.id);
  await removeAt(project, resource, answer.body as Created);
}

async function runsInGraphql(t: Test, subject: Subject, { action, base, expected }: Expected): Promise<void> {
  const { project, resource } = subject;
  const { typeName, graphql: names } = resource;
  const before = await made(subject, base);
  const input = applied(action, before);
  const given = await inputInGraphql(subject, input);
  if (given !== undefined && !hasWholeInput(resource, action.action, input)) {
    t.pass('holds what GraphQL has no form for');
    return void (await removeAt(project, resource, before));
  }
  if (given === undefined) {
    t.equal(names.actions[action.action], null, 'declared to be REST alone');
    return void (await removeAt(project, resource, before));
  }
  const { status, body } = await mutated(subject, before, [given]);
  t.match({ status, errors: body['errors'] }, { status: 200, errors: undefined }, 'GraphQL takes it');
  const { body: read } = await project.request('GET', pathOf(resource, before));
  t.strictSame(comparable(read), comparable(expected), 'GraphQL does what REST does');
  const answer = (body['data'] as Draft | undefined)?.[`update${names.mutation}`];
  t.strictSame(differences(typeName, answer, read), [], 'and gives it');
  await removeAt(project, resource, read as Created);
}

/** Some inputs name by id alone. */
async function inputInGraphql({ project, resource }: Subject, { action, ...input }: NamedAction): Promise<unknown> {
  return actionInput(resource, action, (await namedById(project, input)) as Draft);
}

function mutated({ project, resource }: Subject, document: Created, inputs: readonly unknown[]): Promise<Answer> {
  const { typeName, graphql: names } = resource;
  return graphql(project, {
    operation: 'mutation',
    field: `update${names.mutation}`,
    args: {
      ...idArguments(document.id),
      version: { type: 'Long!', value: document.version },
      actions: { type: `[${names.updateAction}!]!`, value: inputs },
    },
    selection: selectionOf(typeName),
  });
}

async function faultsAreRefused(t: Test, subject: Subject): Promise<void> {
  const { project, resource } = subject;
  const before = await made(subject, fullBase(subject));
  const path = pathOf(resource, before);
  await refuseFaults(t, subject, { path, version: before.version! });
  const other = { id: 'another', version: before.version, actions: [] };
  t.match(await project.request('POST', path, other), { status: 400, body: { errors: [{ code: 'InvalidInput' }] } });
  t.strictSame((await project.request('GET', path)).body, before, 'all is as it was');
  await removeAt(project, resource, before);
}

/** A value of each JSON type. */
const values = ['text', 5, true, {}, ['text']];

interface Faulty {
  readonly action: unknown;
  readonly error: { readonly code: string | RegExp };
  readonly field: string;
}

/** Faulty forms of an action: a required field is absent or null, a field is of a wrong JSON type. */
function faultyForms(resource: Resource, name: string): readonly Faulty[] {
  const [input] = inputsOf(resource, name, 'all');
  return givenFields(resource.actions.get(name)!.fields).flatMap(([field, { presence, kind }]) => {
    const types = typesOf(kind.schema.draft);
    const wrong = values.filter((value) => types?.has(typeOf(value)) === false);
    const absent = presence === 'required' ? [undefined, null] : [];
    return [...wrong, ...absent].map((value): Faulty => {
      const code = (value ?? undefined) === undefined ? 'RequiredField' : /^Invalid(JsonInput|Field|Input)$/;
      return { action: { ...input, action: name, [field]: value }, field, error: { code } };
    });
  });
}

/** Faulty actions of one update; a body reports 100 faults at most. */
const faultsMax = 90;

async function refuseFaults(
  t: Test,
  { project, resource }: Subject,
  { path, version }: { readonly path: string; readonly version: number },
): Promise<void> {
  const forms = [...resource.actions.keys()].flatMap((name) => faultyForms(resource, name));
  for (let start = 0; start < forms.length; start += faultsMax) {
    const faulty = forms.slice(start, start + faultsMax);
    const actions = faulty.map(({ action }) => action);
    const { status, body } = await project.request('POST', path, { version, actions });
    t.equal(status, 400);
    const errors = body['errors'] as readonly Draft[];
    t.equal(errors.length, faulty.length, 'each fault is reported');
    for (const [index, { action, error, field }] of faulty.entries()) {
      const place = `'actions[${index}].${field}`;
      t.match(errors[index], error, JSON.stringify(action));
      t.ok(String(errors[index]?.['message']).includes(place), `${place} is named`);
    }
  }
  const refused = async (update: unknown, error: object): Promise<void> => {
    const what = JSON.stringify(update);
    t.match(await project.request('POST', path, update), { status: 400, body: { errors: [error] } }, what);
  };
  for (const action of [{ action: 'nonsense' }, { action: 'toString' }])
    await refused({ version, actions: [action] }, { code: 'InvalidInput', message: /Known actions/ });
  for (const action of [{ action: 5 }, 'text', null])
    await refused({ version, actions: [action] }, { code: 'InvalidJsonInput', message: /'actions\[0\]/ });
  await refused({ version, actions: [{}] }, { code: 'RequiredField', field: 'actions[0].action' });
  await refused({ version }, { code: 'RequiredField', field: 'actions' });
  await refused({ actions: [] }, { code: 'RequiredField', field: 'version' });
  await refused({ version: '1', actions: [] }, { code: 'InvalidJsonInput' });
  await refused({ version, actions: {} }, { code: 'InvalidJsonInput' });
}

/** The last action is unknown, names a key that is taken, or does not fit the resource. */
async function isAllOrNothing(t: Test, subject: Subject, { cases, refusals }: Tried): Promise<void> {
  const { project, resource } = subject;
  const twin = { ...another(resource, minimalDraft(resource, project), 'twin'), key: 'taken-key' };
  const taken = await created(project, resource, twin);
  const before = await made(subject, fullBase(subject));
  const first = steadyAction(cases);
  const setKey = ['setKey', 'changeKey'].find((name) => resource.actions.has(name));
  const keys = setKey === undefined ? [] : [[{ action: setKey, key: 'taken-key' }]];
  const lasts = [...keys, ...refusals];
  t.ok(lasts.length > 0, 'some action is refused for what it would do');
  for (const last of [[{ action: 'nonsense' }], ...lasts]) {
    const { status, body } = await updated(subject, before, [first, ...last]);
    t.match({ status, body }, { status: 400, body: { errors: [{ code: /./ }] } }, JSON.stringify(last));
  }
  for (const last of resource.graphql.hasMutations ? lasts : []) {
    const inputs = await Promise.all([first, ...last].map((action) => inputInGraphql(subject, action)));
    if (inputs.includes(undefined)) continue;
    const { body } = await mutated(subject, before, inputs);
    t.match(body, { errors: [{ extensions: { code: /./ } }] }, `in GraphQL: ${JSON.stringify(last)}`);
  }
  t.strictSame((await project.request('GET', pathOf(resource, before))).body, before, 'all is as it was');
  for (const document of [taken, before]) await removeAt(project, resource, document);
}

/** An action on the full example that does nothing more the second time. */
function steadyAction(cases: readonly Case[]): NamedAction {
  const found = cases.find(
    ({ action, base }) => base.earlier.length === 0 && base.isFull && /^(set|change)(?!Key$)/.test(action.action),
  );
  if (found === undefined) throw new Error('No action sets anything on the full example');
  return found.action;
}

async function areLimited(t: Test, subject: Subject, { cases }: Tried): Promise<void> {
  const before = await made(subject, fullBase(subject));
  const actions = Array.from({ length: actionsMax }, () => steadyAction(cases));
  t.match(await updated(subject, before, [...actions, actions[0]]), {
    status: 400,
    body: { errors: [{ code: 'InvalidInput', message: /500/ }] },
  });
  const most = await updated(subject, before, actions);
  t.match(most, { status: 200, body: { version: before.version! + 1 } }, 'all of them make one version');
  await removeAt(subject.project, subject.resource, most.body as Created);
}

/** What no action can change, for its only values are of kinds that are not built. */
const settingsWithoutEffect: readonly string[] = ['setMyBusinessUnitAssociateRoleOnCreation'];

async function settingsChange(
  t: Test,
  { rest, twin }: { readonly rest: Project; readonly twin: Project },
): Promise<void> {
  const { resource } = projectDeclaration;
  const unchanged: string[] = [];
  for (const name of resource.actions.keys()) {
    const changed = await firstChange(rest, name);
    if (changed === undefined) {
      unchanged.push(name);
      continue;
    }
    const { input, before, answer } = changed;
    const { version } = answer.body;
    t.equal(version, Number(before['version']) + 1, `${name}: the version rises by one`);
    t.strictSame(documentMismatches(resource.fields, answer.body), [], `${name}: matches its schema`);
    t.strictSame((await rest.request('GET', '')).body, answer.body, `${name}: gives what a read gives`);
    const again = await rest.request('POST', '', { version, actions: [{ ...input, action: name }] });
    t.strictSame(again.body, answer.body, `${name}: without effect the second time`);
    if (resource.graphql.actions[name] === null) {
      const update = { version: before['version'], actions: [{ ...input, action: name }] };
      t.equal((await twin.request('POST', '', update)).status, 200, `${name}: REST alone has it`);
      continue;
    }
    const { status, body } = await graphql(twin, {
      operation: 'mutation',
      field: 'updateProject',
      args: {
        version: { type: 'Long!', value: before['version'] },
        actions: { type: `[${resource.graphql.updateAction}!]!`, value: [actionInput(resource, name, input)] },
      },
      selection: selectionOf(resource.typeName),
    });
    t.match({ status, errors: body['errors'] }, { status: 200, errors: undefined }, `${name}: GraphQL takes it`);
    const { body: read } = await twin.request('GET', '');
    t.strictSame(settingsOf(read, twin), settingsOf(answer.body, rest), `${name}: GraphQL does what REST does`);
    const given = (body['data'] as Draft | undefined)?.['updateProject'];
    t.strictSame(differences(resource.typeName, given, read), [], `${name}: and gives it`);
  }
  t.strictSame(unchanged, settingsWithoutEffect, 'every other action has an example that changes something');
}

async function firstChange(
  project: Project,
  name: string,
): Promise<{ readonly input: Draft; readonly before: Draft; readonly answer: Answer } | undefined> {
  const { resource } = projectDeclaration;
  const { body: before } = await project.request('GET', '');
  for (const input of [...inputsOf(resource, name, 'all'), ...inputsOf(resource, name, 'some')]) {
    const update = { version: before['version'], actions: [{ ...input, action: name }] };
    const answer = await project.request('POST', '', update);
    if (answer.status === 200 && answer.body['version'] !== before['version']) return { input, before, answer };
  }
  return undefined;
}

/** The settings with what differs between two projects taken out. */
function settingsOf(body: Draft, { projectKey }: Project): unknown {
  return comparable(JSON.parse(JSON.stringify(body).replaceAll(projectKey, '<key>')));
}

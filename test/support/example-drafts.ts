/**
 * Drafts of every resource, made from its declaration and the examples of its field kinds. No resource is named here.
 */
import { createHash, randomUUID } from 'node:crypto';
import type { Resource } from '../../src/engine/resource.ts';
import type { Field, FieldKind, Fields } from '../../src/fields/field.ts';
import { isObject } from '../../src/fields/object.ts';
import { keySegment } from '../../src/http/operations.ts';
import { allResources } from '../../src/resources/all.ts';
import { mismatches } from './json-schema.ts';
import type { Answer, Project } from './project.ts';

export type Draft = Readonly<Record<string, unknown>>;
export type { Project };

const byKind = new Map(allResources.map((resource) => [resource.kind, resource]));

/** The fields that a client can give. */
export function givenFields(fields: Fields): readonly (readonly [name: string, field: Field<unknown>])[] {
  return Object.entries(fields).filter(([, { presence }]) => !presence.startsWith('assigned'));
}

/** The values that stand for a field of the draft; one whose kinds of references are not all built has none. */
export function examplesOf({ examples }: Resource, name: string, { kind }: Field<unknown>): readonly unknown[] {
  const overriding = Object.hasOwn(examples.draft, name) ? [examples.draft[name]] : [];
  return [...overriding, ...kind.examples].filter(isBuilt);
}

/** All kinds that the value refers to are there. */
export function isBuilt(value: unknown): boolean {
  return targetsOf(value).every(({ typeId }) => byKind.has(typeId));
}

/** The required fields only, and those that are needed though not each draft has to have them. */
export function minimalDraft(resource: Resource, project: Project): Draft {
  const { needed } = resource.examples;
  return draftOf(resource, project, (name, { presence }) => presence === 'required' || needed.includes(name));
}

/** Every field that goes with the others. */
export function fullDraft(resource: Resource, project: Project): Draft {
  const { full } = resource.examples;
  const draft = { ...draftOf(resource, project, () => true), ...placed(full, project.projectKey) };
  return Object.fromEntries(Object.entries(draft).filter(([name]) => !(name in full) || full[name] !== undefined));
}

function draftOf(
  resource: Resource,
  { projectKey }: Project,
  isWanted: (name: string, field: Field<unknown>) => boolean,
): Draft {
  const members = givenFields(resource.draft).flatMap(([name, field]) => {
    const [example] = isWanted(name, field) ? examplesOf(resource, name, field) : [];
    return example === undefined ? [] : [[name, placed(example, projectKey)] as const];
  });
  return Object.fromEntries(members);
}

/** Examples of scopes name the project by a placeholder. */
export function placed<T>(example: T, projectKey: string): T {
  // Replacing inside texts keeps the form.
  return JSON.parse(JSON.stringify(example).replaceAll('{projectKey}', projectKey)) as T;
}

/** The draft for another resource: every text that could have to be unique is another one. */
export function another(resource: Resource, draft: Draft, name: string): Draft {
  const fields = resource.draft;
  return Object.fromEntries(
    Object.entries(draft).map(([member, value]) => [member, renamed(fields[member]!.kind, value, name)]),
  );
}

/** The value with its texts changed, where they are free. */
export function renamed({ examples, shape, schema }: FieldKind<unknown>, value: unknown, name: string): unknown {
  if (shape.class === 'localized') {
    return Object.fromEntries(Object.entries(value as object).map(([locale, text]) => [locale, `${text}-${name}`]));
  }
  const text = `${String(value)}-${name}`;
  // A placeholder stands for a name that exists.
  const isFree = shape.class === 'text' && schema.draft['format'] === undefined && !String(examples[0]).includes('{');
  const renamings = [text, `0.${decimalsOf(name)}`];
  return (isFree && renamings.find((one) => mismatches(schema.draft, one).length === 0)) || value;
}

/** For what is no free text, but one of many decimals. */
function decimalsOf(name: string): string {
  return `${createHash('sha256').update(name).digest().readUIntBE(0, 6)}1`;
}

interface Target {
  readonly typeId: string;
  readonly key: string;
}

/** The resources that a value names by the keys of examples, or by those of others beside them, which begin with `prefix`. */
export function targetsOf(value: unknown, prefix: 'example' | 'other' = 'example'): readonly Target[] {
  if (Array.isArray(value)) return value.flatMap((item) => targetsOf(item, prefix));
  if (!isObject(value)) return [];
  const { typeId, key } = value;
  // Such as `example-state`, or one with a name of its own, `example-state-review`.
  const isTarget =
    typeof typeId === 'string' && typeof key === 'string' && `${key}-`.startsWith(`${prefix}-${typeId}-`);
  const within = Object.values(value).flatMap((member) => targetsOf(member, prefix));
  return [...(isTarget ? [{ typeId, key }] : []), ...within];
}

function allTargetsOf(value: unknown): readonly Target[] {
  return [...targetsOf(value), ...targetsOf(value, 'other')];
}

/**
 * Creates what the value refers to, and what that needs in turn, unless it is there; and what the examples of the resource
 * need beside them.
 */
export async function createTargets(project: Project, value: unknown, resource?: Resource): Promise<void> {
  for (const { typeId, key } of targetsOf([value, resource?.examples.beside ?? []]))
    await createTarget(project, typeId, { key, name: firstName });
}

/** What the texts of the targets of examples end in. */
const firstName = 'target';

/** The draft that is posted to the path, with targets of its own in place of those that others of its kind have used up. */
export async function renewed(project: Project, path: string, draft: unknown): Promise<unknown> {
  const resource = allResources.find((each) => path.replace(/\?.*$/, '').endsWith(`/${each.path}`));
  if (resource === undefined || resource.examples.used.length === 0) return draft;
  if (typeof draft !== 'string' && !isObject(draft)) return draft;
  let text = typeof draft === 'string' ? draft : JSON.stringify(draft);
  const used = resource.examples.used.map((member) => resource.draft[member]!.kind.examples);
  for (const target of targetsOf(used)) {
    if (text.includes(`"${target.key}"`))
      text = text.replaceAll(`"${target.key}"`, `"${await anotherOf(project, target)}"`);
  }
  return typeof draft === 'string' ? text : JSON.parse(text);
}

/** The key of one more like the target. What is of another project stays as unknown as it is. */
async function anotherOf(project: Project, { typeId, key }: Target): Promise<string> {
  const { status } = await project.request('HEAD', keyPath(byKind.get(typeId)!, key));
  if (status !== 200) return key;
  const fresh = `${key}-${randomUUID().slice(0, 8)}`;
  await createTarget(project, typeId, { key: fresh, name: firstName, exampleName: exampleNameOf({ typeId, key }) });
  return fresh;
}

function exampleNameOf({ typeId, key }: Target): string {
  return key.split(`-${typeId}-`)[1] ?? '';
}

interface Making {
  readonly key: string;
  readonly name: string;
  readonly exampleName?: string;
}

/** Creates a resource with this key, and what it needs in turn, unless it is there; its texts end in `name`. */
export async function createTarget(
  project: Project,
  typeId: string,
  { key, name, exampleName = exampleNameOf({ typeId, key }) }: Making,
): Promise<void> {
  const target = byKind.get(typeId)!;
  if ((await project.request('HEAD', keyPath(target, key))).status === 200) return;
  const required = another(target, minimalDraft(target, project), [name, exampleName].filter(Boolean).join('-'));
  const given = {
    ...required,
    ...withOwnSkus(target.examples.draft, name),
    ...target.examples.named[exampleName],
    [keyMemberOf(target)]: key,
  };
  const chained = withoutKind(given, typeId);
  await createTargets(project, chained, target);
  const draft = (await renewed(project, `/${target.path}`, chained)) as Draft;
  await created(project, target, draft);
}

/** What examples call a resource of the kind by, which is its key or has the place of one. */
function keyMemberOf({ keyMembers }: Resource): string {
  return keyMembers.length === 1 ? keyMembers[0]! : 'key';
}

function keyPath(target: Resource, key: string): string {
  const member = keyMemberOf(target);
  return `/${target.path}${keySegment(member).replace(`{${member}}`, key)}`;
}

/** No two products have a SKU in common, wherever it stands. Those that line items name are of products that are there. */
function withOwnSkus(draft: Draft, name: string): Draft {
  const { lineItems, ...others } = draft;
  const text = JSON.stringify(others, (member, value: unknown) =>
    member === 'sku' && name !== firstName ? `${String(value)}-${name}` : value,
  );
  return { ...(JSON.parse(text) as Draft), ...(lineItems !== undefined && { lineItems }) };
}

/** The value with its targets, which are there, named by their ids. */
export async function namedById(project: Project, value: unknown): Promise<unknown> {
  const ids = new Map<string, unknown>();
  for (const { typeId, key } of allTargetsOf(value)) {
    const { body } = await project.request('GET', keyPath(byKind.get(typeId)!, key));
    ids.set(key, body['id']);
  }
  return withIds(value, ids);
}

function withIds(value: unknown, ids: ReadonlyMap<string, unknown>): unknown {
  if (Array.isArray(value)) return value.map((item) => withIds(item, ids));
  if (!isObject(value)) return value;
  const [target] = allTargetsOf({ typeId: value['typeId'], key: value['key'] });
  if (target !== undefined) return { typeId: target.typeId, id: ids.get(target.key) };
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withIds(member, ids)]));
}

/** A resource of a kind that refers to its own starts the chain without, in lists without the elements that do. */
function withoutKind(draft: Draft, kind: string): Draft {
  const refers = (value: unknown): boolean => targetsOf(value).some(({ typeId }) => typeId === kind);
  return Object.fromEntries(
    Object.entries(draft).flatMap(([name, value]) => {
      if (Array.isArray(value)) return [[name, value.filter((element) => !refers(element)) as unknown]];
      return refers(value) ? [] : [[name, value]];
    }),
  );
}

/** Creates all targets and the resource. Throws with the answer when it is refused. */
export async function createFrom(project: Project, resource: Resource, draft: Draft): Promise<Created> {
  await createTargets(project, draft, resource);
  return created(project, resource, draft);
}

export type Created = Readonly<Record<string, unknown>> & { readonly id: string; readonly version?: number };

/** Creates the resource, whose targets are there. Throws with the answer when it is refused. */
export async function created(project: Project, resource: Resource, draft: Draft): Promise<Created> {
  const answer = await project.request('POST', `/${resource.path}`, draft);
  if (answer.status !== 201) throw refusalOf(`POST /${resource.path}`, draft, answer);
  return createdOf(resource, answer.body);
}

/** The resource in the answer to its creation. */
export function createdOf({ createdIn }: Resource, body: unknown): Created {
  const answer = body as Readonly<Record<string, unknown>>;
  return (createdIn === undefined ? answer : answer[createdIn.member]) as Created;
}

function refusalOf(what: string, sent: unknown, { status, text }: Answer): Error {
  return new Error(`${what} gave ${status} ${text.slice(0, 500)} for ${JSON.stringify(sent).slice(0, 1000)}`);
}

/** `/zones/{id}`, by which resources are updated and deleted whatever key they have; custom keys have several members. */
export function pathOf(resource: Resource, document: Created): string {
  if (resource.keyMembers.length > 1) return keyPathOf(resource, document)!;
  return `/${resource.path}/${document.id}`;
}

/** `/zones/key={key}`; undefined for a resource without. */
export function keyPathOf({ path, keyMembers }: Resource, document: Draft): string | undefined {
  const texts = keyMembers.map((name) => document[name]);
  if (texts.length === 0 || texts.includes(undefined)) return undefined;
  if (texts.length > 1) return `/${path}/${texts.join('/')}`;
  const [name] = keyMembers as [string];
  return `/${path}${keySegment(name).replace(`{${name}}`, String(texts[0]))}`;
}

/** Deletes the resource at the version that it has. */
export async function removeAt(project: Project, resource: Resource, document: Created): Promise<Answer> {
  const query = resource.lifecycle === 'versioned' ? `?version=${document.version}` : '';
  return project.request('DELETE', `${pathOf(resource, document)}${query}`);
}

/** Lists and deletions show no previews. */
export function withoutPreview({ preview }: Pick<Resource, 'preview'>, document: unknown): Draft {
  const members = Object.entries(document as Draft);
  return Object.fromEntries(members.filter(([name]) => name !== preview?.member));
}

/** The document with what differs between two resources of one draft taken out. */
export function comparable(document: unknown): unknown {
  const { id: _, version: _v, createdAt: _c, lastModifiedAt: _m, ...others } = document as Record<string, unknown>;
  return JSON.parse(
    JSON.stringify(others)
      .replaceAll(uuid, '<id>')
      .replaceAll(moment, '<moment>')
      .replace(randomOrder, '<order>')
      .replace(mask, '<mask>'),
  );
}

/** A moment of now; those of examples lie elsewhere. */
const moment = /(?!2030-)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g;
/** A sort order that the platform chose. */
const randomOrder = /0\.\d{15}/;
/** What is shown of a password. */
const mask = /\*{4}[A-Za-z0-9+/]{4}/;
const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

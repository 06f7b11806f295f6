/**
 * Inputs of every update action, made from its declaration and the examples of its field kinds. No resource is named here.
 */
import type { Resource } from '../../src/engine/resource.ts';
import type { Field, FieldKind } from '../../src/fields/field.ts';
import { isObject } from '../../src/fields/object.ts';
import {
  createTarget,
  createTargets,
  type Draft,
  givenFields,
  isBuilt,
  type Project,
  renamed,
  targetsOf,
} from './example-drafts.ts';
import { mismatches } from './json-schema.ts';

/** How much of what an action can take its input has. */
export type Extent = 'all' | 'some';

/**
 * Inputs to try an action with, the likeliest first: with every field, or with the required ones and at most one of the
 * others. Of each set there is one of first examples, and one for each other value of each field.
 */
export function inputsOf(resource: Resource, name: string, extent: Extent): readonly Draft[] {
  const fields = givenFields(resource.actions.get(name)!.fields);
  const values = new Map(fields.map(([field, { kind }]) => [field, valuesOf(resource, name, { field, kind })]));
  return fieldSets(fields, extent).flatMap((names) => {
    const filled = names.filter((field) => values.get(field)!.length > 0);
    const first = Object.fromEntries(filled.map((field) => [field, values.get(field)![0]]));
    const others = filled.flatMap((field) =>
      values
        .get(field)!
        .slice(1)
        .map((value) => ({ ...first, [field]: value })),
    );
    return [first, ...others];
  });
}

/** The input for one document: a text such as `{assets[0].id}` stands for what the document has there. */
export function applied<T>(input: T, document: Draft): T {
  if (Array.isArray(input)) return input.map((item) => applied(item as unknown, document)) as T;
  if (isObject(input))
    return Object.fromEntries(Object.entries(input).map(([name, member]) => [name, applied(member, document)])) as T;
  const [, path] = typeof input === 'string' ? (/^\{([\w.]+\[\d+\]\.[\w.[\]]+)\}$/.exec(input) ?? []) : [];
  if (path === undefined) return input;
  const found = path
    .split(/[.[\]]+/)
    .reduce<unknown>((holder, name) => (holder as Draft | undefined)?.[name], document);
  return (found ?? input) as T;
}

/** An update with the first example of an action that changes the resource at `path`, after it is done. */
export async function changedOnce(
  project: Project,
  resource: Resource,
  path: string,
): Promise<{ readonly action: Draft; readonly body: Draft }> {
  const { body: before } = await project.request('GET', path);
  const version = before['version'];
  for (const name of resource.actions.keys()) {
    for (const input of inputsOf(resource, name, 'all')) {
      const action = { ...applied(input, before), action: name };
      const { status, body } = await project.request('POST', path, { version, actions: [action] });
      if (status === 200 && body['version'] !== version) return { action, body };
    }
  }
  throw new Error(`No example of an action changes ${path}`);
}

function fieldSets(
  fields: readonly (readonly [name: string, field: Field<unknown>])[],
  extent: Extent,
): readonly (readonly string[])[] {
  if (extent === 'all') return [fields.map(([name]) => name)];
  const required = fields.filter(([, { presence }]) => presence === 'required').map(([name]) => name);
  const others = fields.filter(([, { presence }]) => presence !== 'required').map(([name]) => name);
  return [required, ...others.map((name) => [...required, name])];
}

function valuesOf(
  { examples }: Resource,
  name: string,
  { field, kind }: { readonly field: string; readonly kind: FieldKind<unknown> },
): readonly unknown[] {
  const given = examples.actions[name] ?? {};
  const [first, ...others] = [...(Object.hasOwn(given, field) ? [given[field]] : []), ...kind.examples].filter(isBuilt);
  if (first === undefined) return [];
  const values = [first, ...others, varied(kind, first), withOtherTargets(first)];
  return values.filter((value) => value !== undefined);
}

/** Another value of the kind, where one can be made of this one. */
function varied(kind: FieldKind<unknown>, value: unknown): unknown {
  const other = typeof value === 'number' ? value + 1 : renamed(kind, value, 'other');
  return mismatches(kind.schema.draft, other).length === 0 ? other : undefined;
}

/** A link, or a list of them, to other resources of the same kinds; undefined for any other value. */
function withOtherTargets(value: unknown): unknown {
  if (Array.isArray(value)) {
    const links = value.map(withOtherTargets);
    return links.length === 0 || links.includes(undefined) ? undefined : links;
  }
  if (!isObject(value)) return undefined;
  const [target] = targetsOf({ typeId: value['typeId'], key: value['key'] });
  return target && { typeId: target.typeId, key: otherKey(target) };
}

function otherKey({ key }: { readonly key: string }): string {
  return key.replace(/^example/, 'other');
}

/** Creates what the inputs of all actions refer to: the targets of examples, and others beside them. */
export async function createInputTargets(project: Project, resource: Resource): Promise<void> {
  const values = [...resource.actions].flatMap(([name, { fields }]) =>
    givenFields(fields).flatMap(([field, { kind }]) => valuesOf(resource, name, { field, kind })),
  );
  await createTargets(project, values);
  for (const target of targetsOf(values.filter((value) => withOtherTargets(value) !== undefined)))
    await createTarget(project, target.typeId, { key: otherKey(target), name: `other-${target.key}` });
}

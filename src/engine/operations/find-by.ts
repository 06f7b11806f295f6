/** Resources by what a declaration says that they are found by, beside their ids and keys. */
import { apiError } from '../../errors/api-error.ts';
import { mayViewAll } from '../access.ts';
import type { RequestContext } from '../context.ts';
import { documentOf } from '../json.ts';
import type { Engine, FoundBy, Resource } from '../resource.ts';
import type { Stored } from '../store.ts';
import { query } from './query.ts';
import { indexable } from './write.ts';

export interface FindRequest {
  readonly context: RequestContext;
  readonly resource: Resource;
}

/** What is held that the index cannot hold, such as a null character, is held by nobody. */
const unheld = '\0';

/** Undefined where nobody has the value, and where nobody shows it to who asks. */
export async function findBy(
  engine: Engine,
  { context, resource }: FindRequest,
  { by, value }: { readonly by: FoundBy; readonly value: string },
): Promise<Stored | undefined> {
  if ('unique' in by) {
    const [id] = await shownHolders(engine, { context, resource }, { field: by.unique, values: [value] });
    if (id === undefined) return undefined;
    const [found] = await engine.store.find(context.project.key, [{ kind: resource.kind, id }]);
    return found;
  }
  const where = [by.where(value, mayViewAll(context, resource))];
  const { results } = await query(engine, { context, resource, query: { ...first, where } });
  const [json] = results;
  if (json === undefined) return undefined;
  const { id, version } = documentOf(json);
  return { id, version, json, key: undefined };
}

/** Of several the oldest. */
const first = { variables: new Map(), sort: ['createdAt asc'], expand: [], limit: 1, offset: 0, withTotal: false };

/** Ids of those that hold one of these values of a unique field, and show it, each once. */
export async function shownHolders(
  engine: Engine,
  { context, resource }: FindRequest,
  { field, values }: { readonly field: string; readonly values: readonly string[] },
): Promise<readonly string[]> {
  const { kind } = resource;
  const project = context.project.key;
  const lookups = values
    .filter((value) => !value.includes(unheld))
    .map((value) => ({ kind, unique: indexable({ field, value }) }));
  const holders = await engine.store.findHolderIds(project, lookups);
  const ids = [...new Set(holders.filter((id) => id !== undefined))];
  if (ids.length === 0 || resource.published === undefined || mayViewAll(context, resource)) return ids;
  // Who sees a part of each may not see who holds a value in another part.
  const wanted = new Set(values);
  const found = await engine.store.find(
    project,
    ids.map((id) => ({ kind, id })),
  );
  return found.flatMap((stored) => {
    const held = stored === undefined ? [] : resource.uniqueValues(documentOf(stored.json));
    return held.some((unique) => unique.field === field && wanted.has(unique.value)) ? [stored!.id] : [];
  });
}

/** Throws InvalidInput for more values than a query may name. */
export function requireFew(name: string, values: readonly unknown[], valuesMax: number): void {
  if (values.length > valuesMax)
    throw apiError(
      'InvalidInput',
      `The argument '${name}' has ${values.length} values, but takes ${valuesMax} at most.`,
    );
}

import { apiError } from '../errors/api-error.ts';
import { randomUUID } from 'node:crypto';
import { dependencyOn } from './coherence.ts';
import type { Document } from './document.ts';
import type { Collection, Engine } from './resource.ts';
import { documentOf } from './json.ts';
import { wholeOf } from './lens.ts';
import { queriedKind } from './operations/query.ts';

/** Resources of one kind that a collection may hold; kinds without a lower limit of their own do not belong in one. */
const collectionMax = 10_000;
const pageMax = 500;

/**
 * All resources of `kinds` in a project, whoever asks, cached until one of them changes. For kinds of which a project has
 * few, such as those that a computation needs whole.
 */
export function allOf(engine: Engine, project: string, kinds: readonly string[]): Promise<Collection> {
  for (const kind of kinds) engine.sources.note(kind);
  return engine.collections.get(`${project}/${kinds.join('+')}`, async () => {
    const lists = await Promise.all(kinds.map((kind) => readAll(engine, project, kind)));
    return {
      value: {
        version: randomUUID(),
        documents: new Map(kinds.map((kind, index) => [kind, lists[index]!])),
        derived: new Map(),
      },
      dependencies: kinds.map((kind) => dependencyOn({ project, kind })),
    };
  });
}

/** Whether a project has any of a kind, whoever asks. */
export async function hasAny(engine: Engine, project: string, kind: string): Promise<boolean> {
  const page = await wholeOf(engine.store).query(project, {
    ...queriedKind(engine, engine.registry.byKind.get(kind)!),
    where: [],
    sort: [],
    limit: 1,
    offset: 0,
  });
  return page.length > 0;
}

async function readAll(engine: Engine, project: string, kind: string): Promise<readonly Document[]> {
  const documents: Document[] = [];
  const store = wholeOf(engine.store);
  for (let offset = 0; offset < collectionMax; offset += pageMax) {
    const page = await store.query(project, {
      ...queriedKind(engine, engine.registry.byKind.get(kind)!),
      where: [],
      sort: [],
      limit: pageMax,
      offset,
    });
    for (const { json } of page) documents.push(documentOf(json));
    if (page.length < pageMax) return documents;
  }
  throw apiError('InvalidOperation', `The project has more than ${collectionMax} resources of kind ${kind}.`);
}

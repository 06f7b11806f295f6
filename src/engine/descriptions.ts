/** Resources that say what others hold, such as the types of custom fields and of products: read once and kept parsed. */
import { ApiError, apiError } from '../errors/api-error.ts';
import type { Reference } from '../fields/parsing.ts';
import { dependencyOn } from './coherence.ts';
import type { Readings } from './readings.ts';
import type { Description, Document, Fixed } from './document.ts';
import { documentOf } from './json.ts';
import { notFound } from './load.ts';
import type { Engine, Resource } from './resource.ts';

/** Descriptions that one may take in, all told. */
const nestedMax = 100;

export function describing(engine: Engine, project: string, { typeId, id }: Reference): Promise<Description> {
  // What is kept is not read, so that the store does not note it.
  engine.sources.note(typeId, id);
  return engine.descriptions.get(`${project}/${typeId}/${id}`, async () => {
    const [stored] = await engine.store.find(project, [{ kind: typeId, id }]);
    if (stored === undefined) throw new ApiError([notFound({ typeId, id })]);
    const value = { document: documentOf(stored.json), internals: internalsOf(stored), bytes: stored.json.length };
    return { value, dependencies: [dependencyOn({ project, kind: typeId, id })] };
  });
}

/** A resource named by its id, or by its key where this never changes. */
export type KeptLink = Reference | { readonly typeId: string; readonly key: string };

/**
 * A resource as it is kept parsed: the part of it that its kind says, or all. Undefined for one that is not there. Whoever may
 * see no more than a part of the kind is given an engine that sees all.
 */
export async function keptIfThere(
  engine: Engine,
  project: string,
  link: KeptLink,
  extent: 'part' | 'whole' = 'part',
): Promise<Fixed<Document> | undefined> {
  const { typeId: kind } = link;
  const name = 'id' in link ? link.id : `key=${link.key}`;
  const part = extent === 'part' ? engine.registry.byKind.get(kind)?.keptPart : undefined;
  const nameOfPart = part === undefined ? '' : '/part';
  if ('id' in link) engine.sources.note(kind, link.id);
  const description = await engine.descriptions
    .get(`${project}/${kind}/${name}${nameOfPart}`, async () => {
      const [stored] = await engine.store.find(project, [
        { kind, ...('id' in link ? { id: link.id } : { key: link.key }) },
      ]);
      if (stored === undefined) throw new ApiError([notFound(link)]);
      const whole = documentOf(stored.json);
      const document = part === undefined ? whole : part(whole);
      const bytes = part === undefined ? stored.json.length : JSON.stringify(document).length;
      return {
        value: { document, internals: internalsOf(stored), bytes },
        dependencies: [dependencyOn({ project, kind, id: stored.id })],
      };
    })
    .catch(undefinedIfGone);
  // A key that nobody has can be anybody's next.
  if ('key' in link) engine.sources.note(kind, description?.document.id);
  return description?.document;
}

function undefinedIfGone(error: unknown): undefined {
  if (error instanceof ApiError && error.code === 'ReferencedResourceNotFound') return undefined;
  throw error;
}

/** Undefined for one that has gone. */
export async function describingIfThere(
  engine: Engine,
  project: string,
  by: Reference,
): Promise<Description | undefined> {
  return describing(engine, project, by).catch(undefinedIfGone);
}

export function internalsOf({ internals }: { readonly internals?: string }): Record<string, unknown> {
  // The column holds what inserts and replacements wrote.
  return internals === undefined ? {} : (JSON.parse(internals) as Record<string, unknown>);
}

/** What describes a resource that holds `holder`, and all that those take in. They are found by their ids from then on. */
export async function readDescriptions(
  engine: Engine,
  project: string,
  {
    resource: { describedBy },
    holder,
    into,
  }: { readonly resource: Pick<Resource, 'describedBy'>; readonly holder: object; readonly into: Readings },
): Promise<readonly Description[]> {
  if (describedBy === undefined) return [];
  const { kind: typeId, member, nested } = describedBy;
  // Fields that are required hold a reference of the kind.
  let ids: readonly string[] = [(holder as Readonly<Record<string, Reference>>)[member]!.id];
  const known = new Map<string, Description>();
  while (ids.length > 0) {
    const read = await Promise.all(ids.map((id) => describing(engine, project, { typeId, id })));
    for (const description of read) {
      known.set(description.document.id, description);
      into.addParsed(typeId, description.document);
    }
    const next = new Set(read.flatMap(({ document }) => nested(document)));
    ids = [...next].filter((id) => !known.has(id));
    if (known.size + ids.length > nestedMax)
      throw apiError('InvalidInput', `The '${typeId}' takes in more than ${nestedMax} others.`);
  }
  return [...known.values()];
}

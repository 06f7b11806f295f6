/** What extensions depend on: at most so many at once, and at most so many one after the other. */
import type { RequestContext } from '../../engine/context.ts';
import type { Fixed } from '../../engine/document.ts';
import { documentOf } from '../../engine/json.ts';
import { wholeOf } from '../../engine/lens.ts';
import { queriedKind } from '../../engine/operations/query.ts';
import type { Along, AlongRemoval, Engine, Planned } from '../../engine/resource.ts';
import type { Assertion, Stored } from '../../engine/store.ts';
import { apiError, type ErrorElement } from '../../errors/api-error.ts';
import type { Extension } from './fields.ts';

/** The public API has these limits, and that of extensions of a project. */
export const extensionsMax = 25;
const dependenciesMax = 5;
const chainMax = 3;

export function widthFault({ dependencies }: Fixed<Pick<Extension, 'dependencies'>>): ErrorElement | undefined {
  if (dependencies.length <= dependenciesMax) return undefined;
  const message = `An extension depends on ${dependenciesMax} others at most, but ${dependencies.length} are given.`;
  return { code: 'ExtensionChainTooWide', message };
}

/**
 * Judges a change of dependencies by all extensions of the project, and has the commit rest on the versions of all that are
 * there, so that no two changes make together what none of them may: what this one is not linked to may become so meanwhile.
 * One that is new meanwhile escapes it: there was no version of it to rest on.
 */
export const chained: Along = async (engine, context, { before, after }) => {
  // Of the kind that declares this.
  const [was, is] = [before as Fixed<Extension> | undefined, after as unknown as Fixed<Extension>];
  if (idsIn(was).join() === idsIn(is).join()) return [];
  const resource = engine.registry.byKind.get('extension')!;
  const others = (await extensionsOf(engine, context)).filter(({ id }) => id !== is.id);
  const graph = new Map([...others, is].map((each) => [each.id, idsIn(each)]));
  const above = ancestorsOf(graph, is.id);
  if (above.has(is.id))
    throw apiError('CircularDependency', `The extension '${is.id}' would depend on itself by its dependencies.`);
  const chain = Math.max(...[...graph.keys()].map((id) => chainAt(graph, id)));
  if (chain > chainMax)
    throw apiError(
      'ExtensionChainTooDeep',
      `${chain} extensions would have to be called one after the other; ${chainMax} may.`,
    );
  return others.map(({ id, version }): Planned<Assertion> => {
    return { resource, write: { type: 'assertion', kind: resource.kind, id, expectedVersion: version } };
  });
};

export const notDependedOn: AlongRemoval = async (engine, context, { id: gone }) => {
  const dependent = (await extensionsOf(engine, context)).find((each) => idsIn(each).includes(gone));
  if (dependent === undefined) return [];
  throw apiError(
    'ExtensionDependencyExists',
    `The extension '${gone}' cannot be deleted, because the extension '${dependent.id}' depends on it.`,
  );
};

async function extensionsOf(engine: Engine, { project }: RequestContext): Promise<readonly Extension[]> {
  return (await readExtensions(engine, project.key)).map(({ json }) => documentOf<Extension>(json));
}

function idsIn(extension: Fixed<Pick<Extension, 'dependencies'>> | undefined): readonly string[] {
  return extension?.dependencies.map(({ id }) => id) ?? [];
}

/** All of a project, as they are now, without what is kept beside them. */
export function readExtensions(engine: Engine, project: string): Promise<readonly Stored[]> {
  const resource = engine.registry.byKind.get('extension')!;
  return wholeOf(engine.store).query(project, {
    ...queriedKind(engine, resource),
    where: [],
    sort: [],
    limit: engine.maxPerProject(resource) ?? extensionsMax,
    offset: 0,
  });
}

/** All that one has to wait for, itself among them where it would wait for itself. */
export function ancestorsOf(graph: ReadonlyMap<string, readonly string[]>, id: string): ReadonlySet<string> {
  const found = new Set<string>();
  const open = [...(graph.get(id) ?? [])];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (found.has(next)) continue;
    found.add(next);
    open.push(...(graph.get(next) ?? []));
  }
  return found;
}

/** How many are called one after the other up to this one. There is no circle in the graph. */
function chainAt(graph: ReadonlyMap<string, readonly string[]>, id: string): number {
  return 1 + Math.max(0, ...(graph.get(id) ?? []).map((dependency) => chainAt(graph, dependency)));
}

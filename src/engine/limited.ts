import { mayViewAll } from './access.ts';
import { parsePredicate } from '../predicate/parser.ts';
import type { Predicate } from '../predicate/ast.ts';
import type { Shape } from '../predicate/shape.ts';
import type { Principal, RequestContext } from './context.ts';
import type { Engine, Resource } from './resource.ts';
import { documentOf } from './json.ts';
import type { Query, Store, Stored } from './store.ts';

type Limiting = Pick<RequestContext, 'principal' | 'project'>;

/**
 * What requests read that may not see all of a kind: for those without its scopes, products are what is published of
 * them, wherever they come from: by id, in pages, behind references, in GraphQL.
 */
export function limitedTo(engine: Engine, context: Limiting): Engine {
  const kinds = limitsFor(engine, context);
  return kinds.size === 0 ? engine : { ...engine, store: limitedStore(engine.store, kinds) };
}

/** Tells answers for such requests from those for others. */
export function limitsName(engine: Engine, context: Limiting): string {
  const kinds = limitsFor(engine, context);
  return kinds.size === 0 ? '' : `${[...kinds.keys()].join('+')} in part/`;
}

/** The shape by which the request's predicates and sorts are read. */
export function visibleShape(engine: Engine, context: Limiting, resource: Resource): Resource['shape'] {
  if (!limitsFor(engine, context).has(resource.kind)) return resource.shape;
  let shape = shapes.get(resource);
  if (shape === undefined) shapes.set(resource, (shape = without(resource.shape, resource.published!.hides)));
  return shape;
}

const shapes = new WeakMap<Resource, Resource['shape']>();

/** Kinds whose values hold values of the same kind have a shape that holds itself. */
function without(
  shape: Resource['shape'],
  names: readonly string[],
  known = new Map<Resource['shape'], Resource['shape']>(),
): Resource['shape'] {
  const made = known.get(shape);
  if (made !== undefined) return made;
  const fields = new Map<string, Shape>();
  const left: Resource['shape'] = { ...shape, fields };
  known.set(shape, left);
  for (const [name, member] of shape.fields) {
    if (names.includes(name)) continue;
    fields.set(name, member.class === 'object' ? without(member, names, known) : member);
  }
  return left;
}

/** Per principal, which the cache of tokens keeps from request to request. */
const known = new WeakMap<Principal, ReadonlyMap<string, Resource>>();

function limitsFor({ registry }: Engine, { principal, project }: Limiting): ReadonlyMap<string, Resource> {
  let kinds = known.get(principal);
  if (kinds === undefined) {
    const limited = registry.resources.filter(
      (resource) => resource.published !== undefined && !mayViewAll({ principal, project }, resource),
    );
    known.set(principal, (kinds = new Map(limited.map((resource) => [resource.kind, resource]))));
  }
  return kinds;
}

function limitedStore(store: Store, kinds: ReadonlyMap<string, Resource>): Store {
  return {
    ...store,
    find: async (project, lookups) => {
      const found = await store.find(project, lookups);
      return found.map((stored, index) => stored && shownOf(kinds.get(lookups[index]!.kind), stored));
    },
    query: async (project, query, request) => {
      const resource = kinds.get(query.kind);
      if (resource === undefined) return store.query(project, query, request);
      const page = await store.query(project, publishedAlone(resource, query), request);
      return page.flatMap((stored) => shownOf(resource, stored) ?? []);
    },
    queryVersions: (project, query, request) => {
      const resource = kinds.get(query.kind);
      return store.queryVersions(project, resource === undefined ? query : publishedAlone(resource, query), request);
    },
    count: (project, query, request) => {
      const resource = kinds.get(query.kind);
      return store.count(project, resource === undefined ? query : publishedAlone(resource, query), request);
    },
  };
}

function shownOf(resource: Resource | undefined, stored: Stored): Stored | undefined {
  if (resource?.published === undefined) return stored;
  const document = resource.published.shown(documentOf(stored.json));
  return document && { ...stored, json: JSON.stringify(document) };
}

function publishedAlone<Q extends Pick<Query, 'where'>>(resource: Resource, query: Q): Q {
  return { ...query, where: [...query.where, conditionOf(resource)] };
}

const conditions = new WeakMap<Resource, Predicate>();

function conditionOf(resource: Resource): Predicate {
  let condition = conditions.get(resource);
  if (condition === undefined)
    conditions.set(resource, (condition = parsePredicate(resource.published!.where, resource.shape, new Map())));
  return condition;
}

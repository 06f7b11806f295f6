import { apiError } from '../../errors/api-error.ts';
import { answer } from '../answer.ts';
import type { Place, RequestContext } from '../context.ts';
import { lookingAt } from '../lens.ts';
import type { Engine, Resource } from '../resource.ts';
import { isThere } from '../place.ts';
import type { Lookup, Stored } from '../store.ts';
import { previewed } from './preview.ts';
import { representAs } from './represent.ts';

/** A resource named in a path: `{id}` or `key={key}`. */
export type Identity = { readonly id: string } | { readonly key: string };

export interface GetRequest extends Place {
  readonly context: RequestContext;
  readonly resource: Resource;
  readonly identity: Identity;
  readonly expand: readonly string[];
}

/** The representation of one resource, as JSON. Throws ResourceNotFound. */
export function get(engine: Engine, request: GetRequest): Promise<Buffer> {
  const { context, resource, expand } = request;
  return answer(engine, request, {
    form: 'one',
    isByGrants: isByGrants(request),
    make: async (reading) => {
      const { json: stored } = await read(reading, request);
      const shown = await previewed(reading, context, { resource, json: stored });
      const [json] = await representAs(reading, { context, resource, paths: expand }, [shown]);
      return json!;
    },
  });
}

/** Principals with other grants see other resources behind references. */
export function isByGrants({ expand }: Pick<GetRequest, 'expand'>): boolean {
  return expand.length > 0;
}

async function read(engine: Engine, request: GetRequest): Promise<Stored> {
  const { context, resource, identity } = request;
  const { store } = lookingAt(engine, request);
  const [found] = await store.find(context.project.key, [lookupOf(resource, identity)]);
  return existing(found, request);
}

export function lookupOf({ kind }: Resource, identity: Identity): Lookup {
  return 'id' in identity ? { kind, id: identity.id } : { kind, key: identity.key };
}

/**
 * `stored`, or ResourceNotFound when it is not in this place: who asks there hears no more of what is elsewhere than of what is
 * nowhere.
 */
export function existing<S extends Stored>(
  stored: S | undefined,
  { resource, identity, ...place }: Pick<GetRequest, 'resource' | 'identity'> & Place,
): S {
  if (stored !== undefined && isThere(resource, stored, place)) return stored;
  const [keyMember = 'key'] = resource.keyMembers;
  const named = 'id' in identity ? `ID '${identity.id}'` : `${keyMember} '${identity.key}'`;
  const where = place.storeKey === undefined ? '' : ` in the store '${place.storeKey}'`;
  throw apiError('ResourceNotFound', `The ${resource.schemaName} with ${named} was not found${where}.`);
}

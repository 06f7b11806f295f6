import { apiError } from '../../errors/api-error.ts';
import type { RequestContext } from '../context.ts';
import type { Resource } from '../define.ts';
import type { Engine } from '../engine.ts';
import type { Lookup, Stored } from '../store.ts';
import { represent } from './represent.ts';

/** A resource named in a path: `{id}` or `key={key}`. */
export type Identity = { readonly id: string } | { readonly key: string };

export interface GetRequest {
  readonly context: RequestContext;
  readonly resource: Resource;
  readonly identity: Identity;
  readonly expand: readonly string[];
}

/** The representation of one resource, as JSON text. Throws ResourceNotFound. */
export async function get(engine: Engine, request: GetRequest): Promise<string> {
  const { context, resource, identity } = request;
  const [stored] = await engine.store.find(context.project.key, [lookupOf(resource, identity)]);
  const [text] = await represent(engine, context, [existing(stored, request).text], request.expand);
  return text!;
}

export function lookupOf({ kind }: Resource, identity: Identity): Lookup {
  return 'id' in identity ? { kind, id: identity.id } : { kind, key: identity.key };
}

/** `stored`, or ResourceNotFound when there is none. */
export function existing(
  stored: Stored | undefined,
  { resource, identity }: Pick<GetRequest, 'resource' | 'identity'>,
): Stored {
  if (stored !== undefined) return stored;
  const named = 'id' in identity ? `ID '${identity.id}'` : `key '${identity.key}'`;
  throw apiError('ResourceNotFound', `The ${resource.typeName} with ${named} was not found.`);
}

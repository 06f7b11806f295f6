import { apiError } from '../../errors/api-error.ts';
import type { RequestContext } from '../context.ts';
import type { Resource } from '../define.ts';
import type { Engine } from '../engine.ts';
import { isEverywhere, type Place, requireInPlace } from '../place.ts';
import type { Lookup, Stored } from '../store.ts';
import { represent } from './represent.ts';

/** A resource named in a path: `{id}` or `key={key}`. */
export type Identity = { readonly id: string } | { readonly key: string };

export interface GetRequest extends Place {
  readonly context: RequestContext;
  readonly resource: Resource;
  readonly identity: Identity;
  readonly expand: readonly string[];
}

/** The representation of one resource, as JSON: ready bytes when nothing is expanded. Throws ResourceNotFound. */
export async function get(engine: Engine, request: GetRequest): Promise<Buffer | string> {
  const { context, expand } = request;
  if (expand.length === 0 && isEverywhere(request)) return readyBytes(engine, request);
  const [text] = await represent(engine, context, [(await read(engine, request)).text], expand);
  return text!;
}

function readyBytes(engine: Engine, request: GetRequest): Promise<Buffer> {
  const { context, resource, identity } = request;
  const project = context.project.key;
  const name = 'id' in identity ? identity.id : `key=${identity.key}`;
  return engine.representations.get(`${project}/${resource.kind}/${name}`, async () => {
    const { id, text } = await read(engine, request);
    // A resource that takes over a key does so after another gave it up, which drops this entry.
    return { value: Buffer.from(text), dependencies: [{ project, kind: resource.kind, id }] };
  });
}

async function read(engine: Engine, request: GetRequest): Promise<Stored> {
  const { context, resource, identity } = request;
  const [found] = await engine.store.find(context.project.key, [lookupOf(resource, identity)]);
  const stored = existing(found, request);
  requireInPlace(resource, stored, request);
  return stored;
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

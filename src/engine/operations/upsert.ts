import { ApiError } from '../../errors/api-error.ts';
import { isObject } from '../../fields/object.ts';
import type { Document } from '../document.ts';
import type { CreateRequest, Engine } from '../resource.ts';
import type { Json } from '../json.ts';
import { documentInTurns } from '../json-slices.ts';
import { commit, conflict, tooManyRivals, tryCommit } from './commit.ts';
import { parsedDraft } from './draft.ts';
import { planInsertion, planReplacement } from './plan.ts';
import { represent } from './represent.ts';
import { keyOf } from './write.ts';

/** Times that a write is tried when rivals create, change or delete the resource meanwhile. */
const attemptsMax = 16;

/**
 * Creates the resource that the draft's key members name, or replaces its value. A `version` in the draft has to be
 * the present one. Gives the representation.
 */
export async function upsert(engine: Engine, request: CreateRequest): Promise<{ json: Json; isNew: boolean }> {
  const { context, resource } = request;
  const { body } = await parsedDraft(engine, request);
  const version = expectedVersion(request.draft);
  // Key members are required, so the body has a key; of a document only they are looked at.
  const key = keyOf(resource, body as Document)!;
  for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
    const [stored] = await engine.store.find(context.project.key, [{ kind: resource.kind, key }]);
    const text = stored === undefined ? await created(engine, request, body) : undefined;
    if (text !== undefined) return { json: await expanded(engine, request, text), isNew: true };
    if (stored === undefined) continue;
    if (version !== undefined && version !== stored.version)
      throw conflict(resource, { id: stored.id, expected: version, current: stored.version });
    const before = await documentInTurns(stored.json, context);
    const change = { context, resource, id: stored.id, before, after: { ...before, ...body } };
    const planned = await planReplacement(engine, change);
    if (planned === undefined || (await tryCommit(engine, context, [planned])).isDone)
      return { json: await expanded(engine, request, planned?.write.json ?? stored.json), isNew: false };
  }
  throw tooManyRivals();
}

/** The draft was parsed, so a version is an integer. */
function expectedVersion(draft: unknown): number | undefined {
  const version = isObject(draft) ? draft['version'] : undefined;
  return typeof version === 'number' ? version : undefined;
}

/** Undefined when a rival created it first. */
async function created(
  engine: Engine,
  { context, resource }: CreateRequest,
  body: Record<string, unknown>,
): Promise<Json | undefined> {
  try {
    const planned = await planInsertion(engine, { context, resource, body });
    await commit(engine, context, [planned]);
    return planned.write.json;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'DuplicateField') return undefined;
    throw error;
  }
}

async function expanded(engine: Engine, { context, expand }: CreateRequest, json: Json): Promise<Json> {
  return (await represent(engine, context, [json], expand))[0]!;
}

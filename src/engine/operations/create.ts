import type { CreateRequest, Engine, Planned, Warning } from '../resource.ts';
import type { Insertion } from '../store.ts';
import type { Json } from '../json.ts';
import { shownAfterWrite } from '../lens.ts';
import { isDryRun, previewed, previewedAfterWrite } from './preview.ts';
import { Readings } from '../readings.ts';
import { anewWhileOutdated, commit } from './commit.ts';
import { parsedDraft } from './draft.ts';
import { planExtendedInsertion } from './extend.ts';
import { representAs, withWarnings } from './represent.ts';
import { upsert } from './upsert.ts';

/** What a create gives. An upsert may have found the resource there. */
export interface Created {
  readonly json: Json;
  readonly isNew: boolean;
}

/**
 * Creates a resource from a draft in the way that its kind is created, and gives the representation. There is no other way
 * in: a kind whose create is coded may have drafts that hold more than is stored, such as a password.
 */
export async function create(engine: Engine, request: CreateRequest): Promise<Created> {
  const { context, resource, expand } = request;
  if (resource.createWith !== undefined) return { json: await resource.createWith(engine, request), isNew: true };
  if (resource.lifecycle === 'upserted') return upsert(engine, request);
  const isDry = isDryRun(resource, request.draft);
  const { write, warnings } = await anewWhileOutdated(async () => {
    const noted: Warning[] = [];
    const planned = await planCreation(engine, request, noted);
    if (!isDry) await commit(engine, context, [planned]);
    return { write: planned.write, warnings: noted };
  });
  if (!isDry) engine.lastWritten.note(context.project.key, write);
  const { id, version, key, json: written } = write;
  const stored = await shownAfterWrite(engine, request, { id, version, key, json: written });
  const shown = await (isDry ? previewed : previewedAfterWrite)(engine, context, { resource, json: stored });
  const [json] = await representAs(engine, { context, resource, paths: expand }, [withWarnings(shown, warnings)]);
  return { json: json!, isNew: true };
}

/** Throws what is wrong with the draft, and what those say who are asked about it. */
export async function planCreation(
  engine: Engine,
  request: CreateRequest,
  warnings: Warning[] = [],
): Promise<Planned<Insertion>> {
  const { context, resource } = request;
  const found = new Readings();
  const made = await parsedDraft(engine, request, found);
  return planExtendedInsertion(engine, { context, resource, ...made, found, warnings });
}

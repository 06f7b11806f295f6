import { ApiError, apiError } from '../../errors/api-error.ts';
import { isObject } from '../../fields/object.ts';
import { describe, Parsing } from '../../fields/parsing.ts';
import type { Place, RequestContext } from '../context.ts';
import type { Engine, Planned, Resource, Warning } from '../resource.ts';
import { namingPart, readAhead } from '../computation.ts';
import { Readings } from '../readings.ts';
import type { Json } from '../json.ts';
import type { Written } from '../last-written.ts';
import { isUuid, load } from '../load.ts';
import { oneByOne } from '../one-by-one.ts';
import { shownAfterWrite } from '../lens.ts';
import { ownSight } from '../visibility.ts';
import type { Replacement, Stored, StoredVersion } from '../store.ts';
import { anewWhileOutdated, commit, conflict } from './commit.ts';
import { planExtendedReplacement } from './extend.ts';
import { existing, lookupOf, type Identity } from './get.ts';
import { previewed, previewedAfterWrite } from './preview.ts';
import { representAs, withWarnings } from './represent.ts';
import { applySteps, newSharing, parseUpdate, type Sharing, type Step, takingSight } from './steps.ts';
import { workingCopy } from './working-copy.ts';

export interface UpdateRequest extends Place {
  readonly context: RequestContext;
  readonly resource: Resource;
  readonly identity: Identity;
  /** `{ version, actions }` as the client sent it (specification 4.2). */
  readonly update: unknown;
  readonly expand: readonly string[];
}

/** Applies all actions or none, and gives the representation. An update without effect keeps the version. */
export async function update(engine: Engine, request: UpdateRequest): Promise<Json> {
  const { context, resource } = request;
  const { stored, warnings, isDry } = await anewWhileOutdated(() => updated(engine, request));
  const written = await shownAfterWrite(engine, request, stored);
  const shownIn = isDry ? previewed : previewedAfterWrite;
  const shown = withWarnings(await shownIn(engine, context, { resource, json: written }), warnings);
  return (await representAs(engine, { context, resource, paths: request.expand }, [shown]))[0]!;
}

interface Updated {
  readonly stored: Stored;
  /** What the answer is to say. */
  readonly warnings: readonly Warning[];
  readonly isDry: boolean;
  /** False where nothing was written. */
  readonly isCommitted: boolean;
}

/** Commits the update of the resource as it is known or read. Gives what is stored then. */
async function updated(engine: Engine, request: UpdateRequest): Promise<Updated> {
  const { context, resource, identity } = request;
  // Paths that other versions may have, such as `search`, look like ids.
  if ('id' in identity && !isUuid(identity.id)) existing(undefined, request);
  const parsing = new Parsing();
  const parsed = parseUpdate(resource, request.update, parsing);
  parsing.settle();
  const known = await knownOf(engine, request, parsed.version);
  if (known === undefined) return updatedFrom(engine, { ...request, ...parsed, parsing });
  const stillThere = (): Promise<void> => requireStill(engine, context, { ...request, stored: known });
  let done: Updated;
  try {
    done = await updatedFrom(engine, { ...request, ...parsed, parsing, known });
  } catch (error) {
    // Of what else went wrong it may not be known whether it was written.
    if (error instanceof ApiError && error.status < 500) await stillThere();
    throw error;
  }
  if (!done.isCommitted) await stillThere();
  return done;
}

/** The resource where it need not be read. Extensions are asked about what was just read alone. */
async function knownOf(
  engine: Engine,
  { context, resource, identity }: UpdateRequest,
  version: number,
): Promise<Written | undefined> {
  if (!('id' in identity)) return undefined;
  const project = context.project.key;
  const known = engine.lastWritten.find(project, resource.kind, { id: identity.id, version });
  if (known === undefined || !resource.isExtensible) return known;
  const levels = await engine.extensions.levelsFor(engine, project, { kind: resource.kind, action: 'Update' });
  return levels.length === 0 ? known : undefined;
}

/** An update that was parsed. */
interface ParsedUpdate extends UpdateRequest {
  readonly version: number;
  readonly steps: readonly Step[];
  readonly isDry: boolean;
  readonly parsing: Parsing;
  /** The resource where it need not be read: in this version, which may have passed. */
  readonly known?: Written;
}

/** Reads what is not known, applies the actions and commits. */
async function updatedFrom(engine: Engine, request: ParsedUpdate): Promise<Updated> {
  const { context, isDry } = request;
  const { stored, planned, warnings } = await plannedUpdate(engine, request);
  const json = isDry ? (planned?.write.json ?? stored.json) : await committed(engine, context, stored, planned);
  return { stored: { ...stored, json }, warnings, isDry, isCommitted: !isDry && planned !== undefined };
}

interface PlannedUpdate extends Pick<Updated, 'warnings'> {
  readonly stored: Stored;
  /** Undefined where nothing is to be written. */
  readonly planned: Planned<Replacement> | undefined;
}

/** A function of its own, so that the documents are gone when it returns, and the commit waits without them. */
async function plannedUpdate(engine: Engine, request: ParsedUpdate): Promise<PlannedUpdate> {
  const { context, resource, identity, version, steps, parsing, known } = request;
  const project = context.project.key;
  const found = new Readings();
  const source = lookupOf(resource, identity);
  const holders = steps.flatMap(({ action, input }) => action.holders?.(input) ?? []);
  const reading = load(engine, context, {
    lookups: known === undefined ? [source] : [],
    parsing,
    note: (kind, there) => found.add(kind, there),
    sees:
      request.owner === undefined
        ? takingSight(engine, context, { resource, steps })
        : ownSight(engine.registry, context),
    // Clients try again on a conflict alone, so it goes before what the actions refer to.
    judge: ([there = known]) => {
      const stored = existing(there, request);
      requireSameId(request.update, stored.id);
      if (stored.version !== version)
        throw conflict(resource, { id: stored.id, expected: version, current: stored.version });
    },
  });
  const [[there = known]] = await Promise.all([
    reading,
    readAhead(engine, project, {
      resource,
      source,
      // What is known is parsed when all is read: while it waits for the database it holds texts alone.
      namedBy: known && namingPart(engine, resource, known),
      holders,
      into: found,
    }),
  ]);
  const stored = there!;
  const sharing = newSharing({ found });
  const planned = await oneByOne(stored.json.length, () =>
    plannedFrom(engine, { context, resource, stored, steps, sharing }),
  );
  return { stored, planned, warnings: sharing.warnings };
}

interface Applying extends Pick<UpdateRequest, 'context' | 'resource'> {
  readonly stored: Pick<Stored, 'id' | 'json' | 'internals'>;
  readonly steps: readonly Step[];
  /** What was read for the actions already. Takes what they leave. */
  readonly sharing?: Sharing;
}

/** Applies the steps to what is stored, asks about it whoever is to be asked, and commits. Gives what is stored then. */
export async function applied(engine: Engine, applying: Applying): Promise<Json> {
  return committed(engine, applying.context, applying.stored, await plannedFrom(engine, applying));
}

/** Undefined where nothing is to be written. */
async function plannedFrom(
  engine: Engine,
  { context, resource, stored, steps, sharing: given = newSharing() }: Applying,
): Promise<Planned<Replacement> | undefined> {
  const copy = await workingCopy(engine, context, { resource, stored, found: given.found });
  const { before, after, internals } = copy;
  const sharing: Sharing = { ...given, internals };
  await applySteps(engine, context, {
    steps,
    before,
    after,
    sharing,
    bytes: stored.json.length,
    requireStill: () => requireStill(engine, context, { resource, stored: before }),
  });
  return planExtendedReplacement(engine, context, { resource, id: stored.id, copy, sharing });
}

/** What is stored after the write. */
async function committed(
  engine: Engine,
  context: RequestContext,
  stored: Pick<Stored, 'json' | 'internals'>,
  planned: Planned<Replacement> | undefined,
): Promise<Json> {
  if (planned === undefined) return stored.json;
  await commit(engine, context, [planned]);
  engine.lastWritten.note(context.project.key, planned.write, stored);
  return planned.write.json;
}

/**
 * Looks whether the stored resource is that at hand, for what is not committed and so does not notice that: what was read
 * after the resource may be as a rival has left it, and what is known of it may have passed.
 */
async function requireStill(
  { store }: Engine,
  { project }: RequestContext,
  {
    resource,
    stored: { id, version },
    ...place
  }: Pick<UpdateRequest, 'resource'> & Place & { readonly stored: StoredVersion },
): Promise<void> {
  const identity = { id };
  const [found] = await store.find(project.key, [lookupOf(resource, identity)]);
  const current = existing(found, { ...place, resource, identity }).version;
  if (current !== version) throw conflict(resource, { id, expected: version, current });
}

/** Decisions.md #78: the URL names the resource; a body that names another one is a mistake. */
function requireSameId(update: unknown, id: string): void {
  const given = isObject(update) ? update['id'] : undefined;
  if (given === undefined || given === null || given === id) return;
  throw apiError('InvalidInput', `The body names the resource ${describe(given)}, but the URL names '${id}'.`);
}

import { apiError } from '../../errors/api-error.ts';
import { isObject, parseObject } from '../../fields/object.ts';
import { describe, Parsing } from '../../fields/parsing.ts';
import type { Place, RequestContext } from '../context.ts';
import { invalidOperation } from '../actions.ts';
import type { Document } from '../document.ts';
import { bytesTurn } from '../heavy-turns.ts';
import type { Action, ApplyContext, Engine, Resource } from '../resource.ts';
import { readAhead, readHolders } from '../computation.ts';
import { Readings } from '../readings.ts';
import { loadDescribed } from '../describe.ts';
import type { Json } from '../json.ts';
import { load, type Wanted } from '../load.ts';
import { requireInPlace } from '../place.ts';
import { shownAfterWrite } from '../lens.ts';
import { isNameable } from '../visibility.ts';
import type { Stored, StoredVersion } from '../store.ts';
import { commit, conflict } from './commit.ts';
import { existing, lookupOf, type Identity } from './get.ts';
import { planReplacement } from './plan.ts';
import { representAs } from './represent.ts';
import { workingCopy } from './working-copy.ts';
import { applyContextOf } from './write.ts';

export interface UpdateRequest extends Place {
  readonly context: RequestContext;
  readonly resource: Resource;
  readonly identity: Identity;
  /** `{ version, actions }` as the client sent it (specification 4.2). */
  readonly update: unknown;
  readonly expand: readonly string[];
}

/** Actions that one update may hold. */
export const actionsMax = 500;
/** Bytes that they may copy, of a resource with as many that several of them copy as a whole: some seconds. */
const wholeBytesMax = 256 * 1024 * 1024;
/** What other actions take, as a share of what a copy of the resource would. */
const partShare = 1 / 64;

/** Applies all actions or none, and gives the representation. An update without effect keeps the version. */
export async function update(engine: Engine, request: UpdateRequest): Promise<Json> {
  const { context, resource } = request;
  const project = context.project.key;
  const parsing = new Parsing();
  const { version, steps } = parseUpdate(resource, request.update, parsing);
  parsing.settle();
  const found = new Readings();
  const source = lookupOf(resource, request.identity);
  const holders = steps.flatMap(({ action, input }) => action.holders?.(input) ?? []);
  const reading = load(engine, project, {
    lookups: [source],
    parsing,
    note: (kind, there) => found.add(kind, there),
    ...(request.owner !== undefined && { sees: ownSight(engine, context) }),
    // Clients try again on a conflict alone, so it goes before what the actions refer to.
    judge: ([there]) => {
      const stored = existing(there, request);
      requireInPlace(resource, stored, request);
      requireSameId(request.update, stored.id);
      if (stored.version !== version)
        throw conflict(resource, { id: stored.id, expected: version, current: stored.version });
    },
  });
  const [[stored]] = await Promise.all([
    reading,
    readAhead(engine, project, { resource, source, holders, into: found }),
  ]);
  const json = await applied(engine, { context, resource, stored: stored!, steps, found });
  const shown = await shownAfterWrite(engine, request, { ...stored!, json });
  return (await representAs(engine, { context, resource, paths: request.expand }, [shown]))[0]!;
}

function ownSight({ registry }: Engine, { principal }: RequestContext): NonNullable<Wanted['sees']> {
  // Nobody else has paths of an owner.
  const shopper = principal.shopper!;
  return (kind, document) => isNameable(registry, shopper, { kind, document });
}

/** Applies the steps to what is stored, and commits. Gives what is stored then. */
export async function applied(
  engine: Engine,
  {
    context,
    resource,
    stored,
    steps,
    found = new Readings(),
  }: Pick<UpdateRequest, 'context' | 'resource'> & {
    readonly stored: Pick<Stored, 'id' | 'json' | 'internals'>;
    readonly steps: readonly Step[];
    /** What was read for the actions already. */
    readonly found?: Readings;
  },
): Promise<Json> {
  const copy = await workingCopy(engine, context, { resource, stored, found });
  const { before, after, internals } = copy;
  const prepared = await prepareSteps(engine, context, steps);
  const holders = prepared.flatMap(({ action, input }) => action.holdersFor?.(before, input) ?? []);
  if (holders.length > 0) {
    await readHolders(engine, context.project.key, { holders, into: found });
    await requireStill(engine, context, { resource, stored: before });
  }
  await readFurther(engine, context, { steps: prepared, found });
  let secrets: Readonly<Record<string, string>> | undefined;
  const [parsing, noted, said] = [new Parsing(), [], new Set<string>()];
  const applying = applyContextOf(context, {
    found,
    internals,
    noted,
    said,
    parsing,
    keepSecrets: (given) => void (secrets = given),
  });
  await applyAll(prepared, { context, after, applying, bytes: stored.json.length });
  parsing.settle();
  await loadDescribed(engine, context, parsing);
  const changedInternals = copy.changedInternals();
  const planned = await planReplacement(engine, {
    context,
    resource,
    id: stored.id,
    before,
    after,
    found,
    noted,
    said,
    ...(secrets !== undefined && { secrets }),
    ...(changedInternals !== undefined && { internals: changedInternals }),
  });
  if (planned === undefined) return stored.json;
  await commit(engine, context, [planned]);
  return planned.write.json;
}

/** Resources that the actions of one update may need beside those that they name. */
const furtherMax = 1000;

async function readFurther(
  { store }: Engine,
  { project }: RequestContext,
  { steps, found }: { readonly steps: readonly Step[]; readonly found: Readings },
): Promise<void> {
  const needed = steps.flatMap(({ action, input }) => action.further?.(input, found) ?? []);
  const lookups = [...new Map(needed.map((lookup) => [`${lookup.kind}/${lookup.id}`, lookup])).values()];
  if (lookups.length === 0) return;
  if (lookups.length > furtherMax)
    throw invalidOperation(
      `The actions need ${lookups.length} further resources; those of an update need ${furtherMax} at most.`,
    );
  const read = await store.find(project.key, lookups);
  for (const [index, stored] of read.entries()) if (stored !== undefined) found.add(lookups[index]!.kind, stored);
}

interface Applying {
  readonly context: RequestContext;
  readonly after: Document;
  readonly applying: ApplyContext;
  /** How large the resource was before. */
  readonly bytes: number;
}

/** Applies one after the other; between those of a large resource others have turns. */
async function applyAll(steps: readonly Step[], { context, after, applying, bytes }: Applying): Promise<void> {
  const wholes = steps.filter(({ action }) => action.isWhole).length;
  if (wholes > 1 && wholes * bytes > wholeBytesMax)
    throw invalidOperation(
      `The resource has ${bytes} bytes, and ${wholes} of the actions copy all of them; those of an update copy at most ${wholeBytesMax}.`,
    );
  let isFirst = true;
  for (const { action, input } of steps) {
    if (!isFirst) await bytesTurn(context, action.isWhole ? bytes : bytes * partShare);
    isFirst = false;
    action.apply(after, input, applying);
  }
}

/**
 * What was read after the resource may be as a rival has left it, and then says nothing of the version at hand. Commits
 * notice that, but what is refused or changes nothing is not committed.
 */
async function requireStill(
  { store }: Engine,
  { project }: RequestContext,
  { resource, stored: { id, version } }: Pick<UpdateRequest, 'resource'> & { readonly stored: StoredVersion },
): Promise<void> {
  const identity = { id };
  const [found] = await store.find(project.key, [lookupOf(resource, identity)]);
  const current = existing(found, { resource, identity }).version;
  if (current !== version) throw conflict(resource, { id, expected: version, current });
}

/** Work such as hashing is costly, so one update does it once. */
async function prepareSteps(engine: Engine, context: RequestContext, steps: readonly Step[]): Promise<readonly Step[]> {
  const preparing = steps.filter(({ action }) => action.prepare !== undefined).length;
  if (preparing === 0) return steps;
  if (preparing > 1) throw apiError('InvalidInput', 'An update sets a password once at most.');
  return Promise.all(
    steps.map(async ({ action, input }) => ({
      action,
      input: (await action.prepare?.({ engine, context, input })) ?? input,
    })),
  );
}

/** Decisions.md #78: the URL names the resource; a body that names another one is a mistake. */
function requireSameId(update: unknown, id: string): void {
  const given = isObject(update) ? update['id'] : undefined;
  if (given === undefined || given === null || given === id) return;
  throw apiError('InvalidInput', `The body names the resource ${describe(given)}, but the URL names '${id}'.`);
}

/** An update action with its parsed input. */
export interface Step {
  readonly action: Action;
  readonly input: Readonly<Record<string, unknown>>;
}

/** Parses `{ version, actions }`; faults are left to the caller to settle. */
export function parseUpdate(
  resource: Pick<Resource, 'actions' | 'typeName'>,
  body: unknown,
  parsing: Parsing,
): { version: number; steps: readonly Step[] } {
  if (!isObject(body))
    throw apiError('InvalidJsonInput', 'The request body is no JSON object.', {
      detailedErrorMessage: 'An object with version and actions is expected.',
    });
  const version = body['version'];
  if (!Number.isSafeInteger(version)) memberFault(parsing, 'version', version, 'an integer');
  const actions = body['actions'];
  if (!Array.isArray(actions)) memberFault(parsing, 'actions', actions, 'an array');
  else if (actions.length > actionsMax)
    throw apiError('InvalidInput', `An update holds at most ${actionsMax} actions, but ${actions.length} were sent.`);
  const steps = Array.isArray(actions)
    ? actions.map((action, index) => parseStep(resource, action, index, parsing))
    : [];
  // A version that is no integer was recorded as a fault, and settle() throws before it is used.
  return { version: version as number, steps: steps.filter((step) => step !== undefined) };
}

function memberFault(parsing: Parsing, name: string, value: unknown, expected: string): void {
  const since = parsing.faultCount;
  if (value === undefined || value === null) parsing.missing();
  else parsing.wrongType(expected, value);
  parsing.within(name, since);
}

function parseStep(
  resource: Pick<Resource, 'actions' | 'typeName'>,
  given: unknown,
  index: number,
  parsing: Parsing,
): Step | undefined {
  const since = parsing.faultCount;
  const name = isObject(given) ? given['action'] : undefined;
  const action = typeof name === 'string' ? resource.actions.get(name) : undefined;
  if (!isObject(given)) parsing.wrongType('an object', given);
  else if (typeof name !== 'string') memberFault(parsing, 'action', name, 'a string');
  else if (action === undefined) {
    parsing.fault('InvalidInput', (field) => {
      return `The update action ${describe(name)} of '${field}' does not exist for ${resource.typeName}. Known actions: ${[...resource.actions.keys()].join(', ')}.`;
    });
  }
  const input = action && parseObject(action.fields, given, parsing);
  parsing.within(`actions[${index}]`, since);
  return action && input && { action, input };
}

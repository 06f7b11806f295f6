import { isDeepStrictEqual } from 'node:util';
import { type ApiError, apiError } from '../../errors/api-error.ts';
import { isObject, parseObject } from '../../fields/object.ts';
import { describe, Parsing } from '../../fields/parsing.ts';
import type { RequestContext } from '../context.ts';
import type { Action, ApplyContext, Document, Resource } from '../define.ts';
import { checkDescribed } from '../describe.ts';
import type { Engine } from '../engine.ts';
import { documentOf, type Json } from '../json.ts';
import { load } from '../load.ts';
import type { Delta, Outcome } from '../store.ts';
import { type Place, requireInPlace } from '../place.ts';
import { requireOwnStores } from '../scoped-stores.ts';
import { existing, lookupOf, type Identity } from './get.ts';
import { represent } from './represent.ts';
import {
  applyContextOf,
  checkRules,
  checkedText,
  heldValues,
  referenceName,
  initiatorOf,
  keyOf,
  runChecks,
  strongReferences,
  trueFlags,
} from './write.ts';

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

/** Applies all actions or none, and gives the representation. An update without effect keeps the version. */
export async function update(engine: Engine, request: UpdateRequest): Promise<Json> {
  const { context, resource } = request;
  const project = context.project.key;
  const parsing = new Parsing();
  const { version, steps } = parseUpdate(resource, request.update, parsing);
  parsing.settle();
  const [found] = await load(engine, project, {
    lookups: [lookupOf(resource, request.identity)],
    parsing,
    // Clients try again on a conflict alone, so it goes before what the actions refer to.
    judge: ([there]) => {
      const stored = existing(there, request);
      requireInPlace(resource, stored, request);
      requireSameId(request.update, stored.id);
      if (stored.version !== version)
        throw conflict(resource, { id: stored.id, expected: version, current: stored.version });
    },
  });
  const stored = found!;
  const text = String(stored.json);
  const before = documentOf(text);
  const after = documentOf(text);
  const prepared = await prepareSteps(engine, context, steps);
  let secrets: Readonly<Record<string, string>> | undefined;
  const keepSecrets: ApplyContext['keepSecrets'] = (kept) => void (secrets = kept);
  applySteps(prepared, after, applyContextOf(context, keepSecrets));
  const written = await replace(engine, { context, resource, before, after, ...(secrets && { secrets }) });
  if (written === undefined) return (await represent(engine, context, [stored.json], request.expand))[0]!;
  const { outcome } = written;
  if (!outcome.isDone)
    throw lostRace(outcome, { resource, identity: request.identity, id: stored.id, expected: version });
  return (await represent(engine, context, [written.text], request.expand))[0]!;
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

/** Completes, checks and writes the changed document in place of `before`. Undefined when nothing has changed. */
export async function replace(
  engine: Engine,
  change: {
    readonly context: RequestContext;
    readonly resource: Resource;
    readonly before: Document;
    readonly after: Document;
    /** New secrets are a change of their own. */
    readonly secrets?: Readonly<Record<string, string>>;
  },
): Promise<{ readonly outcome: Outcome; readonly text: string } | undefined> {
  const { context, resource, before, after, secrets } = change;
  const isSame = (): boolean => secrets === undefined && isDeepStrictEqual(before, after);
  const project = context.project.key;
  resource.derive(after);
  if (isSame()) return undefined;
  requireOwnStores(context, resource, change);
  await checkDescribed(engine, context, change);
  checkRules(resource, after, context);
  await runChecks(engine, resource, { project, before, after });
  // Completing what was described may have undone the change.
  if (isSame()) return undefined;
  after.version = before.version + 1;
  after.lastModifiedAt = laterOf(new Date().toISOString(), before.lastModifiedAt);
  after.lastModifiedBy = initiatorOf(context);
  const text = checkedText(after);
  const outcome = await engine.store.replace(project, {
    kind: resource.kind,
    document: after,
    json: text,
    key: keyOf(resource, after),
    expectedVersion: before.version,
    secrets,
    references: delta(strongReferences(resource, before), strongReferences(resource, after), referenceName),
    uniqueValues: delta(
      heldValues(resource, before),
      heldValues(resource, after),
      ({ field, value }) => `${field} ${value}`,
    ),
    exclusiveFlags: changedFlags(resource, before, after),
  });
  return { outcome, text };
}

/** Update actions with their parsed input, in order. */
export function applySteps(steps: readonly Step[], document: Document, context: ApplyContext): void {
  for (const { action, input } of steps) action.apply(document, input, context);
}

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
  if (action === undefined) {
    parsing.fault('InvalidInput', (field) => {
      return `The update action ${describe(name)} of '${field}' does not exist for ${resource.typeName}. Known actions: ${[...resource.actions.keys()].join(', ')}.`;
    });
    parsing.within(`actions[${index}]`, since);
    return undefined;
  }
  const input = parseObject(action.fields, given, parsing);
  parsing.within(`actions[${index}]`, since);
  return input && { action, input };
}

/** 409 with the current version, so that a client can try again. */
export function conflict(
  { typeName }: Pick<Resource, 'typeName'>,
  versions: { id: string; expected: number; current: number },
): ApiError {
  const { id, expected, current } = versions;
  return apiError(
    'ConcurrentModification',
    `The ${typeName} with ID '${id}' has version ${current}, but version ${expected} was expected.`,
    {
      currentVersion: current,
    },
  );
}

/** The error of a conditional write that another write of the same resource came before. */
export function lostRace(
  outcome: Outcome & { isDone: false },
  { resource, identity, id, expected }: { resource: Resource; identity: Identity; id: string; expected: number },
): unknown {
  if (outcome.version !== undefined) return conflict(resource, { id, expected, current: outcome.version });
  return apiError(
    'ResourceNotFound',
    `The ${resource.typeName} with ${'id' in identity ? `ID '${identity.id}'` : `key '${identity.key}'`} was not found.`,
  );
}

/** ISO 8601 texts of one form compare like the moments that they name. */
function laterOf(one: string, other: string): string {
  return one > other ? one : other;
}

function changedFlags(resource: Resource, before: Document, after: Document): readonly string[] {
  return trueFlags(resource, after).filter((flag) => before[flag] !== true);
}

function delta<T>(before: readonly T[], after: readonly T[], nameOf: (value: T) => string): Delta<T> {
  const namesBefore = new Set(before.map(nameOf));
  const namesAfter = new Set(after.map(nameOf));
  return {
    removed: before.filter((value) => !namesAfter.has(nameOf(value))),
    added: after.filter((value) => !namesBefore.has(nameOf(value))),
  };
}

/** Update actions: parsed, and applied to a working copy of the resource. */
import { apiError } from '../../errors/api-error.ts';
import { isObject, parseObject } from '../../fields/object.ts';
import { describe, Parsing } from '../../fields/parsing.ts';
import { invalidOperation } from '../actions.ts';
import { readHolders } from '../computation.ts';
import type { RequestContext } from '../context.ts';
import { loadDescribed } from '../describe.ts';
import type { Document } from '../document.ts';
import type { Nameable, Wanted } from '../load.ts';
import { Readings } from '../readings.ts';
import type { Action, ApplyContext, Engine, Resource, Warning } from '../resource.ts';
import { storesSight } from '../scoped-stores.ts';
import { nameableIn, sightOf } from '../visibility.ts';
import { applyContextOf } from './write.ts';

/** Actions that one update may hold. */
export const actionsMax = 500;
/** Bytes that they may copy, of a resource with as many that several of them copy as a whole: some seconds. */
const wholeBytesMax = 256 * 1024 * 1024;
/** What other actions take, as a share of what a copy of the resource would. */
const partShare = 1 / 64;

/** What all actions of one write share, and leave for it. */
export interface Sharing extends Pick<ApplyContext, 'internals' | 'noted' | 'said' | 'told'> {
  readonly found: Readings;
  /** In place of those that are there; undefined leaves them. */
  secrets: Readonly<Record<string, string>> | undefined;
  /** What the answer is to say. */
  readonly warnings: Warning[];
}

/** A write that nothing was read for or is known of yet. */
export function newSharing(given: Partial<Sharing> = {}): Sharing {
  return {
    found: new Readings(),
    internals: {},
    noted: [],
    said: new Set(),
    told: [],
    secrets: undefined,
    warnings: [],
    ...given,
  };
}

/** An update action with its parsed input. */
export interface Step {
  readonly action: Action;
  readonly input: Readonly<Record<string, unknown>>;
}

/** Who changes what many share may name what is in their stores, and sees what the change would tell. */
export function takingSight(
  { registry }: Pick<Engine, 'registry'>,
  context: RequestContext,
  { resource, steps }: { readonly resource: Resource; readonly steps: readonly Step[] },
): NonNullable<Wanted['sees']> {
  const kinds = new Set(steps.flatMap(({ action }) => action.takesFrom ?? []));
  const isInStores = storesSight(registry, context, resource);
  return (kind) => {
    const inStores = isInStores(kind);
    return kinds.has(kind) ? bothOf(inStores, nameableIn(sightOf(context, registry.byKind.get(kind)!))) : inStores;
  };
}

function bothOf(one: Nameable, other: Nameable): Nameable {
  if (typeof one === 'boolean') return one && other;
  if (typeof other === 'boolean') return other && one;
  return (document) => one(document) && other(document);
}

/** Parses `{ version, actions }`; faults are left to the caller to settle. */
export function parseUpdate(
  resource: Pick<Resource, 'actions' | 'schemaName' | 'preview'>,
  body: unknown,
  parsing: Parsing,
): { version: number; steps: readonly Step[]; isDry: boolean } {
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
  const steps = Array.isArray(actions) ? parseSteps(resource, actions, parsing) : [];
  const dryRun = resource.preview === undefined ? undefined : body['dryRun'];
  if (typeof dryRun !== 'boolean' && dryRun !== undefined && dryRun !== null)
    memberFault(parsing, 'dryRun', dryRun, 'a boolean');
  // A version that is no integer was recorded as a fault, and settle() throws before it is used.
  return { version: version as number, steps, isDry: dryRun === true };
}

/** Parses update actions; faults are left to the caller to settle. */
export function parseSteps(
  resource: Pick<Resource, 'actions' | 'schemaName'>,
  actions: readonly unknown[],
  parsing: Parsing,
): readonly Step[] {
  const steps = actions.map((action, index) => parseStep(resource, action, index, parsing));
  return steps.filter((step) => step !== undefined);
}

function memberFault(parsing: Parsing, name: string, value: unknown, expected: string): void {
  const since = parsing.faultCount;
  if (value === undefined || value === null) parsing.missing();
  else parsing.wrongType(expected, value);
  parsing.within(name, since);
}

function parseStep(
  resource: Pick<Resource, 'actions' | 'schemaName'>,
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
      return `The update action ${describe(name)} of '${field}' does not exist for ${resource.schemaName}. Known actions: ${[...resource.actions.keys()].join(', ')}.`;
    });
  }
  const input = action && parseObject(action.fields, given, parsing);
  parsing.within(`actions[${index}]`, since);
  return action && input && { action, input };
}

interface Application {
  readonly steps: readonly Step[];
  readonly before: Document;
  /** What becomes of it. */
  readonly after: Document;
  readonly sharing: Sharing;
  /** How large the resource was before. */
  readonly bytes: number;
  /** Throws where the stored resource is not that of `before` any more; nothing for one that is not stored yet. */
  requireStill?(): Promise<void>;
}

/** Applies all steps to `after`, one after the other. Throws what one refuses. */
export async function applySteps(
  engine: Engine,
  context: RequestContext,
  { steps, before, after, sharing, bytes, requireStill }: Application,
): Promise<void> {
  const { found, internals, noted, said, told } = sharing;
  const prepared = await prepareSteps(engine, context, steps);
  const holders = prepared.flatMap(({ action, input }) => action.holdersFor?.(before, input) ?? []);
  if (holders.length > 0) {
    await readHolders(engine, context.project.key, { holders, into: found });
    await requireStill?.();
  }
  await readFurther(engine, context, { steps: prepared, found });
  const parsing = new Parsing();
  const applying = applyContextOf(context, {
    found,
    internals,
    noted,
    said,
    told,
    parsing,
    keepSecrets: (given) => void (sharing.secrets = given),
  });
  await applyAll(prepared, { after, applying, bytes });
  parsing.settle();
  await loadDescribed(engine, context, parsing);
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
  readonly after: Document;
  readonly applying: ApplyContext;
  /** How large the resource was before. */
  readonly bytes: number;
}

/** Applies one after the other; between those of a large resource others have turns. */
async function applyAll(steps: readonly Step[], { after, applying, bytes }: Applying): Promise<void> {
  const wholes = steps.filter(({ action }) => action.isWhole).length;
  if (wholes > 1 && wholes * bytes > wholeBytesMax)
    throw invalidOperation(
      `The resource has ${bytes} bytes, and ${wholes} of the actions copy all of them; those of an update copy at most ${wholeBytesMax}.`,
    );
  const { work, turn } = applying;
  for (const [index, { action, input }] of steps.entries()) {
    if (index > 0) {
      work.bytes += action.isWhole ? bytes : bytes * partShare;
      await turn();
    }
    action.apply(after, input, applying);
  }
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

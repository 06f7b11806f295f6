/**
 * Between plan and commit those are asked whom the project has set up for it (`Extensions`). What they ask for is applied
 * to what was planned, which is then planned again. No lock is held meanwhile: the write names the version that was read.
 */
import { ApiError } from '../../errors/api-error.ts';
import { Parsing } from '../../fields/parsing.ts';
import { readHolders } from '../computation.ts';
import type { RequestContext } from '../context.ts';
import type { Document } from '../document.ts';
import { documentOf, type Json } from '../json.ts';
import { load } from '../load.ts';
import type { Told } from '../messages.ts';
import { Readings } from '../readings.ts';
import type { Engine, NamedExtension, Planned, Reply, Resource } from '../resource.ts';
import type { Insertion, Replacement } from '../store.ts';
import { type Creation, planInsertion, planReplacement } from './plan.ts';
import { countMember } from './plan-messages.ts';
import { applySteps, parseSteps, type Sharing } from './steps.ts';
import type { WorkingCopy } from './working-copy.ts';

/** A new resource, planned, and as those have it who are asked about it. */
export async function planExtendedInsertion(engine: Engine, creation: Creation): Promise<Planned<Insertion>> {
  const { context, resource } = creation;
  const planned = await planInsertion(engine, creation);
  if (!resource.isExtensible) return planned;
  const { secrets, internals = {}, noted = [], said = [], found = new Readings(), warnings = [] } = creation;
  const sharing: Sharing = {
    found,
    internals: { ...internals },
    noted: [...noted],
    said: new Set(said),
    // What becomes of a new resource before it is there is told by its creation.
    told: [],
    secrets,
    warnings,
  };
  const plan = (body: Document): Promise<Planned<Insertion>> => {
    const { secrets: kept, told: _, ...shared } = sharing;
    return planInsertion(engine, { ...creation, ...shared, body, ...(kept !== undefined && { secrets: kept }) });
  };
  // A new resource that is planned again is there.
  return (await extended<Insertion>(engine, context, { resource, before: undefined, sharing, planned, plan }))!;
}

interface ChangedCopy {
  readonly resource: Resource;
  readonly id: string;
  readonly copy: Pick<WorkingCopy, 'before' | 'after' | 'changedInternals'> & Partial<Pick<WorkingCopy, 'internals'>>;
  readonly sharing: Sharing;
  /** As `Change` has it. */
  readonly copied?: Document;
  /** Told after what extensions have asked for. */
  readonly toldLast?: readonly Told[];
}

/** What has become of a resource, in the same way; undefined where nothing is to be written, of which nobody is asked. */
export async function planExtendedReplacement(
  engine: Engine,
  context: RequestContext,
  { resource, id, copy, sharing, copied, toldLast = [] }: ChangedCopy,
): Promise<Planned<Replacement> | undefined> {
  const { before } = copy;
  const plan = (after: Document): Promise<Planned<Replacement> | undefined> => {
    const { found, noted, said, told, secrets, warnings } = sharing;
    const internals = copy.changedInternals();
    return planReplacement(engine, {
      context,
      resource,
      id,
      before,
      after,
      found,
      noted,
      said,
      told: [...told, ...toldLast],
      warnings,
      ...(copied !== undefined && { copied }),
      ...(copy.internals !== undefined && { kept: copy.internals }),
      ...(secrets !== undefined && { secrets }),
      ...(internals !== undefined && { internals }),
    });
  };
  const planned = await plan(copy.after);
  if (planned === undefined || !resource.isExtensible) return planned;
  return extended(engine, context, {
    resource,
    before,
    sharing,
    planned,
    plan: (after) => plan(unstamped(after, before)),
  });
}

/** The members that tell of the write itself. */
const stamps = ['version', 'lastModifiedAt', 'lastModifiedBy', countMember];

/** What was planned, so that planned again it may turn out to be as before. Changes the document, which is its own. */
export function unstamped(after: Document, before: Document): Document {
  for (const name of stamps) {
    if (before[name] === undefined) delete after[name];
    else after[name] = before[name];
  }
  return after;
}

interface Extending<W> {
  readonly resource: Resource;
  readonly before: Document | undefined;
  readonly sharing: Sharing;
  readonly planned: Planned<W>;
  plan(after: Document): Promise<Planned<W> | undefined>;
}

async function extended<W extends Insertion | Replacement>(
  engine: Engine,
  context: RequestContext,
  extending: Extending<W>,
): Promise<Planned<W> | undefined> {
  const { resource, before } = extending;
  const action = before === undefined ? 'Create' : 'Update';
  const levels = await engine.extensions.levelsFor(engine, context.project.key, { kind: resource.kind, action });
  if (levels.length === 0) return extending.planned;
  const stored = before && JSON.stringify(before);
  let planned: Planned<W> | undefined = extending.planned;
  for (const level of levels) {
    const { id, json }: Insertion | Replacement = planned.write;
    for (const reply of await level(engine, { context, resource, action, id, json, before: stored })) {
      if (reply.actions.length === 0) continue;
      planned = await withReply(engine, context, { extending, json: planned.write.json, reply });
      if (planned === undefined) return undefined;
    }
  }
  return planned;
}

/** Applies the actions that one has asked for to what was planned. Those that cannot be applied are its fault. */
async function withReply<W extends Insertion | Replacement>(
  engine: Engine,
  context: RequestContext,
  {
    extending: { resource, sharing, plan },
    json,
    reply: { extension, actions },
  }: { readonly extending: Extending<W>; readonly json: Json; readonly reply: Reply },
): Promise<Planned<W> | undefined> {
  const { key: project } = context.project;
  const { found } = sharing;
  // On the paths of a shopper, too, they have all actions of the kind.
  const whole = engine.registry.byKind.get(resource.kind)!;
  try {
    const parsing = new Parsing();
    const steps = parseSteps(whole, actions, parsing);
    parsing.settle();
    const holders = steps.flatMap(({ action, input }) => action.holders?.(input) ?? []);
    await Promise.all([
      load(engine, context, { parsing, note: (kind, there) => found.add(kind, there) }),
      readHolders(engine, project, { holders, into: found }),
    ]);
    const [before, after] = [documentOf(json), documentOf(json)];
    await applySteps(engine, context, { steps, before, after, sharing, bytes: json.length });
    return await plan(after);
  } catch (error) {
    throw actionsFailed(error, extension);
  }
}

/** What tells of the moment and nothing of the actions stays as it is. */
function actionsFailed(error: unknown, extension: NamedExtension): unknown {
  if (!(error instanceof ApiError) || error.status >= 500 || error.status === 409) return error;
  const named = { extensionId: extension.id, ...(extension.key !== undefined && { extensionKey: extension.key }) };
  return new ApiError([
    {
      code: 'ExtensionUpdateActionsFailed',
      message: `The update actions of the API extension '${extension.id}' could not be applied: ${error.message}`,
      extensionErrors: error.errors.map((element) => ({ ...element, ...named })),
      errorByExtension: extension,
    },
  ]);
}

import { ApiError, apiError } from '../../errors/api-error.ts';
import type { ErrorCode } from '../../errors/codes.ts';
import type { RequestContext } from '../context.ts';
import type { Engine, Planned, Resource } from '../resource.ts';
import { largeTurn } from '../heavy-turns.ts';
import { documentOf } from '../json.ts';
import type { Increment, Insertion, Outcome, Replacement, Write } from '../store.ts';
import { Contention } from './contention.ts';
import { replacementOf } from './plan.ts';
import { type ToldWrites, withToldIncrements } from './told-increments.ts';
import { keptMessages } from './plan-messages.ts';
import { flagValue } from './write.ts';

/** Times that a commit is tried while rivals take the same exclusive flags. */
const attemptsMax = 16;
/** Times that all of a request is planned, which extensions may be asked about each time. */
const plansMax = 8;

/**
 * Commits all of the planned writes or none, in one statement. Throws ConcurrentModification and ResourceNotFound where
 * another write came before one of them. `told` are messages that no write leaves.
 */
export async function commit(
  engine: Engine,
  context: RequestContext,
  planned: readonly Planned[],
  told: readonly Planned<Insertion>[] = [],
): Promise<void> {
  try {
    const outcome = await tryCommit(engine, context, planned, told);
    if (!outcome.isDone) throw overtaken(planned, outcome);
  } catch (error) {
    throw asRival(error, planned);
  }
}

/** The error of the resource whose value a rival took, where its kind says what that means. */
function asRival(error: unknown, planned: readonly Planned[]): unknown {
  if (!isRefused(error, 'DuplicateField')) return error;
  const [first] = error.errors;
  if (first.code !== 'DuplicateField') return error;
  const taken = { field: first.field, value: first.duplicateValue };
  for (const { resource, write } of planned) {
    const refusal = !('json' in write) ? undefined : resource.lostRace(documentOf(write.json), taken);
    if (refusal !== undefined) return new ApiError([refusal]);
  }
  return error;
}

/** The same plan, with which more goes along than its kind says. */
export function goingWith<P extends Planned>(planned: P, more: () => Promise<readonly Planned[]>): P {
  return { ...planned, along: async () => [...((await planned.along?.()) ?? []), ...(await more())] };
}

/** What was planned rests on what has changed meanwhile, so it is to be planned anew. Clients that meet it may try again. */
class Outdated extends ApiError {
  constructor() {
    super([{ code: 'OverCapacity', message: 'What the request rests on changes all the time. Try again later.' }]);
  }
}

/** Plans and commits, and does so again where what the plan rests on has changed meanwhile. */
export async function anewWhileOutdated<T>(attempt: () => Promise<T>): Promise<T> {
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof Outdated) || attempts === plansMax) throw error;
    }
  }
}

/**
 * The same for those who begin again when another write came before. Who holds an exclusive flag that one of the writes
 * takes loses it with the same statement, which also has the writes that go along.
 */
export async function tryCommit(
  engine: Engine,
  context: RequestContext,
  planned: readonly Planned[],
  told: readonly Planned<Insertion>[] = [],
): Promise<Outcome> {
  const contention = new Contention(context);
  try {
    return await committedPast(engine, context, { planned, told, contention });
  } finally {
    contention.end();
  }
}

async function committedPast(
  engine: Engine,
  context: RequestContext,
  { planned, told, contention }: Plans & { readonly contention: Contention },
): Promise<Outcome> {
  const flags = planned.flatMap(takenFlags);
  const beside = planned.flatMap((each) => each.beside ?? []);
  let refused: string | undefined;
  for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
    const freed = flags.length === 0 ? [] : await freedFlags(engine, context, { planned, flags });
    const along = (await Promise.all(planned.map(async (each) => (await each.along?.()) ?? []))).flat();
    const others = [...freed, ...along];
    const all = [...planned, ...beside, ...others];
    try {
      const { writes, standing } = await writesOf(engine, context, { planned: all, told });
      if (writes.length === 0) return { isDone: true };
      const repeatable = [...others.map(({ write }) => write), ...standing];
      const contended = contention.behind(repeatable);
      if (contended !== undefined) {
        await contention.next(contended);
        continue;
      }
      await largeTurn(
        context,
        writes.reduce((bytes, write) => bytes + ('json' in write ? write.json.length : 0), 0),
      );
      const outcome = await engine.writes.commit(context.project.key, writes);
      if (outcome.isDone || !repeatable.some((write) => isOfSame(write, outcome.write))) return outcome;
      await contention.next(outcome.write);
    } catch (error) {
      const next = await afterFailure(engine, context, { error, planned, flags, along, refused });
      if (next !== 'again') return next;
      if (isRefused(error, 'ReferenceExists')) refused = namesOf(along);
    }
  }
  throw tooManyRivals();
}

interface Plans {
  readonly planned: readonly Planned[];
  /** Messages that no write leaves. */
  readonly told: readonly Planned<Insertion>[];
}

/** What is committed for plans: their writes, the messages that the project keeps, and the notices of who hears of them. */
async function writesOf(
  engine: Engine,
  context: RequestContext,
  { planned, told }: Plans,
): Promise<Pick<ToldWrites, 'standing'> & { readonly writes: readonly Write[] }> {
  const hearing = await engine.listeners.of(context.project.key);
  const isKept = context.project.settings.messages?.enabled === true;
  const counted = await withToldIncrements(engine, context, {
    planned: summed(planned.map(({ write }) => write)),
    isHeard: (kind) => isKept || hearing?.hearsMessagesOf(kind) === true,
  });
  const messages = [...told, ...planned.flatMap((each) => each.messages ?? []), ...counted.messages];
  const kept = keptMessages(context, messages).map(({ write }) => write);
  const unannounced = new Set(planned.flatMap(({ write, isUnannounced }) => (isUnannounced ? [write] : [])));
  const notices = await hearing?.noticesOf({
    now: context.now,
    parts: counted.adapted.filter((write) => !unannounced.has(write)),
    gone: new Map(planned.flatMap(({ write, gone }) => (gone === undefined ? [] : [[write.id, gone]]))),
    messages: messages.map(({ write }) => write),
  });
  return { writes: [...counted.adapted, ...kept, ...(notices ?? [])], standing: counted.standing };
}

/** Several may count with one number, such as those who release what another takes. */
function summed(writes: readonly Write[]): readonly Write[] {
  const sums = new Map<string, Increment>();
  for (const write of writes) {
    if (write.type !== 'increment') continue;
    const name = `${write.kind} ${write.id} ${write.member}`;
    const sum = sums.get(name);
    sums.set(name, sum === undefined ? write : both(sum, write));
  }
  const changing = [...sums.values()].filter(({ by, also }) => by !== 0 || (also?.by ?? 0) !== 0);
  return [...writes.filter(({ type }) => type !== 'increment'), ...changing];
}

/** A bound counts for those that go towards it. */
function both(one: Increment, other: Increment): Increment {
  const { min: _, max: __, ...sum } = { ...one, by: one.by + other.by };
  const min = sum.by < 0 ? (one.min ?? other.min) : undefined;
  const max = sum.by > 0 ? (one.max ?? other.max) : undefined;
  const also = one.also ?? other.also;
  return {
    ...sum,
    ...(min !== undefined && { min }),
    ...(max !== undefined && { max }),
    ...(also !== undefined && { also: { ...also, by: (one.also?.by ?? 0) + (other.also?.by ?? 0) } }),
  };
}

function isOfSame(one: Write, other: Write): boolean {
  return one.kind === other.kind && one.id === other.id;
}

interface Failure {
  readonly error: unknown;
  readonly planned: readonly Planned[];
  readonly flags: readonly Flag[];
  readonly along: readonly Planned[];
  /** The names of what went along when the commit was last refused because of references. */
  readonly refused: string | undefined;
}

/** Whether to plan anew what goes with the writes, or what has become of these; throws the error of what no attempt mends. */
async function afterFailure(engine: Engine, context: RequestContext, failure: Failure): Promise<'again' | Outcome> {
  const { error, planned, flags, along, refused } = failure;
  if (isFlagTaken(error, flags)) return 'again';
  // What refers to a resource that goes may have come after it was planned what goes along.
  if (isRefused(error, 'ReferenceExists') && namesOf(along) !== refused && planned.some((each) => each.along))
    return 'again';
  // Of one alone a value that is taken says all.
  const isOfSeveral = along.length + planned.length > 1;
  const outcome = isOfSeveral ? await overtakenBy(engine, context, { planned, error }) : undefined;
  if (outcome !== undefined) return outcome;
  // A rival has inserted what goes along; planned anew, it is there.
  if (isTakenAlong(error, along)) return 'again';
  throw error;
}

function namesOf(along: readonly Planned[]): string {
  return along.map(({ write }) => write.id).join();
}

function isRefused(error: unknown, code: ErrorCode): error is ApiError {
  return error instanceof ApiError && error.code === code;
}

/** For those who have begun again so often that they give up. */
export function tooManyRivals(): Error {
  return apiError('OverCapacity', 'Too many requests write the same resource. Try again later.');
}

interface Flag {
  readonly resource: Resource;
  readonly name: string;
}

/** The exclusive flags that a write sets. */
function takenFlags({ resource, write }: Planned): readonly Flag[] {
  if (resource.exclusiveFlags.length === 0 || !('uniqueValues' in write)) return [];
  const taken = write.type === 'insertion' ? write.uniqueValues : write.uniqueValues.added;
  const names = taken.map(({ field }) => field).filter((field) => resource.exclusiveFlags.includes(field));
  return names.map((name) => ({ resource, name }));
}

/** The writes that take flags from whoever has them and is not written anyway. */
async function freedFlags(
  { store }: Engine,
  context: RequestContext,
  { planned, flags }: { readonly planned: readonly Planned[]; readonly flags: readonly Flag[] },
): Promise<readonly Planned<Replacement>[]> {
  const holders = await Promise.all(
    flags.map(async ({ resource, name }) => {
      const lookup = { kind: resource.kind, unique: flagValue(name) };
      const holder = await store.findSecrets(context.project.key, lookup);
      return holder && { resource, name, holder };
    }),
  );
  const byId = new Map<string, NonNullable<(typeof holders)[number]>[]>();
  for (const held of holders) {
    if (held === undefined || planned.some(({ write }) => write.id === held.holder.id)) continue;
    byId.set(held.holder.id, [...(byId.get(held.holder.id) ?? []), held]);
  }
  return [...byId].map(([id, held]) => {
    const [{ resource, holder }] = held as [(typeof held)[number]];
    const before = documentOf(holder.json);
    const after = { ...before, ...Object.fromEntries(held.map(({ name }) => [name, false])) };
    return replacementOf({ context, resource, id, before, after });
  });
}

/** Somebody took it after its holder was looked up. */
function isFlagTaken(error: unknown, flags: readonly Flag[]): boolean {
  if (!isRefused(error, 'DuplicateField')) return false;
  const [first] = error.errors;
  return 'field' in first && flags.some(({ name }) => name === first.field);
}

/** The value is one that only what goes along holds. */
function isTakenAlong(error: unknown, along: readonly Planned[]): boolean {
  if (!isRefused(error, 'DuplicateField')) return false;
  const [first] = error.errors;
  return (
    'field' in first &&
    along.some(
      ({ write }) => write.type === 'insertion' && write.uniqueValues.some(({ field }) => field === first.field),
    )
  );
}

/**
 * A unique value of what goes along may be taken because a rival came before to the same resource, whose version tells so.
 * Undefined where nobody has written one of the resources.
 */
async function overtakenBy(
  { store }: Engine,
  context: RequestContext,
  { planned, error }: { readonly planned: readonly Planned[]; readonly error: unknown },
): Promise<Outcome | undefined> {
  if (!isRefused(error, 'DuplicateField')) return undefined;
  const named = planned.flatMap(({ write }) =>
    'expectedVersion' in write && write.expectedVersion !== undefined ? [write] : [],
  );
  const lookups = named.map(({ kind, id }) => ({ kind, id }));
  const found = await store.find(context.project.key, lookups);
  for (const [index, write] of named.entries()) {
    const version = found[index]?.version;
    if (version !== write.expectedVersion) return { isDone: false, write, version };
  }
  return undefined;
}

/** The error of a commit that another write of one of its resources came before. */
function overtaken(planned: readonly Planned[], { write, version }: Outcome & { isDone: false }): Error {
  const late = planned.find((each) => each.write === write);
  if (late === undefined) return new Outdated();
  const { schemaName } = late.resource;
  const expected = 'expectedVersion' in write ? write.expectedVersion : undefined;
  if (version !== undefined && expected !== undefined)
    return conflict({ schemaName }, { id: write.id, expected, current: version });
  return apiError('ResourceNotFound', `The ${schemaName} with ID '${write.id}' was not found.`);
}

/** 409 with the current version, so that a client can try again. */
export function conflict(
  { schemaName }: Pick<Resource, 'schemaName'>,
  { id, expected, current }: { readonly id: string; readonly expected: number; readonly current: number },
): ApiError {
  return apiError(
    'ConcurrentModification',
    `The ${schemaName} with ID '${id}' has version ${current}, but version ${expected} was expected.`,
    { currentVersion: current },
  );
}

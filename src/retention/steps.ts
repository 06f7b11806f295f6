/** What is done for a project at a time: a few resources of a kind are deleted, or end. */
import type { RequestContext } from '../engine/context.ts';
import { endOne, expire, expireTogether } from '../engine/operations/expire.ts';
import type { Engine, Expiry, KeptDays, Resource } from '../engine/resource.ts';
import { type Due, type Old, type Retained } from './retained.ts';

export interface RetentionOptions {
  readonly engine: Engine;
  readonly retained: Retained;
  /** The request in whose name resources of a project are deleted, or end. */
  context(project: string): Promise<RequestContext>;
  clock(): Date;
  /** Resources of a kind that a project keeps. */
  countMax(resource: Resource): number;
}

/** How long a count holds between steps: shorter than it takes another process to take a project over. */
const countedMsMax = 1000;
/** Resources that are written at a time. */
const concurrentMax = 20;

/** How far a project is, by kinds. */
export interface Unfinished {
  /** The last of those whose time is over. */
  readonly after: Map<string, Due>;
  /** Those of which there are more than are kept. */
  readonly beyond: Map<string, Beyond>;
}

interface Beyond {
  readonly count: number;
  /** When the count held, before the next step of the same process. */
  readonly countedAtMs: number;
  /** The last that was looked at: those that stay are passed over. */
  readonly after: Old | undefined;
}

interface Asked {
  readonly project: string;
  readonly resource: Resource;
  readonly left: Unfinished;
}

/** Deletes the next of those whose time is over; false when there are no more. */
export async function deleteDue(
  { engine, retained, context, clock }: RetentionOptions,
  { project, resource, left: { after } }: Asked,
): Promise<boolean> {
  const { kind } = resource;
  const due = await retained.due(project, { kind, now: clock().toISOString(), after: after.get(kind) });
  const last = due.at(-1);
  if (last === undefined) return false;
  // Whatever becomes of these, others are next.
  after.set(kind, last);
  await expireAll(engine, { context: await context(project), resource, some: due });
  return true;
}

const dayMs = 86_400_000;

/** The moment before which those were created that have stayed for so many days. */
export function daysBefore(now: Date, days: number): string {
  return new Date(now.getTime() - days * dayMs).toISOString();
}

/** Deletes the oldest of those that have stayed as long as the project has them stay; false when there are no more. */
export async function deleteAged(
  { engine, retained, context, clock }: RetentionOptions,
  { project, resource, keptDays }: Pick<Asked, 'project' | 'resource'> & { readonly keptDays: KeptDays },
): Promise<boolean> {
  const { kind } = resource;
  const asking = await context(project);
  const before = daysBefore(clock(), keptDays(asking.project.settings));
  const some = await retained.createdBefore(project, { kind, before });
  if (some.length === 0) return false;
  await expireTogether(engine, { context: asking, resource, some });
  return true;
}

/** Changes the next of those whose moment has come; false when there are no more. */
export async function endExpired(
  { engine, retained, context, clock }: RetentionOptions,
  { project, resource, expiry, left: { after } }: Asked & { readonly expiry: Expiry },
): Promise<boolean> {
  const { kind } = resource;
  const now = clock().toISOString();
  const expired = await retained.expired(project, { kind, now, after: after.get(kind) });
  const last = expired.at(-1);
  if (last === undefined) return false;
  const asking = await context(project);
  if (!expiry.isOn(asking.project.settings)) return false;
  after.set(kind, last);
  await inTurn(expired, ({ id, version }) => endOne(engine, { context: asking, resource, id, version }));
  return true;
}

/** Deletes the next of those beyond the number that is kept; false when there are no more. */
export async function deleteOldest(
  { engine, retained, context, countMax }: RetentionOptions,
  { project, resource, left: { beyond } }: Asked,
): Promise<boolean> {
  const { kind } = resource;
  let known = beyond.get(kind);
  if (known === undefined) return false;
  // Another process may have had the project since, or clients have deleted.
  if (performance.now() - known.countedAtMs > countedMsMax) {
    const [excess] = await retained.excess(kind, { countMax: countMax(resource), project });
    known = { ...known, count: excess?.count ?? 0 };
  }
  const some = known.count <= 0 ? [] : await retained.oldest(project, { kind, count: known.count, after: known.after });
  if (some.length === 0) {
    beyond.delete(kind);
    return false;
  }
  const deleted = await expireAll(engine, { context: await context(project), resource, some });
  beyond.set(kind, { count: known.count - deleted, countedAtMs: performance.now(), after: some.at(-1) });
  return true;
}

/** Gives how many have gone. */
async function expireAll(
  engine: Engine,
  {
    context,
    resource,
    some,
  }: {
    readonly context: RequestContext;
    readonly resource: Resource;
    readonly some: readonly { readonly id: string; readonly version: number }[];
  },
): Promise<number> {
  const gone = await inTurn(some, ({ id, version }) => expire(engine, { context, resource, id, version }));
  return gone.filter(Boolean).length;
}

/** A few at a time. */
async function inTurn<T, R>(all: readonly T[], run: (each: T) => Promise<R>): Promise<readonly R[]> {
  const results: R[] = [];
  for (let index = 0; index < all.length; index += concurrentMax)
    results.push(...(await Promise.all(all.slice(index, index + concurrentMax).map(run))));
  return results;
}

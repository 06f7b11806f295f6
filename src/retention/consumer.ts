/**
 * Has end, in the background, what ends by the clock. What has an end of its own changes then (`expiry`). What has not been
 * modified for as long as it says itself is deleted, and of what a project has more than it keeps those that were modified
 * least recently. One process at a time does so for a project, in small steps. Nobody leaves word of it on the queue: what is
 * due is looked for.
 */
import { end, expire } from '../engine/operations/expire.ts';
import type { RequestContext } from '../engine/context.ts';
import type { Engine, Resource } from '../engine/resource.ts';
import type { Consumer } from '../outbox/taker.ts';
import { type Due, type Old, projectsMax, type Retained } from './retained.ts';

export interface RetentionOptions {
  readonly engine: Engine;
  readonly retained: Retained;
  /** The request in whose name resources of a project are deleted, or end. */
  context(project: string): Promise<RequestContext>;
  clock(): Date;
  /** Resources of a kind that a project keeps. */
  countMax(resource: Resource): number;
}

/** Between looks for what is due. Nobody waits for it. */
const lookMs = 60_000;
/** Between counts, which look at all that there is. */
const countMs = 3_600_000;
/** How long a count holds between steps: shorter than it takes another process to take a project over. */
const countedMsMax = 1000;
/** Resources that are written at a time. */
const concurrentMax = 20;

export function createRetentionConsumer({ engine, retained, context, clock, countMax }: RetentionOptions): Consumer {
  const resources = engine.registry.resources.filter(({ retention }) => retention !== undefined);
  const kinds = resources.map(({ kind }) => kind);
  // Kinds that clients know through others alone, too.
  const expiring = [...engine.registry.byKind.values()].flatMap((resource) =>
    resource.expiry === undefined ? [] : [{ resource, expiry: resource.expiry, walk: new Walk() }],
  );
  const [looks, counts] = [new Interval(clock, lookMs), new Interval(clock, countMs)];
  const unfinished = new Map<string, Unfinished>();
  /** Of the looks, and of the counts by kinds. */
  const [looked, counted] = [new Walk(), new Map(kinds.map((kind) => [kind, new Walk()]))];

  const unfinishedOf = (project: string): Unfinished => {
    const known = unfinished.get(project) ?? { after: new Map(), beyond: new Map() };
    unfinished.set(project, known);
    return known;
  };

  async function look(): Promise<void> {
    const now = clock().toISOString();
    const due = await retained.projects(kinds, { now, after: looked.after });
    for (const project of looked.passed(due)) unfinishedOf(project);
    for (const { resource, walk } of expiring) {
      const found = await retained.expiring(resource.kind, { now, after: walk.after });
      for (const project of walk.passed(found)) unfinishedOf(project);
    }
  }

  async function count(): Promise<void> {
    for (const resource of resources) {
      const { kind } = resource;
      const walk = counted.get(kind)!;
      const found = await retained.excess(kind, { countMax: countMax(resource), after: walk.after });
      for (const project of walk.passed(found.map((each) => each.project)))
        unfinishedOf(project).beyond.set(kind, { count: 0, countedAtMs: -Infinity, after: undefined });
    }
  }

  /** Deletes the next of those whose time is over; false when there are no more. */
  async function deleteDue(project: string, resource: Resource, { after }: Unfinished): Promise<boolean> {
    const { kind } = resource;
    const due = await retained.due(project, { kind, now: clock().toISOString(), after: after.get(kind) });
    const last = due.at(-1);
    if (last === undefined) return false;
    // Whatever becomes of these, others are next.
    after.set(kind, last);
    await expireAll(engine, { context: await context(project), resource, some: due });
    return true;
  }

  /** Changes the next of those whose moment has come; false when there are no more. */
  async function endExpired(
    project: string,
    { resource, expiry }: (typeof expiring)[number],
    { after }: Unfinished,
  ): Promise<boolean> {
    const { kind } = resource;
    const asking = await context(project);
    if (!expiry.isOn(asking.project.settings)) return false;
    const now = clock().toISOString();
    const expired = await retained.expired(project, { kind, now, after: after.get(kind) });
    const last = expired.at(-1);
    if (last === undefined) return false;
    after.set(kind, last);
    await inTurn(expired, ({ id, version }) => end(engine, { context: asking, resource, id, version }));
    return true;
  }

  /** Deletes the next of those beyond the number that is kept; false when there are no more. */
  async function deleteOldest(project: string, resource: Resource, { beyond }: Unfinished): Promise<boolean> {
    const { kind } = resource;
    let known = beyond.get(kind);
    if (known === undefined) return false;
    // Another process may have had the project since, or clients have deleted.
    if (performance.now() - known.countedAtMs > countedMsMax) {
      const [excess] = await retained.excess(kind, { countMax: countMax(resource), project });
      known = { ...known, count: excess?.count ?? 0 };
    }
    const some =
      known.count <= 0 ? [] : await retained.oldest(project, { kind, count: known.count, after: known.after });
    if (some.length === 0) {
      beyond.delete(kind);
      return false;
    }
    const deleted = await expireAll(engine, { context: await context(project), resource, some });
    beyond.set(kind, { count: known.count - deleted, countedAtMs: performance.now(), after: some.at(-1) });
    return true;
  }

  return {
    topic: 'retention',
    consume: () => Promise.resolve(),
    further: {
      due: async () => {
        if (kinds.length + expiring.length > 0) await looks.pass(look);
        if (kinds.length > 0) await counts.pass(count);
        return [...unfinished.keys()];
      },
      work: async ({ project }) => {
        const left = unfinished.get(project);
        if (left === undefined) return false;
        for (const each of expiring) if (await endExpired(project, each, left)) return true;
        for (const resource of resources)
          if ((await deleteDue(project, resource, left)) || (await deleteOldest(project, resource, left))) return true;
        unfinished.delete(project);
        return false;
      },
    },
  };
}

/** How far a project is, by kinds. */
interface Unfinished {
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

/** Goes through projects in steps, and on from where the last one ended, so that many before them hold up none. */
class Walk {
  #after: string | undefined;

  /** The last project that was found; undefined at the beginning. */
  get after(): string | undefined {
    return this.#after;
  }

  /** What a step has found, after which it goes on behind the last, or begins again where there are no more. */
  passed(projects: readonly string[]): readonly string[] {
    this.#after = projects.length < projectsMax ? undefined : projects.at(-1);
    return projects;
  }
}

/** Something that is done once in a while, and again at the next occasion where it fails. */
class Interval {
  readonly #clock: () => Date;
  readonly #ms: number;
  #lastMs = -Infinity;

  constructor(clock: () => Date, ms: number) {
    this.#clock = clock;
    this.#ms = ms;
  }

  async pass(work: () => Promise<void>): Promise<void> {
    const nowMs = this.#clock().getTime();
    // Clocks are set back, too.
    if (Math.abs(nowMs - this.#lastMs) < this.#ms) return;
    await work();
    this.#lastMs = nowMs;
  }
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

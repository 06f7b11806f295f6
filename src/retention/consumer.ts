/**
 * Has end, in the background, what ends by the clock. What has an end of its own changes then (`expiry`). What has not been
 * modified for as long as it says itself is deleted, and what has been there for as long as its project keeps such (`keptDays`), and of what a project has more than it keeps those that were modified
 * least recently. One process at a time does so for a project, in small steps. Nobody leaves word of it on the queue: what is
 * due is looked for.
 */
import type { Consumer } from '../outbox/taker.ts';
import { projectsMax } from './retained.ts';
import {
  daysBefore,
  deleteAged,
  deleteDue,
  deleteOldest,
  endExpired,
  type RetentionOptions,
  type Unfinished,
} from './steps.ts';

/** Between looks for what is due. Nobody waits for it. */
const lookMs = 60_000;
/** Between counts, which look at all that there is. */
const countMs = 3_600_000;
/** Days after its creation before which nothing goes. */
const keptDaysMin = 1;

export function createRetentionConsumer(options: RetentionOptions): Consumer {
  const { engine, retained, clock, countMax } = options;
  const resources = engine.registry.resources.filter(({ retention }) => retention !== undefined);
  const kinds = resources.map(({ kind }) => kind);
  // Kinds that clients know through others alone, too.
  const expiring = [...engine.registry.byKind.values()].flatMap((resource) =>
    resource.expiry === undefined ? [] : [{ resource, expiry: resource.expiry, walk: new Walk() }],
  );
  const aging = engine.registry.resources.flatMap((resource) =>
    resource.keptDays === undefined ? [] : [{ resource, keptDays: resource.keptDays, walk: new Walk() }],
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
    // How long they stay is for each project to say, and no project says less.
    const before = daysBefore(clock(), keptDaysMin);
    for (const { resource, walk } of aging) {
      const found = await retained.projectsBefore(resource.kind, { before, after: walk.after });
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

  return {
    topic: 'retention',
    consume: () => Promise.resolve(),
    further: {
      due: async () => {
        if (kinds.length + expiring.length + aging.length > 0) await looks.pass(look);
        if (kinds.length > 0) await counts.pass(count);
        return [...unfinished.keys()];
      },
      work: async ({ project }) => {
        const left = unfinished.get(project);
        if (left === undefined) return false;
        for (const each of aging) if (await deleteAged(options, { project, ...each })) return true;
        for (const each of expiring) if (await endExpired(options, { project, ...each, left })) return true;
        for (const resource of resources) {
          const asked = { project, resource, left };
          if ((await deleteDue(options, asked)) || (await deleteOldest(options, asked))) return true;
        }
        unfinished.delete(project);
        return false;
      },
    },
  };
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

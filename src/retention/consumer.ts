/**
 * Deletes, in the background, what has not been modified for as long as it says itself, and of what a project has more than
 * it keeps those that were modified least recently. One process at a time does so for a project, in small steps. Nobody
 * leaves word of it on the queue: what is due is looked for.
 */
import { expire } from '../engine/operations/expire.ts';
import type { RequestContext } from '../engine/context.ts';
import type { Engine, Resource } from '../engine/resource.ts';
import type { Consumer } from '../outbox/taker.ts';
import type { Due, Retained } from './retained.ts';

export interface RetentionOptions {
  readonly engine: Engine;
  readonly retained: Retained;
  /** The request in whose name resources of a project are deleted. */
  context(project: string): Promise<RequestContext>;
  clock(): Date;
  /** Resources of a kind that a project keeps. */
  countMax(resource: Resource): number;
}

/** Between looks for what is due. Nobody waits for it. */
const lookMs = 60_000;
/** Between counts, which look at all that there is. */
const countMs = 3_600_000;
/** Resources that are deleted at a time. */
const concurrentMax = 20;

export function createRetentionConsumer({ engine, retained, context, clock, countMax }: RetentionOptions): Consumer {
  const resources = engine.registry.resources.filter(({ retention }) => retention !== undefined);
  const kinds = resources.map(({ kind }) => kind);
  const [looks, counts] = [new Interval(clock, lookMs), new Interval(clock, countMs)];
  const unfinished = new Map<string, Unfinished>();

  const unfinishedOf = (project: string): Unfinished => {
    const known = unfinished.get(project) ?? { after: new Map(), excess: new Map() };
    unfinished.set(project, known);
    return known;
  };

  async function look(): Promise<void> {
    for (const project of await retained.projects(kinds, clock().toISOString())) unfinishedOf(project);
  }

  async function count(): Promise<void> {
    for (const resource of resources) {
      const { kind } = resource;
      for (const { project, count } of await retained.excess(kind, countMax(resource)))
        unfinishedOf(project).excess.set(kind, count);
    }
  }

  /** The next of them; empty when nothing more is due. */
  async function next(
    project: string,
    { kind }: Resource,
    { after, excess }: Unfinished,
  ): Promise<readonly Omit<Due, 'until'>[]> {
    const due = await retained.due(project, { kind, now: clock().toISOString(), after: after.get(kind) });
    const last = due.at(-1);
    if (last !== undefined) {
      // Whatever becomes of these, others are next.
      after.set(kind, last);
      excess.set(kind, (excess.get(kind) ?? 0) - due.length);
      return due;
    }
    const beyond = excess.get(kind) ?? 0;
    if (beyond <= 0) return [];
    const oldest = await retained.oldest(project, { kind, count: beyond });
    excess.set(kind, oldest.length === 0 ? 0 : beyond - oldest.length);
    return oldest;
  }

  return {
    topic: 'retention',
    consume: () => Promise.resolve(),
    further: {
      due: async () => {
        if (kinds.length > 0) {
          await looks.pass(look);
          await counts.pass(count);
        }
        return [...unfinished.keys()];
      },
      work: async ({ project }) => {
        const left = unfinished.get(project);
        if (left === undefined) return false;
        for (const resource of resources) {
          const some = await next(project, resource, left);
          if (some.length === 0) continue;
          await expireAll(engine, { context: await context(project), resource, some });
          return true;
        }
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
  /** How many there were beyond those that are kept, at the last count. */
  readonly excess: Map<string, number>;
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

async function expireAll(
  engine: Engine,
  {
    context,
    resource,
    some,
  }: {
    readonly context: RequestContext;
    readonly resource: Resource;
    readonly some: readonly Omit<Due, 'until'>[];
  },
): Promise<void> {
  for (let index = 0; index < some.length; index += concurrentMax) {
    const together = some.slice(index, index + concurrentMax);
    await Promise.all(together.map(({ id, version }) => expire(engine, { context, resource, id, version })));
  }
}

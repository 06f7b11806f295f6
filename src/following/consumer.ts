/**
 * Has resources follow, in the background, what others have become: products their product type and the product discounts,
 * categories their parents. A change of a source notes a pass; a pass walks through the followers by id, in steps that do
 * no harm when they are repeated, and goes on where it was after a crash.
 */
import { ApiError } from '../errors/api-error.ts';
import { oneOf, queriedKind } from '../engine/operations/query.ts';
import { allOf, hasAny } from '../engine/collection.ts';
import type { Fence } from '../engine/coherence.ts';
import type { RequestContext } from '../engine/context.ts';
import { internalsOf } from '../engine/descriptions.ts';
import type { Description, Document, Fixed } from '../engine/document.ts';
import { documentOf } from '../engine/json.ts';
import { refresh, refreshParts, removeFollower } from '../engine/operations/refresh.ts';
import { followingsOf } from '../engine/followings.ts';
import type { Following, Sharing } from '../engine/following.ts';
import type { DescribedBy, Engine, Resource } from '../engine/resource.ts';
import type { Lease, Topic } from '../outbox/outbox.ts';
import type { Consumer } from '../outbox/taker.ts';
import {
  type Beginning,
  type Followers,
  followersMax,
  type NotedChange,
  type Pass,
  type PassKey,
  type Passes,
  type SourceState,
  stepMsMax,
  turnOf,
} from './passes.ts';

export interface FollowConsumerOptions {
  readonly engine: Engine;
  readonly fence: Pick<Fence, 'pass'>;
  readonly passes: Passes;
  /** The request in whose name the followers of a project are written. */
  context(project: string): Promise<RequestContext>;
  readonly log: { warn(details: object, message: string): void };
}

const topicName = 'follow';

/** Followers that are written at a time. */
const concurrentMax = 20;

/** Times that the followers of a step are begun with together, and then the first of them in all. */
const togetherAttemptsMax = 2;
const attemptsMax = 4;

/** The kinds that others follow. */
export function followTopic(resources: readonly Resource[]): Topic {
  const followings = [...followingsOf(resources).values()].flat();
  return { name: topicName, kinds: [...new Set(followings.map(({ kind }) => kind))] };
}

/** What the key of a pass says in place of the id of a source. */
const together = '';

/** What a pass is of: one source, one that has gone, or all of its kind together. */
type Source =
  { readonly is: 'one'; readonly description: Description } | { readonly is: 'gone' } | { readonly is: 'all' };

/** How the followers of a source follow it, and in whose name they are written. */
interface Walk {
  readonly resource: Resource;
  readonly following: Following;
  readonly source: Source;
  readonly context: RequestContext;
}

export function createFollowConsumer(options: FollowConsumerOptions): Consumer {
  const { engine, passes } = options;
  const followings: Followings = followingsOf(engine.registry.byKind.values());
  const known = { ...options, followings };
  const turns = new Turns();
  return {
    topic: topicName,
    consume: async (lease, changes) => {
      const noted = await neededOf(known, lease.project, notedOf(followings, changes));
      if (noted.length > 0 && !(await passes.note(lease, noted))) throw new Error('The lease is lost');
    },
    further: {
      due: () => passes.due(),
      work: async (lease) => {
        const pass = await passes.next(lease.project, turns.served(lease.project));
        if (pass === undefined) {
          turns.end(lease.project);
          return false;
        }
        turns.serve(lease.project, turnOf(pass));
        try {
          await new Step(known, lease, pass).run();
        } catch (error) {
          // What fails again and again holds up no other one. Where that fails as well, the queue is down.
          await passes.postpone(lease, pass).catch(() => false);
          throw error;
        }
        return true;
      },
    },
  };
}

/** Which kinds that follow a kind have had a step, so that many passes of one do not hold up those of another. */
class Turns {
  /** By project, the last one at the end. There are as many as declarations say, of projects that have something to do. */
  readonly #served = new Map<string, Set<string>>();

  served(project: string): readonly string[] {
    return [...(this.#served.get(project) ?? [])];
  }

  serve(project: string, turn: string): void {
    const served = this.#served.get(project) ?? new Set();
    served.delete(turn);
    this.#served.set(project, served.add(turn));
  }

  end(project: string): void {
    this.#served.delete(project);
  }
}

/** What each kind follows. */
type Followings = ReturnType<typeof followingsOf>;

interface Known extends FollowConsumerOptions {
  readonly followings: Followings;
}

/** Those of the passes that something may follow of. What is needed and comes later is followed itself. */
async function neededOf(
  { engine, fence, followings }: Known,
  project: string,
  keys: readonly NotedChange[],
): Promise<readonly NotedChange[]> {
  const needs = new Set(keys.flatMap((key) => followingOf(followings, key)?.needs ?? []));
  if (needs.size === 0) return keys;
  await fence.pass();
  const lacking = new Set<string>();
  for (const kind of needs) {
    if (!(await hasAny(engine, project, kind))) lacking.add(kind);
  }
  return keys.filter((key) => {
    const needed = followingOf(followings, key)?.needs;
    return needed === undefined || !lacking.has(needed);
  });
}

function followingOf(followings: Followings, { kind, sourceKind }: PassKey): Following | undefined {
  return followings.get(kind)?.find((following) => following.kind === sourceKind);
}

interface SourceChange {
  readonly kind: string;
  readonly id: string;
  readonly version?: number;
}

/** The passes that changes make due, each once, with the last version that is known. */
function notedOf(followings: Followings, changes: readonly SourceChange[]): readonly NotedChange[] {
  const noted = new Map<string, NotedChange>();
  for (const { kind: sourceKind, id, version } of changes) {
    for (const [kind, follows] of followings) {
      for (const following of follows) {
        if (following.kind !== sourceKind) continue;
        const isOfOne = [following.where, following.byReference, following.sharing].some((way) => way !== undefined);
        const sourceId = isOfOne ? id : together;
        noted.set(`${kind} ${sourceKind} ${sourceId}`, { kind, sourceKind, sourceId, version });
      }
    }
  }
  return [...noted.values()];
}

/** One step of a pass: its beginning, some of its followers, or its end. */
class Step {
  readonly #options: Known;
  readonly #lease: Lease;
  readonly #pass: Pass;

  constructor(options: Known, lease: Lease, pass: Pass) {
    this.#options = options;
    this.#lease = lease;
    this.#pass = pass;
  }

  async run(): Promise<void> {
    const { engine, passes, fence, followings } = this.#options;
    const pass = this.#pass;
    const resource = engine.registry.byKind.get(pass.kind);
    const following = followingOf(followings, pass);
    // A version of the platform before this one may have followed more.
    if (resource === undefined || following === undefined) return this.#drop();
    // What the cache of descriptions and collections gives has to be as new as what is written here.
    await fence.pass();
    const context = await this.#options.context(this.#lease.project);
    const walk: Walk = { resource, following, source: await this.#source(), context };
    const followers = await this.#followersOf(walk, pass);
    if (followers === undefined) return this.#drop();
    if (!pass.isBegun && !(await this.#begin(walk, followers))) return;
    const ids = await passes.ids(this.#lease.project, followers, pass.cursor);
    if (ids.length === 0) return this.#end(walk);
    const { done, attempts } = await this.#attempt(ids, walk);
    if (done.length === ids.length && ids.length < followersMax) return this.#end(walk);
    await passes.advance(this.#lease, pass, { cursor: done.at(-1)!, count: done.length, attempts });
  }

  /**
   * A process that ends while it follows leaves the cursor where it was. When that has happened again and again, followers
   * are taken one by one, and the one with which it happens is set aside.
   */
  async #attempt(ids: readonly string[], walk: Walk): Promise<{ done: readonly string[]; attempts: number }> {
    const { passes, log } = this.#options;
    const attempt = await passes.attempt(this.#lease, this.#pass, 1);
    if (attempt === undefined) throw new Error('The lease is lost');
    let some = attempt > togetherAttemptsMax ? ids.slice(0, 1) : ids;
    const isSetAside = attempt > attemptsMax;
    if (isSetAside) {
      const { kind, sourceKind } = this.#pass;
      log.warn({ project: this.#lease.project, kind, id: some[0], sourceKind }, 'cannot follow: set aside');
    } else {
      try {
        some = await this.#followAll(some, walk, stepMsMax);
      } catch (error) {
        // It was not broken off, and begins again.
        await passes.attempt(this.#lease, this.#pass, -1);
        throw error;
      }
    }
    const isAlone = attempt > togetherAttemptsMax && !isSetAside;
    return { done: some, attempts: isAlone ? togetherAttemptsMax : 0 };
  }

  /** All of them; or the first, and more until `forMs` have passed. Gives those that follow. */
  async #followAll(ids: readonly string[], walk: Walk, forMs = Infinity): Promise<readonly string[]> {
    const untilMs = performance.now() + forMs;
    let count = 0;
    while (count < ids.length && (count === 0 || performance.now() < untilMs)) {
      const some = ids.slice(count, count + concurrentMax);
      await Promise.all(some.map((id) => this.#follow(id, walk)));
      count += some.length;
    }
    const done = ids.slice(0, count);
    if (walk.following.isPassedOn) await this.#passOn(done);
    return done;
  }

  /** Those that follow these followers have a pass of their own. */
  async #passOn(ids: readonly string[]): Promise<void> {
    const { passes, followings } = this.#options;
    const { kind } = this.#pass;
    const changes = ids.map((id) => ({ kind, id }));
    const keys = await neededOf(this.#options, this.#lease.project, notedOf(followings, changes));
    if (keys.length > 0) await passes.note(this.#lease, keys);
  }

  /** There is nothing to follow, and nothing that has to be known of the pass. */
  async #drop(): Promise<void> {
    await this.#options.passes.drop(this.#lease, this.#pass);
  }

  /** Undefined where the source has no value that others could follow. */
  async #followersOf({ resource, following, source }: Walk, { sourceId }: PassKey): Promise<Followers | undefined> {
    const { where, sharing, byReference, kind: sourceKind } = following;
    const { describedBy } = resource;
    const findable = queriedKind(this.#options.engine, resource);
    if (byReference) return { ...findable, where: [], referTo: { kind: sourceKind, id: sourceId } };
    if (sharing !== undefined) {
      const values = source.is === 'one' ? this.#sharedValues(source.description, sharing) : [];
      return values.length === 0 ? undefined : { ...findable, where: [oneOf(sharing.member, values)] };
    }
    if (where === undefined) return { ...findable, where: [] };
    if (describedBy?.kind !== sourceKind) return { ...findable, where: [where([sourceId])] };
    const { documents } = await allOf(this.#options.engine, this.#lease.project, [sourceKind]);
    return { ...findable, where: [where(withHolders(sourceId, documents.get(sourceKind)!, describedBy))] };
  }

  #sharedValues({ document }: Description, { unique }: Sharing): readonly string[] {
    const source = this.#options.engine.registry.byKind.get(this.#pass.sourceKind)!;
    return source.uniqueValues(document).flatMap(({ field, value }) => (field === unique ? value : []));
  }

  /** Tells whether the pass goes on. */
  async #begin(walk: Walk, followers: Followers): Promise<boolean> {
    const { passes } = this.#options;
    const { following, source } = walk;
    if (following.sharing !== undefined) {
      if (await this.#followShared(walk, following.sharing)) return false;
    } else if (this.#pass.sourceId !== together) {
      const begun = await this.#beginAlike(walk);
      if (begun !== undefined) return begun.total > 0;
    }
    const total = await passes.count(this.#lease.project, followers);
    return passes.begin(this.#lease, this.#pass, {
      at: walk.context.now,
      state: stateOf(following, source, this.#pass),
      total,
    });
  }

  /**
   * There may be very many sources that nothing follows, such as categories of which a tree is moved: passes begin together,
   * and end so where they have no followers. Those of many begin alone, as do those that take long to count. Gives the
   * beginning of this one.
   */
  async #beginAlike(walk: Walk): Promise<Beginning | undefined> {
    const { passes } = this.#options;
    const { project } = this.#lease;
    const { following } = walk;
    const alike = await passes.alike(project, this.#pass);
    const sources = await this.#sources(alike);
    const beginnings: (Beginning & { readonly isForgotten: boolean })[] = [];
    const walked: (Omit<(typeof beginnings)[number], 'total'> & { readonly followers: Followers })[] = [];
    for (const [index, pass] of alike.entries()) {
      const { sourceId } = pass;
      const source = sources[index]!;
      const isForgotten = source.is === 'gone' || following.isOfItsEnd === true;
      if (source.is === 'one' && (following.isOfItsEnd === true || isFollowed(following, source.description, pass))) {
        beginnings.push({ sourceId, state: markedState(following, source.description), total: 0, isForgotten });
        continue;
      }
      const followers = (await this.#followersOf({ ...walk, source }, pass))!;
      walked.push({ sourceId, state: stateOf(following, source, pass), followers, isForgotten });
    }
    const counts = await passes.counts(
      project,
      walked.map(({ followers }) => followers),
    );
    for (const [index, { followers: _, ...beginning }] of walked.entries()) {
      const total = counts[index];
      if (total !== undefined) beginnings.push({ ...beginning, total });
    }
    if (beginnings.length > 0) await passes.beginAlike(this.#lease, this.#pass, beginnings);
    return beginnings.find(({ sourceId }) => sourceId === this.#pass.sourceId);
  }

  /** There may be very many sources of values, of which few or none follow each. Tells whether this pass was done with others. */
  async #followShared(walk: Walk, sharing: Sharing): Promise<boolean> {
    const { passes } = this.#options;
    const shared = await passes.beginShared(this.#lease, this.#pass, sharing);
    if (shared.length === 0) return false;
    await this.#followAll([...new Set(shared.flatMap(({ followerIds }) => followerIds))], walk);
    await passes.endShared(this.#lease, shared);
    return shared.some(({ sourceId }) => sourceId === this.#pass.sourceId);
  }

  async #source(): Promise<Source> {
    const [source] = await this.#sources([this.#pass]);
    return source!;
  }

  /** As they are, in the order of their passes, which are of one kind. */
  async #sources(passes: readonly PassKey[]): Promise<readonly Source[]> {
    const { sourceKind, sourceId } = this.#pass;
    if (sourceId === together) return passes.map(() => ({ is: 'all' }));
    const lookups = passes.map((pass) => ({ kind: sourceKind, id: pass.sourceId }));
    const found = await this.#options.engine.store.find(this.#lease.project, lookups);
    return found.map((stored): Source => {
      if (stored === undefined) return { is: 'gone' };
      const [document, internals] = [documentOf(stored.json), internalsOf(stored)];
      return { is: 'one', description: { document, internals, bytes: stored.json.length } };
    });
  }

  async #follow(id: string, { resource, following, source, context }: Walk): Promise<void> {
    const { whenGone, byReference } = following;
    const { engine, log } = this.#options;
    const { sourceKind, sourceId } = this.#pass;
    try {
      if (byReference) await refreshParts(engine, { context, resource, id });
      else if (source.is !== 'gone' || whenGone === undefined) await refresh(engine, { context, resource, id });
      else if (whenGone === 'removed') await removeFollower(engine, { context, resource, id });
      else await refresh(engine, { context, resource, id, change: (document) => whenGone(document, sourceId) });
    } catch (error) {
      // One that breaks a rule stays as it is, and keeps no others from following.
      if (!(error instanceof ApiError) || error.code === 'OverCapacity') throw error;
      log.warn({ err: error, project: this.#lease.project, kind: resource.kind, id, sourceKind }, 'cannot follow');
    }
  }

  async #end({ following, source, context: { now } }: Walk): Promise<void> {
    const { engine, passes } = this.#options;
    const { project } = this.#lease;
    const sources = following.nextAt && (await allOf(engine, project, [following.kind])).documents.get(following.kind)!;
    // What the clock has brought since the beginning, its first followers do not know.
    await passes.end(this.#lease, this.#pass, sources && following.nextAt!(sources, this.#pass.begunAt ?? now));
    if (source.is === 'gone' || following.sharing !== undefined) await passes.forget(this.#lease, this.#pass);
  }
}

function markedState(following: Following, source: Description): { readonly version: number; readonly mark: string } {
  const { version } = source.document;
  return { version, mark: following.mark === undefined ? String(version) : following.mark(source) };
}

/**
 * What a pass may say of its source when it ends. Nothing, so that the next one walks again: where each change is followed,
 * as of those that are taken together, of one that has gone, and of values; and where the source has changed so lately that
 * somebody may still write by what it was before.
 */
function stateOf(following: Following, source: Source, { restedVersion }: Pass): SourceState | undefined {
  if (source.is !== 'one' || following.sharing !== undefined) return undefined;
  const state = markedState(following, source.description);
  return state.version === restedVersion ? state : undefined;
}

/**
 * The followers follow the source as it is already. One that has changed more than once since they did may have been in
 * another state meanwhile, by which followers were written.
 */
function isFollowed(following: Following, source: Description, { followed }: Pass): boolean {
  if (followed === undefined) return false;
  const { version, mark } = markedState(following, source);
  return mark === followed.mark && version <= followed.version + 1;
}

/** The id, and those of all that take it in, or one that does. */
function withHolders(
  id: string,
  descriptions: readonly Fixed<Document>[],
  { nested }: Pick<DescribedBy, 'nested'>,
): readonly string[] {
  const found = new Set([id]);
  let before = 0;
  while (found.size > before) {
    before = found.size;
    for (const each of descriptions) if (nested(each).some((taken) => found.has(taken))) found.add(each.id);
  }
  return [...found];
}

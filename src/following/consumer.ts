/**
 * Has resources follow, in the background, what others have become: products their product type and the product discounts,
 * categories their parents. A change of a source notes a pass; a pass walks through the followers by id, in steps that do
 * no harm when they are repeated, and goes on where it was after a crash.
 */
import { ApiError } from '../errors/api-error.ts';
import { oneOf, queriedKind } from '../engine/operations/query.ts';
import { allOf } from '../engine/collection.ts';
import type { Fence } from '../engine/coherence.ts';
import type { RequestContext } from '../engine/context.ts';
import { internalsOf } from '../engine/descriptions.ts';
import type { Description, Document, Fixed } from '../engine/document.ts';
import { documentOf } from '../engine/json.ts';
import { refresh, refreshParts, removeFollower } from '../engine/operations/refresh.ts';
import { followingsOf } from '../engine/followings.ts';
import type { DescribedBy, Engine, Following, Resource, Sharing } from '../engine/resource.ts';
import type { Lease, QueuedChange, Topic } from '../outbox/outbox.ts';
import type { Consumer } from '../outbox/taker.ts';
import type { Followers, Pass, PassKey, Passes } from './passes.ts';

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
  return {
    topic: topicName,
    consume: async (lease, changes) => {
      const keys = await neededOf(known, lease.project, keysOf(followings, changes));
      if (keys.length > 0 && !(await passes.note(lease, keys))) throw new Error('The lease is lost');
    },
    further: {
      due: () => passes.due(),
      work: async (lease) => {
        const pass = await passes.next(lease.project);
        if (pass === undefined) return false;
        await new Step(known, lease, pass).run();
        return true;
      },
    },
  };
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
  keys: readonly PassKey[],
): Promise<readonly PassKey[]> {
  const needs = new Set(keys.flatMap((key) => followingOf(followings, key)?.needs ?? []));
  if (needs.size === 0) return keys;
  await fence.pass();
  const lacking = new Set<string>();
  for (const kind of needs) {
    const { documents } = await allOf(engine, project, [kind]);
    if (documents.get(kind)!.length === 0) lacking.add(kind);
  }
  return keys.filter((key) => {
    const needed = followingOf(followings, key)?.needs;
    return needed === undefined || !lacking.has(needed);
  });
}

function followingOf(followings: Followings, { kind, sourceKind }: PassKey): Following | undefined {
  return followings.get(kind)?.find((following) => following.kind === sourceKind);
}

/** The passes that changes make due, each once. */
function keysOf(followings: Followings, changes: readonly Pick<QueuedChange, 'kind' | 'id'>[]): readonly PassKey[] {
  const keys = new Map<string, PassKey>();
  for (const { kind: sourceKind, id } of changes) {
    for (const [kind, follows] of followings) {
      for (const following of follows) {
        if (following.kind !== sourceKind) continue;
        const isOfOne = [following.where, following.byReference, following.sharing].some((way) => way !== undefined);
        const sourceId = isOfOne ? id : together;
        keys.set(`${kind} ${sourceKind} ${sourceId}`, { kind, sourceKind, sourceId });
      }
    }
  }
  return [...keys.values()];
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
    const followed = await this.#followed(walk);
    if (followed === undefined) return this.#drop();
    const followers: Followers = { ...queriedKind(engine, resource), ...followed };
    if (!pass.isBegun) return this.#begin(walk, followers);
    const ids = await passes.ids(this.#lease.project, followers, pass.cursor);
    if (ids.length === 0) return this.#end(walk);
    await this.#attempt(ids, walk);
  }

  /**
   * A process that ends while it follows leaves the cursor where it was. When that has happened again and again, followers
   * are taken one by one, and the one with which it happens is set aside.
   */
  async #attempt(ids: readonly string[], walk: Walk): Promise<void> {
    const { passes, log } = this.#options;
    const attempt = await passes.attempt(this.#lease, this.#pass, 1);
    if (attempt === undefined) throw new Error('The lease is lost');
    const some = attempt > togetherAttemptsMax ? ids.slice(0, 1) : ids;
    const isSetAside = attempt > attemptsMax;
    if (isSetAside) {
      const { kind, sourceKind } = this.#pass;
      log.warn({ project: this.#lease.project, kind, id: some[0], sourceKind }, 'cannot follow: set aside');
    } else {
      try {
        await this.#followAll(some, walk);
      } catch (error) {
        // It was not broken off, and begins again.
        await passes.attempt(this.#lease, this.#pass, -1);
        throw error;
      }
    }
    const isAlone = attempt > togetherAttemptsMax && !isSetAside;
    const attempts = isAlone ? togetherAttemptsMax : 0;
    await passes.advance(this.#lease, this.#pass, { cursor: some.at(-1)!, count: some.length, attempts });
  }

  async #followAll(ids: readonly string[], walk: Walk): Promise<void> {
    for (let start = 0; start < ids.length; start += concurrentMax) {
      const some = ids.slice(start, start + concurrentMax);
      await Promise.all(some.map((id) => this.#follow(id, walk)));
    }
    if (walk.following.isPassedOn) await this.#passOn(ids);
  }

  /** Those that follow these followers have a pass of their own. */
  async #passOn(ids: readonly string[]): Promise<void> {
    const { passes, followings } = this.#options;
    const { kind } = this.#pass;
    const changes = ids.map((id) => ({ kind, id }));
    const keys = await neededOf(this.#options, this.#lease.project, keysOf(followings, changes));
    if (keys.length > 0) await passes.note(this.#lease, keys);
  }

  /** There is nothing to follow, and nothing that has to be known of the pass. */
  async #drop(): Promise<void> {
    const { passes } = this.#options;
    if (this.#pass.isBegun) await passes.end(this.#lease, this.#pass, undefined);
    else await passes.skip(this.#lease, this.#pass);
    await passes.forget(this.#lease, this.#pass);
  }

  /** Undefined where the source has no value that others could follow. */
  async #followed({
    resource: { describedBy },
    following,
    source,
  }: Walk): Promise<Pick<Followers, 'where' | 'referTo'> | undefined> {
    const { where, sharing, byReference, kind: sourceKind } = following;
    const { sourceId } = this.#pass;
    if (byReference) return { where: [], referTo: { kind: sourceKind, id: sourceId } };
    if (sharing !== undefined) {
      const values = source.is === 'one' ? this.#sharedValues(source.description, sharing) : [];
      return values.length === 0 ? undefined : { where: [oneOf(sharing.member, values)] };
    }
    if (where === undefined) return { where: [] };
    if (describedBy?.kind !== sourceKind) return { where: [where([sourceId])] };
    const { documents } = await allOf(this.#options.engine, this.#lease.project, [sourceKind]);
    return { where: [where(withHolders(sourceId, documents.get(sourceKind)!, describedBy))] };
  }

  #sharedValues({ document }: Description, { unique }: Sharing): readonly string[] {
    const source = this.#options.engine.registry.byKind.get(this.#pass.sourceKind)!;
    return source.uniqueValues(document).flatMap(({ field, value }) => (field === unique ? value : []));
  }

  async #begin(walk: Walk, followers: Followers): Promise<void> {
    const { passes } = this.#options;
    const { following, source } = walk;
    const mark = markOf(following, source);
    if (mark !== undefined && mark === this.#pass.mark) return void (await passes.skip(this.#lease, this.#pass));
    if (following.sharing !== undefined && (await this.#followShared(walk, following.sharing))) return;
    const total = await passes.count(this.#lease.project, followers);
    if (total === 0 && following.sharing !== undefined) return this.#drop();
    await passes.begin(this.#lease, this.#pass, { mark, total });
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
    const { sourceKind, sourceId } = this.#pass;
    if (sourceId === together) return { is: 'all' };
    const [stored] = await this.#options.engine.store.find(this.#lease.project, [{ kind: sourceKind, id: sourceId }]);
    if (stored === undefined) return { is: 'gone' };
    const [document, internals] = [documentOf(stored.json), internalsOf(stored)];
    return { is: 'one', description: { document, internals, bytes: stored.json.length } };
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
    await passes.end(this.#lease, this.#pass, sources && following.nextAt!(sources, now));
    if (source.is === 'gone' || following.sharing !== undefined) await passes.forget(this.#lease, this.#pass);
  }
}

/** Undefined where each change is followed: of those that are taken together, of one that has gone, and of values. */
function markOf({ mark, sharing }: Following, source: Source): string | undefined {
  if (source.is !== 'one' || sharing !== undefined) return undefined;
  const { description } = source;
  return mark === undefined ? String(description.document.version) : mark(description);
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

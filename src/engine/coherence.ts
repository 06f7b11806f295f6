import { LRUCache } from 'lru-cache';
import { ApiError } from '../errors/api-error.ts';
import { RequestEnded, type RequestSignal, throwIfEnded } from './context.ts';

/** A committed write, by this process or any other. */
export interface Change {
  readonly project: string;
  readonly kind: string;
  readonly id: string;
  /** That the resource has now, or had when it was deleted. */
  readonly version: number;
}

export interface ChangeListener {
  /** Writes that were not visible at the previous check. */
  changed(changes: readonly Change[]): void;
  /** The check cannot tell what changed: everything cached is to be dropped. */
  reset(): void;
}

/**
 * Keeps cached answers read-after-write across processes: every request passes the fence when it arrives, and by the
 * time it is through all caches have heard of every write that was acknowledged before.
 */
export interface Fence {
  pass(): Promise<void>;
  /** How many checks are over. What is read while this is the same has seen all that the requests let through saw. */
  readonly checks: number;
  listen(listener: ChangeListener): void;
}

/** What a cached value was made from: one resource, or (without id) all of a kind. A text, for answers have hundreds. */
export type Dependency = `${string}/${string}`;

/** Clients may spell ids in capitals; whoever finds nothing by one depends on it as it is spelled here. */
export function dependencyOn({
  project,
  kind,
  id,
}: Pick<Change, 'project' | 'kind'> & { readonly id?: string }): Dependency {
  return id === undefined ? `${project}/${kind}` : `${project}/${kind}/${id.toLowerCase()}`;
}

/** On all of the kind. Neither projects nor kinds have slashes in their names. */
function onKind(dependency: Dependency): Dependency {
  const [project, kind] = dependency.split('/', 2) as [string, string];
  return `${project}/${kind}`;
}

/** Resources that an answer names; one made from more depends on their kinds as a whole. */
const namedMax = 500;

/** What an answer is made from, noted while it is made. */
export class Sources {
  readonly #project: string;
  #noted = new Set<Dependency>();
  #isWhole = true;
  #until = Infinity;

  constructor(project: string) {
    this.#project = project;
  }

  /** One resource, or (without id) all of a kind. */
  note(kind: string, id?: string): void {
    this.#add(dependencyOn({ project: this.#project, kind, ...(id !== undefined && { id }) }));
  }

  /** All that something else was made from. */
  noteAll(dependencies: readonly Dependency[]): void {
    for (const dependency of dependencies) this.#add(dependency);
  }

  #add(dependency: Dependency): void {
    this.#noted.add(dependency);
    if (this.#noted.size > namedMax) this.#noted = new Set([...this.#noted].map(onKind));
  }

  /** More than resources, such as another system. */
  noteMore(): void {
    this.#isWhole = false;
  }

  /** The clock: at this moment, in milliseconds, it may be another. */
  noteUntil(ms: number): void {
    this.#until = Math.min(this.#until, ms);
  }

  /** When what is made may be another without a change of what it is made from; Infinity for never. */
  get until(): number {
    return this.#until;
  }

  /** Undefined for an answer that is not to be kept. */
  get dependencies(): readonly Dependency[] | undefined {
    return this.#isWhole ? [...this.#noted] : undefined;
  }
}

export interface Made<V> {
  readonly value: V;
  /** Undefined for a value that is not to be kept. */
  readonly dependencies: readonly Dependency[] | undefined;
  /** It is what it is because of who asked, who has used up a share: others who wait for it make theirs. */
  readonly isOfOne?: boolean;
  /** The moment, in milliseconds, from which on it is not to be given. */
  readonly until?: number;
}

/** What one request fails with, and others would not. */
function isOfOne(error: unknown): boolean {
  return error instanceof RequestEnded || (error instanceof ApiError && error.isOwnShare);
}

/** What was found out of resources for answers (`derived.ts`, `kept-groups.ts`). */
export interface Derived {
  /** Shared, so nobody may change it. */
  readonly value: object;
  readonly bytes: number;
  readonly sources: { readonly dependencies: readonly Dependency[] | undefined; readonly until: number };
}

interface Entry<V> {
  readonly value: V;
  readonly dependencies: readonly Dependency[];
  readonly until: number | undefined;
}

const changedMax = 100_000;

export type CacheLimits<V> =
  | {
      readonly entriesMax: number;
      readonly bytesMax?: undefined;
      readonly bytesOf?: undefined;
      readonly alone?: undefined;
    }
  | {
      /** Of values, names and what they were made from together; 0 keeps nothing. */
      readonly bytesMax: number;
      bytesOf(value: V): number;
      /** The value without larger memory that it is a part of. */
      alone?(value: V): V;
    };

/** A value that takes more than this share of a cache would drive out too many others for one. */
const valueShareMax = 1 / 64;
/** What an entry takes beside its value and its name, and for each of its dependencies: objects, map slots, texts. */
const entryBytes = 300;
const dependencyBytes = 200;
/** Entries of a cache, however many bytes it has: a map has room for four times as many. */
const entriesMax = 4_000_000;

/** Limits of a cache of so many entries, by a size of one each: with `max` it would have room for all of them from the start. */
export function countedUpTo(entries: number): { readonly maxSize: number; sizeCalculation(): number } {
  return { maxSize: entries, sizeCalculation: () => 1 };
}

/** Values by key, each dropped when something that it was made from changes. Bounded; the least used goes first. */
export class CoherentCache<V extends NonNullable<unknown>> {
  readonly #fence: Fence;
  readonly #entries: LRUCache<string, Entry<V>>;
  /** Values that are being made, with the check after which that began, and how many reports had come. */
  readonly #making = new Map<
    string,
    { readonly check: number; readonly asOf: number; readonly made: Promise<Made<V>> }
  >();
  readonly #keys = new Map<Dependency, Set<string>>();
  /** What changed while values were being made, with the number of the report; empty when none is. */
  readonly #changed = new Map<Dependency, number>();
  #reports = 0;
  #makingCount = 0;
  #resets = 0;
  readonly #keepsNothing: boolean;
  readonly #alone: (value: V) => V;
  readonly #now: () => number;

  constructor(fence: Fence, limits: CacheLimits<V>, now: () => number = Date.now) {
    this.#fence = fence;
    this.#now = now;
    this.#keepsNothing = limits.bytesMax === 0;
    this.#alone = limits.alone ?? ((value) => value);
    this.#entries = new LRUCache<string, Entry<V>>({
      ...(limits.bytesMax === undefined
        ? countedUpTo(limits.entriesMax)
        : {
            maxSize: Math.max(1, limits.bytesMax),
            maxEntrySize: Math.max(1, Math.ceil(limits.bytesMax * valueShareMax)),
            sizeCalculation: ({ value, dependencies }: Entry<V>, key: string) =>
              Math.max(
                limits.bytesOf(value) + key.length + entryBytes + dependencies.length * dependencyBytes,
                Math.ceil(limits.bytesMax / entriesMax),
              ),
          }),
      dispose: (entry, key) => this.#unlink(key, entry.dependencies),
    });
    fence.listen({ changed: (changes) => this.#evict(changes), reset: () => this.#reset() });
  }

  /**
   * The value for `key`, as of no earlier than the caller's last passing of the fence; `make` reads it when it is not
   * cached, unless the request has ended that asks for it: then it throws RequestEnded.
   */
  async get(key: string, make: () => Promise<Made<V>>, request: RequestSignal = {}): Promise<V> {
    return this.kept(key) ?? this.#shared(key, make, request);
  }

  /** What is cached for `key`: as new as what `get` gives. */
  kept(key: string): V | undefined {
    const entry = this.#entries.get(key);
    if (entry?.until === undefined || this.#now() < entry.until) return entry?.value;
    this.#entries.delete(key);
    return undefined;
  }

  /**
   * Callers that no check has come between share one value: its reads began after the check that let the last of them
   * through. So do others where no check since has told of a change, if it is a value that may be kept: of what others are
   * made from, such as the clock, checks do not tell. With a change begins another, for the one under way could give a state
   * older than the call.
   */
  async #shared(key: string, make: () => Promise<Made<V>>, request: RequestSignal): Promise<V> {
    throwIfEnded(request);
    const check = this.#fence.checks;
    const asOf = this.#reports + this.#resets;
    const running = this.#making.get(key);
    const isSame = running?.check === check;
    if (running !== undefined && (isSame || running.asOf === asOf)) {
      const made = await running.made.catch((error: unknown) => {
        // Where the request has ended that it was made for, or is refused, the others go on without it.
        if (isSame && !isOfOne(error)) throw error;
        return undefined;
      });
      if (made !== undefined && made.isOfOne !== true && (isSame || made.dependencies !== undefined)) return made.value;
      return this.#shared(key, make, request);
    }
    const made = this.#make(key, make).finally(() => {
      if (this.#making.get(key)?.made === made) this.#making.delete(key);
    });
    this.#making.set(key, { check, asOf, made });
    return (await made).value;
  }

  /**
   * Makes a value and keeps it, unless something it was made from changed meanwhile: the read may have come before
   * the change while its eviction came before the entry.
   */
  async #make(key: string, make: () => Promise<Made<V>>): Promise<Made<V>> {
    const resets = this.#resets;
    const reports = this.#reports;
    this.#makingCount += 1;
    try {
      const made = await make();
      const { value, dependencies, until } = made;
      if (dependencies === undefined || this.#keepsNothing) return made;
      const hasChanged = (dependency: Dependency): boolean => (this.#changed.get(dependency) ?? 0) > reports;
      if (resets === this.#resets && !dependencies.some(hasChanged)) {
        this.#entries.set(key, {
          value: this.#alone(value),
          dependencies,
          until: until === Infinity ? undefined : until,
        });
        // What is too large is not kept.
        if (this.#entries.has(key)) for (const dependency of dependencies) this.#link(key, dependency);
      }
      return made;
    } finally {
      this.#makingCount -= 1;
      if (this.#makingCount === 0) this.#changed.clear();
    }
  }

  #evict(changes: readonly Change[]): void {
    this.#reports += 1;
    for (const { project, kind, id } of changes) {
      for (const dependency of [dependencyOn({ project, kind, id }), dependencyOn({ project, kind })]) {
        if (this.#makingCount > 0) this.#remember(dependency);
        const keys = this.#keys.get(dependency);
        if (keys !== undefined) for (const key of keys) this.#entries.delete(key);
      }
    }
  }

  /** With too many changes to remember, what is being made now is not kept. */
  #remember(dependency: Dependency): void {
    if (this.#changed.size === changedMax) {
      this.#changed.clear();
      this.#resets += 1;
    }
    this.#changed.set(dependency, this.#reports);
  }

  #reset(): void {
    this.#resets += 1;
    this.#entries.clear();
  }

  #link(key: string, dependency: Dependency): void {
    const keys = this.#keys.get(dependency);
    if (keys === undefined) this.#keys.set(dependency, new Set([key]));
    else keys.add(key);
  }

  #unlink(key: string, dependencies: readonly Dependency[]): void {
    for (const dependency of dependencies) {
      const keys = this.#keys.get(dependency);
      if (keys?.delete(key) === true && keys.size === 0) this.#keys.delete(dependency);
    }
  }
}

/**
 * Says whether a history of requests against many processes is one that coherent processes can have: no read that began
 * after a write was acknowledged, or after its result was read, gives an older state. It knows versions and keys of
 * resources, and nothing of HTTP or of any kind.
 */

/** What tells one version of a resource from all others; `text` is written once in a history. */
export interface Content {
  readonly text: string;
  readonly key?: string;
}

/** A resource as it was read, or as an acknowledged write left it. */
export interface Present {
  readonly is: 'present';
  readonly kind: string;
  readonly id: string;
  readonly version: number;
  /** Undefined where the answer does not show it. */
  readonly content: Content | undefined;
  /** The key that it was found by, if it was. */
  readonly askedKey?: string;
}

export type Observation =
  | Present
  /** No resource has the id, because it was deleted. */
  | { readonly is: 'absent'; readonly kind: string; readonly id: string }
  /** No resource has the key. */
  | { readonly is: 'free'; readonly kind: string; readonly key: string }
  /** All resources of the kind. */
  | {
      readonly is: 'list';
      readonly kind: string;
      readonly items: readonly Present[];
      /** How many there are, where the answer says it. */
      readonly total: number | undefined;
    }
  /** What somebody who knows more than versions found wrong. */
  | { readonly is: 'wrong'; readonly message: string };

/** A write as it was asked for. */
export interface Attempt {
  readonly kind: string;
  /** Undefined for a create. */
  readonly id: string | undefined;
  /** The version that it takes the place of; 0 for a create. */
  readonly expected: number;
  /** Undefined for a deletion. */
  readonly content: Content | undefined;
}

/** Beginnings and ends of operations, in the order in which the one process that records them saw them. */
export type HistoryEvent =
  | { readonly phase: 'begin'; readonly operation: number; readonly attempt?: Attempt }
  | {
      readonly phase: 'end';
      readonly operation: number;
      /** Whether a write took effect; one whose answer did not come may have, and may still. */
      readonly outcome: 'done' | 'refused' | 'unknown';
      readonly observations: readonly Observation[];
    };

export interface Violation {
  readonly operation: number;
  readonly message: string;
}

/** All violations of a history; none when the history is coherent. */
export function violationsOf(history: Iterable<HistoryEvent>): readonly Violation[] {
  const checker = new HistoryChecker();
  return [...history].flatMap((event) => checker.add(event));
}

/** More than are found to be gone during one operation. */
const goneMax = 1000;

interface Running {
  readonly beganAt: number;
  readonly attempt: Attempt | undefined;
}

/** What is known of one resource. Moments are places in the history. */
interface Known {
  /** Versions that were known to exist, and since when; both grow. */
  readonly floors: { readonly since: number; readonly version: number }[];
  /** What each version that was seen held. */
  readonly contents: Map<number, Content>;
  /** Writes that may have taken effect, or may yet. */
  readonly attempts: Map<number, Attempt>;
  goneSince: number | undefined;
}

/** Checks a history event by event; its memory grows with the resources and versions, not with the reads. */
export class HistoryChecker {
  #now = 0;
  readonly #running = new Map<number, Running>();
  readonly #creates = new Map<number, Attempt>();
  readonly #resources = new Map<string, Known>();
  /** Resources of each kind that are not known to be gone. */
  readonly #liveIds = new Map<string, Set<string>>();
  /** When the last of each kind were found to be gone. */
  readonly #goneAt = new Map<string, readonly number[]>();

  /** Violations that show at this event. */
  add(event: HistoryEvent): readonly Violation[] {
    this.#now += 1;
    const { operation } = event;
    if (event.phase === 'begin') {
      this.#begin(operation, event.attempt);
      return [];
    }
    const running = this.#running.get(operation);
    if (running === undefined) throw new Error(`Operation ${operation} ends without having begun`);
    this.#running.delete(operation);
    const { attempt } = running;
    if (attempt !== undefined && event.outcome === 'refused') this.#attemptsOf(attempt).delete(operation);
    const messages = event.observations.flatMap((observation) => this.#check(observation, running));
    for (const observation of event.observations) this.#learn(observation);
    if (attempt?.id === undefined && event.outcome === 'done') this.#creates.delete(operation);
    return messages.map((message) => ({ operation, message }));
  }

  #begin(operation: number, attempt: Attempt | undefined): void {
    this.#running.set(operation, { beganAt: this.#now, attempt });
    if (attempt !== undefined) this.#attemptsOf(attempt).set(operation, attempt);
  }

  #attemptsOf({ kind, id }: Attempt): Map<number, Attempt> {
    return id === undefined ? this.#creates : this.#known(kind, id).attempts;
  }

  #known(kind: string, id: string): Known {
    const name = `${kind}/${id}`;
    let known = this.#resources.get(name);
    if (known === undefined) {
      known = { floors: [], contents: new Map(), attempts: new Map(), goneSince: undefined };
      this.#resources.set(name, known);
      const ids = this.#liveIds.get(kind);
      if (ids === undefined) this.#liveIds.set(kind, new Set([id]));
      else ids.add(id);
    }
    return known;
  }

  #check(observation: Observation, running: Running): readonly string[] {
    switch (observation.is) {
      case 'present':
        return this.#checkPresent(observation, running);
      case 'absent':
        return this.#checkAbsent(observation);
      case 'free':
        return this.#checkFree(observation, running);
      case 'list':
        return this.#checkList(observation, running);
      case 'wrong':
        return [observation.message];
    }
  }

  #checkPresent(present: Present, { beganAt }: Running): readonly string[] {
    const { kind, id, version, content } = present;
    const known = this.#known(kind, id);
    const named = `${kind} ${id} in version ${version}`;
    if (known.goneSince !== undefined && known.goneSince < beganAt) return [`${named} was deleted before`];
    const floor = floorAt(known, beganAt);
    if (version < floor) return [`${named} is older than version ${floor}, which was known before`];
    if (content === undefined) return [];
    if (present.askedKey !== undefined && content.key !== present.askedKey)
      return [`${named} has the key '${content.key}', but was found by '${present.askedKey}'`];
    const seen = known.contents.get(version);
    if (seen !== undefined)
      return isSame(seen, content) ? [] : [`${named} holds '${content.text}', but held '${seen.text}' before`];
    const writers = version === 1 ? [...this.#creates.values()] : [...known.attempts.values()];
    const isWritten = writers.some((attempt) => {
      const isOfVersion = attempt.kind === kind && attempt.expected === version - 1;
      return isOfVersion && attempt.content !== undefined && isSame(attempt.content, content);
    });
    return isWritten ? [] : [`${named} holds '${content.text}', which nobody wrote there`];
  }

  #checkAbsent({ kind, id }: { readonly kind: string; readonly id: string }): readonly string[] {
    const known = this.#known(kind, id);
    return known.goneSince !== undefined || mayBeGone(known) ? [] : [`${kind} ${id} is absent, but nobody deleted it`];
  }

  #checkFree({ kind, key }: { readonly kind: string; readonly key: string }, { beganAt }: Running): readonly string[] {
    return this.#existing(kind, beganAt)
      .filter(({ known }) => {
        const [newest] = known.floors.slice(-1);
        const isSettled = newest !== undefined && newest.since < beganAt && !mayHaveChanged(known, newest.version);
        return isSettled && known.contents.get(newest.version)?.key === key;
      })
      .map(({ id }) => `${kind} ${id} has the key '${key}', but none was found by it`);
  }

  #checkList(list: Extract<Observation, { is: 'list' }>, running: Running): readonly string[] {
    const listed = new Set(list.items.map(({ id }) => id));
    const missing = this.#existing(list.kind, running.beganAt)
      .filter(({ id, known }) => !listed.has(id) && !mayBeGone(known))
      .map(({ id }) => `${list.kind} ${id} is missing in a list`);
    const presence = list.items.flatMap((item) => this.#checkPresent(item, running));
    return [...missing, ...presence, ...this.#checkTotal(list, running)];
  }

  /** No fewer than were there all the time, and no more than were there at any time. */
  #checkTotal({ kind, total }: Extract<Observation, { is: 'list' }>, { beganAt }: Running): readonly string[] {
    if (total === undefined) return [];
    const least = this.#existing(kind, beganAt).filter(({ known }) => !mayBeGone(known)).length;
    const goneMeanwhile = (this.#goneAt.get(kind) ?? []).filter((moment) => moment > beganAt).length;
    const creates = [...this.#creates.values()].filter((attempt) => attempt.kind === kind).length;
    const most = (this.#liveIds.get(kind)?.size ?? 0) + goneMeanwhile + creates;
    if (total >= least && total <= most) return [];
    return [`${kind} has a total of ${total}, but there are ${least} to ${most}`];
  }

  /** Resources that were known to exist at a moment and are not known to be gone by now. */
  #existing(kind: string, moment: number): readonly { readonly id: string; readonly known: Known }[] {
    return [...(this.#liveIds.get(kind) ?? [])]
      .map((id) => ({ id, known: this.#known(kind, id) }))
      .filter(({ known }) => floorAt(known, moment) > 0);
  }

  #learn(observation: Observation): void {
    if (observation.is === 'list') for (const item of observation.items) this.#learnPresent(item);
    if (observation.is === 'present') this.#learnPresent(observation);
    if (observation.is === 'absent') this.#learnAbsent(observation);
  }

  #learnPresent({ kind, id, version, content }: Present): void {
    const known = this.#known(kind, id);
    if (content !== undefined && !known.contents.has(version)) known.contents.set(version, content);
    if (version <= (known.floors.at(-1)?.version ?? 0)) return;
    known.floors.push({ since: this.#now, version });
    for (const [operation, { expected }] of known.attempts) if (expected < version) known.attempts.delete(operation);
  }

  #learnAbsent({ kind, id }: { readonly kind: string; readonly id: string }): void {
    this.#known(kind, id).goneSince ??= this.#now;
    if (this.#liveIds.get(kind)?.delete(id) !== true) return;
    const moments = [...(this.#goneAt.get(kind) ?? []), this.#now];
    this.#goneAt.set(kind, moments.slice(-goneMax));
  }
}

/** The newest version that was known to exist at a moment; 0 when the resource was not known. */
function floorAt({ floors }: Known, moment: number): number {
  return floors.findLast(({ since }) => since < moment)?.version ?? 0;
}

function mayHaveChanged({ attempts }: Known, version: number): boolean {
  return [...attempts.values()].some(({ expected }) => expected >= version);
}

function mayBeGone({ attempts, floors }: Known): boolean {
  const version = floors.at(-1)?.version ?? 0;
  return [...attempts.values()].some(({ expected, content }) => content === undefined && expected >= version);
}

function isSame(one: Content, other: Content): boolean {
  return one.text === other.text && one.key === other.key;
}

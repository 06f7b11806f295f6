/**
 * Says whether a history of requests against many processes is one that coherent processes can have: no read that began
 * after a write was acknowledged, or after its result was read, gives an older state. It knows versions, keys and parts
 * of resources, and nothing of HTTP or of any kind.
 */

/** What tells one version of a resource from those beside it. */
export interface Content {
  /** Where answers show it without its version it is written once in a history. */
  readonly text: string;
  readonly key?: string;
  /** By their names the texts of what shows alone; what does not show is not among them. */
  readonly parts?: Readonly<Record<string, string>>;
}

/** A resource as it was read, or as an acknowledged write left it. */
export interface Present {
  readonly is: 'present';
  readonly kind: string;
  readonly id: string;
  /** Undefined where the answer does not say it: then the text does. */
  readonly version: number | undefined;
  /** Undefined where the answer does not show it. */
  readonly content: Content | undefined;
  /** The part that `text` is of; by default the whole. */
  readonly part?: string;
  /** The key that it was found by, if it was. */
  readonly askedKey?: string;
}

export type Observation =
  | Present
  /** No resource has the id, because it was deleted. */
  | { readonly is: 'absent'; readonly kind: string; readonly id: string }
  /** The resource does not show the part, or there is none. */
  | { readonly is: 'hidden'; readonly kind: string; readonly id: string; readonly part: string }
  /** No resource has the key, or (with a part) none that shows it. */
  | { readonly is: 'free'; readonly kind: string; readonly key: string; readonly part?: string }
  /** All resources of the kind, or (with a part) those that show it. */
  | {
      readonly is: 'list';
      readonly kind: string;
      readonly part?: string;
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
export function violationsOf(
  history: Iterable<HistoryEvent>,
  risingKinds: ReadonlySet<string> = new Set(),
): readonly Violation[] {
  const checker = new HistoryChecker(risingKinds);
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
  readonly #risingKinds: ReadonlySet<string>;

  /** Versions of these kinds rise also by themselves, which leaves the content as it is. */
  constructor(risingKinds: ReadonlySet<string> = new Set()) {
    this.#risingKinds = risingKinds;
  }

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
      case 'hidden':
        return this.#checkHidden(observation, running);
      case 'free':
        return this.#checkFree(observation, running);
      case 'list':
        return this.#checkList(observation, running);
      case 'wrong':
        return [observation.message];
    }
  }

  #checkPresent(present: Present, { beganAt }: Running): readonly string[] {
    const { kind, id, content, part } = present;
    const known = this.#known(kind, id);
    const version = this.#versionOf(known, present);
    if (version === undefined) return [`${kind} ${id} holds '${content?.text}', which nobody wrote`];
    const named = `${kind} ${id} in version ${version}`;
    if (known.goneSince !== undefined && known.goneSince < beganAt) return [`${named} was deleted before`];
    const floor = floorAt(known, beganAt);
    if (version < floor) return [`${named} is older than version ${floor}, which was known before`];
    if (content === undefined) return [];
    if (present.askedKey !== undefined && content.key !== present.askedKey)
      return [`${named} has the key '${content.key}', but was found by '${present.askedKey}'`];
    if (this.#contentsAt(kind, known, version).some((each) => shows(each, content, part))) return [];
    const shown = part === undefined ? named : `${named}, ${part},`;
    const seen = known.contents.get(version);
    return seen === undefined
      ? [`${shown} holds '${content.text}', which nobody wrote there`]
      : [`${shown} holds '${content.text}', but held '${seen.text}' before`];
  }

  /** The version that the text tells, where an answer does not say it; undefined when nobody wrote that text. */
  #versionOf(known: Known, { kind, version, content }: Present): number | undefined {
    if (version !== undefined || content === undefined) return version;
    const seen = [...known.contents].findLast(([, { text }]) => text === content.text);
    if (seen !== undefined) return seen[0];
    const writers = [...this.#createsOf(kind), ...known.attempts.values()];
    const writer = writers.find((attempt) => attempt.content?.text === content.text);
    return writer && writer.expected + 1;
  }

  /** All that the resource can hold in a version. */
  #contentsAt(kind: string, known: Known, version: number): readonly Content[] {
    const seen = known.contents.get(version);
    if (seen !== undefined) return [seen];
    const isRising = this.#risingKinds.has(kind);
    const written = [...this.#createsOf(kind), ...known.attempts.values()].flatMap(({ expected, content }) => {
      const isOfVersion = isRising ? expected < version : expected === version - 1;
      return isOfVersion ? (content ?? []) : [];
    });
    if (!isRising) return written;
    const before = Math.max(...[...known.contents.keys()].filter((each) => each < version));
    return [...written, ...[known.contents.get(before) ?? []].flat()];
  }

  #createsOf(kind: string): readonly Attempt[] {
    return [...this.#creates.values()].filter((attempt) => attempt.kind === kind);
  }

  #checkAbsent({ kind, id }: { readonly kind: string; readonly id: string }): readonly string[] {
    const known = this.#known(kind, id);
    return known.goneSince !== undefined || mayBeGone(known) ? [] : [`${kind} ${id} is absent, but nobody deleted it`];
  }

  #checkHidden({ kind, id, part }: Extract<Observation, { is: 'hidden' }>, { beganAt }: Running): readonly string[] {
    const known = this.#known(kind, id);
    const text = known.goneSince === undefined ? settledContent(known, beganAt)?.parts?.[part] : undefined;
    return text === undefined ? [] : [`${kind} ${id} shows '${text}' as ${part}, but that was not found`];
  }

  #checkFree({ kind, key, part }: Extract<Observation, { is: 'free' }>, { beganAt }: Running): readonly string[] {
    return this.#existing(kind, beganAt)
      .filter(({ known }) => {
        const content = settledContent(known, beganAt);
        return content?.key === key && (part === undefined || content.parts?.[part] !== undefined);
      })
      .map(({ id }) => `${kind} ${id} has the key '${key}', but none was found by it`);
  }

  #checkList(list: Extract<Observation, { is: 'list' }>, running: Running): readonly string[] {
    const listed = new Set(list.items.map(({ id }) => id));
    const missing = this.#certain(list, running)
      .filter(({ id }) => !listed.has(id))
      .map(({ id }) => `${list.kind} ${id} is missing in a list`);
    const presence = list.items.flatMap((item) => this.#checkPresent(item, running));
    return [...missing, ...presence, ...this.#checkTotal(list, running)];
  }

  /** Those that were there all the time, and showed what is listed. */
  #certain(
    { kind, part }: Extract<Observation, { is: 'list' }>,
    { beganAt }: Running,
  ): readonly { readonly id: string }[] {
    return this.#existing(kind, beganAt).filter(
      ({ known }) =>
        !mayBeGone(known) && (part === undefined || settledContent(known, beganAt)?.parts?.[part] !== undefined),
    );
  }

  /** No fewer than were there all the time, and no more than were there at any time. */
  #checkTotal(list: Extract<Observation, { is: 'list' }>, running: Running): readonly string[] {
    const { kind, total, part } = list;
    const { beganAt } = running;
    if (total === undefined) return [];
    const least = this.#certain(list, running).length;
    const live = [...(this.#liveIds.get(kind) ?? [])].filter((id) => {
      const content = part === undefined ? undefined : settledContent(this.#known(kind, id), beganAt);
      return content === undefined || content.parts?.[part!] !== undefined;
    });
    const goneMeanwhile = (this.#goneAt.get(kind) ?? []).filter((moment) => moment > beganAt).length;
    const most = live.length + goneMeanwhile + this.#createsOf(kind).length;
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

  #learnPresent(present: Present): void {
    const { kind, id, content, part } = present;
    const known = this.#known(kind, id);
    const version = this.#versionOf(known, present);
    if (version === undefined) return;
    if (content !== undefined && !known.contents.has(version)) {
      // A part tells what the whole is, where there is one whole that it can be of.
      const wholes = part === undefined ? [content] : this.#contentsAt(kind, known, version);
      const [whole, ...others] = wholes.filter((each) => shows(each, content, part));
      if (whole !== undefined && others.length === 0) known.contents.set(version, whole);
    }
    if (version > (known.floors.at(-1)?.version ?? 0)) known.floors.push({ since: this.#now, version });
    const newest = known.floors.at(-1)!.version;
    for (const [operation, { expected }] of known.attempts)
      if (expected < newest && known.contents.has(expected + 1)) known.attempts.delete(operation);
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

/** What it held all the time since a moment, where that is known. */
function settledContent(known: Known, moment: number): Content | undefined {
  const newest = known.floors.at(-1);
  if (newest === undefined || newest.since >= moment || mayHaveChanged(known, newest.version)) return undefined;
  return known.contents.get(newest.version);
}

function shows(whole: Content, content: Content, part: string | undefined): boolean {
  const text = part === undefined ? whole.text : whole.parts?.[part];
  return text === content.text && whole.key === content.key;
}

import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { hasEnded, type Requester, RequestEnded } from './context.ts';
import { clientName } from './fair-queue.ts';

/** Bytes of resources that take milliseconds to parse or to write. */
export const heavyBytes = 256 * 1024;
/** How many times as long as it took others have the event loop after a heavy piece of work. */
const restFactor = 4;
const restMsMax = 100;
/** A request that is under way for longer waits for something else than the event loop. */
const smallMsMax = 100;

interface Piece {
  /** The first of a piece that is done in slices, or all of it: the others are no turns of their own to the request. */
  readonly isFirst: boolean;
  start(): void;
  /** Nobody waits for it any more. */
  drop(): void;
}

type Requests = Map<Requester, Piece[]>;

/** Requests of a client. Those that have begun are finished first: what each holds meanwhile is much. */
interface Waiting {
  readonly begun: Requests;
  readonly others: Requests;
  /** Those that have had many turns. */
  readonly long: Requests;
  wasLongLast: boolean;
}

/** After so many turns a request is a long one: a change of a large resource has fewer. */
const shortTurnsMax = 8;

/** Pieces that wait: of requests, in the order of their turns, of clients and of projects, which take turns as well. */
const line = new Map<string, Map<string, Waiting>>();
/** Turns that requests have had. */
const turnsHad = new WeakMap<Requester, number>();
/** Beside the keys of projects, none of which is empty. */
const bodies = '';
let isRunning = false;

/** Requests that are under way, how many of them had something heavy, and when the last one began. */
interface Crowd {
  requests: number;
  heavy: number;
  lastBeganAtMs: number;
}

/** Of which it is not known yet who sent them, or never will be. */
const strangers: Crowd = { requests: 0, heavy: 0, lastBeganAtMs: -Infinity };
/** Of clients, by the names of those that have any. */
const clients = new Map<string, Crowd>();
/** Most small requests are answered in the turn in which they come; whoever has sent one is likely to send another. */
const smallGapMs = 10;
let smallEndedAtMs = -Infinity;
/** Requests that have asked for a turn. */
const heavy = new WeakSet<Requester>();

/** Requests of which some may wait for what is heavy of others: each is told of once at its beginning and its end. */
export function requestBegins(atMs: number): void {
  strangers.requests += 1;
  strangers.lastBeganAtMs = atMs;
}

/** Between the two, once: who sent it. */
export function requestIsKnown(of: Requester, beganAtMs: number): void {
  strangers.requests -= 1;
  const name = clientName(of);
  const client = clients.get(name);
  if (client === undefined) {
    clients.set(name, { requests: 1, heavy: 0, lastBeganAtMs: beganAtMs });
  } else {
    client.requests += 1;
    client.lastBeganAtMs = Math.max(client.lastBeganAtMs, beganAtMs);
  }
}

/** Of one that is known, whenever it is judged anew: it asks for turns in the name of `is` from then on. */
export function requestGoesOn(was: Requester, is: Requester): void {
  // The token is the same, and so is whose it is.
  if (heavy.delete(was)) heavy.add(is);
}

/** Of one that was told to be known, with what was told last. */
export function requestEnds(of: Requester | undefined, atMs: number): void {
  if (of === undefined) {
    strangers.requests -= 1;
    return;
  }
  const name = clientName(of);
  const client = clients.get(name)!;
  client.requests -= 1;
  if (heavy.delete(of)) client.heavy -= 1;
  else smallEndedAtMs = Math.max(smallEndedAtMs, atMs);
  if (client.requests === 0) clients.delete(name);
}

/**
 * A turn of the event loop for a piece of work that takes milliseconds. Each turn has one such piece. While there are
 * requests that have asked for none, or have just been answered, the next one waits four times as long as the last one took:
 * a small request needs several turns, most of which are then short, however many large requests there are beside it.
 * Projects take turns with each other, and the clients of a project do, however many pieces each asks for at once. Of a
 * client's requests those that have begun are finished first, so that few hold what they have read and made. Those that are
 * not finished after some turns have every second one, and the one of them that has had most is finished first. Pieces of a
 * request that has ended are dropped, with RequestEnded.
 */
export function heavyTurn(of: Requester): Promise<void> {
  return turnIn(of.project.key, of);
}

/** The next turn of a piece that is done in slices, which count as one turn of the request. */
export function sliceTurn(of: Requester): Promise<void> {
  return turnIn(of.project.key, of, false);
}

/** The same for a large body. While one is parsed those of all projects wait, so it has turns like a project of its own. */
export function bodyTurn(of: Requester): Promise<void> {
  return turnIn(bodies, of);
}

function turnIn(project: string, of: Requester, isFirst = true): Promise<void> {
  const client = clients.get(clientName(of));
  // One that has ended is counted no more.
  if (client !== undefined && !heavy.has(of) && !hasEnded(of)) {
    heavy.add(of);
    client.heavy += 1;
  }
  return new Promise((resolve, reject) => {
    const waiting = within(within(line, project, noClients), clientName(of), nobody);
    within(placeOf(of, waiting), of, noPieces).push({
      isFirst,
      start: resolve,
      drop: () => reject(new RequestEnded()),
    });
    if (!isRunning) void run();
  });
}

/** What is next of the first request of the first client of the first project: undefined where nobody waits for it. */
function takeFirst(): Piece | undefined {
  const [project, ofClients] = first(line);
  const [client, waiting] = first(ofClients);
  const short = waiting.begun.size > 0 ? waiting.begun : waiting.others;
  const isLong = waiting.long.size > 0 && (short.size === 0 || !waiting.wasLongLast);
  const requests = isLong ? waiting.long : short;
  const [of, pieces] = isLong ? withMostTurns(requests) : first(requests);
  requests.delete(of);
  if (hasEnded(of)) {
    if (isNobody(waiting)) ofClients.delete(client);
    if (ofClients.size === 0) line.delete(project);
    for (const piece of pieces) piece.drop();
    return undefined;
  }
  waiting.wasLongLast = isLong;
  const piece = pieces.shift()!;
  const had = (turnsHad.get(of) ?? 0) + (piece.isFirst ? 1 : 0);
  turnsHad.set(of, had);
  if (pieces.length > 0) placeOf(of, waiting).set(of, pieces);
  goBehind(ofClients, client, !isNobody(waiting));
  goBehind(line, project, ofClients.size > 0);
  return piece;
}

/** Where it waits, by the turns that it has had. */
function placeOf(of: Requester, { begun, others, long }: Waiting): Requests {
  const had = turnsHad.get(of) ?? 0;
  if (had === 0) return others;
  return had < shortTurnsMax ? begun : long;
}

function withMostTurns(requests: Requests): readonly [Requester, Piece[]] {
  let most = first(requests);
  for (const entry of requests) if (turnsHad.get(entry[0])! > turnsHad.get(most[0])!) most = entry;
  return most;
}

async function run(): Promise<void> {
  isRunning = true;
  await nextTurn();
  while (line.size > 0) {
    const piece = takeFirst();
    if (piece === undefined) {
      // What was dropped ends in this turn.
      await nextTurn();
      continue;
    }
    const startedAtMs = performance.now();
    piece.start();
    await nextTurn();
    const restMs = Math.min(restFactor * (performance.now() - startedAtMs), restMsMax);
    const restsUntilMs = performance.now() + restMs;
    // A timer has no finer grain.
    while (restsUntilMs - performance.now() >= 1 && maySmallWait()) await pause(1);
  }
  isRunning = false;
}

/**
 * Whether there is a request that has asked for nothing here, and has come so late that it may be small, or one that has
 * just ended.
 */
function maySmallWait(): boolean {
  const now = performance.now();
  if (now - smallEndedAtMs < smallGapMs) return true;
  const newSinceMs = now - smallMsMax;
  const isNew = ({ requests, heavy: ofHeavy, lastBeganAtMs }: Crowd): boolean =>
    requests > ofHeavy && lastBeganAtMs > newSinceMs;
  if (isNew(strangers)) return true;
  for (const client of clients.values()) if (isNew(client)) return true;
  return false;
}

/** What stands under a name, made where nothing does. */
function within<Name, Value>(map: Map<Name, Value>, name: Name, empty: () => Value): Value {
  let found = map.get(name);
  if (found === undefined) map.set(name, (found = empty()));
  return found;
}

const noClients = (): Map<string, Waiting> => new Map();
const nobody = (): Waiting => ({ begun: new Map(), others: new Map(), long: new Map(), wasLongLast: false });
const isNobody = ({ begun, others, long }: Waiting): boolean => begun.size + others.size + long.size === 0;
const noPieces = (): Piece[] => [];

/** Only what holds something stands in the line. */
function first<Name, Value>(map: ReadonlyMap<Name, Value>): readonly [Name, Value] {
  const [entry] = map;
  return entry!;
}

/** Whoever had a turn is the last, while more is left. */
function goBehind<Name, Value>(map: Map<Name, Value>, name: Name, isMoreLeft: boolean): void {
  const value = map.get(name)!;
  map.delete(name);
  if (isMoreLeft) map.set(name, value);
}

/** What a request has asked for since its last turn, and that turn. */
const shares = new WeakMap<Requester, { sum: number; turn: Promise<void> }>();

/**
 * Takes a turn for work of which several parts make a piece that takes milliseconds: when those of the request, with this
 * one, are a whole one. What the request asks for meanwhile waits for that turn as well.
 */
export function shareOfTurn(of: Requester, share: number): Promise<void> {
  let known = shares.get(of);
  if (known === undefined) shares.set(of, (known = { sum: 0, turn: Promise.resolve() }));
  known.sum += share;
  if (known.sum > 1) {
    known.sum = 0;
    known.turn = known.turn.then(() => heavyTurn(of));
  }
  return known.turn;
}

/** The same for resources that are parsed or written. */
export function bytesTurn(of: Requester, bytes: number): Promise<void> {
  return shareOfTurn(of, bytes / heavyBytes);
}

/**
 * Takes a turn for a resource of so many bytes where that alone takes milliseconds. For work that is one piece for each
 * resource, of which a request has one, where `bytesTurn` is for what adds up.
 */
export async function largeTurn(of: Requester, bytes: number): Promise<void> {
  if (bytes > heavyBytes) await heavyTurn(of);
}

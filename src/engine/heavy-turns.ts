import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';

/** Bytes of resources that take milliseconds to parse or to write. */
export const heavyBytes = 256 * 1024;
/** How many times as long as it took others have the event loop after a heavy piece of work. */
const restFactor = 2;
const restMsMax = 50;
/** A request that is under way for longer waits for something else than the event loop. */
const smallMsMax = 100;

/** A request, as far as it says whose turn it takes. */
export interface HeavyRequest {
  readonly project: { readonly key: string };
  readonly principal: { readonly clientId: string };
}

interface Piece {
  readonly of: HeavyRequest;
  start(): void;
}

const line: Piece[] = [];
/** At which of all turns somebody had theirs last; absent for those who had none since the line was empty. */
let turns = 0;
const turnsOfNames = new Map<string, number>();
const turnsOfRequests = new WeakMap<HeavyRequest, number>();
let isRunning = false;

/** Requests that are under way, and when the last of them began. */
interface Crowd {
  requests: number;
  lastBeganAtMs: number;
}

/** Of which it is not known yet who sent them, or never will be. */
const strangers: Crowd = { requests: 0, lastBeganAtMs: -Infinity };
/** By the ids of those who sent them; absent for those who have none under way. */
const clients = new Map<string, Crowd>();

/** Requests of which some may wait for what is heavy of others: each is told of once at its beginning and its end. */
export function requestBegins(atMs: number): void {
  strangers.requests += 1;
  strangers.lastBeganAtMs = atMs;
}

/** Between the two, once: who sent it. */
export function requestIsKnown({ principal }: HeavyRequest, beganAtMs: number): void {
  strangers.requests -= 1;
  const client = clients.get(principal.clientId);
  if (client === undefined) {
    clients.set(principal.clientId, { requests: 1, lastBeganAtMs: beganAtMs });
  } else {
    client.requests += 1;
    client.lastBeganAtMs = Math.max(client.lastBeganAtMs, beganAtMs);
  }
}

/** Of one that was told to be known, with what was told. */
export function requestEnds(of: HeavyRequest | undefined): void {
  if (of === undefined) {
    strangers.requests -= 1;
    return;
  }
  const client = clients.get(of.principal.clientId)!;
  client.requests -= 1;
  if (client.requests === 0) clients.delete(of.principal.clientId);
}

/**
 * A turn of the event loop for a piece of work that takes milliseconds. Each turn has one such piece. While there are
 * requests of clients that ask for none, the next one waits twice as long as the last one took: a small request needs
 * several turns, most of which are then short, however many large requests others have. Projects take turns with each
 * other, the clients of a project do, and the requests of a client, however many pieces each asks for at once.
 */
export function heavyTurn(of: HeavyRequest): Promise<void> {
  return new Promise((resolve) => {
    line.push({ of, start: resolve });
    if (!isRunning) void run();
  });
}

async function run(): Promise<void> {
  isRunning = true;
  await nextTurn();
  while (line.length > 0) {
    const next = line.reduce((first, other) => (isBefore(other.of, first.of) ? other : first));
    line.splice(line.indexOf(next), 1);
    takeTurn(next.of);
    const startedAtMs = performance.now();
    next.start();
    await nextTurn();
    const restMs = Math.min(restFactor * (performance.now() - startedAtMs), restMsMax);
    // A timer has no finer grain.
    if (restMs >= 1 && mayKeepWaiting(next.of)) await pause(restMs);
  }
  turnsOfNames.clear();
  isRunning = false;
}

function namesOf({ project, principal }: HeavyRequest): readonly string[] {
  return [project.key, `${project.key} ${principal.clientId}`];
}

function takeTurn(of: HeavyRequest): void {
  turns += 1;
  for (const name of namesOf(of)) turnsOfNames.set(name, turns);
  turnsOfRequests.set(of, turns);
}

/** Whether the project, the client or the request, whichever is another, has waited for longer; not among equals. */
function isBefore(one: HeavyRequest, other: HeavyRequest): boolean {
  const [ones, others] = [one, other].map((of) => [
    ...namesOf(of).map((name) => turnsOfNames.get(name) ?? 0),
    turnsOfRequests.get(of) ?? 0,
  ]) as [number[], number[]];
  const index = ones.findIndex((turn, place) => turn !== others[place]);
  return index >= 0 && ones[index]! < others[index]!;
}

/** Whether a client that waits for nothing here has a request that has come so late that it may be small. */
function mayKeepWaiting(last: HeavyRequest): boolean {
  const newSinceMs = performance.now() - smallMsMax;
  const isNew = ({ requests, lastBeganAtMs }: Crowd): boolean => requests > 0 && lastBeganAtMs > newSinceMs;
  if (isNew(strangers)) return true;
  const heavy = new Set([last, ...line.map(({ of }) => of)].map(({ principal }) => principal.clientId));
  for (const [clientId, crowd] of clients) if (!heavy.has(clientId) && isNew(crowd)) return true;
  return false;
}

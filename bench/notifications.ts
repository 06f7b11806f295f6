/**
 * `npm run bench -- notifications`: how many notifications a second leave for four subscriptions, and what GETs beside them
 * take longer, next to the HTTP client alone that posts the same bytes. What waits is put on the queue past HTTP, so that
 * writers do not count.
 */
import { type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { connect } from '../src/storage/connection.ts';
import { inTurn, median, type Round, type Source } from './load.ts';
import type { Sending } from './notification-sender.ts';
import { ended, type Stage, startStage } from './stage.ts';

const subscriptions = 4;
const seconds = 10;
const rounds = 3;
/** Of each subscription: more than leave meanwhile. */
const waiting = 100_000;
/** Resources that the notifications are about. */
const resources = 1000;
/** Notifications of a subscription that are under way at a time, as of the platform's. */
const underWay = 64;

/** Until something is told. */
const startMsMax = 60_000;
/** Nothing was told for so long when all is. */
const quietMs = 1500;

/** GETs beside something that tells, and how many a second that told. */
interface Beside extends Round {
  readonly told: number;
}

// The receiver is on a loopback address.
process.env['ALLOW_PRIVATE_SUBSCRIPTIONS'] = 'true';
const stage = await startStage({ products: 200, seconds, connections: 16 });
try {
  await stage.settled();
  const { message, process: receiver } = await stage.child<{ port: number }>('bench/notification-receiver.js', {});
  const origin = `http://127.0.0.1:${message.port}`;
  const listeners = await Promise.all(
    Array.from({ length: subscriptions }, (_, index) => subscribe(stage, `${origin}/${index}`)),
  );
  const gets = inTurn(
    (await stage.ids('product-projections')).map((id) => ({
      method: 'GET',
      path: `${stage.project}/product-projections/${id}`,
    })),
  );
  await stage.load(stage.baseUrl, gets);
  const alone: Round[] = [];
  const besidePlatform: Beside[] = [];
  const besideClient: Beside[] = [];
  for (let round = 0; round < rounds; round += 1) {
    alone.push(await stage.load(stage.baseUrl, gets));
    await fill(stage, listeners);
    const before = await takenBy(receiver);
    // One process finds within 2 s that something waits.
    const lateAtMs = performance.now() + startMsMax;
    while ((await takenBy(receiver)) < before + subscriptions * 100)
      if (performance.now() > lateAtMs) throw new Error('The platform tells nothing.');
    besidePlatform.push(await loadBeside(stage, receiver, gets));
    await empty(stage, receiver);
    const sending: Sending = { origin, subscriptions, underWay, body: payloadOf(stage) };
    const sender = await stage.child('bench/notification-sender.js', sending);
    besideClient.push(await loadBeside(stage, receiver, gets));
    await ended(sender.process);
  }
  const [own, client] = [besidePlatform, besideClient].map((besides) => median(besides.map(({ told }) => told)));
  print(`${Math.round(own!)} notifications a second for ${subscriptions} subscriptions`);
  print(`${Math.round(client!)} posts a second by the HTTP client alone: ratio ${(own! / client!).toFixed(2)}`);
  printGets('alone', alone);
  printGets('beside notifications', besidePlatform);
  printGets('beside the client alone', besideClient);
} finally {
  await stage.end();
}

async function subscribe({ ask, project }: Stage, url: string): Promise<string> {
  const draft = { destination: { type: 'HTTP', url }, changes: [{ resourceTypeId: 'zone' }] };
  const answer = await ask({ method: 'POST', path: `${project}/subscriptions`, body: JSON.stringify(draft) });
  return (JSON.parse(answer) as { id: string }).id;
}

function payloadOf({ config: { projectKey } }: Stage): string {
  return JSON.stringify({ notificationType: 'ResourceUpdated', projectKey, filling: 'x'.repeat(400) });
}

async function fill(stage: Stage, listeners: readonly string[]): Promise<void> {
  const { databaseUrl, projectKey } = stage.config;
  const sql = connect({ databaseUrl, prepare: true, connectionsMax: 1 });
  await sql`
    insert into notices (project, listener, subject, id, payload)
    select ${projectKey}, listener::uuid, 'zone/' || number % ${resources}, gen_random_uuid(), ${payloadOf(stage)}
    from generate_series(1, ${waiting}) as number, unnest(${[...listeners]}::text[]) as listener`;
  await sql.end();
}

/** Takes what waits off the queue. Resolves when what was under way has been told. */
async function empty({ config: { databaseUrl } }: Stage, receiver: ChildProcess): Promise<void> {
  const sql = connect({ databaseUrl, prepare: true, connectionsMax: 1 });
  await sql`truncate notices`;
  await sql.end();
  for (let before = -1, taken = 0; taken > before;) {
    before = taken;
    await delay(quietMs);
    taken = await takenBy(receiver);
  }
}

async function loadBeside({ load, baseUrl }: Stage, receiver: ChildProcess, gets: Source): Promise<Beside> {
  const before = await takenBy(receiver);
  const beganMs = performance.now();
  const round = await load(baseUrl, gets);
  const told = ((await takenBy(receiver)) - before) / ((performance.now() - beganMs) / 1000);
  return { ...round, told };
}

async function takenBy(receiver: ChildProcess): Promise<number> {
  receiver.send({});
  const [{ taken }] = (await once(receiver, 'message')) as [{ taken: number }];
  return taken;
}

function printGets(name: string, rounds: readonly Round[]): void {
  const [rate, p50, p99] = (['perSecond', 'p50', 'p99'] as const).map((part) => median(rounds.map((one) => one[part])));
  print(`GETs ${name}: ${Math.round(rate!)} a second, p50 ${p50} ms, p99 ${p99} ms`);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

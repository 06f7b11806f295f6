/**
 * `npm run bench -- notifications`: how many notifications a second leave for four subscriptions, and what GETs beside them
 * take longer. What waits is put on the queue past HTTP, so that writers do not count.
 */
import { type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect } from '../src/storage/connection.ts';
import { inTurn, type Round } from './load.ts';
import { type Stage, startStage } from './stage.ts';

const subscriptions = 4;
const seconds = 10;
/** Of each subscription: more than leave meanwhile. */
const waiting = 100_000;
/** Resources that the notifications are about. */
const resources = 1000;

// The receiver is on a loopback address.
process.env['ALLOW_PRIVATE_SUBSCRIPTIONS'] = 'true';
const stage = await startStage({ products: 200, seconds, connections: 16 });
try {
  await stage.settled();
  const { message, process: receiver } = await stage.child<{ port: number }>('bench/notification-receiver.js', {});
  const listeners = await Promise.all(
    Array.from({ length: subscriptions }, (_, index) => subscribe(stage, `http://127.0.0.1:${message.port}/${index}`)),
  );
  const gets = inTurn(
    (await stage.ids('product-projections')).map((id) => ({
      method: 'GET',
      path: `${stage.project}/product-projections/${id}`,
    })),
  );
  await stage.load(stage.baseUrl, gets);
  const alone = await stage.load(stage.baseUrl, gets);
  await fill(stage, listeners);
  // One process finds within 2 s that something waits.
  while ((await takenBy(receiver)) < subscriptions * 100);
  const before = await takenBy(receiver);
  const beganMs = performance.now();
  const beside = await stage.load(stage.baseUrl, gets);
  const perSecond = (((await takenBy(receiver)) - before) / (performance.now() - beganMs)) * 1000;
  process.stdout.write(`${Math.round(perSecond)} notifications a second for ${subscriptions} subscriptions\n`);
  for (const [name, { perSecond: rate, p50, p99 }] of [
    ['alone', alone],
    ['beside', beside],
  ] as readonly (readonly [string, Round])[])
    process.stdout.write(`GETs ${name}: ${Math.round(rate)} a second, p50 ${p50} ms, p99 ${p99} ms\n`);
} finally {
  await stage.end();
}

async function subscribe({ ask, project }: Stage, url: string): Promise<string> {
  const draft = { destination: { type: 'HTTP', url }, changes: [{ resourceTypeId: 'zone' }] };
  const answer = await ask({ method: 'POST', path: `${project}/subscriptions`, body: JSON.stringify(draft) });
  return (JSON.parse(answer) as { id: string }).id;
}

async function fill({ config: { databaseUrl, projectKey } }: Stage, listeners: readonly string[]): Promise<void> {
  const sql = connect({ databaseUrl, prepare: true, connectionsMax: 1 });
  const payload = { notificationType: 'ResourceUpdated', projectKey, filling: 'x'.repeat(400) };
  await sql`
    insert into notices (project, listener, subject, id, payload)
    select ${projectKey}, listener::uuid, 'zone/' || number % ${resources}, gen_random_uuid(), ${JSON.stringify(payload)}
    from generate_series(1, ${waiting}) as number, unnest(${[...listeners]}::text[]) as listener`;
  await sql.end();
}

async function takenBy(receiver: ChildProcess): Promise<number> {
  receiver.send({});
  const [{ taken }] = (await once(receiver, 'message')) as [{ taken: number }];
  return taken;
}

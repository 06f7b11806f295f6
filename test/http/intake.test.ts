import { createHash, randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { request } from 'node:http';
import { pino } from 'pino';
import t from 'tap';
import { Intake, type Receiver } from '../../src/http/intake.ts';
import { serve } from '../../src/http/server.ts';
import { eventually } from '../support/services.ts';

const megabyte = 1024 * 1024;

t.test('whoever has received more than there is room for goes on in turn, unless they have ended', async (t) => {
  const intake = new Intake(32 * megabyte);
  t.teardown(() => intake.close());
  const went: string[] = [];
  const receiver = (name: string, owner = 'project', receivedBytes = megabyte): Receiver => ({
    owner,
    receivedBytes,
    goOn: () => went.push(name),
  });
  const [first, second, ended] = [receiver('first'), receiver('second'), receiver('ended')];
  const small = receiver('small', 'project', megabyte / 2);
  const other = receiver('other', 'other project', 2 * megabyte);
  t.ok(intake.admits(receiver('small'), 100_000, 100_000), 'small bodies count for nothing');
  t.ok(intake.admits(first, megabyte, megabyte));
  // To pay this off would take a minute.
  t.notOk(intake.admits(first, 2048 * megabyte, 2049 * megabyte));
  t.notOk(intake.admits(ended, megabyte, megabyte));
  t.notOk(intake.admits(second, megabyte, megabyte));
  t.ok(intake.admits(receiver('small'), 100_000, 100_000), 'nor do they wait');
  t.notOk(intake.admits(small, megabyte, 2 * megabyte));
  t.notOk(intake.admits(other, megabyte, 2 * megabyte));
  intake.forget(ended);
  await eventually(async () => went.length === 4 || undefined);
  t.strictSame(
    went,
    ['small', 'other', 'first', 'second'],
    'owners in turn, and of each the one of which least has come',
  );
});

t.test('large bodies come as they were sent, with a length and without, beside clients that leave', async (t) => {
  const server = await serve({
    host: '127.0.0.1',
    port: 0,
    log: pino({ level: 'silent' }),
    handler: async ({ body }) => ({
      status: 200,
      body: createHash('sha256')
        .update(await body.read())
        .digest('hex'),
    }),
  });
  t.teardown(() => server.close());
  const post = (body: Buffer, headers: Record<string, string | number>): Promise<string> =>
    new Promise((resolve, reject) => {
      const asking = request({ port: server.port, method: 'POST', headers, agent: false }, (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (part: string) => (text += part));
        answer.once('end', () => resolve(text));
      });
      asking.once('error', reject);
      // Two parts, so that Node does not add a length by itself.
      asking.write(body.subarray(0, 1000));
      asking.end(body.subarray(1000));
    });
  for (let index = 0; index < 4; index += 1) {
    const leaving = connect(server.port, '127.0.0.1', () => {
      leaving.write(`POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${8 * megabyte}\r\n\r\n`);
      leaving.write(Buffer.alloc(4 * megabyte), () => leaving.destroy());
    });
  }
  const bodies = [0.1, 0.9, 1.5, 3, 7, 12].map((size) => randomBytes(Math.floor(size * megabyte) + 1));
  for (const headersOf of [
    (body: Buffer) => ({ 'content-length': body.length }),
    () => ({ 'transfer-encoding': 'chunked' }),
  ]) {
    const answers = await Promise.all(bodies.map((body) => post(body, headersOf(body))));
    t.strictSame(
      answers,
      bodies.map((body) => createHash('sha256').update(body).digest('hex')),
    );
  }
});

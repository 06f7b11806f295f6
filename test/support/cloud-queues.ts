/** Stand-ins for queues of clouds: each takes what its protocol says alone. */
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Test } from 'tap';
import { isSigned, sha256 } from './aws-signature.ts';

export interface Taken {
  readonly text: string;
  readonly group: string | undefined;
}

interface Queue {
  readonly host: string;
  /** In the order in which they were taken. */
  readonly taken: readonly Taken[];
}

/** A queue that takes no request whose signature it does not make itself. `isFaulty` has it take another text than it was sent. */
export async function messageQueue(t: Test): Promise<Queue & { isFaulty: boolean; readonly signing: typeof signing }> {
  const queue = { isFaulty: false, signing };
  const server = await serve(t, (request, body) => {
    if (!isSigned(request, sha256(body), signing)) return { status: 403, body: '<Code>SignatureDoesNotMatch</Code>' };
    const form = new URLSearchParams(body);
    if (form.get('Action') !== 'SendMessage') return { status: 400, body: '<Code>InvalidAction</Code>' };
    const text = String(form.get('MessageBody'));
    const digest = createHash('md5')
      .update(queue.isFaulty ? `${text} ` : text)
      .digest('hex');
    const taken = { text, group: form.get('MessageGroupId') ?? undefined };
    return { status: 200, body: `<MD5OfMessageBody>${digest}</MD5OfMessageBody>`, taken };
  });
  return Object.assign(queue, server);
}

const signing = { service: 'sqs', region: 'eu-test-1', accessKeyId: 'ID', secretAccessKey: 'SECRET' };

/** Topics as the emulator has them: all of the project `shop`. */
export function publishedTopics(t: Test): Promise<Queue> {
  return serve(t, (request, body) => {
    if (!/^\/v1\/projects\/shop\/topics\/[\w-]+:publish$/.test(String(request.url))) return { status: 404, body: '{}' };
    const { messages } = JSON.parse(body) as { messages: readonly { data: string; orderingKey: string }[] };
    const [{ data, orderingKey }] = messages as [(typeof messages)[number]];
    const taken = { text: Buffer.from(data, 'base64').toString(), group: orderingKey };
    return { status: 200, body: '{"messageIds":["1"]}', taken };
  });
}

type Answering = (
  request: IncomingMessage,
  body: string,
) => { readonly status: number; readonly body: string; readonly taken?: Taken };

async function serve(t: Test, answer: Answering): Promise<Queue> {
  const taken: Taken[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const answered = answer(request, Buffer.concat(chunks).toString());
      if (answered.taken !== undefined) taken.push(answered.taken);
      response.writeHead(answered.status).end(answered.body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return { host: `127.0.0.1:${(server.address() as AddressInfo).port}`, taken };
}

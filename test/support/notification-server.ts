import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Test } from 'tap';
import type { Platform } from './platform.ts';

/** What a subscription is sent. */
export interface Notification {
  readonly notificationType: string;
  readonly projectKey: string;
  readonly resource: { readonly typeId: string; readonly id: string };
  readonly [member: string]: unknown;
}

export interface Delivery {
  readonly name: string;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
  readonly body: Notification;
}

/** Answers, or does not. */
export type Taking = (response: ServerResponse, delivery: Delivery) => void;

export interface NotificationServer {
  /** In the order in which they came, with those that were not taken. */
  readonly deliveries: Delivery[];
  /** By name; by default each is taken. */
  readonly takings: Map<string, Taking>;
  urlOf(name: string): string;
  /** What came for a name, without test notifications. */
  of(name: string): readonly Delivery[];
  /** Resolves when it holds; it is looked at with each delivery. */
  until(holds: () => boolean): Promise<void>;
}

/** A server that takes notifications, for each name apart. */
export async function notificationServer(t: Test): Promise<NotificationServer> {
  const deliveries: Delivery[] = [];
  const takings: NotificationServer['takings'] = new Map();
  const waiting = new Set<() => void>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      const name = String(request.url).slice(1);
      const delivery = { name, headers: request.headers, text, body: JSON.parse(text) as Notification };
      deliveries.push(delivery);
      const taking = takings.get(name);
      if (taking === undefined) response.writeHead(204).end();
      else taking(response, delivery);
      for (const look of waiting) look();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    deliveries,
    takings,
    urlOf: (name) => `http://localhost:${port}/${name}`,
    of: (name) => deliveries.filter((each) => each.name === name && !isTest(each)),
    until: (holds) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (!holds()) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      }),
  };
}

function isTest({ body }: Delivery): boolean {
  const said = (body['data'] ?? body) as Notification;
  return said.resource.typeId === 'subscription' && said.notificationType === 'ResourceCreated';
}

/** Has the project tell the server, by this name, which is the key as well. */
export async function subscribe(
  { request }: Pick<Platform, 'request'>,
  server: Pick<NotificationServer, 'urlOf'>,
  { name, ...given }: { readonly name: string; readonly [member: string]: unknown },
): Promise<Readonly<Record<string, unknown>> & { readonly id: string }> {
  const draft = { key: name, destination: { type: 'HTTP', url: server.urlOf(name) }, ...given };
  const { status, text, body } = await request('POST', '/subscriptions', draft);
  if (status !== 201) throw new Error(text);
  return body as { readonly id: string };
}

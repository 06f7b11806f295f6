import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import type { Test } from 'tap';
import { startHttp } from '../../src/app.ts';
import { type Answer, type Platform, send } from './platform.ts';

interface Call {
  readonly token: string | null;
  readonly headers: IncomingMessage['headers'];
}

export type Behavior = (response: ServerResponse, token: string) => void;

export interface Introspection {
  readonly url: string;
  readonly calls: Call[];
  behavior: Behavior;
}

/** A server that introspects tokens as the test says. */
export async function introspectionServer(t: Test): Promise<Introspection> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const token = new URLSearchParams(Buffer.concat(chunks).toString()).get('token');
      introspection.calls.push({ token, headers: request.headers });
      introspection.behavior(response, String(token));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const introspection: Introspection = {
    url: `http://localhost:${port}/introspect`,
    calls: [],
    behavior: (response) => response.end('{"active":false}'),
  };
  return introspection;
}

export interface Delegating extends Introspection {
  /** Of the server of the platform that allows private addresses. */
  readonly baseUrl: string;
  ask(token: string, path?: string, headers?: Readonly<Record<string, string>>): Promise<Answer>;
}

/** Lets the platform's project delegate to such a server, on a server of its own that allows private addresses. */
export async function startDelegating(t: Test, platform: Platform): Promise<Delegating> {
  const introspection = await introspectionServer(t);
  const { projectKey, config } = platform;
  const http = await startHttp({ ...config, allowsPrivateExternalOAuth: true }, pino({ level: 'silent' }));
  t.teardown(() => http.close());
  await delegate(platform, introspection.url);
  const baseUrl = `http://127.0.0.1:${http.port}`;
  return Object.assign(introspection, {
    baseUrl,
    ask: (token: string, path = '/zones', headers = {}) =>
      send({
        baseUrl,
        method: 'GET',
        path: `/${projectKey}${path}`,
        headers: { authorization: `Bearer ${token}`, ...headers },
      }),
  });
}

export async function delegate(
  { request }: Platform,
  url: string,
  authorizationHeader = 'Basic c2VjcmV0',
): Promise<void> {
  const { body } = await request('GET', '');
  const actions = [{ action: 'setExternalOAuth', externalOAuth: { url, authorizationHeader } }];
  const { status, text } = await request('POST', '', { version: body['version'], actions });
  if (status !== 200) throw new Error(text);
}

export function json(answer: object): Behavior {
  return (response) => response.end(JSON.stringify(answer));
}

/** An `exp` ten minutes from now. */
export const soon = (): number => Math.floor(Date.now() / 1000) + 600;

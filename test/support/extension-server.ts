import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Test } from 'tap';
import type { Answer, Platform } from './platform.ts';

interface Resource {
  readonly typeId: string;
  readonly id: string;
  readonly obj: Readonly<Record<string, unknown>> & { readonly id: string; readonly version: number };
}

/** What the platform sends. */
export interface Input {
  readonly action: string;
  readonly resource: Resource;
  readonly oldResource?: Resource;
}

interface Call {
  readonly name: string;
  readonly headers: IncomingMessage['headers'];
  readonly input: Input;
}

export type Behavior = (response: ServerResponse, input: Input) => void;

export interface ExtensionServer {
  /** In the order in which they came. */
  readonly calls: Call[];
  /** What is answered by name; by default, nothing is asked for. */
  readonly behaviors: Map<string, Behavior>;
  urlOf(name: string): string;
}

/** A server of extensions, one for each name. */
async function extensionServer(t: Test): Promise<ExtensionServer> {
  const calls: Call[] = [];
  const behaviors = new Map<string, Behavior>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const name = String(request.url).slice(1);
      const input = JSON.parse(Buffer.concat(chunks).toString()) as Input;
      calls.push({ name, headers: request.headers, input });
      const behavior = behaviors.get(name);
      if (behavior === undefined) response.end();
      else behavior(response, input);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { calls, behaviors, urlOf: (name) => `http://localhost:${port}/${name}` };
}

export function actions(...given: readonly object[]): Behavior {
  return (response) => response.writeHead(200).end(JSON.stringify({ actions: given }));
}

export function refusal(...errors: readonly object[]): Behavior {
  return (response) => response.writeHead(400).end(JSON.stringify({ errors }));
}

export interface Shop extends ExtensionServer {
  readonly project: Platform;
  /** Has the project ask an extension of this key about customer groups; `given` are further members of the draft. */
  extend(key: string, given?: object): Promise<Readonly<Record<string, unknown>> & { readonly id: string }>;
  createGroup(name: string, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  updateGroup(id: string, version: number, actions: readonly object[]): Promise<Answer>;
}

export async function startShop(t: Test, platform: Platform): Promise<Shop> {
  const [server, project] = [await extensionServer(t), await platform.anotherProject()];
  return Object.assign(server, {
    project,
    extend: async (key: string, given: object = {}) => {
      const { status, body, text } = await project.request('POST', '/extensions', {
        key,
        destination: { type: 'HTTP', url: server.urlOf(key) },
        triggers: [{ resourceTypeId: 'customer-group', actions: ['Create', 'Update'] }],
        ...given,
      });
      if (status !== 201) throw new Error(text);
      return body as { readonly id: string };
    },
    createGroup: (groupName: string, headers = {}) =>
      project.request('POST', '/customer-groups', { groupName }, headers),
    updateGroup: (id: string, version: number, given: readonly object[]) =>
      project.request('POST', `/customer-groups/${id}`, { version, actions: given }),
  });
}

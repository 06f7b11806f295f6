import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { Test } from 'tap';

export interface Proxy {
  /** The database behind the proxy. */
  readonly url: URL;
  /** Connections that were opened so far. */
  readonly connections: number;
  /** Nothing is passed on, and nobody is told. */
  isSilent: boolean;
  /** The answer to what has this text in it gets lost, and the connection with it. */
  losesAnswerTo: string | undefined;
}

/** A proxy in front of a database, which stands for the network between. */
export async function proxyTo(t: Test, databaseUrl: string): Promise<Proxy> {
  const { hostname, port } = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  const proxy: Proxy & { connections: number } = {
    url: new URL(databaseUrl),
    connections: 0,
    isSilent: false,
    losesAnswerTo: undefined,
  };
  const server = createServer((client) => {
    proxy.connections += 1;
    const database = connect({ host: hostname, port: Number(port) });
    for (const socket of [client, database]) {
      sockets.add(socket);
      socket.on('error', () => {});
    }
    let isLost = false;
    client.on('data', (chunk) => {
      isLost ||= proxy.losesAnswerTo !== undefined && chunk.includes(proxy.losesAnswerTo);
      if (!proxy.isSilent) database.write(chunk);
    });
    database.on('data', (chunk) => {
      if (isLost) client.destroy();
      else if (!proxy.isSilent) client.write(chunk);
    });
    client.on('close', () => database.destroy());
    database.on('close', () => void (proxy.isSilent || client.destroy()));
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  proxy.url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return proxy;
}

/** The server that destinations of examples name. It takes all that it is sent. */
import { randomInt } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** As the examples of the field kinds have it. */
const [host, port] = ['subscriptions.example.org', 8099];

let started: Promise<string> | undefined;

/** A file of hosts in which the examples' server is one of this process. Each process has a loopback address of its own. */
export function exampleHosts(): Promise<string> {
  return (started ??= start());
}

async function start(): Promise<string> {
  const address = `127.${randomInt(1, 255)}.${randomInt(1, 255)}.${randomInt(2, 255)}`;
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => response.writeHead(204).end());
  });
  await new Promise<void>((resolve, reject) => server.on('error', reject).listen(port, address, resolve));
  server.unref();
  const directory = mkdtempSync(join(tmpdir(), 'tradepost-hosts-'));
  process.on('exit', () => rmSync(directory, { recursive: true, force: true }));
  const path = join(directory, 'hosts');
  writeFileSync(path, `127.0.0.1 localhost\n${address} ${host}\n`);
  return path;
}

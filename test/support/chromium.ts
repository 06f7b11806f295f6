import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Test } from 'tap';
import { environmentOf, findProgram, type Program } from './debian-program.ts';

export function findChromium(t: Test): ReturnType<typeof findProgram> {
  return findProgram(t, { name: 'chromium', path: 'usr/lib/chromium/chromium', versionOption: '--version' });
}

const options = [
  '--headless',
  // As root there is no sandbox; the page is the test's own.
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-dev-shm-usage',
];

/** Runs the script in a page of an origin of its own; resolves with what the script resolves with. */
export async function runInPage(t: Test, chromium: Program, script: (origin: string) => string): Promise<unknown> {
  let report: (text: string) => void = () => {};
  const reported = new Promise<string>((resolve) => (report = resolve));
  const server = createServer((request, response) => {
    if (request.method === 'POST') {
      void textOf(request).then(report);
      response.end();
      return;
    }
    response.setHeader('content-type', 'text/html');
    response.end(`<!DOCTYPE html><script type="module">
      const outcome = await (async () => { ${script(origin)} })().catch((error) => ({ failure: String(error) }));
      await fetch('/', { method: 'POST', body: JSON.stringify(outcome) });
    </script>`);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const profile = mkdtempSync(join(tmpdir(), 'tradepost-profile-'));
  const child: ChildProcess = spawn(chromium.file, [...options, `--user-data-dir=${profile}`, `${origin}/page`], {
    env: environmentOf(chromium),
    stdio: 'ignore',
    // With all that it starts.
    detached: true,
  });
  const exited = new Promise<string>((resolve) => child.once('exit', () => resolve('"the browser ended"')));
  t.teardown(async () => {
    if (child.exitCode === null) process.kill(-child.pid!, 'SIGKILL');
    await exited;
    server.closeAllConnections();
    server.close();
    rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  });
  return JSON.parse(await Promise.race([reported, exited]));
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request as AsyncIterable<Buffer>) text += chunk.toString();
  return text;
}

import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import type { Test } from 'tap';
import type { Certificate } from './certificate.ts';
import { environmentOf, findProgram, type Program } from './debian-program.ts';
import { freePort } from '../../src/embedded/service.ts';
import { eventually } from './services.ts';

const configuration = join(import.meta.dirname, '..', '..', '..', 'haproxy.cfg');

export function findHaproxy(t: Test): ReturnType<typeof findProgram> {
  return findProgram(t, { name: 'haproxy', path: 'usr/sbin/haproxy', versionOption: '-v' });
}

/** The certificate and its key in one file, as the proxy wants them. */
export function combine({ certFile, keyFile }: Certificate): string {
  const bothFile = `${certFile}.both`;
  writeFileSync(bothFile, readFileSync(certFile, 'utf8') + readFileSync(keyFile, 'utf8'), { mode: 0o600 });
  return bothFile;
}

/** Runs the proxy with the configuration of the checkout in front of `serverPort`; resolves with its port. */
export async function startHaproxy(
  t: Test,
  haproxy: Program,
  { bothFile, serverPort }: { readonly bothFile: string; readonly serverPort: number },
): Promise<number> {
  const port = await freePort();
  const child: ChildProcess = spawn(haproxy.file, ['-db', '-f', configuration], {
    env: {
      ...environmentOf(haproxy),
      PROXY_BIND: `127.0.0.1:${port}`,
      PROXY_CERT: bothFile,
      PROXY_SERVER: `127.0.0.1:${serverPort}`,
    },
    stdio: 'ignore',
  });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  t.teardown(async () => {
    child.kill('SIGKILL');
    await exited;
  });
  await eventually(() => accepts(port));
  return port;
}

function accepts(port: number): Promise<true | undefined> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(undefined));
  });
}

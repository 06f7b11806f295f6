import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Test } from 'tap';
import type { Certificate } from './certificate.ts';
import { freePort } from '../../src/embedded/service.ts';
import { eventually } from './services.ts';

/** The program, and the libraries that it needs beside the system's. */
export interface Haproxy {
  readonly file: string;
  readonly libraries: string;
}

const configuration = join(import.meta.dirname, '..', '..', '..', 'haproxy.cfg');
const packages = ['haproxy', 'liblua5.3-0', 'libopentracing-c-wrapper0', 'libopentracing1'];
const downloadMsMax = 60_000;

/** The installed program, or the one of Debian's packages, unpacked for this test; or why there is none. */
export function findHaproxy(t: Test): Haproxy | { readonly reason: string } {
  const installed: Haproxy = { file: 'haproxy', libraries: '' };
  if (isRunnable(installed)) return installed;
  const directory = mkdtempSync(join(tmpdir(), 'tradepost-haproxy-'));
  t.teardown(() => rmSync(directory, { recursive: true, force: true }));
  const run = (file: string, args: readonly string[]): string =>
    execFileSync(file, args, {
      cwd: directory,
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: downloadMsMax,
    }).toString();
  try {
    run('apt-get', ['download', ...packages]);
    for (const archive of run('ls', []).trim().split('\n')) run('dpkg-deb', ['-x', archive, '.']);
    const architecture = run('dpkg-architecture', ['-qDEB_HOST_MULTIARCH']).trim();
    const unpacked = {
      file: join(directory, 'usr', 'sbin', 'haproxy'),
      libraries: join(directory, 'usr', 'lib', architecture),
    };
    if (isRunnable(unpacked)) return unpacked;
    return { reason: "haproxy is not installed, and that of Debian's packages does not run here" };
  } catch {
    return { reason: "haproxy is not installed, and Debian's packages cannot be downloaded" };
  }
}

function isRunnable(haproxy: Haproxy): boolean {
  try {
    execFileSync(haproxy.file, ['-v'], { env: environmentOf(haproxy), stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

function environmentOf({ libraries }: Haproxy): NodeJS.ProcessEnv {
  return { ...process.env, ...(libraries !== '' && { LD_LIBRARY_PATH: libraries }) };
}

/** Runs the proxy with the configuration of the checkout in front of `serverPort`; resolves with its port. */
export async function startHaproxy(
  t: Test,
  haproxy: Haproxy,
  { certFile, keyFile, serverPort }: Certificate & { readonly serverPort: number },
): Promise<number> {
  const port = await freePort();
  // The proxy wants both in one file.
  const bothFile = `${certFile}.both`;
  writeFileSync(bothFile, readFileSync(certFile, 'utf8') + readFileSync(keyFile, 'utf8'), { mode: 0o600 });
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

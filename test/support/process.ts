import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Test } from 'tap';
import { freePort } from '../../src/embedded/service.ts';

/** The program of the platform. */
export const main = join(import.meta.dirname, '..', '..', 'src', 'main.js');

export interface Started {
  readonly child: ChildProcess;
  readonly port: number;
  /** Everything printed so far. */
  output(): string;
  /** Resolves when the banner is out; rejects when the process ends before. */
  readonly ready: Promise<void>;
  /** Resolves with the exit code. */
  readonly exited: Promise<number | null>;
}

/** A data directory that any user may pass through; it is removed when the test ends. */
export function dataDirectory(t: Test): string {
  const directory = mkdtempSync(join(tmpdir(), 'tradepost-start-'));
  chmodSync(directory, 0o711);
  t.teardown(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** A folder on a disk of its own, made with options of tmpfs; undefined, and the test skipped, for all but root. */
export function smallDisk(t: Test, options: string): string | undefined {
  const directory = join(dataDirectory(t), 'small');
  mkdirSync(directory);
  if (spawnSync('/bin/mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', directory]).status !== 0) {
    t.pass('no small disk can be made here', { skip: 'only root may mount one' });
    return undefined;
  }
  t.teardown(() => spawnSync('/bin/umount', ['--lazy', directory]));
  return directory;
}

/** Starts the platform as `npm start` does after it has built; it is stopped when the test ends. */
export function startProcess(t: Test, environment: NodeJS.ProcessEnv & { PORT: string }): Started {
  const child = spawn(process.execPath, [main, 'start'], {
    // The servers of the test run are not this platform's own.
    env: { ...process.env, DEMO_PRODUCTS: '0', PROCESSES: '2', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  const exited = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
  const ready = new Promise<void>((resolve, reject) => {
    const collect = (chunk: Buffer): void => {
      text += chunk.toString();
      if (text.includes('product-projections/suggest')) resolve();
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    child.once('exit', () => reject(new Error(`The platform ended: ${text}`)));
  });
  // A test that expects a failure looks at the exit code instead.
  ready.catch(() => {});
  t.teardown(async () => {
    child.kill('SIGINT');
    await exited;
  });
  return { child, port: Number(environment.PORT), output: () => text, ready, exited };
}

/** Starts one HTTP process, without a supervisor; it is stopped when the test ends. */
export async function startHttpProcess(
  t: Test,
  environment: NodeJS.ProcessEnv & { readonly DATABASE_URL: string },
): Promise<{ readonly baseUrl: string; output(): string; signal(name: NodeJS.Signals): void; kill(): Promise<void> }> {
  const port = await freePort();
  const child = spawn(process.execPath, [main, 'http'], {
    env: { ...process.env, ...environment, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let text = '';
  for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  t.teardown(async () => {
    child.kill('SIGTERM');
    await exited;
  });
  await new Promise((resolve, reject) => {
    child.once('message', resolve);
    child.once('exit', () => reject(new Error(`The process ended: ${text}`)));
  });
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    output: () => text,
    signal: (name) => void child.kill(name),
    // It has no moment to end anything.
    kill: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

/** Runs a command of the operator to its end; gives its exit code and what it printed. */
export function runCommand(
  t: Test,
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<{ readonly code: number | null; readonly output: string }> {
  const child = spawn(process.execPath, [main, ...args], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  t.teardown(() => child.kill('SIGKILL'));
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, output })));
}

/** Command lines of all processes that mention `text`. Linux only, like the embedded search engine. */
export function processesWith(text: string): readonly string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
        return command.includes(text) ? [command] : [];
      } catch {
        return [];
      }
    });
}

/** Process ids of the direct children of a process. */
export function childrenOf(pid: number): readonly number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);
}

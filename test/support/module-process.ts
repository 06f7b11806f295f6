import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Test } from 'tap';

const src = join(import.meta.dirname, '..', '..', 'src');

export interface StartedModule {
  readonly child: ChildProcess;
  /** Resolves with the exit code. */
  readonly exited: Promise<number | null>;
  /** Resolves when the process has printed `text`; rejects when it ends before. */
  printed(text: string): Promise<void>;
}

/** Runs `code` with a built module of src, as `module`, in a process of its own, which then prints `done` and stays. */
export function startModule(t: Test, path: string, code: string): StartedModule {
  const file = join(src, path);
  const program = `const module = await import('file://${file}'); ${code}; console.log('done'); setInterval(() => {}, 1000)`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = new Promise<number | null>((resolve) => child.once('exit', (status) => resolve(status)));
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  t.teardown(async () => {
    child.kill('SIGKILL');
    await exited;
  });
  const printed = (text: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        if (output.includes(text)) resolve();
      };
      child.stdout.on('data', look);
      child.once('exit', () => reject(new Error(`The process ended: ${output}`)));
      look();
    });
  return { child, exited, printed };
}

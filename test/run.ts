/**
 * Runs the tests: starts one Postgres and one Meilisearch for all of them, then the built test files, and
 * prints `N passed, N failed` last. Arguments name the test files to run; without any, all are.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import { startMeilisearch } from '../src/embedded/meilisearch.ts';
import { startPostgres } from '../src/embedded/postgres.ts';
import { makeTemplate } from './support/services.ts';

const root = join(import.meta.dirname, '..', '..');
const built = join(root, 'dist', 'test');
const jobs = 2;

/** Those that are named, and those of folders that are. */
function testFiles(asked: readonly string[]): readonly string[] {
  if (asked.length === 0) return filesIn(built);
  return asked.flatMap((path) => {
    const place = join(root, 'dist', relative(root, join(root, path)));
    return statSync(place, { throwIfNoEntry: false })?.isDirectory() === true
      ? filesIn(place)
      : [place.replace(/\.ts$/, '.js')];
  });
}

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.js'))
    .sort()
    .map((file) => join(folder, file));
}

/** Seconds that a file may take; more where a test was told to try many cases. */
const timeout = process.env['TEST_CASES'] === undefined ? 600 : 3600;
/** What tells that it ended too late has this long. */
const graceMs = 30_000;

interface Counts {
  passed: number;
  failed: number;
}

/**
 * Runs each file in a process of its own, without the runner of tap, whose loaders cost each process a second: here
 * everything is built.
 */
async function runFiles(files: readonly string[], environment: NodeJS.ProcessEnv): Promise<Counts> {
  const counts: Counts = { passed: 0, failed: 0 };
  const failures = new Set<string>();
  const waiting = [...files];
  const runNext = async (): Promise<void> => {
    for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
      const name = relative(built, file);
      const startedAtMs = performance.now();
      const { lines, code } = await runFile(file, environment);
      const failed = lines.filter((line) => isAssertion(line, 'not ok')).length;
      const passed = lines.filter((line) => isAssertion(line, 'ok')).length;
      const isGood = failed === 0 && code === 0 && (passed > 0 || lines.some((line) => line.includes('# SKIP')));
      counts.passed += passed;
      // One that ends badly without a failed assertion crashed, ran out of time, or says nothing.
      counts.failed += failed === 0 && !isGood ? 1 : failed;
      for (const line of lines) if (/^\s*not ok /.test(line)) failures.add(`${name}: ${line.trim()}`);
      if (!isGood) failures.add(`${name} ended with ${code}, ${passed + failed} assertions`);
      const seconds = ((performance.now() - startedAtMs) / 1000).toFixed(1);
      const told = [...lines.filter(isTold), `${isGood ? 'ok' : 'not ok'} - ${name}, ${seconds} s`];
      process.stdout.write(told.map((line) => `${line}\n`).join(''));
    }
  };
  await Promise.all(Array.from({ length: jobs }, runNext));
  if (failures.size > 0) process.stdout.write(`\nFailed:\n${[...failures].join('\n')}\n`);
  return counts;
}

interface Ended {
  readonly lines: readonly string[];
  /** Null after a signal. */
  readonly code: number | null;
}

const running = new Set<ChildProcess>();

async function runFile(file: string, environment: NodeJS.ProcessEnv): Promise<Ended> {
  const child = spawn(process.execPath, ['--enable-source-maps', file], {
    cwd: root,
    env: { ...environment, TAP: '1', TAP_TIMEOUT: String(timeout) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  running.add(child);
  const deadline = setTimeout(() => child.kill('SIGKILL'), timeout * 1000 + graceMs);
  const lines: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
  const [code] = (await once(child, 'close')) as [number | null];
  clearTimeout(deadline);
  running.delete(child);
  return { lines, code };
}

/** Tests that hold others end with their time; what counts are the assertions, which stand alone. */
function isAssertion(line: string, verdict: 'ok' | 'not ok'): boolean {
  return new RegExp(`^\\s*${verdict} \\d+`).test(line) && !/ # time=| # SKIP/.test(line) && !line.endsWith('{');
}

/** Failures and their details, and what was skipped; the assertions that hold are not. */
function isTold(line: string): boolean {
  return / # SKIP/.test(line) || /^\s*not ok/.test(line) || /^\s+(diff|at|stack|message|error|[-+@])/.test(line);
}

const dataDir = mkdtempSync(join(tmpdir(), 'tradepost-test-'));
// The user that Postgres runs as has to pass through.
chmodSync(dataDir, 0o711);
// The embedded servers and the tests stop at the end of this process, whatever ends it but SIGKILL.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(130));
process.once('exit', () => running.forEach((child) => child.kill()));
process.once('exit', () => rmSync(dataDir, { recursive: true, force: true, maxRetries: 3 }));
const files = testFiles(process.argv.slice(2));
const fail = (error: Error): void => {
  process.stderr.write(`${error.message}\n`);
};
const postgres = await startPostgres(dataDir, fail);
const meilisearch = await startMeilisearch(dataDir, fail);
try {
  await makeTemplate(postgres.adminUrl);
  const { passed, failed } = await runFiles(files, {
    ...process.env,
    TEST_DATABASE_URL: postgres.adminUrl,
    ...(meilisearch !== undefined && { TEST_MEILI_URL: meilisearch.url, TEST_MEILI_KEY: meilisearch.key }),
  });
  process.stdout.write(`${passed} passed, ${failed} failed\n`);
  process.exitCode = failed === 0 ? 0 : 1;
} finally {
  await Promise.all([postgres.stop(), meilisearch?.stop()]);
}

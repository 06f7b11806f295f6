/**
 * Runs the tests: starts one Postgres and one Meilisearch for all of them, then tap over the built test files, and
 * prints `N passed, N failed` last. Arguments name the test files to run; without any, all are.
 */
import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import { startMeilisearch } from '../src/embedded/meilisearch.ts';
import { startPostgres } from '../src/embedded/postgres.ts';
import { makeTemplate } from './support/services.ts';

const root = join(import.meta.dirname, '..', '..');
const built = join(root, 'dist', 'test');
const jobs = 2;

function testFiles(asked: readonly string[]): readonly string[] {
  if (asked.length > 0)
    return asked.map((file) => join(root, 'dist', relative(root, join(root, file))).replace(/\.ts$/, '.js'));
  return readdirSync(built, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.js'))
    .map((file) => join(built, file));
}

interface Counts {
  passed: number;
  failed: number;
  /** Failed assertions of the file at hand. */
  failedInFile: number;
}

/** Runs tap and counts its assertions: lines `ok` and `not ok` of the innermost tests, and files that crashed. */
async function runTap(
  files: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<Counts & { readonly code: number | null }> {
  const args = [
    '--reporter=tap',
    `--jobs=${jobs}`,
    '--disable-coverage',
    '--allow-empty-coverage',
    `--timeout=${process.env['TEST_CASES'] === undefined ? 300 : 3600}`,
    ...files,
  ];
  const tap = spawn(process.execPath, [join(root, 'node_modules', 'tap', 'dist', 'esm', 'run.mjs'), ...args], {
    cwd: root,
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const counts: Counts = { passed: 0, failed: 0, failedInFile: 0 };
  const failures: string[] = [];
  const lines = createInterface({ input: tap.stdout });
  lines.on('line', (line) => {
    count(line, counts);
    if (/^\s*not ok /.test(line)) failures.push(line.trim());
    report(line);
  });
  const code = await new Promise<number | null>((resolve) => tap.once('exit', resolve));
  if (failures.length > 0) process.stdout.write(`\nFailed:\n${[...new Set(failures)].join('\n')}\n`);
  return { ...counts, code };
}

/**
 * Tests that hold others end with their time; what counts are the assertions, which stand alone. A file that fails
 * without a failed assertion crashed, or ran out of time, and counts as one.
 */
function count(line: string, counts: Counts): void {
  const isAssertion = !/ # time=| # SKIP/.test(line) && !line.endsWith('{');
  if (/^\s*ok \d+/.test(line) && isAssertion) counts.passed += 1;
  if (/^\s*not ok \d+/.test(line) && isAssertion) {
    counts.failed += 1;
    counts.failedInFile += 1;
  }
  if (/^(not )?ok \d+/.test(line)) {
    if (line.startsWith('not') && counts.failedInFile === 0) counts.failed += 1;
    counts.failedInFile = 0;
  }
}

/** Files, failures and their details, and what was skipped are shown; the assertions that hold are not. */
function report(line: string): void {
  if (
    /^(ok|not ok) /.test(line) ||
    / # SKIP/.test(line) ||
    /^\s*not ok/.test(line) ||
    /^\s+(diff|at|stack|message|error|[-+@])/.test(line)
  )
    process.stdout.write(`${line}\n`);
}

const dataDir = mkdtempSync(join(tmpdir(), 'tradepost-test-'));
// The user that Postgres runs as has to pass through.
chmodSync(dataDir, 0o711);
// The embedded servers stop at the end of this process, whatever ends it but SIGKILL.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(130));
process.once('exit', () => rmSync(dataDir, { recursive: true, force: true, maxRetries: 3 }));
const files = testFiles(process.argv.slice(2));
const fail = (error: Error): void => {
  process.stderr.write(`${error.message}\n`);
};
const postgres = await startPostgres(dataDir, fail);
const meilisearch = await startMeilisearch(dataDir, fail);
try {
  await makeTemplate(postgres.adminUrl);
  const { passed, failed, code } = await runTap(files, {
    ...process.env,
    TEST_DATABASE_URL: postgres.adminUrl,
    ...(meilisearch !== undefined && { TEST_MEILI_URL: meilisearch.url, TEST_MEILI_KEY: meilisearch.key }),
  });
  // A run that ends badly without a failed assertion has failed all the same.
  const failures = failed === 0 && code !== 0 ? 1 : failed;
  process.stdout.write(`${passed} passed, ${failures} failed\n`);
  process.exitCode = failures === 0 ? 0 : 1;
} finally {
  await Promise.all([postgres.stop(), meilisearch?.stop()]);
}

/**
 * The checks beside the tests: format, lint, layers, dead code. Prints a line for each, and the findings of those that
 * fail; ends with 1 when any does.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');
const folders = ['src', 'workers', 'bench', 'test'];

interface Outcome {
  readonly isPassed: boolean;
  readonly output: string;
}

function run(packageName: string, binary: string, args: readonly string[]): Outcome {
  const result = spawnSync(process.execPath, [join(root, 'node_modules', packageName, binary), ...args], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  return { isPassed: result.status === 0, output: `${result.stdout}${result.stderr}` };
}

/** Dependency-cruiser passes when it sees nothing at all, so the modules that it saw are counted. */
function checkLayers(): Outcome {
  const args = ['--config', '.dependency-cruiser.cjs', '--output-type', 'json', ...folders];
  const { output } = run('dependency-cruiser', 'bin/dependency-cruise.mjs', args);
  // The tool's own report.
  const report = JSON.parse(output) as {
    modules: readonly { source: string }[];
    summary: { violations: readonly { from: string; to: string; rule: { name: string } }[] };
  };
  const seen = new Set(report.modules.map(({ source }) => source));
  const unseen = folders.flatMap(sourcesBelow).filter((file) => !seen.has(file));
  const violations = report.summary.violations.map(({ from, to, rule }) => `${rule.name}: ${from} → ${to}`);
  return {
    isPassed: unseen.length === 0 && violations.length === 0,
    output: [...violations, ...unseen.map((file) => `${file} was not looked at`)].join('\n'),
  };
}

function sourcesBelow(folder: string): readonly string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => `${folder}/${file}`);
}

const checks: readonly (readonly [string, () => Outcome])[] = [
  ['format', () => run('prettier', 'bin/prettier.cjs', ['--check', '.'])],
  ['lint', () => run('oxlint', 'bin/oxlint', ['--type-aware', ...folders])],
  ['layers', checkLayers],
  // Errors of the Compose schema; the order of keys is ours to choose.
  ['compose file', () => run('dclint', 'bin/dclint.cjs', ['--quiet', 'docker-compose.yml'])],
  ['dead code', () => run('knip', 'bin/knip.js', [])],
];

let failed = 0;
for (const [name, check] of checks) {
  const { isPassed, output } = check();
  process.stdout.write(`${isPassed ? 'ok' : 'not ok'} - ${name}\n`);
  if (isPassed) continue;
  failed += 1;
  process.stdout.write(`${output}\n`);
}
process.stdout.write(`${checks.length - failed} checks passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;

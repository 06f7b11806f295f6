/**
 * `npm run bench -- mutants`: breaks the rules of `mutants/` one by one, and runs of each the test that has to notice it.
 * Prints `noticed` or `NOT NOTICED` for each, and ends with 1 where one is not. `-- --only TEXT` takes those that have it
 * in their name or test, `--cases N` how many random carts a test tries: the more, the longer what is not noticed takes.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { mutants } from './mutants/all.ts';
import { type NamedPatch, patchedEnvironment } from './patching/patch.ts';

const { values: options } = parseArgs({
  options: {
    cases: { type: 'string', default: '2000' },
    only: { type: 'string', multiple: true },
  },
});

const tests = join(import.meta.dirname, '..', 'test');
const register = pathToFileURL(join(import.meta.dirname, 'patching', 'register.js')).href;
/** In which a test has to end; many times what any of them takes. */
const timeoutMs = 300_000;

type Outcome = 'passes' | 'fails' | 'does not run';

/** A test that runs says which of its assertions fail; what cannot be loaded says nothing. */
async function outcomeOf(test: string, patches: readonly NamedPatch[]): Promise<Outcome> {
  const child = spawn(process.execPath, ['--import', register, join(tests, `${test}.test.js`)], {
    env: { ...process.env, ...patchedEnvironment(patches), TAP: '1', TEST_CASES: options.cases },
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
  });
  let output = '';
  child.stdout.on('data', (piece: Buffer) => (output += piece.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  if (/^\s*not ok /m.test(output)) return 'fails';
  return code === 0 && /^\s*ok /m.test(output) ? 'passes' : 'does not run';
}

/** As many at a time as there are cores; each is told as soon as it is known. */
async function each<T>(values: readonly T[], run: (value: T) => Promise<void>): Promise<void> {
  const waiting = [...values];
  const worker = async (): Promise<void> => {
    for (let value = waiting.shift(); value !== undefined; value = waiting.shift()) await run(value);
  };
  await Promise.all(Array.from({ length: availableParallelism() }, worker));
}

const chosen = mutants.filter(
  ({ patch: { name }, test }) => options.only?.some((part) => name.includes(part) || test.includes(part)) !== false,
);
const faults: string[] = [];

// What fails without a mutant notices none.
await each([...new Set(chosen.map(({ test }) => test))], async (test) => {
  const outcome = await outcomeOf(test, []);
  if (outcome !== 'passes') faults.push(`${test} ${outcome} without any mutant`);
});
if (faults.length === 0)
  await each(chosen, async ({ patch, test }) => {
    const startedAtMs = performance.now();
    const outcome = await outcomeOf(test, [patch]);
    const seconds = ((performance.now() - startedAtMs) / 1000).toFixed(1);
    const verdict = { fails: 'noticed', passes: 'NOT NOTICED', 'does not run': 'DOES NOT RUN' }[outcome];
    process.stdout.write(`${verdict.padEnd(12)} ${patch.name} (${test}, ${seconds} s)\n`);
    if (outcome !== 'fails') faults.push(`${verdict}: ${patch.name} (${patch.file}, by ${test})`);
  });
for (const fault of faults) process.stdout.write(`${fault}\n`);
process.stdout.write(`${chosen.length} mutants, ${faults.length} faults\n`);
process.exitCode = faults.length === 0 ? 0 : 1;

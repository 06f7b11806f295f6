/** `npm run bench -- mutants` runs the mutants; that each of them still fits what it changes is cheap to see. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { mutants } from '../../bench/mutants/all.ts';
import { patched } from '../../bench/patching/patch.ts';

const dist = join(import.meta.dirname, '..', '..');

t.test('each mutant changes a text that is in its file once', async (t) => {
  const faults = mutants.flatMap(({ patch }) => {
    try {
      patched(readFileSync(join(dist, 'src', patch.file), 'utf8'), patch);
      return [];
    } catch (error) {
      return [(error as Error).message];
    }
  });
  t.strictSame(faults, []);
});

t.test('each mutant has a name of its own, and a test', async (t) => {
  const names = mutants.map(({ patch }) => patch.name);
  t.strictSame(
    names.filter((name, index) => names.indexOf(name) !== index),
    [],
  );
  const tests = new Set(mutants.map(({ test }) => test));
  t.strictSame(
    [...tests].filter((test) => !existsSync(join(dist, 'test', `${test}.test.js`))),
    [],
  );
});

/** Mutants: the built platform with one rule broken, each of which a test has to notice. */
import type { NamedPatch } from '../patching/patch.ts';

export interface Mutant {
  readonly patch: NamedPatch;
  /** The test that notices it, below `test`, without `.test.ts`. */
  readonly test: string;
}

/** Mutants of one file. */
export interface MutantsOfFile {
  /** Below the folder of the built sources, without `.js`. */
  readonly file: string;
  /** That notices those of which nothing else is said. */
  readonly test: string;
  /** What holds, with the number of the rule that says so; a text that is in the file once, and the one that breaks the rule. */
  readonly rules: Readonly<Record<string, readonly [text: string, replacement: string, test?: string]>>;
}

export function mutantsOf(files: readonly MutantsOfFile[]): readonly Mutant[] {
  return files.flatMap(({ file, test: usual, rules }) =>
    Object.entries(rules).map(([name, [text, replacement, test = usual]]) => ({
      patch: { name, file: `${file}.js`, changes: [[text, replacement]] },
      test,
    })),
  );
}

/** Changes of the built platform that programs are run with, to see what notices them. */

/** A change that no longer fits the platform's text fails the start of the program. */
export interface Patch {
  /** Below the folder of the built sources. */
  readonly file: string;
  /** Texts that occur once in the file, and what takes their place. */
  readonly changes: readonly (readonly [text: string, replacement: string])[];
}

export interface NamedPatch extends Patch {
  readonly name: string;
}

/** What a program's environment says of the patches that it is loaded with. */
export function patchedEnvironment(patches: readonly NamedPatch[]): NodeJS.ProcessEnv {
  return { PATCHES: JSON.stringify(patches) };
}

export function patchesIn({ PATCHES = '[]' }: NodeJS.ProcessEnv): readonly NamedPatch[] {
  return JSON.parse(PATCHES) as readonly NamedPatch[];
}

/** The text of the file with all changes made. Throws where one does not fit. */
export function patched(source: string, { name, file, changes }: NamedPatch): string {
  let text = source;
  for (const [found, replacement] of changes) {
    if (text.split(found).length !== 2) throw new Error(`'${name}' does not fit: '${found}' is not in ${file} once.`);
    text = text.replace(found, () => replacement);
  }
  return text;
}

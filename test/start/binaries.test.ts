import { spawnSync } from 'node:child_process';
import { appendFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';

const root = join(import.meta.dirname, '..', '..', '..');
const folder = join('node_modules', 'uWebSockets.js', 'dist', 'bin');

function check(directory: string) {
  const { status, stdout } = spawnSync(process.execPath, [join(directory, 'binaries.mjs'), 'check'], {
    encoding: 'utf8',
  });
  return { status, stdout };
}

t.test('the installed programs are those of the list', async (t) => {
  t.strictSame(check(root), { status: 0, stdout: '' });
});

t.test('a program that was changed or added is found', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'tradepost-binaries-'));
  t.teardown(() => rmSync(directory, { recursive: true, force: true }));
  mkdirSync(join(directory, folder), { recursive: true });
  for (const file of ['binaries.mjs', 'binaries.sha256', join(folder, 'uws_linux_x64_115.node')])
    cpSync(join(root, file), join(directory, file));
  t.strictSame(check(directory), { status: 0, stdout: '' });
  appendFileSync(join(directory, folder, 'uws_linux_x64_115.node'), 'x');
  writeFileSync(join(directory, folder, 'other.node'), Buffer.from('7f454c46', 'hex'));
  t.strictSame(check(directory), {
    status: 1,
    stdout: `${folder}/other.node is not on the list\n${folder}/uws_linux_x64_115.node is not the one of the list\n`,
  });
});

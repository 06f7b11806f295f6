import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { createNames, type Names } from '../../src/calls/names.ts';
import { type NameServer, startNameServer } from '../support/name-server.ts';

interface Given {
  readonly hosts?: string;
  readonly settings?: string;
}

async function namesOn(t: Test, server: NameServer, { hosts, settings }: Given = {}): Promise<Names> {
  const folder = t.testdir();
  const [hostsPath, resolverPath] = [join(folder, 'hosts'), join(folder, 'resolv.conf')];
  if (hosts !== undefined) await writeFile(hostsPath, hosts);
  if (settings !== undefined) await writeFile(resolverPath, settings);
  return createNames({ hostsPath, resolverPath, servers: [server.address] });
}

const addresses = { 'quick.test': ['198.18.0.1', '198.18.0.2'], 'svc.local.test': ['198.18.0.3'] };

t.test('the file of hosts comes before servers, and no server is asked for this machine', async (t) => {
  const server = await startNameServer(t, addresses);
  const hosts = `# quick.test\n\n::7 both.test\n10.0.0.7\tboth.test Other # third\nnonsense fourth\nfe80::1%eth0 linked\n`;
  const names = await namesOn(t, server, { hosts });
  for (const [name, expected] of [
    ['both.test', ['10.0.0.7', '::7']],
    ['BOTH.test.', ['10.0.0.7', '::7']],
    ['other', ['10.0.0.7']],
    ['localhost', ['127.0.0.1', '::1']],
    ['shop.localhost', ['127.0.0.1', '::1']],
  ] as const)
    t.strictSame(await names(name, 'p'), expected, name);
  t.strictSame(server.asked, []);
  for (const name of ['third', 'fourth', 'linked', 'toString']) await t.rejects(names(name, 'p'), /no address/, name);
  t.strictSame(await names('quick.test', 'p'), addresses['quick.test']);
  const own = await namesOn(t, server, { hosts: '10.0.0.9 localhost' });
  t.strictSame(await own('localhost', 'p'), ['10.0.0.9'], 'the operator may say otherwise');
});

t.test('search domains are put behind names of few dots, before and after the name itself', async (t) => {
  const server = await startNameServer(t, addresses);
  const askedBy = async (settings: string, name: string): Promise<readonly string[]> => {
    const names = await namesOn(t, server, { settings });
    server.asked.length = 0;
    await names(name, 'p').catch(() => {});
    return server.asked.filter((one) => one.endsWith(' A')).map((one) => one.slice(0, -2));
  };
  const [one, two] = ['other.test', 'local.test'];
  const settings = `domain unused.test\nsearch ${one} ${two} ; both\nnameserver 192.0.2.1\n`;
  t.strictSame(await askedBy(settings, 'svc'), [`svc.${one}`, `svc.${two}`]);
  t.strictSame(await askedBy(settings, 'svc.'), ['svc']);
  t.strictSame(await askedBy(settings, 'a.b'), ['a.b', `a.b.${one}`, `a.b.${two}`]);
  t.strictSame(await askedBy(`${settings}options edns0 ndots:2`, 'a.b'), [`a.b.${one}`, `a.b.${two}`, 'a.b']);
  t.strictSame(await askedBy(`${settings}options ndots:2`, 'quick.test.'), ['quick.test']);
  t.strictSame(await askedBy('', 'svc'), ['svc']);
});

t.test('servers that are silent hold up nobody else, and nobody for ever', async (t) => {
  const server = await startNameServer(t, addresses);
  const names = await namesOn(t, server, { settings: 'search local.test' });
  let ended = 0;
  const silent = Array.from({ length: 100 }, async (_, index) => {
    await t.rejects(names(`silent${index}.test`, 'p'), /Nobody answered/);
    ended += 1;
  });
  await t.rejects(names('quick.test', 'p'), /Too many names/);
  const again = t.rejects(names('silent0.test', 'p'), /Nobody answered/, 'the same name is asked for once');
  t.strictSame(await names('quick.test', 'q'), addresses['quick.test']);
  t.equal(ended, 0, 'others are answered meanwhile');
  await Promise.all([...silent, again]);
  const asked = server.asked.filter((one) => one === 'silent0.test A');
  t.equal(asked.length, 2, 'a silent server is asked once more, and for no other name');
  t.strictSame(await names('quick.test', 'p'), addresses['quick.test'], 'what has ended counts no more');
});
